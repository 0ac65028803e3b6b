package gen_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen"
)

var updateLint = flag.Bool("update-lint", false, "write what lint finds into testdata/lint")

const lintFolder = "../testdata/lint"

var wantComment = regexp.MustCompile(` # want .*`)

// Every document in testdata/lint says on the line what is wrong with it, as
//
//	# want rule 31 "what: remedy"
//
// with the column, for each finding of the line. Every rule has a document.
func TestLintDocuments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(lintFolder + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	broken := map[string]bool{}
	for _, file := range files {
		name := filepath.Base(file)
		report, err := gen.Lint(os.DirFS(lintFolder), gen.LintConfig{Spec: name})
		if err != nil {
			t.Fatal(err)
		}
		wants := map[int]string{}
		for _, f := range report.Findings {
			broken[f.Rule] = true
			wants[f.Line] += fmt.Sprintf(" %s %d %q", f.Rule, f.Col, f.What+": "+f.Remedy)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for i, line := range lines {
			plain := wantComment.ReplaceAllString(line, "")
			if wants[i+1] != "" {
				plain += " # want" + wants[i+1]
			}
			if plain != line && !*updateLint {
				t.Errorf("%s:%d:\n got %s\nwant %s", name, i+1, plain, line)
			}
			lines[i] = plain
		}
		if *updateLint {
			if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, r := range gen.LintRules() {
		if !broken[r.ID] {
			t.Errorf("no document in %s breaks the rule %s", lintFolder, r.ID)
		}
	}
}

// What generate refuses, lint reports.
func TestLintReportsNoFewer(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"../testdata/bad", lintFolder} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); ext != ".yaml" && ext != ".json" {
				continue
			}
			_, err := gen.Generate(os.DirFS(dir), gen.Config{Spec: e.Name(), Package: "p"})
			report, lintErr := gen.Lint(os.DirFS(dir), gen.LintConfig{Spec: e.Name()})
			if lintErr != nil {
				t.Fatal(lintErr)
			}
			var refused gen.Problems
			if err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
			found := map[gen.Problem]bool{}
			for _, f := range report.Findings {
				found[f.Problem] = true
			}
			for _, p := range refused {
				if !found[p] {
					t.Errorf("lint does not report %s", p)
				}
			}
		}
	}
}

// No extension that golden documents make use of is called useless.
func TestLintGoldenDocuments(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/golden/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	for _, file := range files {
		report, err := gen.Lint(os.DirFS(filepath.Dir(file)), gen.LintConfig{Spec: filepath.Base(file)})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Findings {
			switch f.Rule {
			case "extension-place", "extension-misspelt", "extension-value", "route", "document":
				t.Errorf("%s: %s [%s]", file, f, f.Rule)
			}
		}
	}
}

// What annotate writes has nothing but notes.
func TestLintOfAnnotated(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"", "x-idempotency: {header: X-Request-Key, max-length: 64, conflict-status: 422}\n"} {
		text := "openapi: 3.0.3\n" + policy + `info: {title: Desk, version: "1"}
paths:
  /a:
    post: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {"201": {description: made}}}
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    delete: {}
    put: {responses: {default: {description: done}}}
`
		const name = "openapi.yaml"
		out, err := gen.Annotate(fstest.MapFS{name: {Data: []byte(text)}}, gen.AnnotateConfig{Spec: name})
		if err != nil || len(out.Files) != 1 {
			t.Fatal(out, err)
		}
		report, err := gen.Lint(fstest.MapFS{name: {Data: out.Files[0].New}}, gen.LintConfig{Spec: name})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Findings {
			if !f.Note {
				t.Errorf("%s [%s]\n%s", f, f.Rule, out.Files[0].New)
			}
		}
	}
}
