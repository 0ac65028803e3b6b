package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen"
)

// desk is a document of six mutating operations: two become code, three are refused, for reasons that lie in
// the operation, in its path and in a schema that two share, and one is exempt.
const desk = `openapi: 3.0.3
info: {title: Desk, version: "1"}
paths:
  /notes:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}
      responses: {"201": {description: written}}
    put:
      responses: {"200": {content: {text/event-stream: {}}}}
  /notes/{id}:
    delete:
      responses: {}
    patch:
      x-idempotency-exempt: nothing is kept
      responses: {}
  /a:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Broken'}}}}
  /b:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Broken'}}}}
components:
  schemas:
    Broken: {properties: {next: {$ref: '#/nowhere'}}}
`

func TestEveryOperationEnds(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "desk.yaml"), []byte(desk))
	write(t, filepath.Join(dir, "old.yaml"), []byte("swagger: '2.0'\npaths:\n  /a:\n    post:\n      responses: {}\n"))
	documents, err := find(dir)
	if err != nil || len(documents) != 2 {
		t.Fatal(documents, err)
	}
	r := check(documents[0])
	if r.err != nil {
		t.Fatal(r.err)
	}
	if r.mutating != 6 || r.generated() != 2 || r.dropped() != 3 || r.exempt != 1 || len(r.steps) != 5 || r.lines < 100 {
		t.Errorf("%d mutating, %d generated, %d refused, %d exempt, %d lines, steps %v", r.mutating, r.generated(), r.dropped(), r.exempt, r.lines, r.steps)
	}
	old := check(documents[1])
	rp := newReport()
	rp.add(r)
	rp.add(old)
	var out strings.Builder
	if err := rp.print(&out); err == nil || !strings.Contains(err.Error(), "2 of 5 operations end as code: less than 99 %") {
		t.Errorf("the share of code is %v", err)
	}
	for _, want := range []string{
		": PUT /notes is not annotated: it answers with an event stream",
		": $ref \"#/nowhere\" leads nowhere: there is no \"nowhere\" (needed by POST /a)",
		": $ref \"#/nowhere\" leads nowhere: there is no \"nowhere\" (needed by POST /b)",
		"old.yaml, as a whole:\n  old.yaml:1:1: the document is Swagger 2.0",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, &out)
		}
	}
}

// An operation that is neither code nor refused nor exempt is lost, and a problem has to be of some operation.
func TestLossesAreErrors(t *testing.T) {
	r := result{mutating: 3, refused: []refusal{{ops: make([]operation, 1)}}}
	if err := r.settle(&gen.Output{Summary: gen.Summary{Keyed: 1, Exempt: 1}}); err == nil || !strings.Contains(err.Error(), "lost") {
		t.Errorf("a lost operation: %v", err)
	}
	if err := r.settle(&gen.Output{Summary: gen.Summary{Keyed: 1, Exempt: 2}}); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "desk.yaml"), []byte(desk))
	documents, err := find(dir)
	if err != nil {
		t.Fatal(err)
	}
	fsys := overlay{FS: disk(documents[0]), over: files{}}
	for what, p := range map[string]gen.Problem{
		"no operation is to be told": {File: "desk.yaml", Line: 2, Col: 1, What: "w", Remedy: "r"},
		"without a place":            {What: "w", Remedy: "r"},
		"or a remedy":                {File: "desk.yaml", Line: 8, Col: 6, What: "w"},
		"or a panic":                 {File: "desk.yaml", Line: 8, Col: 6, What: "w", Remedy: "this is a fault of the generator"},
	} {
		var r result
		if err := r.refuse(fsys, "desk.yaml", gen.Problems{p}); err == nil || !strings.Contains(fmt.Sprint(err), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
