package routes

import (
	"go/ast"
	"go/types"
	"strings"
)

// wrapper is the endpoint key that a call guards; empty: it makes no guard. Of what it is not known which, it is "?".
func (in *inspection) wrapper(call *ast.CallExpr) string {
	fn, ok := in.callee(call).(*types.Func)
	if !ok || !returnsHandler(fn) {
		return ""
	}
	if isRuntime(fn.Pkg()) {
		if fn.Name() == "Wrap" {
			return everything
		}
		return "?"
	}
	for _, o := range in.known {
		if o.Keyed[0].Package != fn.Pkg().Path() {
			continue
		}
		for _, w := range o.Wrappers {
			if w.Name == fn.Name() {
				return w.Endpoint
			}
		}
	}
	return "" // a function of the user's: its results tell
}

// begins says whether a call reserves a key by hand.
func (in *inspection) begins(call *ast.CallExpr) bool {
	fn, ok := in.callee(call).(*types.Func)
	if !ok || !strings.HasPrefix(fn.Name(), "Begin") {
		return false
	}
	sig := fn.Signature().Results()
	return sig.Len() > 0 && runtimeName(sig.At(0).Type()) == "Attempt"
}

// runtimeName is the name of a type of the runtime, through a pointer too; empty for any other.
func runtimeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !isRuntime(named.Obj().Pkg()) {
		return ""
	}
	return named.Obj().Name()
}

func isRuntime(pkg *types.Package) bool {
	return pkg != nil && strings.HasSuffix(pkg.Path(), runtimeSuffix)
}

// isHandler says whether a type is what wrappers return.
func isHandler(t types.Type) bool {
	_, pointer := t.(*types.Pointer)
	return pointer && runtimeName(t) == "Handler"
}

func returnsHandler(obj types.Object) bool {
	if obj == nil {
		return false
	}
	sig, ok := obj.Type().(*types.Signature)
	return ok && sig.Results().Len() == 1 && isHandler(sig.Results().At(0).Type())
}
