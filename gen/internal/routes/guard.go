package routes

import (
	"go/ast"
	"go/types"
)

// guard is what is known of a handler.
type guard struct {
	state    state
	endpoint string // of a guarded one: the key, everything, or empty where it is not known
}

type state uint8

const (
	unclear   state = iota // only the running program knows
	unguarded              // it is no wrapper's, as far as it can be followed
	isGuarded
)

// longest is how many steps a handler is followed, deepest how many functions lie within each other.
const longest, deepest = 2000, 12

// pursuit follows one handler, within the package and by facts beyond it.
type pursuit struct {
	*inspection
	within  map[any]bool // variables and functions that are being followed
	steps   int
	neutral bool // parameters add nothing: what they are given counts where that is seen
}

// guardOf follows a handler to a wrapper.
func (in *inspection) guardOf(e ast.Expr) guard {
	return (&pursuit{inspection: in, within: map[any]bool{}}).follow(e)
}

// enter says whether to follow a variable or function: not in a circle, and not for ever.
func (p *pursuit) enter(what any) bool {
	if p.steps++; p.within[what] || p.steps > longest || len(p.within) > deepest {
		return false
	}
	p.within[what] = true
	return true
}

func (p *pursuit) leave(what any) { delete(p.within, what) }

func (p *pursuit) follow(e ast.Expr) guard {
	e = ast.Unparen(e)
	if value := p.cell(e); value != nil {
		return p.follow(value)
	}
	if call, ok := e.(*ast.CallExpr); ok {
		return p.followCall(call)
	}
	if t := p.info.TypeOf(e); t != nil && isHandler(t) {
		return guard{isGuarded, p.endpointOf(e)}
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		return p.followBody(e)
	case *ast.UnaryExpr:
		return p.follow(e.X)
	case *ast.CompositeLit:
		return p.followLiteral(e)
	case *ast.Ident, *ast.SelectorExpr:
		return p.followName(e)
	}
	return guard{}
}

// endpointOf is the endpoint key of a variable that holds a wrapper's result.
func (p *pursuit) endpointOf(e ast.Expr) string {
	obj := p.object(e)
	if obj == nil || len(p.values[obj]) != 1 || !p.enter(obj) {
		return ""
	}
	defer p.leave(obj)
	return p.follow(p.values[obj][0]).endpoint
}

func (p *pursuit) followName(e ast.Expr) guard {
	obj := p.object(e)
	if fn, ok := obj.(*types.Func); ok {
		if sel, ok := e.(*ast.SelectorExpr); ok && fn.Name() == "ServeHTTP" {
			return p.follow(sel.X)
		}
		return p.followFunc(fn)
	}
	if g, ok := p.bound[obj]; ok {
		return g
	}
	if p.neutral && p.owner[obj] != nil {
		return guard{state: unguarded}
	}
	if _, ok := obj.(*types.Var); !ok || !p.enter(obj) {
		return guard{}
	}
	defer p.leave(obj)
	if len(p.values[obj]) == 0 {
		return p.followType(obj.Type())
	}
	return p.any(p.values[obj])
}

// followType is about a value of which only the type is known: what a type of the package does with requests tells.
func (p *pursuit) followType(t types.Type) guard {
	obj, _, _ := types.LookupFieldOrMethod(t, true, p.pass.Pkg, "ServeHTTP")
	if fn, ok := obj.(*types.Func); ok && p.decls[fn] != nil {
		return p.followFunc(fn)
	}
	return guard{}
}

// any is what one of several expressions is; which wrapper guards it is not known then.
func (p *pursuit) any(expressions []ast.Expr) guard {
	var all []guard
	for _, e := range expressions {
		all = append(all, p.follow(e))
	}
	out := merge(all)
	if len(all) > 1 {
		out.endpoint = ""
	}
	return out
}

// followCall is about what a call gives: a wrapper's result, or what an adapter makes of a handler.
func (p *pursuit) followCall(call *ast.CallExpr) guard {
	if endpoint := p.wrapper(call); endpoint != "" {
		return guardedBy(endpoint)
	}
	if p.info.Types[call.Fun].IsType() { // a conversion: http.HandlerFunc(f)
		return p.follow(call.Args[0])
	}
	if isNew(p.info, call) {
		return p.followType(p.info.TypeOf(call))
	}
	given := map[int]guard{}
	rest := guard{state: unguarded} // of an adapter that adds nothing
	for i, arg := range call.Args {
		t := p.info.TypeOf(arg)
		if !handles(t) && !isFunc(t) {
			continue
		}
		if isMiddlewareType(t) {
			if p.wraps(arg) {
				return guard{state: isGuarded}
			}
			continue
		}
		if given[i] = p.follow(arg); given[i].state == isGuarded {
			return given[i]
		}
		if given[i].state == unclear && handles(t) {
			rest = guard{}
		}
	}
	fns := p.functions(call.Fun)
	if !fns.complete {
		return guard{}
	}
	var all []guard
	for _, fn := range fns.here {
		all = append(all, p.resultOf(fn, given))
	}
	for _, fn := range fns.imported {
		all = append(all, p.factOf(fn, rest))
	}
	return merge(all)
}

// isNew says whether a call is new(T).
func isNew(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && b.Name() == "new"
}

// merge is guarded where one is, and unguarded where all are.
func merge(all []guard) guard {
	out := guard{}
	for i, g := range all {
		switch {
		case g.state == isGuarded:
			return g
		case i == 0:
			out = g
		case g.state != out.state:
			out = guard{}
		}
	}
	return out
}

func guardedBy(endpoint string) guard {
	if endpoint == "?" {
		endpoint = ""
	}
	return guard{isGuarded, endpoint}
}

// factOf is what is known of a function of another package.
func (in *inspection) factOf(fn *types.Func, otherwise guard) guard {
	var fact guards
	switch {
	case !in.pass.ImportObjectFact(fn, &fact):
		if returnsHandler(fn) {
			return guard{state: isGuarded}
		}
		return otherwise
	case fact.Unclear:
		return guard{}
	}
	return guard{isGuarded, fact.Endpoint}
}

// resultOf follows the results of a function of the package, whose parameters are what this call gives them.
func (p *pursuit) resultOf(fn ast.Node, given map[int]guard) guard {
	if !p.enter(fn) {
		return guard{}
	}
	defer p.leave(fn)
	for i, param := range p.parameters(fn) {
		if g, ok := given[i]; ok && param != nil {
			p.bound[param] = g
			defer delete(p.bound, param)
		}
	}
	var results []ast.Expr
	for _, e := range p.returns[fn] {
		if t := p.info.TypeOf(e); handles(t) || isFunc(t) {
			results = append(results, e)
		}
	}
	if len(results) == 0 && returnsHandler(p.declared(fn)) {
		return guard{state: isGuarded}
	}
	return p.any(results)
}

// declared is the object of a declared function; nil for a literal.
func (in *inspection) declared(fn ast.Node) types.Object {
	if decl, ok := fn.(*ast.FuncDecl); ok {
		return in.info.Defs[decl.Name]
	}
	return nil
}

// followFunc is about a function that is a handler itself.
func (p *pursuit) followFunc(fn *types.Func) guard {
	if decl := p.decls[fn]; decl != nil && decl.Body != nil {
		return p.followBody(decl)
	}
	if isAbstract(fn) {
		return guard{}
	}
	return p.factOf(fn, guard{state: unguarded})
}

// followBody is guarded where the body calls a wrapper's result or begins by hand, itself or by what it calls; it is
// unclear where it hands the request to something unclear.
func (p *pursuit) followBody(fn ast.Node) guard {
	if !p.enter(fn) {
		return guard{state: unguarded} // it adds nothing
	}
	defer p.leave(fn)
	out := guard{state: unguarded}
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || out.state == isGuarded {
			return out.state != isGuarded
		}
		switch g := p.called(call); {
		case g.state == isGuarded:
			out = g
		case g.state == unclear:
			out = guard{}
		}
		return out.state != isGuarded
	})
	return out
}

// called is what one call in a handler's body makes of it.
func (p *pursuit) called(call *ast.CallExpr) guard {
	if p.wrapper(call) != "" || p.begins(call) {
		return guard{state: isGuarded}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "ServeHTTP" {
		return p.follow(sel.X)
	}
	if fn, ok := p.callee(call).(*types.Func); ok {
		if decl := p.decls[fn]; decl != nil && decl.Body != nil {
			return p.followBody(decl)
		}
		if g := p.factOf(fn, guard{state: unguarded}); g.state == isGuarded {
			return guard{state: isGuarded}
		}
		return guard{state: unguarded}
	}
	t := p.info.TypeOf(call.Fun)
	if p.info.Types[call.Fun].IsType() || !isFunc(t) {
		return guard{state: unguarded}
	}
	g := p.follow(call.Fun)
	if g.state == unclear && !handles(t) { // a log function or a clock takes no request
		g.state = unguarded
	}
	return g
}

// followLiteral is about a value of a type that handles requests: guarded where a field is, or its ServeHTTP.
func (p *pursuit) followLiteral(lit *ast.CompositeLit) guard {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if handles(p.info.TypeOf(e)) && p.follow(e).state == isGuarded {
			return guard{state: isGuarded}
		}
	}
	obj, _, _ := types.LookupFieldOrMethod(p.info.TypeOf(lit), true, p.pass.Pkg, "ServeHTTP")
	if fn, ok := obj.(*types.Func); ok {
		return p.followFunc(fn)
	}
	return guard{}
}
