package main

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"testing"
)

// TestChecksNotice plays the demo's steps against three services: as it should be, where all are green;
// without the wrapper, where none is; and with a scope that drops the tenant, where the step about
// tenants is red and no other. A check that stays green on a broken service checks nothing.
func TestChecksNotice(t *testing.T) {
	t.Parallel()
	binary, err := build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range steps {
		all = append(all, s.name)
	}
	for _, test := range []struct {
		unsafe string
		red    []string
	}{
		{"", nil},
		{"nowrapper", all},
		{"notenant", []string{"7"}},
	} {
		t.Run("unsafe="+test.unsafe, func(t *testing.T) {
			t.Parallel()
			var transcript bytes.Buffer
			d, err := newDemo(binary, t.TempDir(), test.unsafe, &transcript)
			if err != nil {
				t.Fatal(err)
			}
			defer d.close()
			red := map[string]int{}
			for _, s := range steps {
				if n := d.play(s); n > 0 {
					red[s.name] = n
				}
			}
			if got := slices.Sorted(maps.Keys(red)); !slices.Equal(got, test.red) {
				log, _ := os.ReadFile(d.log())
				t.Errorf("red steps: %v, want %v\n%s\n%s", got, test.red, &transcript, log)
			}
			if left := d.play(rowCounts); (left > 0) != (len(test.red) > 0) {
				t.Errorf("row counts: %d red\n%s", left, &transcript)
			}
		})
	}
}
