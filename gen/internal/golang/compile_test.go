package golang

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goMod is a user's module that has nothing but the runtime, at the runtime's own go line.
const goMod = `module example.test/ledger

go 1.24

require github.com/idemgen/idemgen/runtime v0.0.0

replace github.com/idemgen/idemgen/runtime => `

// TestCompiles builds, vets and runs what is generated, in a module of its own: a package for each document, and one
// with its files parted.
func TestCompiles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs the go command")
	}
	runtime, err := filepath.Abs("../../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte(goMod+runtime+"\n"))
	for name, document := range documents {
		for folder, most := range map[string]int{name: mostLines, name + "parts": 40} {
			for _, f := range formattedParts(t, document(), most) {
				write(t, filepath.Join(dir, folder, f.Name), f.Data)
			}
			// What the generated code has to do is said in tests of its own, which run beside it.
			for _, pattern := range []string{"testdata/*_test.go.txt", "testdata/" + name + "/*_test.go.txt"} {
				copyTests(t, pattern, filepath.Join(dir, folder))
			}
		}
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %v: %v\n%s", args, err, out)
		}
	}
}

func copyTests(t *testing.T, pattern, dir string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".txt")), data)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
