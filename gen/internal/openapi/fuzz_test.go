package openapi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// Whatever the text, the reader answers in bounded time with a document or with problems that have a
// place, and never fails itself.
func FuzzLoad(f *testing.F) {
	for _, folder := range []string{badFolder, "testdata/good"} {
		files, err := filepath.Glob(folder + "/*.[yj][as]*")
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds in %s: %v", folder, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text, filepath.Ext(file) == ".json")
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, json bool) {
		name := "d.yaml"
		if json {
			name = "d.json"
		}
		start := time.Now()
		doc, problems := Load(fstest.MapFS{name: {Data: text}}, name)
		if spent := time.Since(start); spent > 20*time.Second {
			t.Errorf("took %v", spent)
		}
		if (doc == nil) == (len(problems) == 0) {
			t.Errorf("document: %t, problems: %v", doc != nil, problems)
		}
		for _, p := range problems {
			if p.Pos.File == "" || p.Pos.Line < 1 || p.Pos.Col < 1 || p.What == "" || p.Remedy == "" {
				t.Errorf("problem without place or text: %+v", p)
			}
			if strings.Contains(p.What, "reading the document failed") || strings.Contains(p.What, "kin-openapi") {
				t.Errorf("not seen before: %s", show(p))
			}
		}
		if doc != nil {
			dump(doc)
		}
	})
}
