package routes

import (
	"go/ast"
	"go/types"
	"slices"
)

// wraps says whether an expression is, or holds, a function that puts a wrapper before what it is given, in whatever
// adapters.
func (in *inspection) wraps(e ast.Expr) bool {
	found := false
	visited := map[types.Object]bool{}
	var look func(n ast.Node)
	look = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				found = found || in.wrapper(n) != ""
			case *ast.Ident:
				obj := generic(in.info.Uses[n])
				if obj == nil || visited[obj] {
					return true
				}
				visited[obj] = true
				switch fn := in.decls[obj]; {
				case fn != nil && fn.Body != nil:
					look(fn.Body)
				case mayHoldMiddleware(obj) && (in.owner[obj] == nil || isMiddlewareType(obj.Type())): // a handler that is given is not what it is
					for _, value := range in.values[obj] {
						look(value)
					}
				}
				if fn, ok := obj.(*types.Func); ok && in.decls[fn] == nil {
					found = found || in.factOf(fn, guard{}).state == isGuarded
				}
			}
			return !found
		})
	}
	look(e)
	return found
}

// mayHoldMiddleware says whether a variable is a function, or options or a list of them. A pointer leads to the whole
// of a program.
func mayHoldMiddleware(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	if !ok {
		return false
	}
	switch v.Type().Underlying().(type) {
	case *types.Signature, *types.Slice, *types.Struct:
		return true
	}
	return isHandler(v.Type())
}

// isMiddlewareType says whether a value makes handlers of handlers, or is a list of such.
func isMiddlewareType(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	sig, ok := t.Underlying().(*types.Signature)
	return ok && sig.Results().Len() == 1 && wrapsHandlers(sig)
}

// isMiddleware says whether an argument is a middleware, or a list of them, with a wrapper in it.
func (in *inspection) isMiddleware(arg ast.Expr) bool {
	t := in.info.TypeOf(arg)
	if t == nil {
		return false
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	return wrapsHandlers(t) && in.wraps(arg)
}

// mayGuard says whether an argument is a middleware, or a list of them, that only the running program knows.
func (in *inspection) mayGuard(arg ast.Expr) bool {
	t := in.info.TypeOf(arg)
	if t == nil {
		return false
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	if !wrapsHandlers(t) {
		return false
	}
	if call, ok := ast.Unparen(arg).(*ast.CallExpr); ok && slices.ContainsFunc(call.Args, in.mayGuard) { // an adapter's
		return true
	}
	return !in.functions(arg).complete
}

// hasMiddleware says whether an option of a generated registration holds a middleware with a wrapper in it.
func (in *inspection) hasMiddleware(arg ast.Expr) bool {
	t := in.info.TypeOf(arg)
	if t == nil {
		return false
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Slice, *types.Signature:
		return !servesHTTP(t) && in.wraps(arg)
	}
	return false
}

// markAll finds what wrappers stand before, in the package.
func (in *inspection) markAll() {
	in.calling(func(call *ast.CallExpr) {
		if in.wrapper(call) != "" && len(call.Args) > 0 {
			in.mark(call.Args[len(call.Args)-1], false)
			return
		}
		if m := in.method(call); m.router != "" {
			if m.name == "Use" || m.name == "Pre" {
				for _, arg := range call.Args {
					switch obj := m.object(in); {
					case obj == nil:
					case in.isMiddleware(arg):
						in.guarded[obj] = true
					case in.mayGuard(arg):
						in.unsure[obj] = true
					}
				}
			}
			return
		}
		if in.putsBefore(call) {
			for _, arg := range call.Args {
				if handles(in.info.TypeOf(arg)) {
					in.mark(arg, false)
				}
			}
		}
	})
}

// putsBefore says whether a call puts a wrapper before its arguments in a way that only other packages see: their
// functions do, or they are given a middleware that does.
func (in *inspection) putsBefore(call *ast.CallExpr) bool {
	if in.decls[in.callee(call)] != nil {
		return false // that can be followed
	}
	for _, fn := range in.functions(call.Fun).imported {
		if in.factOf(fn, guard{}).state == isGuarded {
			return true
		}
	}
	for _, arg := range call.Args {
		if in.isMiddleware(arg) {
			return true
		}
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr) // a chain of middlewares: New(a, b).Then(router)
	if !ok || in.info.Selections[sel] == nil || handles(in.info.TypeOf(sel.X)) {
		return false
	}
	return in.hasMiddleware(sel.X)
}

// mark notes everything that a wrapper stands before: the routers and handlers that its argument leads to. Through says
// that the expression is what a function makes of its parameters, which are marked where it is called.
func (in *inspection) mark(n ast.Node, through bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			in.markServed(e)
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			in.guardedCall[n] = true
			for _, fn := range in.functions(n.Fun).here {
				in.markResults(fn)
			}
		case *ast.SelectorExpr:
			if sel := in.info.Selections[n]; sel != nil && sel.Kind() == types.FieldVal {
				in.markVariable(generic(sel.Obj()), through)
				return false
			}
		case *ast.Ident:
			in.markVariable(generic(in.info.Uses[n]), through)
		}
		return true
	})
}

func (in *inspection) markVariable(obj types.Object, through bool) {
	v, ok := obj.(*types.Var)
	if !ok || in.guarded[obj] || !handles(v.Type()) && !isRouter(v.Type()) || through && in.owner[obj] != nil {
		return
	}
	in.guarded[obj] = true
	for _, value := range in.values[obj] {
		in.mark(value, through)
	}
}

// markResults is about a function whose results a wrapper stands before.
func (in *inspection) markResults(fn ast.Node) {
	key := in.declared(fn)
	if key == nil || in.guarded[key] {
		return
	}
	in.guarded[key] = true
	for _, e := range in.returns[fn] {
		in.mark(e, true)
	}
}

// markServed is about a value of a type of the package that serves by a router that it has.
func (in *inspection) markServed(e ast.Expr) {
	named := in.localType(in.info.TypeOf(e))
	if named == nil || in.guarded[named] {
		return
	}
	if sel, ok := e.(*ast.SelectorExpr); ok && in.info.Selections[sel] == nil {
		return
	}
	in.guarded[named] = true
	for _, served := range in.served(named) {
		in.mark(served, true)
	}
}

// localType is a type of the package that has a ServeHTTP of its own; nil for any other.
func (in *inspection) localType(t types.Type) types.Object {
	if t == nil {
		return nil
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() != in.pass.Pkg || in.serveHTTP(named.Obj()) == nil {
		return nil
	}
	return named.Obj()
}

// serveHTTP is the declared method of a type of the package.
func (in *inspection) serveHTTP(named types.Object) *ast.FuncDecl {
	obj, _, _ := types.LookupFieldOrMethod(named.Type(), true, in.pass.Pkg, "ServeHTTP")
	return in.decls[obj]
}

// served are the handlers that a type's ServeHTTP hands its requests to.
func (in *inspection) served(named types.Object) []ast.Expr {
	var out []ast.Expr
	ast.Inspect(in.serveHTTP(named).Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "ServeHTTP" {
				out = append(out, sel.X)
			}
		}
		return true
	})
	return out
}
