package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// step is a command that the generated module went through.
type step struct {
	name string
	took time.Duration
}

// typedTest is a test beside the generated one: the same requests, through the typed handlers.
//
//go:embed typed_test.go.txt
var typedTest string

// echoTest is what the user writes, in place of what the generator proposes: an echo service.
//
//go:embed echo_test.go.txt
var echoTest string

// compile writes the package into a module of its own, which is removed in the end, and takes it through
// gofmt, build, vet and its tests. There is no network: the runtime is the one beside this module.
func (r *result) compile() error {
	module, err := os.MkdirTemp("", "idemgen-corpus-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(module)
	if err := r.write(module); err != nil {
		return err
	}
	for _, s := range []struct {
		name  string
		args  []string
		judge func(out []byte, err error) error
	}{
		{"gofmt", []string{"gofmt", "-l", "."}, silent},
		{"build", []string{"go", "build", "-trimpath", "./..."}, fine},
		{"vet", []string{"go", "vet", "-trimpath", "./..."}, fine},
		{"test", []string{"go", "test", "-trimpath", "-timeout", "10m", "./..."}, fine},
		{"unwrapped", []string{"env", "UNWRAPPED=yes", "go", "test", "-trimpath", "-timeout", "10m", "-json", "-run", "^TestIdempotency", "./..."}, r.allFail},
	} {
		start := time.Now()
		cmd := exec.Command(s.args[0], s.args[1:]...)
		cmd.Dir = module
		cmd.Env = offline()
		out, err := cmd.CombinedOutput()
		if err := s.judge(out, err); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.steps = append(r.steps, step{s.name, time.Since(start)})
	}
	return nil
}

func fine(out []byte, err error) error {
	if err != nil {
		return fmt.Errorf("%w\n%s", err, beginning(out))
	}
	return nil
}

func silent(out []byte, err error) error {
	if err == nil && len(out) > 0 {
		err = errors.New("not formatted")
	}
	return fine(out, err)
}

// allFail checks that every generated test fails for every operation: without its wrapper, nothing that they promise is
// so.
func (r *result) allFail(out []byte, _ error) error {
	failed := map[string]int{} // operations, by test
	for line := range bytes.Lines(out) {
		var event struct{ Action, Test string }
		if json.Unmarshal(line, &event) != nil {
			continue // what the build says
		}
		test, rest, _ := strings.Cut(event.Test, "/")
		if rest == "" || strings.Contains(rest, "/") {
			continue
		}
		switch event.Action {
		case "pass", "skip":
			return fmt.Errorf("%s is a %s, though nothing is wrapped", event.Test, event.Action)
		case "fail":
			failed[test]++
		}
	}
	const rules = 9
	if len(failed) != rules {
		return fmt.Errorf("%d generated tests fail, of %d\n%s", len(failed), rules, beginning(out))
	}
	for test, n := range failed {
		if n != r.generated() {
			return fmt.Errorf("%s fails for %d of %d operations, though nothing is wrapped", test, n, r.generated())
		}
	}
	return nil
}

// offline is the environment of a go command that fetches nothing.
func offline() []string {
	return append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off")
}

// goMod is the temporary module's, with the runtime that this module uses.
func goMod() ([]byte, error) {
	runtime, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/idemgen/idemgen/runtime").Output()
	if err != nil {
		return nil, fmt.Errorf("find the runtime: %w", err)
	}
	return fmt.Appendf(nil, `module example.com/corpus

go 1.24

require github.com/idemgen/idemgen/runtime v0.0.0

replace github.com/idemgen/idemgen/runtime => %s
`, bytes.TrimSpace(runtime)), nil
}

// beginning is the start of what a command printed, so that the report stays readable.
func beginning(out []byte) []byte {
	const most = 1500
	if len(out) > most {
		return append(out[:most:most], "…"...)
	}
	return out
}

// write writes the module's files, and counts the lines that the generator owns.
func (r *result) write(module string) error {
	mod, err := goMod()
	if err != nil {
		return err
	}
	dir := filepath.Join(module, "generated")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	files := map[string][]byte{
		filepath.Join(module, "go.mod"): mod,
	}
	for _, f := range r.out.Files {
		files[filepath.Join(dir, f.Name)] = f.Data
		if !f.Once {
			r.lines += bytes.Count(f.Data, []byte("\n"))
		}
	}
	typed, err := r.typed()
	if err != nil {
		return err
	}
	files[filepath.Join(dir, "typed_test.go")] = typed
	files[filepath.Join(dir, "idempotency_test.go")] = []byte(echoTest)
	for name, data := range files {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

var fingerprintFunc = regexp.MustCompile(`(?m)^func Fingerprint(\w+)\(p \w+\) .*\n\treturn idem\.FingerprintOf\(&(\w+), p\)$`)

// typed is the test of the typed handlers, with a line for each operation.
func (r *result) typed() ([]byte, error) {
	var lines strings.Builder
	count := 0
	for _, f := range r.out.Files {
		for _, m := range fingerprintFunc.FindAllSubmatch(f.Data, -1) {
			fmt.Fprintf(&lines, "Endpoint%s: typed(&%s, Fingerprint%s, Handle%s),\n", m[1], m[2], m[1], m[1])
			count++
		}
	}
	if count != r.out.Summary.Keyed {
		return nil, fmt.Errorf("%d fingerprint functions for %d operations", count, r.out.Summary.Keyed)
	}
	return format.Source([]byte(strings.Replace(typedTest, "OPERATIONS\n", lines.String(), 1)))
}
