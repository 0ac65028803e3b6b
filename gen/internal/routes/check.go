package routes

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/packages"
)

// Finding is a route that is not guarded, or something else that is wrong with one.
type Finding struct {
	Rule, Package, Message string
	Pos                    token.Position
}

// Report is what was found in a program.
type Report struct {
	Findings   []Finding // by place
	Errors     []string  // packages that do not compile: nothing can be said of them
	Routes     int       // registrations that were seen
	Operations int       // keyed operations of the generated packages
}

// Check analyzes the packages that the go command knows by patterns in dir, and what they import.
func Check(dir string, patterns []string) (Report, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir, Env: os.Environ()}, patterns...)
	if err != nil {
		return Report{}, fmt.Errorf("load packages: %w", err)
	}
	var report Report
	for _, p := range pkgs {
		for _, e := range p.Errors {
			report.Errors = append(report.Errors, e.Error())
		}
	}
	if len(report.Errors) > 0 {
		return report, nil
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{Analyzer}, pkgs, nil)
	if err != nil {
		return Report{}, fmt.Errorf("analyze packages: %w", err)
	}
	return report, report.collect(graph)
}

// collect takes what was found in the packages asked for, and adds what only all of them together show.
func (r *Report) collect(graph *checker.Graph) error {
	generated := map[string]*operations{}
	registered, all := map[string]bool{}, false
	imported := map[string]bool{} // by packages that register something
	waiting, called := map[string]pending{}, map[string]bool{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			return fmt.Errorf("analyze %s: %w", act.Package.PkgPath, act.Err)
		}
		seen, _ := act.Result.(int)
		r.Routes += seen
		for _, d := range act.Diagnostics {
			r.Findings = append(r.Findings, Finding{d.Category, act.Package.PkgPath, d.Message, act.Package.Fset.Position(d.Pos)})
		}
		for _, f := range act.AllPackageFacts() {
			switch fact := f.Fact.(type) {
			case *operations:
				generated[f.Package.Path()] = fact
			case *registers:
				all = all || fact.All
				for _, endpoint := range fact.Endpoints {
					registered[endpoint] = true
				}
				for _, p := range fact.Packages {
					imported[p] = true
				}
				for _, p := range fact.Pending {
					waiting[f.Package.Path()+" "+p.Place+p.Message] = p
				}
				for _, fn := range fact.Called {
					called[fn] = true
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(waiting)) {
		p := waiting[key]
		if !slices.ContainsFunc(p.By, func(fn string) bool { return called[fn] }) { // nobody guards it, since nobody calls
			path, _, _ := strings.Cut(key, " ")
			r.Findings = append(r.Findings, Finding{"route-bare", path, p.Message, position(p.Place)})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(generated)) {
		g := generated[path]
		if r.Operations += len(g.Keyed); all || !imported[path] {
			continue
		}
		for _, op := range g.Keyed {
			if !registered[op.Endpoint] {
				r.Findings = append(r.Findings, Finding{"route-none", path,
					fmt.Sprintf("%s %s is %s, and is registered nowhere: register it, or take it out of the document", op.Method, op.Path, op.Endpoint), position(op.Place)})
			}
		}
	}
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column, cmp.Compare(a.Message, b.Message))
	})
	return nil
}

// position reads "file:line:col".
func position(place string) token.Position {
	rest, col := cutNumber(place)
	file, line := cutNumber(rest)
	return token.Position{Filename: file, Line: line, Column: col}
}

func cutNumber(s string) (string, int) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil {
		return s, 0
	}
	return s[:i], n
}

// Vet is the whole of a command that go vet -vettool calls. It does not return.
func Vet() { unitchecker.Main(Analyzer) }
