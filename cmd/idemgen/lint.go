package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/idemgen/idemgen/gen"
)

var lintCommand = command{
	name:    "lint",
	summary: "check that OpenAPI documents tell the truth about their write operations",
	usage: `Usage: idemgen lint [flags] SPEC...

Checks the OpenAPI documents SPEC... (YAML or JSON): every write operation is keyed or exempt, what clients
are told of the key and of refusals is there, and everything is said that generate would refuse. All
findings come in one run. Exit status 1 tells that there are findings, notes excepted.

With --baseline FILE, what FILE lists is not reported, for a team that adopts step by step; what it lists
and no longer occurs is said on stderr. --write-baseline writes FILE, and reports what cannot be on it. An entry is a rule, the part of the
document, such as POST /orders, and how often: it stays when other lines move. Where there are more than
that, all of them are reported.

Example:

  idemgen lint api/openapi.yaml
  idemgen lint --baseline api/lint.json --write-baseline api/openapi.yaml
  idemgen lint --baseline api/lint.json --format sarif api/openapi.yaml
`,
	flags: func(flags *pflag.FlagSet) func([]string, io.Writer, io.Writer) error {
		var l lint
		flags.StringVar(&l.format, "format", "text", "write `FORMAT`: "+strings.Join(formatNames(), ", "))
		flags.StringVar(&l.baseline, "baseline", "", "leave out what `FILE` lists")
		flags.BoolVar(&l.write, "write-baseline", false, "write the file of --baseline anew")
		flags.StringSliceVar(&l.disable, "disable", nil, "leave out the rules `ID,...`")
		flags.BoolVar(&l.rules, "rules", false, "list the rules")
		flags.StringVar(&l.root, "root", "", "let $ref reach any file below `DIR` (default: the folder of SPEC)")
		flags.SortFlags = false
		return l.run
	},
}

// lint is the command's flags.
type lint struct {
	format, baseline, root string
	disable                []string
	write, rules           bool
}

// finding is a finding with the path that the user knows, of the document named on the command line.
type finding struct {
	gen.Finding
	spec string
}

func (l *lint) run(args []string, stdout, stderr io.Writer) error {
	if err := l.check(args); err != nil {
		return err
	}
	if l.rules {
		listRules(stdout)
		return nil
	}
	var known *baseline
	if l.baseline != "" && !l.write {
		var err error
		if known, err = readBaseline(l.baseline); err != nil {
			return err
		}
	}
	found, err := l.all(args)
	if err != nil {
		return err
	}
	if l.write {
		if known, err = writeBaseline(l.baseline, found); err != nil {
			return err
		}
	}
	if known != nil {
		var gone []string
		found, gone = known.without(found, args, l.disable)
		for _, g := range gone {
			fmt.Fprintf(stderr, "%s: %s: take it off, or run idemgen lint with --write-baseline\n", l.baseline, g)
		}
	}
	found = distinct(found)
	if err := formats[l.format](stdout, found, gen.LintRules()); err != nil {
		return err
	}
	if slices.ContainsFunc(found, func(f finding) bool { return !f.Note }) {
		return errReported
	}
	return nil
}

// check tells what is wrong with the command line.
func (l *lint) check(args []string) error {
	if _, ok := formats[l.format]; !ok {
		return usageError{fmt.Sprintf("there is no format %q: use %s", l.format, strings.Join(formatNames(), ", "))}
	}
	for _, id := range l.disable {
		switch {
		case id == gen.Unusable:
			return usageError{"the rule " + id + " cannot be disabled: nothing else can be told of a document that cannot be used"}
		case !slices.ContainsFunc(gen.LintRules(), func(r gen.LintRule) bool { return r.ID == id }):
			return usageError{fmt.Sprintf("there is no rule %q: idemgen lint --rules lists them", id)}
		}
	}
	switch {
	case l.write && l.baseline == "":
		return usageError{"--write-baseline needs --baseline FILE"}
	case l.rules && len(args) > 0:
		return usageError{"--rules lists the rules and takes no SPEC"}
	case !l.rules && len(args) == 0:
		return usageError{"a SPEC expected"}
	}
	return nil
}

// all lints each document once.
func (l *lint) all(specs []string) ([]finding, error) {
	var found []finding
	done := map[string]bool{}
	for _, spec := range specs {
		name := filepath.Clean(spec)
		if done[name] {
			continue
		}
		done[name] = true
		more, err := l.lint(spec)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// lint lints one document.
func (l *lint) lint(spec string) ([]finding, error) {
	src, err := openSource(spec, l.root)
	if err != nil {
		return nil, err
	}
	defer src.close()
	report, err := gen.Lint(src.fsys(), gen.LintConfig{Spec: src.name, Disable: l.disable})
	if err != nil {
		return nil, err
	}
	var out []finding
	for _, f := range report.Findings {
		f.Problem = src.place(f.Problem)
		out = append(out, finding{f, spec})
	}
	return out, nil
}

// distinct leaves out what is said of a file that several documents share more than once.
func distinct(found []finding) []finding {
	seen := map[gen.Finding]bool{}
	return slices.DeleteFunc(found, func(f finding) bool {
		before := seen[f.Finding]
		seen[f.Finding] = true
		return before
	})
}

func listRules(w io.Writer) {
	for _, r := range gen.LintRules() {
		fmt.Fprintf(w, "%s (%s)\n  what:   %s\n  why:    %s\n  mend:   %s\n  policy: %s\n", r.ID, level(r.Note), r.What, r.Why, r.Mend, r.Policy)
	}
}

func level(note bool) string {
	if note {
		return "note"
	}
	return "error"
}
