package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// helpers is what mutants of the service call.
//
//go:embed helpers.go.txt
var helpers string

// test runs the generated tests over a mutant. found are the rules that find it, each with the number of operations.
func test(root string, m mutant) (found []string, err error) {
	dir, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(root, dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "test", "-overlay", overlay, "-count=1", "-timeout=45s", "-json", "-run", "^TestIdempotency", "./ledger/ledgeridem")
	cmd.Dir = filepath.Join(root, "examples")
	out, failure := cmd.Output()
	found = findings(out)
	if failure != nil && len(found) == 0 {
		return nil, fmt.Errorf("%w\n%s", failure, out) // it does not compile
	}
	return found, nil
}

// overlay writes the mutated files into dir, and the list of them that the go command takes.
func (m mutant) overlay(root, dir string) (string, error) {
	texts := map[string]string{"examples/ledger/service/helpers.go": helpers}
	for _, e := range m.edits {
		text, mutated := texts[e.file]
		if !mutated {
			data, err := os.ReadFile(filepath.Join(root, e.file))
			if err != nil {
				return "", err
			}
			text = string(data)
		}
		if n := strings.Count(text, e.old); n != 1 {
			return "", fmt.Errorf("%s has this %d times, not once: bring the mutant up to date:\n%s", e.file, n, e.old)
		}
		texts[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	replace := map[string]string{}
	for file, text := range texts {
		path := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, file)] = path
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}

// findings are the tests that fail, each with how many operations it fails for: "Replay (88)".
func findings(out []byte) []string {
	failed := map[string]int{}
	for line := range bytes.Lines(out) {
		var event struct{ Action, Test string }
		if json.Unmarshal(line, &event) != nil || event.Action != "fail" {
			continue
		}
		test, operation, _ := strings.Cut(event.Test, "/")
		if operation != "" && !strings.Contains(operation, "/") {
			failed[strings.TrimPrefix(test, "TestIdempotency")]++
		}
	}
	var found []string
	for test, n := range failed {
		found = append(found, fmt.Sprintf("%s (%d)", test, n))
	}
	slices.Sort(found)
	return found
}
