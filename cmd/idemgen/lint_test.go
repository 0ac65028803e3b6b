package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/idemgen/idemgen/gen"
)

// What lint writes as SARIF is what the standard says of it, for documents that break every rule, names that are no
// URI, and no findings at all.
func TestSARIF(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(filepath.Join("testdata", "sarif.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../testdata/lint/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	clean := filepath.Join(t.TempDir(), "a b%:é.yaml")
	if err := os.WriteFile(clean, []byte("openapi: 3.1.0\npaths: {/a: {post: {x-idempotency-exempt: it only looks}}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{files, {clean}, {clean, "--disable", "endpoint-none"}} {
		var out bytes.Buffer
		run(append([]string{"lint", "--format", "sarif"}, args...), &out, io.Discard)
		log, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(log); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// A rule's index leads to the rule.
func TestSARIFRules(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := asSARIF(&out, []finding{{Finding: gen.Finding{Rule: "header-case", Problem: gen.Problem{File: "/a b.yaml", What: "w", Remedy: "r"}}}}, gen.LintRules()); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(gen.LintRules(), func(r gen.LintRule) bool { return r.ID == "header-case" })
	for _, want := range []string{`"ruleIndex": ` + strconv.Itoa(i), `"uri": "file:///a%20b.yaml"`, `"startLine": 1`, `"text": "w: r"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, &out)
		}
	}
}

// A workflow command is one line, whatever a finding says.
func TestGitHubEscapes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	f := gen.Finding{Rule: "route", Note: true, Problem: gen.Problem{File: "a:b,c%\n.yaml", Line: 3, Col: 4, What: "100%", Remedy: "::error::"}}
	if err := asGitHub(&out, []finding{{Finding: f}}, gen.LintRules()); err != nil {
		t.Fatal(err)
	}
	if want := "::notice file=a%3Ab%2Cc%25%0A.yaml,line=3,col=4,title=idemgen route::100%25: ::error::\n"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
}

// The README has the rules as they are.
func TestReadmeHasTheRules(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range gen.LintRules() {
		if row := ruleRow(r); !strings.Contains(string(readme), row) {
			t.Errorf("README.md lacks\n%s", row)
		}
	}
}

func ruleRow(r gen.LintRule) string {
	id := "`" + r.ID + "`"
	if r.Note {
		id += " (note)"
	}
	return "| " + strings.Join([]string{id, r.What, r.Why, r.Mend, r.Policy}, " | ") + " |"
}
