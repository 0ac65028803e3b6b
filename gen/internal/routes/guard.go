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

// deepest is how far functions are followed.
const deepest = 4

// guardOf follows a handler to a wrapper, within the package and by facts beyond it.
func (in *inspection) guardOf(e ast.Expr) guard { return in.follow(e, map[types.Object]bool{}) }

func (in *inspection) follow(e ast.Expr, seen map[types.Object]bool) guard {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok {
		return in.followCall(call, seen)
	}
	if t := in.info.TypeOf(e); t != nil && isHandler(t) {
		return guard{isGuarded, in.endpointOf(e, seen)}
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		return in.followBody(e.Body, seen, 0)
	case *ast.UnaryExpr:
		return in.follow(e.X, seen)
	case *ast.CompositeLit:
		return in.followLiteral(e, seen)
	case *ast.Ident, *ast.SelectorExpr:
		return in.followName(e, seen)
	}
	return guard{}
}

// endpointOf is the endpoint key of a variable that holds a wrapper's result.
func (in *inspection) endpointOf(e ast.Expr, seen map[types.Object]bool) string {
	obj := in.object(e)
	if obj == nil || seen[obj] || len(in.values[obj]) != 1 {
		return ""
	}
	seen[obj] = true
	return in.follow(in.values[obj][0], seen).endpoint
}

func (in *inspection) followName(e ast.Expr, seen map[types.Object]bool) guard {
	obj := in.object(e)
	if fn, ok := obj.(*types.Func); ok {
		if sel, ok := e.(*ast.SelectorExpr); ok && fn.Name() == "ServeHTTP" {
			return in.follow(sel.X, seen)
		}
		return in.followFunc(fn, seen, 0)
	}
	if g, ok := in.bound[obj]; ok {
		return g
	}
	if _, ok := obj.(*types.Var); !ok || seen[obj] {
		return guard{}
	}
	seen[obj] = true
	return in.any(in.values[obj], seen)
}

// any is guarded where one of the expressions is, and unguarded where all are.
func (in *inspection) any(all []ast.Expr, seen map[types.Object]bool) guard {
	out := guard{}
	for i, e := range all {
		g := in.follow(e, seen)
		switch {
		case g.state == isGuarded:
			if len(all) > 1 {
				g.endpoint = ""
			}
			return g
		case i == 0:
			out = g
		case g.state != out.state:
			out = guard{}
		}
	}
	return out
}

func (in *inspection) followCall(call *ast.CallExpr, seen map[types.Object]bool) guard {
	if endpoint := in.wrapper(call); endpoint != "" {
		if endpoint == "?" {
			endpoint = ""
		}
		return guard{isGuarded, endpoint}
	}
	if in.info.Types[call.Fun].IsType() { // a conversion: http.HandlerFunc(f)
		return in.follow(call.Args[0], seen)
	}
	given := map[int]guard{}
	for i, arg := range call.Args {
		if !handles(in.info.TypeOf(arg)) {
			continue
		}
		if given[i] = in.follow(arg, seen); given[i].state == isGuarded {
			return given[i]
		}
	}
	fn, ok := in.callee(call).(*types.Func)
	switch {
	case !ok:
		return guard{}
	case in.decls[fn] != nil && !seen[fn]:
		seen[fn] = true
		return in.resultOf(fn, given, seen)
	case returnsHandler(fn):
		return guard{isGuarded, ""}
	}
	var fact guards
	if in.pass.ImportObjectFact(fn, &fact) {
		return guard{isGuarded, fact.Endpoint}
	}
	if _, dynamic := call.Fun.(*ast.CallExpr); dynamic && len(given) == 0 {
		return guard{}
	}
	return guard{state: unguarded}
}

// resultOf follows the results of a function of the package, whose parameters are what this call gives them.
func (in *inspection) resultOf(fn *types.Func, given map[int]guard, seen map[types.Object]bool) guard {
	i := 0
	for _, f := range in.decls[fn].Type.Params.List {
		for _, id := range f.Names {
			if g, ok := given[i]; ok {
				obj := in.info.Defs[id]
				in.bound[obj] = g
				defer delete(in.bound, obj)
			}
			i++
		}
	}
	return in.any(in.returns[fn], seen)
}

// handles says whether a value may be a handler.
func handles(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return u.NumMethods() > 0
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "ServeHTTP")
	return obj != nil
}

// followFunc is about a function that is a handler itself.
func (in *inspection) followFunc(fn *types.Func, seen map[types.Object]bool, depth int) guard {
	fn = fn.Origin()
	if decl := in.decls[fn]; decl != nil {
		if seen[fn] || decl.Body == nil {
			return guard{state: unguarded} // it adds nothing
		}
		seen[fn] = true
		return in.followBody(decl.Body, seen, depth)
	}
	var fact guards
	if in.pass.ImportObjectFact(fn, &fact) {
		return guard{isGuarded, fact.Endpoint}
	}
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		return guard{}
	}
	return guard{state: unguarded}
}

// followBody is guarded where the body calls a wrapper's result or begins by hand, itself or by what it calls.
func (in *inspection) followBody(body ast.Node, seen map[types.Object]bool, depth int) guard {
	out := guard{state: unguarded}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || out.state == isGuarded {
			return out.state != isGuarded
		}
		if endpoint := in.wrapper(call); endpoint != "" || in.begins(call) {
			out = guard{isGuarded, ""}
			return false
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "ServeHTTP" {
			if g := in.follow(sel.X, seen); g.state == isGuarded {
				out = guard{isGuarded, g.endpoint}
				return false
			} else if g.state == unclear {
				out = guard{}
			}
		}
		if fn, ok := in.callee(call).(*types.Func); ok && depth < deepest {
			var fact guards
			if in.decls[fn] != nil && in.followFunc(fn, seen, depth+1).state == isGuarded || in.pass.ImportObjectFact(fn, &fact) {
				out = guard{isGuarded, ""}
			}
		}
		return true
	})
	return out
}

// followLiteral is about a value of a type that handles requests: guarded where a field is, or its ServeHTTP.
func (in *inspection) followLiteral(lit *ast.CompositeLit, seen map[types.Object]bool) guard {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if handles(in.info.TypeOf(e)) && in.follow(e, seen).state == isGuarded {
			return guard{isGuarded, ""}
		}
	}
	obj, _, _ := types.LookupFieldOrMethod(in.info.TypeOf(lit), true, in.pass.Pkg, "ServeHTTP")
	if fn, ok := obj.(*types.Func); ok {
		return in.followFunc(fn, seen, 0)
	}
	return guard{}
}

// isMiddleware says whether an expression is a function that puts Middleware before what it is given, in whatever
// adapters.
func (in *inspection) isMiddleware(e ast.Expr) bool {
	found := false
	visited := map[types.Object]bool{}
	var look func(n ast.Node)
	look = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				found = found || in.wrapper(n) == everything
			case *ast.Ident:
				obj := in.info.Uses[n]
				if obj == nil || visited[obj] {
					return true
				}
				visited[obj] = true
				if decl := in.decls[obj]; decl != nil && decl.Body != nil {
					look(decl.Body)
				}
				if in.parameterOf(obj) == nil { // what others give it is not what it is
					for _, value := range in.values[obj] {
						look(value)
					}
				}
				var fact guards
				if fn, ok := obj.(*types.Func); ok && in.pass.ImportObjectFact(fn, &fact) {
					found = found || fact.Endpoint == everything
				}
			}
			return !found
		})
	}
	look(e)
	return found
}
