package routes

import (
	"go/ast"
	"go/types"
	"strings"
)

// method is a call of a router's method, or of a function of net/http that stands for one.
type method struct {
	router string // "http", "chi", "gin", "echo", "gorilla"; empty: it is none
	name   string
	on     ast.Expr // the router; nil: http.DefaultServeMux
}

// routers are the packages of routers, by how their paths begin.
var routers = []struct{ path, name string }{
	{"net/http", "http"}, {"github.com/go-chi/chi", "chi"}, {"github.com/gin-gonic/gin", "gin"},
	{"github.com/labstack/echo", "echo"}, {"github.com/gorilla/mux", "gorilla"},
}

func routerOf(pkg *types.Package) string {
	if pkg == nil {
		return ""
	}
	for _, r := range routers {
		if pkg.Path() == r.path || strings.HasPrefix(pkg.Path(), r.path+"/") && r.name != "http" {
			return r.name
		}
	}
	return ""
}

func (in *inspection) method(call *ast.CallExpr) method {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return method{}
	}
	fn, ok := in.info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return method{}
	}
	if (fn.Name() == "Handle" || fn.Name() == "HandleFunc") && likeServeMux(in.info.TypeOf(sel.X)) {
		return method{"http", fn.Name(), sel.X}
	}
	if routerOf(fn.Pkg()) == "" {
		return method{}
	}
	m := method{router: routerOf(fn.Pkg()), name: fn.Name()}
	recv := fn.Signature().Recv()
	if recv == nil {
		if m.router == "http" && (m.name == "Handle" || m.name == "HandleFunc") {
			return m
		}
		return method{}
	}
	if m.router == "http" && typeName(recv.Type()) != "ServeMux" {
		return method{}
	}
	m.on = sel.X
	return m
}

// likeServeMux says whether a type is an interface that http.ServeMux has: generated code declares its own.
func likeServeMux(t types.Type) bool {
	if t == nil || !types.IsInterface(t) {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "HandleFunc")
	fn, ok := obj.(*types.Func)
	return ok && servesHTTP(t) && fn.Signature().Params().Len() == 2 && types.Identical(fn.Signature().Params().At(0).Type(), types.Typ[types.String]) &&
		fn.Signature().Results().Len() == 0
}

func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// isRouter says whether a value is a router itself, so that to hand it on registers nothing.
func isRouter(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	switch routerOf(n.Obj().Pkg()) + "." + n.Obj().Name() {
	case "http.ServeMux", "chi.Mux", "chi.Router", "gin.Engine", "gin.RouterGroup", "gin.IRouter", "gin.IRoutes",
		"echo.Echo", "echo.Group", "gorilla.Router":
		return true
	}
	return likeServeMux(n)
}

// origin is where a router comes from.
type origin struct {
	objects map[types.Object]bool // it, and those that it is a part of
	prefix  string                // of its paths
	guarded bool
	from    map[types.Object]bool // functions that were given it, and that nobody in the package calls
}

// originOf follows a router to those that it is a part of.
func (in *inspection) originOf(e ast.Expr) origin {
	o := origin{objects: map[types.Object]bool{}, from: map[types.Object]bool{}}
	o.prefix = in.climb(e, &o)
	for obj := range o.objects {
		o.guarded = o.guarded || in.guarded[obj]
	}
	return o
}

// climb adds where a router comes from, and returns what stands before its paths.
func (in *inspection) climb(e ast.Expr, o *origin) string {
	if e == nil {
		return ""
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		return in.climbCall(call, o)
	}
	obj := in.object(e)
	if obj == nil || o.objects[obj] {
		return ""
	}
	o.objects[obj] = true
	if l, ok := in.inner[obj]; ok {
		return in.climb(l.to, o) + l.prefix
	}
	prefix := ""
	for i, value := range in.values[obj] {
		if p := in.climb(value, o); i == 0 || p == prefix {
			prefix = p
		} else {
			prefix = unknown
		}
	}
	if fn := in.parameterOf(obj); fn != nil && in.calls[fn] == 0 {
		o.from[fn] = true
		prefix = unknown
	}
	return prefix
}

// parameterOf is the function that obj is a parameter of.
func (in *inspection) parameterOf(obj types.Object) types.Object {
	for fn, decl := range in.decls {
		if decl.Pos() <= obj.Pos() && obj.Pos() < decl.End() {
			for _, f := range decl.Type.Params.List {
				for _, id := range f.Names {
					if in.info.Defs[id] == obj {
						return fn
					}
				}
			}
		}
	}
	return nil
}

// climbCall is about groups and their like, and functions that return a router.
func (in *inspection) climbCall(call *ast.CallExpr, o *origin) string {
	if m := in.method(call); m.router != "" {
		first := func() string {
			if len(call.Args) == 0 {
				return ""
			}
			return text(in.info, call.Args[0])
		}
		for _, arg := range call.Args {
			o.guarded = o.guarded || handles(in.info.TypeOf(arg)) && in.isMiddleware(arg)
		}
		before := in.climb(m.on, o)
		switch m.name {
		case "Group", "PathPrefix", "Route":
			if m.router != "chi" || m.name == "Route" {
				return before + strings.TrimSuffix(first(), "/")
			}
		}
		return before
	}
	fn := in.callee(call)
	if in.guardedCall[call] {
		o.guarded = true
	}
	prefix := ""
	if fn != nil && in.decls[fn] != nil && !o.objects[fn] {
		o.objects[fn] = true
		for _, e := range in.returns[fn] {
			if t := in.info.TypeOf(e); t != nil && isRouter(t) {
				prefix = in.climb(e, o)
			}
		}
	}
	return prefix
}

// mark notes everything that a Middleware stands before: the routers and handlers that its argument leads to.
func (in *inspection) mark(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			in.guardedCall[n] = true
			if fn := in.callee(n); in.decls[fn] != nil && !in.guarded[fn] {
				in.guarded[fn] = true
				for _, e := range in.returns[fn] {
					in.mark(e)
				}
			}
		case *ast.Ident:
			obj := in.info.Uses[n]
			v, ok := obj.(*types.Var)
			if !ok || in.guarded[obj] || !handles(v.Type()) && !isRouter(v.Type()) {
				return true
			}
			in.guarded[obj] = true
			for _, value := range in.values[obj] {
				in.mark(value)
			}
		}
		return true
	})
}

// markAll finds what Middleware stands before, in the package.
func (in *inspection) markAll() {
	in.each(func(n ast.Node, _ *ast.FuncDecl) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if in.wrapper(call) == everything && len(call.Args) > 0 {
			in.mark(call.Args[len(call.Args)-1])
		}
		m := in.method(call)
		switch {
		case m.router == "gorilla" && m.name == "Methods":
			if on, ok := ast.Unparen(m.on).(*ast.CallExpr); ok {
				for _, arg := range call.Args {
					in.methods[on] = append(in.methods[on], text(in.info, arg))
				}
			}
		case m.name == "Use" || m.name == "Pre":
			for _, arg := range call.Args {
				if obj := in.object(m.on); obj != nil && in.isMiddleware(arg) {
					in.guarded[obj] = true
				}
			}
		case m.router != "" && (m.name == "Mount" || m.name == "Handle") && len(call.Args) == 2:
			in.mount(m, call)
		}
	})
}

// mount notes that a router is part of another.
func (in *inspection) mount(m method, call *ast.CallExpr) {
	sub := routerIn(in, call.Args[1])
	if sub == nil || m.on == nil {
		return
	}
	obj := in.object(sub)
	if obj == nil {
		return
	}
	p := httpPattern(text(in.info, call.Args[0]))
	in.inner[obj] = link{m.on, "/" + strings.Join(p.path, "/")}
}

// routerIn is the router that an expression hands on, through http.StripPrefix too; nil where there is none.
func routerIn(in *inspection, e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if t := in.info.TypeOf(e); t != nil && isRouter(t) {
		return e
	}
	if call, ok := e.(*ast.CallExpr); ok {
		if fn, ok := in.callee(call).(*types.Func); ok && fn.FullName() == "net/http.StripPrefix" {
			return routerIn(in, call.Args[1])
		}
	}
	return nil
}
