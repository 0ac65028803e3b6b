package gen

import (
	"cmp"
	"io/fs"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/golang"
	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/lint"
	"github.com/idemgen/idemgen/gen/internal/openapi"
	"github.com/idemgen/idemgen/gen/internal/sample"
)

// LintConfig says what to lint.
type LintConfig struct {
	Spec    string   // the document's name in the file system: slashes, relative to its root
	Disable []string // rules that are not to be looked at
}

// LintReport is what is wrong with a document, by place.
type LintReport struct{ Findings []Finding }

// A Finding is a problem that a rule is about.
type Finding struct {
	Problem
	Rule string
	Note bool // it is legal, and worth knowing
	// At is the part of the document that the problem is in, and stays when lines move: "POST /orders",
	// "#/components/schemas/Order"; empty: the document.
	At string
}

// A LintRule is what lint looks at, and why.
type LintRule struct {
	ID              string
	Note            bool // its findings are legal, and worth knowing
	What, Why, Mend string
	Policy          string // where the policy asks for it
}

// Unusable is the rule of documents that Generate refuses for reasons that no other rule has. It cannot be disabled.
const Unusable = string(ir.LintDocument)

// LintRules are all rules.
func LintRules() []LintRule {
	var all []LintRule
	for _, r := range lint.Rules {
		all = append(all, LintRule{string(r.ID), r.Note, r.What, r.Why, r.Mend, r.Policy})
	}
	return all
}

// Lint finds everything in a document that does not tell the truth about its write operations, and all that Generate
// refuses. The error is for faults of the generator; a document that cannot be read has findings.
func Lint(fsys fs.FS, cfg LintConfig) (LintReport, error) {
	read := openapi.Read(fsys, cfg.Spec)
	found, err := lint.Run(lint.Input{Spec: cfg.Spec, Library: read.Library, Problems: refused(read), Heeds: read.Heeds})
	if err != nil {
		return LintReport{}, err
	}
	var report LintReport
	for _, f := range found {
		if id := string(f.Lint); id == Unusable || !slices.Contains(cfg.Disable, id) {
			rule, _ := lint.ByID(f.Lint)
			report.Findings = append(report.Findings, Finding{problemsOf([]ir.Problem{f.Problem})[0], id, rule.Note, f.At})
		}
	}
	return report, nil
}

// refused is everything that Generate refuses. The names of endpoint keys are looked at even where the document is
// refused for something else.
func refused(read openapi.Reading) []ir.Problem {
	if read.Document != nil {
		_, problems := golang.NewPlan(read.Document)
		_, more := sample.Cases(read.Document)
		return append(problems, more...)
	}
	problems := slices.Clone(read.Problems)
	var keyed []*ir.Operation
	first := map[string]bool{"": true} // keys that are none, or there twice, are reported
	for _, op := range read.Keyed {
		if !first[op.Endpoint] {
			keyed = append(keyed, op)
		}
		first[op.Endpoint] = true
	}
	problems = append(problems, golang.SameNames(keyed)...)
	slices.SortStableFunc(problems, func(a, b ir.Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), a.Pos.Line-b.Pos.Line, a.Pos.Col-b.Pos.Col)
	})
	return problems
}
