package routes

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// inspection is what is known of one package.
type inspection struct {
	pass  *analysis.Pass
	info  *types.Info
	files []*ast.File // without tests: those may register what they like
	known []operations

	values  map[types.Object][]ast.Expr // what variables, fields and parameters are given
	decls   map[types.Object]*ast.FuncDecl
	returns map[types.Object][]ast.Expr // of functions
	calls   map[types.Object]int        // of functions, in the package
	within  map[ast.Node]*ast.FuncDecl  // calls and router expressions, in which function they stand
	inner   map[types.Object]link       // routers that stand inside of others

	bound       map[types.Object]guard // parameters, while the results of their function are followed
	guarded     map[types.Object]bool  // routers and handlers that Middleware stands before
	guardedCall map[*ast.CallExpr]bool
	methods     map[*ast.CallExpr][]string // of gorilla's Methods, for the call that it follows

	found findings
}

// link leads from a router to the one that it is a part of.
type link struct {
	to     ast.Expr
	prefix string
}

func newInspection(pass *analysis.Pass) *inspection {
	in := &inspection{
		pass: pass, info: pass.TypesInfo,
		values: map[types.Object][]ast.Expr{}, decls: map[types.Object]*ast.FuncDecl{}, returns: map[types.Object][]ast.Expr{},
		calls: map[types.Object]int{}, within: map[ast.Node]*ast.FuncDecl{}, inner: map[types.Object]link{},
		bound: map[types.Object]guard{}, guarded: map[types.Object]bool{}, guardedCall: map[*ast.CallExpr]bool{}, methods: map[*ast.CallExpr][]string{},
	}
	for _, f := range pass.AllPackageFacts() {
		if o, ok := f.Fact.(*operations); ok {
			in.known = append(in.known, *o)
		}
	}
	for _, f := range pass.Files {
		if !strings.HasSuffix(pass.Fset.Position(f.Pos()).Filename, "_test.go") {
			in.files = append(in.files, f)
		}
	}
	for _, f := range in.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				in.decls[in.info.Defs[fn.Name]] = fn
			}
		}
	}
	return in
}

// each calls fn with every node of the package, and the function that it stands in.
func (in *inspection) each(fn func(n ast.Node, within *ast.FuncDecl)) {
	for _, f := range in.files {
		for _, d := range f.Decls {
			decl, _ := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				if n != nil {
					fn(n, decl)
				}
				return true
			})
		}
	}
}

// read finds what everything is given.
func (in *inspection) read() {
	in.each(func(n ast.Node, within *ast.FuncDecl) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			in.assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i, id := range n.Names {
				names[i] = id
			}
			in.assign(names, n.Values)
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := in.info.Uses[id].(*types.Var); ok && v.IsField() {
					in.values[v] = append(in.values[v], n.Value)
				}
			}
		case *ast.ReturnStmt:
			if within != nil {
				obj := in.info.Defs[within.Name]
				in.returns[obj] = append(in.returns[obj], n.Results...)
			}
		case *ast.CallExpr:
			in.within[n] = within
			in.readCall(n)
		}
	})
}

func (in *inspection) assign(to, from []ast.Expr) {
	for i, e := range to {
		obj := in.object(e)
		switch {
		case obj == nil, len(from) == 0:
		case len(to) == len(from):
			in.values[obj] = append(in.values[obj], from[i])
		default:
			in.values[obj] = append(in.values[obj], from[0])
		}
	}
}

// readCall gives parameters of functions of the package their arguments, and parameters of functions that a router
// calls at once their router.
func (in *inspection) readCall(call *ast.CallExpr) {
	fn := in.callee(call)
	if decl := in.decls[fn]; decl != nil {
		in.calls[fn]++
		i := 0
		for _, f := range decl.Type.Params.List {
			for _, id := range f.Names {
				if i < len(call.Args) {
					obj := in.info.Defs[id]
					in.values[obj] = append(in.values[obj], call.Args[i])
				}
				i++
			}
		}
	}
	if m := in.method(call); m.router == "chi" && (m.name == "Route" || m.name == "Group") {
		lit, ok := call.Args[len(call.Args)-1].(*ast.FuncLit)
		if ok && len(lit.Type.Params.List) == 1 && len(lit.Type.Params.List[0].Names) == 1 {
			prefix := ""
			if m.name == "Route" {
				prefix = text(in.info, call.Args[0])
			}
			in.inner[in.info.Defs[lit.Type.Params.List[0].Names[0]]] = link{m.on, prefix}
		}
	}
}

// callee is the function that a call calls; nil where only the running program knows.
func (in *inspection) callee(call *ast.CallExpr) types.Object {
	if fn := typeutil.StaticCallee(in.info, call); fn != nil {
		return fn.Origin()
	}
	return nil
}

// object is the variable or field that an expression is.
func (in *inspection) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj := in.info.Defs[e]; obj != nil {
			return obj
		}
		return in.info.Uses[e]
	case *ast.SelectorExpr:
		return in.info.Uses[e.Sel]
	case *ast.UnaryExpr:
		return in.object(e.X)
	case *ast.StarExpr:
		return in.object(e.X)
	}
	return nil
}

// wrapper is the endpoint key that a call guards; empty: it makes no guard. Of what it is not known which, it is "?".
func (in *inspection) wrapper(call *ast.CallExpr) string {
	fn, ok := in.callee(call).(*types.Func)
	if !ok || !returnsHandler(fn) {
		return ""
	}
	if strings.HasSuffix(fn.Pkg().Path(), runtimeSuffix) {
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
