package routes

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// inspection is what is known of one package.
type inspection struct {
	pass  *analysis.Pass
	info  *types.Info
	files []*ast.File  // without tests: those may register what they like
	known []operations // of generated packages, sorted

	values  map[types.Object][]ast.Expr // what variables, fields and parameters are given
	decls   map[types.Object]*ast.FuncDecl
	returns map[ast.Node][]ast.Expr      // of functions and function literals
	owner   map[types.Object]ast.Node    // of parameters: the function or function literal
	calls   map[types.Object]int         // of functions, in the package
	callers map[ast.Node][]*ast.CallExpr // of functions and function literals, through variables too
	changed map[types.Object]bool        // parameters that are assigned to
	inner   map[types.Object][]link      // routers that stand inside of others
	mounted map[*ast.CallExpr]link       // calls that give such a router

	bound       map[types.Object]guard // parameters, while the results of their function are followed
	guarded     map[types.Object]bool  // routers and handlers that Middleware stands before
	unsure      map[types.Object]bool  // routers that use what only the running program knows
	guardedCall map[*ast.CallExpr]bool
	ranges      []*ast.RangeStmt
	row         row                          // of a table of routes, that is looked at
	methods     map[*ast.CallExpr][]ast.Expr // that gorilla's routes are told after they are made

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
		values: map[types.Object][]ast.Expr{}, decls: map[types.Object]*ast.FuncDecl{}, returns: map[ast.Node][]ast.Expr{},
		owner: map[types.Object]ast.Node{}, calls: map[types.Object]int{}, callers: map[ast.Node][]*ast.CallExpr{}, changed: map[types.Object]bool{}, inner: map[types.Object][]link{}, mounted: map[*ast.CallExpr]link{},
		bound: map[types.Object]guard{}, guarded: map[types.Object]bool{}, unsure: map[types.Object]bool{}, guardedCall: map[*ast.CallExpr]bool{}, methods: map[*ast.CallExpr][]ast.Expr{},
	}
	for _, f := range pass.AllPackageFacts() {
		if o, ok := f.Fact.(*operations); ok {
			in.known = append(in.known, *o)
		}
	}
	slices.SortFunc(in.known, func(a, b operations) int { return cmp.Compare(a.Keyed[0].Package, b.Keyed[0].Package) })
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

// each calls fn with every node of the package, and the function or function literal that it stands in.
func (in *inspection) each(fn func(n, within ast.Node)) {
	var walk func(root, within ast.Node)
	walk = func(root, within ast.Node) {
		ast.Inspect(root, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			fn(n, within)
			if lit, ok := n.(*ast.FuncLit); ok && n != root {
				walk(lit.Body, lit)
				return false
			}
			return true
		})
	}
	for _, f := range in.files {
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok {
				walk(decl, decl)
			} else {
				walk(d, nil)
			}
		}
	}
}

// calling calls fn with every call of the package.
func (in *inspection) calling(fn func(call *ast.CallExpr)) {
	in.each(func(n, _ ast.Node) {
		if call, ok := n.(*ast.CallExpr); ok {
			fn(call)
		}
	})
}

// read finds what everything is given: what is assigned first, then what functions that variables hold are called with.
func (in *inspection) read() {
	in.each(func(n, within ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			in.assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i, id := range n.Names {
				names[i] = id
			}
			in.assign(names, n.Values)
		case *ast.RangeStmt:
			in.ranges = append(in.ranges, n)
			if n.Value != nil {
				in.assign([]ast.Expr{n.Value}, []ast.Expr{n.X})
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := in.info.Uses[id].(*types.Var); ok && v.IsField() {
					in.values[v] = append(in.values[v], n.Value)
				}
			}
		case *ast.ReturnStmt:
			in.returns[within] = append(in.returns[within], n.Results...)
			if len(n.Results) == 0 {
				in.returns[within] = append(in.returns[within], namedResults(within)...)
			}
		case *ast.FuncDecl, *ast.FuncLit:
			for _, p := range in.parameters(n) {
				in.owner[p] = n
			}
		}
	})
	in.calling(func(call *ast.CallExpr) {
		if in.decls[in.callee(call)] != nil {
			in.calls[in.callee(call)]++
		}
	})
	for p := range in.owner {
		in.changed[p] = len(in.values[p]) > 0 // no call has been read yet
	}
	known := map[argument]bool{}
	for in.readCalls(known) { // what one call gives may be a function that another one calls
	}
	in.calling(func(call *ast.CallExpr) {
		for _, fn := range in.functions(call.Fun).here {
			in.callers[fn] = append(in.callers[fn], call)
		}
	})
	in.calling(in.link)
	in.calling(in.readMethods)
}

// argument is what a call gives to a parameter.
type argument struct {
	parameter types.Object
	value     ast.Expr
}

// readCalls gives parameters their arguments, and says whether there were any that are not known.
func (in *inspection) readCalls(known map[argument]bool) bool {
	more := false
	in.calling(func(call *ast.CallExpr) {
		for _, fn := range in.functions(call.Fun).here {
			params := in.parameters(fn)
			for i, value := range call.Args {
				if i = min(i, len(params)-1); i < 0 || params[i] == nil { // the last one takes the rest
					continue
				}
				if a := (argument{params[i], value}); !known[a] {
					known[a], more = true, true
					in.values[a.parameter] = append(in.values[a.parameter], value)
				}
			}
		}
	})
	return more
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

// signatureOf is how a function or function literal is declared.
func signatureOf(fn ast.Node) *ast.FuncType {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Type
	case *ast.FuncLit:
		return fn.Type
	}
	return nil
}

func bodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return nil
}

// parameters are those of a function, with nil for one that has no name.
func (in *inspection) parameters(fn ast.Node) []types.Object {
	var out []types.Object
	for _, f := range signatureOf(fn).Params.List {
		if len(f.Names) == 0 {
			out = append(out, nil)
		}
		for _, id := range f.Names {
			out = append(out, in.info.Defs[id])
		}
	}
	return out
}

func namedResults(fn ast.Node) []ast.Expr {
	var out []ast.Expr
	if sig := signatureOf(fn); sig != nil && sig.Results != nil {
		for _, f := range sig.Results.List {
			for _, id := range f.Names {
				out = append(out, id)
			}
		}
	}
	return out
}

// callee is the function that a call calls; nil where only the running program knows.
func (in *inspection) callee(call *ast.CallExpr) types.Object {
	if fn := typeutil.StaticCallee(in.info, call); fn != nil {
		return fn.Origin()
	}
	return nil
}

// object is the variable, field or function that an expression is.
func (in *inspection) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj := in.info.Defs[e]; obj != nil {
			return obj
		}
		return generic(in.info.Uses[e])
	case *ast.SelectorExpr:
		return generic(in.info.Uses[e.Sel])
	case *ast.IndexExpr: // a generic function's instance
		if tv, ok := in.info.Types[e.X]; ok && !tv.IsValue() {
			return nil
		}
		if fn, ok := in.object(e.X).(*types.Func); ok {
			return fn
		}
	case *ast.UnaryExpr:
		return in.object(e.X)
	case *ast.StarExpr:
		return in.object(e.X)
	}
	return nil
}

// generic is what was declared, of an instance of something generic.
func generic(obj types.Object) types.Object {
	switch o := obj.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return obj
}
