package openapi

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each document in testdata/good is read to what the .ir file beside it shows.
func TestGoodDocuments(t *testing.T) {
	t.Parallel()
	const folder = "testdata/good"
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		ext := filepath.Ext(name)
		if e.IsDir() || ext != ".yaml" && ext != ".json" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, problems := Load(os.DirFS(folder), name)
			for _, p := range problems {
				t.Error(show(p))
			}
			if doc == nil {
				t.Fatal("no document")
			}
			golden := filepath.Join(folder, strings.TrimSuffix(name, ext)+".ir")
			if ext == ".json" { // shown as its YAML twin, but for places
				golden = filepath.Join(folder, name+".ir")
			}
			got := dump(doc)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("read as\n%s\nwant\n%s", got, want)
			}
		})
	}
}
