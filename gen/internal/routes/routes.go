// Package routes finds routes that are not guarded: it reads Go source, and knows from the generated package which
// operations there are. [Analyzer] works on one package at a time and remembers what others need as facts, so that it
// runs in go vet as well; [Check] adds what only a whole program shows.
//
// A handler is followed within its package through variables, fields, parameters, results, function literals and lists of
// middlewares, and beyond it by facts about functions; a router through groups, mounts, and the functions and types that
// give or serve it. What cannot be followed (a value from a map, an interface's method, a function value that another
// package gives, a method that is not written down) raises no alarm. No difference is made between two values of one type,
// two calls of one function, or what a variable is given before and after; but a helper that is given the path is looked
// at once for each call, unless it is exported and given its router.
package routes

import (
	"go/types"
	"maps"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Analyzer finds routes of mutating methods that neither stand in a generated wrapper nor behind Middleware.
var Analyzer = &analysis.Analyzer{
	Name:       "idemgenroutes",
	Doc:        "find routes of keyed operations that no generated wrapper guards",
	Run:        run,
	FactTypes:  []analysis.Fact{(*operations)(nil), (*registers)(nil), (*guards)(nil), (*bare)(nil)},
	ResultType: reflect.TypeFor[int](), // registrations that were seen
}

// findings are what a package contributes to the whole program.
type findings struct {
	registered map[string]bool // endpoint keys of operations that it registers, or may
	all        bool            // it registers operations in a way that cannot be followed
	routes     int             // registrations that were seen
	pending    []pending
	called     map[string]bool // functions of other packages that register operations
}

func run(pass *analysis.Pass) (any, error) {
	if own := readOperations(pass); own != nil {
		pass.ExportPackageFact(own)
		return 0, nil
	}
	if !reachesRouter(pass.Pkg, map[*types.Package]bool{}) {
		return 0, nil
	}
	in := newInspection(pass)
	in.found.registered, in.found.called = map[string]bool{}, map[string]bool{}
	in.read()
	in.markAll()
	in.exportGuards()
	in.exportOgen()
	x := exemptions(pass, in.files)
	in.report(x)
	if len(in.known) > 0 {
		x.unused()
		in.exportRegisters()
	}
	return in.found.routes, nil
}

// reachesRouter says whether a package can have anything to do with routes: most of what a program imports cannot.
func reachesRouter(pkg *types.Package, seen map[*types.Package]bool) bool {
	if seen[pkg] {
		return false
	}
	seen[pkg] = true
	for _, p := range pkg.Imports() {
		if routerOf(p) != "" || reachesRouter(p, seen) {
			return true
		}
	}
	return false
}

// exportRegisters remembers which operations the package registers.
func (in *inspection) exportRegisters() {
	if len(in.found.registered) == 0 && !in.found.all && in.found.routes == 0 {
		return
	}
	fact := &registers{
		All: in.found.all, Endpoints: slices.Sorted(maps.Keys(in.found.registered)), Pending: in.found.pending,
		Called: slices.Sorted(maps.Keys(in.found.called)),
	}
	for _, p := range in.pass.Pkg.Imports() {
		fact.Packages = append(fact.Packages, p.Path())
	}
	slices.Sort(fact.Packages)
	in.pass.ExportPackageFact(fact)
}

// report judges every registration, call and handler of the package.
func (in *inspection) report(x *exempt) {
	j := judge{inspection: in, exempt: x, deferred: map[types.Object][]bareRoute{}, ours: map[types.Object]bool{}, explicit: map[string]map[types.Object]bool{}}
	registrations := in.registrations()
	for _, r := range registrations {
		j.note(r)
	}
	for _, r := range registrations {
		j.registration(r)
	}
	in.calling(j.call)
	in.exportBare(j.deferred)
}
