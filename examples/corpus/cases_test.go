package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen"
)

const casesFolder = "../../../shared/cases"

//go:embed case_test.go.txt
var caseTest string

// Faults that tools of this kind had in public, as small documents that are not part of the module: each is
// refused with its place, or generated and asked what its requests and payloads are.
func TestCollectedCases(t *testing.T) {
	if _, err := os.Stat(casesFolder); err != nil {
		t.Skip("no collected cases here")
	}
	module := t.TempDir()
	mod, err := goMod()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(module, "go.mod"), mod)
	names := map[string]bool{}
	for _, c := range cases {
		names[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			out, err := gen.Generate(os.DirFS(casesFolder), c.config())
			if len(c.Refused) > 0 {
				refused(t, err, c.Refused)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := gen.Generate(os.DirFS(casesFolder), c.config()); !reflect.DeepEqual(out, again) {
				t.Error("two runs differ")
			}
			c.write(t, filepath.Join(module, c.name), out)
		})
	}
	files, _ := filepath.Glob(casesFolder + "/*.yaml")
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".yaml"); !names[name] {
			t.Errorf("nothing is said of %s", name)
		}
	}
	for _, args := range [][]string{{"gofmt", "-l", "."}, {"go", "vet", "./..."}, {"go", "test", "-timeout", "5m", "./..."}} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = module
		cmd.Env = offline()
		out, err := cmd.CombinedOutput()
		if err != nil || args[0] == "gofmt" && len(out) > 0 {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}

func refused(t *testing.T, err error, want []string) {
	t.Helper()
	var problems gen.Problems
	if !errors.As(err, &problems) || len(problems) != len(want) {
		t.Fatalf("got %v\nwant %q", err, want)
	}
	for i, p := range problems {
		if !strings.HasPrefix(p.String(), want[i]) {
			t.Errorf("got %v\nwant %s", p, want[i])
		}
	}
}

func (c collected) config() gen.Config {
	return gen.Config{Spec: c.name + ".yaml", Package: "generated", ImportPath: "example.com/corpus/" + c.name}
}

// write writes a generated package and the tests of its case.
func (c collected) write(t *testing.T, dir string, out gen.Output) {
	t.Helper()
	var lines strings.Builder
	for _, f := range out.Files {
		write(t, filepath.Join(dir, f.Name), f.Data)
		for _, m := range fingerprintFunc.FindAllSubmatch(f.Data, -1) {
			fmt.Fprintf(&lines, "Endpoint%s: echo(Handle%s),\n", m[1], m[1])
		}
		if !f.Once {
			look(t, f.Name, f.Data)
		}
	}
	test, err := format.Source([]byte(strings.Replace(caseTest, "OPERATIONS\n", lines.String(), 1)))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "case_test.go"), test)
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "case.json"), data)
}

// look checks that nothing of a document became code: it declares no init, and no name that only the text of a
// document has.
func look(t *testing.T, name string, text []byte) {
	t.Helper()
	for _, bad := range []string{"T00:00:00Z", "\r", "\uFEFF", "\n//go:", "\n// +build", "\n//line"} {
		if bytes.Contains(text, []byte(bad)) {
			t.Errorf("%s has %q", name, bad)
		}
	}
	if filepath.Ext(name) != ".go" {
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := range ast.Preorder(file) {
		if id, ok := n.(*ast.Ident); ok && (id.Name == "init" || strings.HasPrefix(id.Name, "Leak")) {
			t.Errorf("%s has the name %s", name, id.Name)
		}
	}
}

// A document from Windows gives what the same document gives elsewhere.
func TestCollectedWindowsCase(t *testing.T) {
	text, err := os.ReadFile(casesFolder + "/g33.yaml")
	if err != nil {
		t.Skip("no collected cases here")
	}
	plain := strings.ReplaceAll(strings.TrimPrefix(string(text), "\uFEFF"), "\r\n", "\n")
	if plain == string(text) {
		t.Fatal("the case has lost its line ends")
	}
	generate := func(text string) gen.Output {
		out, err := gen.Generate(fstest.MapFS{"g33.yaml": {Data: []byte(text)}}, collected{name: "g33"}.config())
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if !reflect.DeepEqual(generate(string(text)), generate(plain)) {
		t.Error("the outputs differ")
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
