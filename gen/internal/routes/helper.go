package routes

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// rowsOf are the rounds and calls in which a call registers routes: those of the loop over a table around it, or those
// of the helper around it that is given the path. Helpers may be called in loops, and by helpers. None: it registers one
// route, or what it is given cannot be seen.
func (in *inspection) rowsOf(call *ast.CallExpr) []row {
	return in.rowsBelow(call, map[ast.Node]bool{})
}

func (in *inspection) rowsBelow(call *ast.CallExpr, within map[ast.Node]bool) []row {
	if rounds := in.rounds(call); len(rounds) > 0 {
		return rounds
	}
	fn := in.helperAround(call)
	if fn == nil || in.isOpen(fn) {
		return nil
	}
	within[fn] = true
	defer delete(within, fn)
	var out []row
	for _, c := range in.callers[fn] {
		if within[in.helperAround(c)] {
			continue // it goes round in a circle
		}
		outer := in.rowsBelow(c, within)
		if len(outer) == 0 {
			outer = []row{{place: nameOf(c)}}
		}
		for _, o := range outer {
			out = append(out, in.give(fn, c, o))
		}
	}
	return out
}

// helperAround is the function or function literal that gives a registration its method or path by a parameter; nil
// where that is none.
func (in *inspection) helperAround(call *ast.CallExpr) ast.Node {
	var found ast.Node
	look := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && found == nil {
			if obj := in.info.Uses[id]; obj != nil && isText(obj.Type()) {
				found = in.owner[obj]
			}
		}
		return found == nil
	}
	ast.Inspect(call.Fun, look)
	for _, arg := range call.Args {
		if isText(in.info.TypeOf(arg)) {
			ast.Inspect(arg, look)
		}
	}
	return found
}

// isOpen says whether other packages may call a function with routers of their own: a fact tells them what it registers.
func (in *inspection) isOpen(fn ast.Node) bool {
	decl := in.declared(fn)
	return decl != nil && decl.Exported() && in.pass.Pkg.Name() != "main" && slices.ContainsFunc(in.parameters(fn), func(p types.Object) bool {
		return p != nil && isRouter(p.Type())
	})
}

func isText(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// give is a row in which a helper's parameters are what a call gives them, but for those that it changes, and a list of
// the rest.
func (in *inspection) give(fn ast.Node, call *ast.CallExpr, outer row) row {
	r := row{map[types.Object]ast.Expr{}, outer.place}
	maps.Copy(r.cells, outer.cells)
	params := in.parameters(fn)
	if list := signatureOf(fn).Params.List; len(list) > 0 {
		if _, variadic := list[len(list)-1].Type.(*ast.Ellipsis); variadic {
			params = params[:len(params)-1]
		}
	}
	for i, p := range params {
		if p != nil && !in.changed[p] && i < len(call.Args) {
			r.cells[p] = call.Args[i]
		}
	}
	return r
}

// nameOf is where a call's function is named.
func nameOf(call *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel
	}
	return call.Fun
}
