package main

import (
	"path/filepath"
	"testing"
)

// Every mutant still has its place.
func TestMutantsApply(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range mutants {
		if _, err := m.overlay(root, t.TempDir()); err != nil || names[m.name] || len(m.edits) == 0 {
			t.Errorf("%s: %v", m.name, err)
		}
		names[m.name] = true
	}
}
