package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain is this program as well, for the processes that it is run again for.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "task" {
		if err := work(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

func TestAnnotated(t *testing.T) {
	t.Parallel()
	const block = `openapi: 3.0.3
info: {title: T, version: "1"}
paths:
  /v1/things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {}}
    put:
      responses: {}
    delete: {responses: {}}
  /v1/things/id:
    put:
      responses: {}
`
	const json = `{"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"post": {"responses": {}}, "patch": {
	"responses": {}}}}}`
	for text, want := range map[string][]string{block: {"things.id.put", "things.id.delete", "things.id.put.again"}, json: {"a.post", "a.patch"}} {
		for most := 1; most <= 4; most++ {
			marked, err := annotated([]byte(text), most)
			if err != nil {
				t.Fatal(err)
			}
			out, err := generate(marked)
			if err != nil || out.Summary.Keyed != min(most, len(want)) {
				t.Fatalf("%d keyed of %d, %v\n%s", out.Summary.Keyed, most, err, marked)
			}
			for _, key := range want[:out.Summary.Keyed] {
				if !strings.Contains(string(out.Files[0].Data), `idem.Endpoint = "`+key+`"`) {
					t.Errorf("no endpoint %s in\n%s", key, out.Files[0].Data)
				}
			}
		}
	}
}

func TestSyntheticDocumentHasSoManyOperations(t *testing.T) {
	t.Parallel()
	out, err := generate(synthetic(20))
	if err != nil || out.Summary.Keyed != 20 || len(out.Summary.Unkeyed) > 0 {
		t.Errorf("%+v, %v", out.Summary, err)
	}
}

// The structs are those of what is generated, each once, and need nothing of the runtime.
func TestStructsOfWhatIsGenerated(t *testing.T) {
	t.Parallel()
	out, err := generate(synthetic(20))
	if err != nil {
		t.Fatal(err)
	}
	types := 0
	for _, f := range out.Files {
		if !isCode(f.Name) {
			continue
		}
		structs, err := structsOf(f)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Count(string(structs), "\ntype "), strings.Count(string(f.Data), "\ntype "); got != want {
			t.Errorf("%s: %d types, want %d", f.Name, got, want)
		}
		types += strings.Count(string(structs), "\ntype ")
		if s := string(structs); strings.Contains(s, "canon.") || strings.Contains(s, "idem.") || strings.Contains(s, "func ") {
			t.Errorf("%s:\n%s", f.Name, s)
		}
	}
	if types < 20 {
		t.Errorf("%d types", types)
	}
}

func TestTasksAreMeasuredInTheirOwnProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "openapi.yaml")
	if err := os.WriteFile(path, synthetic(20), 0o644); err != nil {
		t.Fatal(err)
	}
	for task := range tasks {
		cpu, peak, err := process{task, path}.run(t.Context())
		if err != nil || cpu <= 0 || peak < 1<<20 {
			t.Errorf("%s takes %v and %d bytes, %v", task, cpu, peak, err)
		}
	}
	for _, p := range []process{{"sing", path}, {"generate", path + ".none"}, {"load", path + ".none"}} {
		if _, _, err := p.run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), p.task+": ") {
			t.Errorf("%v: %v", p, err)
		}
	}
}
