package openapi

import (
	"os"
	"path/filepath"
	"testing"
)

const casesFolder = "../../../../shared/cases"

// refused are the collected cases that are refused, and why. All others load.
var refused = map[string][]string{
	"g10.yaml": { // text that YAML takes for numbers
		`g10.yaml:21:46: the enum of a string has the number 007: quote it: '007'`,
		`g10.yaml:21:51: the enum of a string has the number 010: quote it: '010'`,
		`g10.yaml:21:56: the enum of a string has the number 0x1F: quote it: '0x1F'`,
		`g10.yaml:21:62: the enum of a string has the number 1_000: quote it: '1_000'`,
		`g10.yaml:21:69: the enum of a string has the number 12e3: quote it: '12e3'`,
	},
	"g15b.yaml": {
		`g15b.yaml:17:45: "rank" cannot be both string and, on line 15, integer: make the schemas of allOf agree`,
	},
	"g42.yaml": {
		`g42.yaml:7:31: x-idempotency-endpoint "заявка.создать" is not an endpoint key: use lower-case words of a-z and 0-9 joined by dots, hyphens or underscores`,
	},
}

// Faults that tools of this kind had in public, as small documents; they are not part of the module.
func TestCollectedCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(casesFolder + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Skip("no collected cases here")
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, problems := Load(os.DirFS(casesFolder), name)
			var got []string
			for _, p := range problems {
				got = append(got, show(p))
			}
			want := refused[name]
			if len(got) != len(want) {
				t.Fatalf("got %q, want %q", got, want)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("got %q, want %q", got[i], want[i])
				}
			}
			if (doc == nil) != (len(want) > 0) {
				t.Errorf("document returned: %t", doc != nil)
			}
		})
	}
}
