package openapi

import (
	"testing"
	"testing/fstest"
)

// References stand where OpenAPI has none, and responses refer to what is not there: neither keeps an operation
// from being read.
func TestLooseReferences(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	fsys := fstest.MapFS{
		"api.yaml": file(`openapi: 3.1.0
info: {title: Desk, version: "1"}
tags: [{name: a, description: {$ref: tags.yaml}}]
paths: {$ref: paths/index.yaml}
components:
  schemas: {$ref: schemas.yaml}
  requestBodies: {Note: {content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}}
`),
		"schemas.yaml": file("Note: {type: object, properties: {text: {$ref: '#/Text'}}}\nText: {type: string}\n"),
		"paths/index.yaml": file(`/notes:
  post: {$ref: operations.yaml#/add}
  get: {$ref: nowhere.yaml}
/notes/{id}:
  put:
    x-idempotency-endpoint: notes.put
    requestBody: {$ref: '../api.yaml#/components/requestBodies/Note'}
    responses:
      "200": {$ref: 'https://example.com/responses.yaml#/Ok'}
      "400": {$ref: '../api.yaml#/components/requestBodies/Note'}
      "404": {$ref: '#/nowhere'}
      "409": {headers: {X-Reason: {schema: {type: string}}}}
`),
		"paths/operations.yaml": file(`add:
  x-idempotency-endpoint: notes.add
  requestBody: {content: {application/json: {schema: {$ref: ../schemas.yaml#/Note}}}}
`),
	}
	doc, problems := Load(fsys, "api.yaml")
	var got []string
	for _, p := range problems {
		got = append(got, show(p))
	}
	if len(got) > 0 || doc == nil {
		t.Fatalf("%q", got)
	}
	add, put := doc.Operations[0], doc.Operations[1]
	if add.Endpoint != "notes.add" || add.Method+add.Path != "POST/notes" || put.Endpoint != "notes.put" {
		t.Errorf("operations %+v, %+v", add, put)
	}
	if len(doc.Types) != 2 || add.Bodies[0].Type != put.Bodies[0].Type {
		t.Errorf("%d types, for Note and Text: one schema is read twice", len(doc.Types))
	}
	if len(put.Stored) != 1 || put.Stored[0] != "X-Reason" {
		t.Errorf("stored %q", put.Stored)
	}
}
