package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/idemgen/idemgen/gen"
)

// Where one file cannot be written, none changes, and nothing is left behind.
func TestEditsAreAllOrNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	write("a.yaml", "a: 1\n")
	write("b.yaml", "b: 3\n") // not what was read
	src, err := openSource(filepath.Join(dir, "a.yaml"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer src.close()
	edits := []gen.EditedFile{
		{Name: "a.yaml", Old: []byte("a: 1\n"), New: []byte("a: 2\n")},
		{Name: "b.yaml", Old: []byte("b: 1\n"), New: []byte("b: 2\n")},
	}
	want := "write " + filepath.ToSlash(filepath.Join(dir, "b.yaml")) + ": it changed meanwhile: run the command again"
	if err := writeEdits(src, edits); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	check := func(name, text string) {
		t.Helper()
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	check("a.yaml", "a: 1\n")
	write("b.yaml", "b: 1\n")
	if err := writeEdits(src, edits); err != nil {
		t.Error(err)
	}
	check("a.yaml", "a: 2\n")
	check("b.yaml", "b: 2\n")
	if info, err := os.Stat(filepath.Join(dir, "b.yaml")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("b.yaml: %v, %v", info.Mode(), err)
	}
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"a.yaml", "b.yaml"}) {
		t.Errorf("the folder holds %v", names)
	}
}
