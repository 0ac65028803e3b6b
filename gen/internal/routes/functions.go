package routes

import (
	"go/ast"
	"go/types"
)

// functions are what an expression of a function's type may be.
type functions struct {
	here     []ast.Node    // functions and function literals of the package
	imported []*types.Func // of other packages, that are it or return it
	complete bool          // it can be nothing else
}

// functions finds them through variables, the elements of lists, and what functions return.
func (in *inspection) functions(e ast.Expr) functions {
	f := functionSearch{in: in, seen: map[any]bool{}}
	f.found.complete = true
	f.look(e)
	f.found.complete = f.found.complete && len(f.found.here)+len(f.found.imported) > 0
	return f.found
}

type functionSearch struct {
	in    *inspection
	seen  map[any]bool
	found functions
}

func (f *functionSearch) look(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		f.found.here = append(f.found.here, e)
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if _, ok := element.(*ast.KeyValueExpr); ok {
				f.found.complete = false
				continue
			}
			f.look(element)
		}
	case *ast.CallExpr:
		f.lookCall(e)
	default:
		f.lookObject(f.in.object(e))
	}
}

func (f *functionSearch) lookObject(obj types.Object) {
	fn, isFunc := obj.(*types.Func)
	switch {
	case obj == nil || f.seen[obj]:
		f.found.complete = f.found.complete && obj != nil
	case f.in.decls[obj] != nil:
		f.found.here = append(f.found.here, f.in.decls[obj])
	case isFunc && fn.Pkg() != f.in.pass.Pkg && !isAbstract(fn):
		f.found.imported = append(f.found.imported, fn)
	case len(f.in.values[obj]) == 0:
		f.found.complete = false
	default:
		f.seen[obj] = true
		for _, v := range f.in.values[obj] {
			f.look(v)
		}
	}
}

// isAbstract says whether a function is a method of an interface.
func isAbstract(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// lookCall is about functions that return functions, conversions, and append.
func (f *functionSearch) lookCall(call *ast.CallExpr) {
	if f.in.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		f.look(call.Args[0])
		return
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := f.in.info.Uses[id].(*types.Builtin); ok && b.Name() == "append" {
			for _, arg := range call.Args {
				f.look(arg)
			}
			return
		}
	}
	before := f.found.here
	f.found.here = nil
	f.look(call.Fun)
	makers := f.found.here
	f.found.here = before
	for _, maker := range makers {
		if f.seen[maker] {
			continue
		}
		f.seen[maker] = true
		for _, result := range f.in.returns[maker] {
			if isFunc(f.in.info.TypeOf(result)) {
				f.look(result)
			}
		}
	}
}

func isFunc(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// handles says whether a value takes requests: an http.Handler, or a function of a request or of a router's context.
func handles(t types.Type) bool {
	if t == nil {
		return false
	}
	if sig, ok := t.Underlying().(*types.Signature); ok {
		for v := range sig.Params().Variables() {
			if isRequest(v.Type()) {
				return true
			}
		}
		return false
	}
	return servesHTTP(t)
}

func isRequest(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	switch routerOf(named.Obj().Pkg()) {
	case "http":
		return named.Obj().Name() == "Request"
	case "gin", "echo":
		return named.Obj().Name() == "Context"
	}
	return false
}

// servesHTTP says whether a type has the method of an http.Handler.
func servesHTTP(t types.Type) bool {
	if t == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "ServeHTTP")
	return obj != nil
}

// wrapsHandlers says whether a value makes handlers of handlers, or is a middleware of gin's.
func wrapsHandlers(t types.Type) bool {
	if t == nil {
		return false
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 {
		return false
	}
	if sig.Results().Len() == 0 {
		return handles(sig)
	}
	return sig.Results().Len() == 1 && handles(sig.Params().At(0).Type()) && handles(sig.Results().At(0).Type())
}
