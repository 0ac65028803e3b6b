// Package routes finds routes that are not guarded: it reads Go source, and knows from the generated package which
// operations there are. [Analyzer] works on one package at a time and remembers what others need as facts, so that it
// runs in go vet as well; [Check] adds what only a whole program shows.
//
// A handler is followed within its package through variables, fields, parameters, results and function literals, and
// beyond it by facts about functions. What cannot be followed (a value from a map, an interface's method, a function
// value) raises no alarm.
package routes

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

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
	in := newInspection(pass)
	in.found.registered, in.found.called = map[string]bool{}, map[string]bool{}
	in.read()
	in.exportGuards()
	in.exportOgen()
	if len(in.known) == 0 && !in.callsBare() {
		in.exportBare(in.bareByFunc())
		return 0, nil
	}
	in.markAll()
	x := exemptions(pass, in.files)
	in.report(x)
	x.unused()
	in.exportRegisters()
	return in.found.routes, nil
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

// exportGuards remembers functions that other packages may register, or whose results they may.
func (in *inspection) exportGuards() {
	for obj, decl := range in.decls {
		fn, ok := obj.(*types.Func)
		if !ok || decl.Body == nil || !fn.Exported() {
			continue
		}
		g := in.any(in.returns[fn], map[types.Object]bool{fn: true})
		if g.state != isGuarded {
			g = in.followBody(decl.Body, map[types.Object]bool{fn: true}, 0)
		}
		if g.state == isGuarded {
			in.pass.ExportObjectFact(fn, &guards{g.endpoint})
		}
	}
}

// exportOgen remembers the constructor of ogen's server, which registers every operation.
func (in *inspection) exportOgen() {
	for _, f := range in.files {
		if !isGenerated(f, ogenHeader) {
			continue
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Recv != nil || decl.Name.Name != "NewServer" {
				continue
			}
			fn, ok := in.info.Defs[decl.Name].(*types.Func)
			if ok && fn.Signature().Results().Len() > 0 && servesHTTP(fn.Signature().Results().At(0).Type()) {
				in.pass.ExportObjectFact(fn, &bare{[]string{everything}})
			}
		}
	}
}

// callsBare says whether the package calls a function that registers operations elsewhere.
func (in *inspection) callsBare() bool {
	found := false
	in.each(func(n ast.Node, _ *ast.FuncDecl) {
		if call, ok := n.(*ast.CallExpr); ok {
			var fact bare
			fn := in.callee(call)
			found = found || fn != nil && in.decls[fn] == nil && in.pass.ImportObjectFact(fn, &fact)
		}
	})
	return found
}

// bareByFunc are the mutating registrations of a package that knows no document, by the function whose caller has the
// router: generated registrations are like that.
func (in *inspection) bareByFunc() map[types.Object][]string {
	out := map[types.Object][]string{}
	for _, r := range in.registrations() {
		if !r.mutating() || in.guardOfAll(r).state == isGuarded {
			continue
		}
		o := in.originOf(r.on)
		for _, fn := range in.escapes(o) {
			out[fn] = append(out[fn], r.prefixed(o.prefix).String())
		}
	}
	return out
}

// escapes are the functions that hand the router to packages that cannot be seen from here: those that were given it,
// and those that return it.
func (in *inspection) escapes(o origin) []types.Object {
	out := map[types.Object]bool{}
	for fn := range o.from {
		out[fn] = true
	}
	for more := true; more; { // one may return what another does
		more = false
		for fn, results := range in.returns {
			if out[fn] || in.calls[fn] > 0 && len(in.known) > 0 { // one that is called here is judged here
				continue
			}
			if slices.ContainsFunc(results, func(e ast.Expr) bool { return in.mentions(e, o.objects, out) }) {
				out[fn], more = true, true
			}
		}
	}
	var list []types.Object
	for fn := range out {
		if fn.Exported() {
			list = append(list, fn)
		}
	}
	slices.SortFunc(list, func(a, b types.Object) int { return int(a.Pos() - b.Pos()) })
	return list
}

// mentions says whether an expression has one of the variables in it, or a call of one of the functions.
func (in *inspection) mentions(e ast.Expr, variables, functions map[types.Object]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || variables[in.info.Uses[n]]
		case *ast.CallExpr:
			found = found || functions[in.callee(n)]
		}
		return !found
	})
	return found
}

func (in *inspection) exportBare(byFunc map[types.Object][]string) {
	for fn, routes := range byFunc {
		slices.Sort(routes)
		in.pass.ExportObjectFact(fn, &bare{slices.Compact(routes)})
	}
}

// report judges every registration, call and handler of the package.
func (in *inspection) report(x *exempt) {
	deferred := map[types.Object][]string{}
	registrations := in.registrations()
	ours := map[types.Object]bool{} // routers that have an operation of the document
	for _, r := range registrations {
		o := in.originOf(r.on)
		if op, _ := in.operation(r.prefixed(o.prefix)); op != nil {
			for obj := range o.objects {
				ours[obj] = true
			}
		}
	}
	for _, r := range registrations {
		in.judge(r, ours, deferred, x)
	}
	in.each(func(n ast.Node, within *ast.FuncDecl) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		in.judgeCall(call, within, deferred, x)
	})
	in.exportBare(deferred)
}

// operation is the keyed operation that a pattern takes, or another route of the document.
func (in *inspection) operation(p pattern) (*keyed, *Route) {
	var best *keyed
	var other *Route
	longest := -1
	for i := range in.known {
		for j := range in.known[i].Keyed {
			op := &in.known[i].Keyed[j]
			if n := len(segments(op.Path)); p.takes(op.Route) && n > longest {
				best, other, longest = op, nil, n
			}
		}
		for j := range in.known[i].Other {
			r := &in.known[i].Other[j]
			if n := len(segments(r.Path)); p.takes(*r) && n > longest {
				best, other, longest = nil, r, n
			}
		}
	}
	return best, other
}

func (in *inspection) judge(r registration, ours map[types.Object]bool, deferred map[types.Object][]string, x *exempt) {
	o := in.originOf(r.on)
	p := r.prefixed(o.prefix)
	op, other := in.operation(p)
	g := in.guardOfAll(r)
	in.found.routes++
	if p.open && len(p.path) == 0 && (g.state == unclear || o.guarded) { // what makes a wrapper counts by itself
		in.found.all = true
	}
	if op != nil {
		in.found.registered[op.Endpoint] = true
	}
	pos := r.call.Lparen
	if sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr); ok {
		pos = sel.Sel.Pos()
	}
	switch {
	case op != nil && g.state == isGuarded && g.endpoint != "" && g.endpoint != everything && g.endpoint != op.Endpoint && !p.open:
		x.report(pos, "route-wrapper", "%s is %s, and is registered with the wrapper of %s: register its own", p, op.Endpoint, g.endpoint)
	case g.state == isGuarded || o.guarded:
		if op != nil && r.handlers != nil {
			in.cookies(r.handlers, op.Endpoint, x)
		}
	case g.state == unclear:
	case op != nil:
		if fns := in.escapes(o); len(fns) > 0 {
			for _, fn := range fns {
				deferred[fn] = append(deferred[fn], p.String())
			}
			in.found.pending = append(in.found.pending, pending{names(fns), place(in.pass.Fset, pos), fmt.Sprintf(bareRoute, p, op.Endpoint, op.Endpoint)})
			return
		}
		x.report(pos, "route-bare", bareRoute, p, op.Endpoint, op.Endpoint)
	case other == nil && p.mutating() && !p.open && shares(o, ours):
		x.report(pos, "route-unknown", "%s is in no document: add it to the document, or say //idemgen:exempt and why", p)
	}
}

const bareRoute = "%s is %s, and no wrapper guards it: register the generated wrapper of %s, or put Middleware before the router"

func names(fns []types.Object) []string {
	var out []string
	for _, fn := range fns {
		out = append(out, fullName(fn))
	}
	return out
}

func fullName(fn types.Object) string {
	if f, ok := fn.(*types.Func); ok {
		return f.FullName()
	}
	return fn.Name()
}

func shares(o origin, ours map[types.Object]bool) bool {
	for obj := range o.objects {
		if ours[obj] {
			return true
		}
	}
	return false
}

func (in *inspection) judgeCall(call *ast.CallExpr, within *ast.FuncDecl, deferred map[types.Object][]string, x *exempt) {
	if endpoint := in.wrapper(call); endpoint != "" {
		in.judgeWrapper(call, endpoint, x)
		return
	}
	fn := in.callee(call)
	var fact bare
	if fn == nil || in.decls[fn] != nil || !in.pass.ImportObjectFact(fn, &fact) {
		return
	}
	routes := in.keyedAmong(fact.Routes)
	if len(routes) == 0 {
		return
	}
	in.found.called[fullName(fn)] = true
	o := origin{objects: map[types.Object]bool{}, from: map[types.Object]bool{}, guarded: in.guardedCall[call]}
	for _, arg := range call.Args {
		if t := in.info.TypeOf(arg); t != nil && isRouter(t) {
			in.climb(arg, &o)
		} else if in.hasMiddleware(arg) {
			o.guarded = true
		}
	}
	in.results(call, within, &o)
	for obj := range o.objects {
		o.guarded = o.guarded || in.guarded[obj]
	}
	if o.guarded {
		return
	}
	if fns := in.escapes(o); len(fns) > 0 {
		for _, f := range fns {
			deferred[f] = append(deferred[f], fact.Routes...)
		}
		return
	}
	what := "registers " + strings.Join(routes, "; ")
	if routes[0] == everything {
		what = "serves every operation of the document"
	}
	x.report(call.Pos(), "route-bare", "%s %s, and no wrapper guards it: put Middleware before the router", fn.Name(), what)
}

// keyedAmong are those routes of another package that are operations here, and notes that they are registered.
func (in *inspection) keyedAmong(routes []string) []string {
	var out []string
	for _, text := range routes {
		if text == everything {
			in.found.all = true
			if len(in.known) > 0 {
				return []string{everything}
			}
			continue
		}
		methods, path, _ := strings.Cut(text, " ")
		p := pattern{methods: strings.Split(methods, ",")}
		if rest, open := strings.CutPrefix(path, "…"); open {
			p.open, path = true, rest
		}
		p.path = segments(path)
		if op, _ := in.operation(p); op != nil {
			in.found.registered[op.Endpoint] = true
			out = append(out, text+" ("+op.Endpoint+")")
		}
	}
	return out
}

// hasMiddleware says whether an option of a call holds Middleware: a function, or a list or struct with one.
func (in *inspection) hasMiddleware(arg ast.Expr) bool {
	t := in.info.TypeOf(arg)
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Slice, *types.Signature, *types.Pointer:
		return in.isMiddleware(arg)
	}
	return false
}

// results adds the variables that a call's results are put into.
func (in *inspection) results(call *ast.CallExpr, within *ast.FuncDecl, o *origin) {
	for obj, values := range in.values {
		for _, v := range values {
			if ast.Unparen(v) == call {
				o.objects[obj] = true
			}
		}
	}
	if within == nil {
		return
	}
	fn := in.info.Defs[within.Name]
	for _, e := range in.returns[fn] {
		if ast.Unparen(e) == call && in.calls[fn] == 0 && fn.Exported() {
			o.from[fn] = true
		}
	}
}

// judgeWrapper looks at what a wrapper is given.
func (in *inspection) judgeWrapper(call *ast.CallExpr, endpoint string, x *exempt) {
	if endpoint == everything {
		if len(call.Args) > 0 && in.opaque(call.Args[len(call.Args)-1]) {
			in.found.all = true
		}
	} else {
		in.found.registered[endpoint] = true
	}
	for _, arg := range call.Args {
		in.timeouts(arg, map[types.Object]bool{}, x)
	}
	if endpoint != everything && len(call.Args) > 0 {
		in.cookies(call.Args[len(call.Args)-1:], endpoint, x)
	}
}

// opaque says whether a handler is one whose routes cannot be seen: no router is in it.
func (in *inspection) opaque(e ast.Expr) bool {
	router := false
	seen := map[types.Object]bool{}
	var look func(n ast.Node)
	look = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if t := in.info.TypeOf(e); t != nil && isRouter(t) {
					router = true
				}
			}
			if id, ok := n.(*ast.Ident); ok {
				if obj := in.info.Uses[id]; obj != nil && !seen[obj] {
					seen[obj] = true
					for _, v := range in.values[obj] {
						look(v)
					}
					for _, r := range in.returns[obj] {
						look(r)
					}
				}
			}
			return !router
		})
	}
	look(e)
	return !router
}

// timeouts finds http.TimeoutHandler in what a wrapper is given.
func (in *inspection) timeouts(e ast.Expr, seen map[types.Object]bool, x *exempt) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if in.wrapper(n) != "" {
				return false // said of that one
			}
			if fn, ok := in.callee(n).(*types.Func); ok && fn.FullName() == "net/http.TimeoutHandler" {
				x.report(n.Pos(), "timeout-inside", "http.TimeoutHandler stands inside of a wrapper, so that an answer that it gives up on is stored as the operation's: put it outside, or give the operation a timeout")
			}
		case *ast.Ident:
			obj := in.info.Uses[n]
			if v, ok := obj.(*types.Var); ok && !seen[obj] && handles(v.Type()) && !isRouter(v.Type()) {
				seen[obj] = true
				for _, value := range in.values[obj] {
					in.timeouts(value, seen, x)
				}
			}
		}
		return true
	})
}

// cookies finds http.SetCookie in the handlers of an operation, and what they call in the package.
func (in *inspection) cookies(handlers []ast.Expr, endpoint string, x *exempt) {
	seen := map[types.Object]bool{}
	var look func(n ast.Node, depth int)
	look = func(n ast.Node, depth int) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				fn, ok := in.callee(n).(*types.Func)
				if ok && (fn.FullName() == "net/http.SetCookie" || fn.Name() == "SetCookie" && routerOf(fn.Pkg()) != "") {
					x.report(n.Pos(), "cookie", "%s sets a cookie, which no replay repeats: set it in an operation without a key, or put it into the body", endpoint)
				}
			case *ast.Ident:
				obj := in.info.Uses[n]
				if obj == nil || seen[obj] || depth > deepest {
					return true
				}
				seen[obj] = true
				if decl := in.decls[obj]; decl != nil && decl.Body != nil {
					look(decl.Body, depth+1)
				}
				if v, ok := obj.(*types.Var); ok && handles(v.Type()) && !isRouter(v.Type()) {
					for _, value := range in.values[obj] {
						look(value, depth+1)
					}
				}
			}
			return true
		})
	}
	for _, h := range handlers {
		look(h, 0)
	}
}
