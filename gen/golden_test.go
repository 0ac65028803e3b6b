package gen

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "rewrite testdata/golden from what is generated now")

var goldenDir = filepath.Join("..", "testdata", "golden")

// goldenCases are the folders of testdata/golden: a document and the whole package that it gives.
func goldenCases(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func generateCase(t *testing.T, name string) Output {
	t.Helper()
	out, err := Generate(os.DirFS(filepath.Join(goldenDir, name)), Config{Spec: "openapi.yaml", Package: name, ImportPath: "example.com/golden/" + name})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range goldenCases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(goldenDir, name)
			got := map[string][]byte{}
			for _, f := range generateCase(t, name).Files {
				got[f.Name] = f.Data
			}
			want := filesIn(t, dir)
			if *update {
				write(t, dir, got, want)
				return
			}
			if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
				t.Errorf("generated %v, want %v", a, b)
			}
			for name, data := range got {
				if w, ok := want[name]; ok && !bytes.Equal(data, w) {
					t.Errorf("run go test -update where this is wanted:\n%s", diff.Diff("golden "+name, w, "generated "+name, data))
				}
			}
		})
	}
}

func filesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.[gl]o*")) // .go and .lock
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = data
	}
	return files
}

func write(t *testing.T, dir string, files, old map[string][]byte) {
	t.Helper()
	for name := range old {
		if _, ok := files[name]; !ok {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
