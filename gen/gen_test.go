package gen

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/fstest"
)

const head = "openapi: 3.0.3\ninfo: {title: Orders, version: '1'}\npaths:\n"

func document(text string) fstest.MapFS {
	return fstest.MapFS{"openapi.yaml": {Data: []byte(text)}}
}

// The header is how the command tells our files from the user's, so every file of ours must open with
// it, and no file of the user's may.
func TestOnlyOurFilesHaveTheHeader(t *testing.T) {
	t.Parallel()
	for _, name := range goldenCases(t) {
		for _, f := range generateCase(t, name).Files {
			header := Header
			if f.Name == LockName {
				header = LockHeader
			}
			if ours := bytes.HasPrefix(f.Data, []byte(header+"\n")); ours == f.Once {
				t.Errorf("%s: %s: once %v, opens with our header %v", name, f.Name, f.Once, ours)
			}
		}
	}
}

func TestSameDocumentSameBytes(t *testing.T) {
	t.Parallel()
	for _, name := range goldenCases(t) {
		if a, b := generateCase(t, name), generateCase(t, name); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, document, want string }{
		{"the document's", head + "  /a:\n    post:\n      x-idempotency-endpoint: A B\n    put:\n      x-idempotency-exempt: ''\n",
			`openapi.yaml:6:31: x-idempotency-endpoint "A B" is not an endpoint key: use lower-case words of a-z and 0-9 joined by dots, hyphens or underscores
openapi.yaml:8:29: x-idempotency-exempt has an empty reason: say why this operation needs no key`},
		{"the names'", head + "  /a:\n    post: {x-idempotency-endpoint: a.b, responses: {}}\n    put: {x-idempotency-endpoint: a-b, responses: {}}\n",
			`openapi.yaml:5:36: endpoint key "a.b" gives the Go name EndpointAB, and so does "a-b" at openapi.yaml:6:35: rename the one that has no records yet, so that they differ in more than their separators`},
	} {
		out, err := Generate(document(tt.document), Config{Spec: "openapi.yaml", Package: "orders"})
		var ps Problems
		if !errors.As(err, &ps) || err.Error() != tt.want {
			t.Errorf("%s:\n%v\nwant:\n%s", tt.name, err, tt.want)
		}
		if len(out.Files) > 0 {
			t.Errorf("%s: files in spite of problems", tt.name)
		}
	}
}

func TestProblemWithoutAPlace(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Problem{
		"what":                      {What: "what"},
		"what: remedy":              {What: "what", Remedy: "remedy"},
		"a.yaml: what: remedy":      {File: "a.yaml", What: "what", Remedy: "remedy"},
		"a.yaml:1:2: what: remedy":  {File: "a.yaml", Line: 1, Col: 2, What: "what", Remedy: "remedy"},
		"a.yaml:30:1: what: remedy": {File: "a.yaml", Line: 30, Col: 1, What: "what", Remedy: "remedy"},
	} {
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Whatever a document holds, a problem is one line, and no terminal takes it for more than text.
func TestProblemsAreOneLineOfText(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Problem{
		`a.yaml:1:2: POST /a\nb.yaml:1:1: fine\r\x1b[2K: remedy`: {File: "a.yaml", Line: 1, Col: 2, What: "POST /a\nb.yaml:1:1: fine\r\x1b[2K", Remedy: "remedy"},
		`a\tb.yaml: x\u202ey\u2028z\u009bé 中: \u200b`:            {File: "a\tb.yaml", What: "x\u202ey\u2028z\u009bé 中", Remedy: "\u200b"},
		"bad\uFFFD": {What: "bad\xff"},
	} {
		if got := p.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	text := head + "  \"/a\\e[31m\\nb\":\n    post: {x-idempotency-endpoint: a.b}\n  /b:\n    post: {x-idempotency-endpoint: \"\\e]0;\\a\", \"x-idempotency-\\e[1m\": 1}\n"
	_, err := Generate(document(text), Config{Spec: "openapi.yaml", Package: "orders"})
	want := `openapi.yaml:4:3: path /a\x1b[31m\nb has a control character, so that no request in normal form has it: remove it
openapi.yaml:7:36: x-idempotency-endpoint "\x1b]0;\a" is not an endpoint key: use lower-case words of a-z and 0-9 joined by dots, hyphens or underscores
openapi.yaml:7:47: x-idempotency-\x1b[1m is not an extension: use one of x-idempotency, x-idempotency-endpoint, x-idempotency-exempt, x-idempotency-ignore, x-idempotency-unordered, x-idempotency-include`
	if got := fmt.Sprint(err); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	out, err := Generate(document(head+`  /a:
    post: {x-idempotency-endpoint: a.create, responses: {}}
    put: {x-idempotency-exempt: no effect, responses: {}}
    patch: {responses: {}}
    delete: {responses: {}}
    get: {responses: {}}
`), Config{Spec: "openapi.yaml", Package: "a"})
	if err != nil {
		t.Fatal(err)
	}
	const remedy = "give it x-idempotency-endpoint, or x-idempotency-exempt with a reason"
	want := Summary{Keyed: 1, Exempt: 1, Unkeyed: []Problem{
		{"openapi.yaml", 7, 5, "PATCH /a", remedy},
		{"openapi.yaml", 8, 5, "DELETE /a", remedy},
	}}
	if !reflect.DeepEqual(out.Summary, want) {
		t.Errorf("%+v, want %+v", out.Summary, want)
	}
}

func TestPackageNamesAreChecked(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "_", "a-b", "func", "1a"} {
		if _, err := Generate(document(head), Config{Spec: "openapi.yaml", Package: name}); err == nil {
			t.Errorf("%q is taken for a package name", name)
		}
	}
}
