package routes

import (
	"go/ast"
	"go/types"
	"strings"
)

// method is a call of a router's method, or of a function of net/http that stands for one.
type method struct {
	router string // "http", "chi", "gin", "echo", "gorilla", "any"; empty: it is none
	name   string
	on     ast.Expr     // the router
	global types.Object // http.DefaultServeMux, where on is nil
}

// object is the router's variable.
func (m method) object(in *inspection) types.Object {
	if m.on == nil {
		return m.global
	}
	return in.object(m.on)
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
	m := method{routerOf(fn.Pkg()), fn.Name(), sel.X, nil}
	recv := fn.Signature().Recv()
	switch {
	case recv == nil:
		if m.router == "http" && (m.name == "Handle" || m.name == "HandleFunc") {
			m.on, m.global = nil, fn.Pkg().Scope().Lookup("DefaultServeMux")
			return m
		}
		return method{}
	case m.router == "http":
		if typeName(recv.Type()) == "ServeMux" {
			return m
		}
		return method{}
	case m.router != "":
		return m
	case !types.IsInterface(recv.Type()):
		return method{}
	}
	// An interface of a program's own, or of generated code, that a router has.
	switch t := in.info.TypeOf(sel.X); {
	case (m.name == "Handle" || m.name == "HandleFunc") && likeServeMux(t):
		m.router = "http"
	case verbs[m.name] != "" && likeVerb(fn.Signature()):
		m.router = "any"
	default:
		return method{}
	}
	return m
}

// likeServeMux says whether a type is an interface that http.ServeMux has.
func likeServeMux(t types.Type) bool {
	if t == nil || !types.IsInterface(t) {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "HandleFunc")
	fn, ok := obj.(*types.Func)
	return ok && servesHTTP(t) && fn.Signature().Params().Len() == 2 && isString(fn.Signature().Params().At(0).Type()) && fn.Signature().Results().Len() == 0
}

// likeVerb says whether a method takes a path and a handler.
func likeVerb(sig *types.Signature) bool {
	if sig.Params().Len() < 2 || !isString(sig.Params().At(0).Type()) {
		return false
	}
	t := sig.Params().At(1).Type()
	if s, ok := t.(*types.Slice); ok && sig.Variadic() {
		t = s.Elem()
	}
	return handles(t)
}

func isString(t types.Type) bool { return types.Identical(t, types.Typ[types.String]) }

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
	return likeServeMux(n) || likeVerbs(n)
}

// likeVerbs says whether a type is an interface of a program's own that registers by method.
func likeVerbs(t types.Type) bool {
	if !types.IsInterface(t) {
		return false
	}
	for _, name := range []string{"POST", "Post", "PUT", "Put", "PATCH", "Patch", "DELETE", "Delete"} {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		if fn, ok := obj.(*types.Func); ok && likeVerb(fn.Signature()) {
			return true
		}
	}
	return false
}

// link notes that a call makes a router part of another: chi's Route, Group and Mount, and Handle of any.
func (in *inspection) link(call *ast.CallExpr) {
	m := in.method(call)
	n := len(call.Args)
	switch {
	case m.router == "" || n == 0:
	case m.router == "chi" && (m.name == "Route" || m.name == "Group"):
		l := link{to: m.on}
		if m.name == "Route" {
			l.prefix = in.text(call.Args[0])
		}
		for _, fn := range in.functions(call.Args[n-1]).here {
			if params := in.parameters(fn); len(params) > 0 && params[0] != nil {
				in.inner[params[0]] = append(in.inner[params[0]], l)
			}
		}
	case n == 2 && m.on != nil && (m.name == "Mount" || m.name == "Handle"):
		p := httpPattern(in.text(call.Args[0]))
		in.linkAll(call.Args[1], link{m.on, "/" + strings.Join(p.path, "/")}, m.name == "Mount", map[ast.Expr]bool{})
	}
}

// linkAll makes the routers in an expression part of another one. Their paths stand behind its own where it strips them.
func (in *inspection) linkAll(e ast.Expr, l link, strips bool, seen map[ast.Expr]bool) {
	e = ast.Unparen(e)
	if seen[e] {
		return
	}
	seen[e] = true
	if call, ok := e.(*ast.CallExpr); ok {
		fn, _ := in.callee(call).(*types.Func)
		strips = strips || fn != nil && fn.FullName() == "net/http.StripPrefix"
		for _, arg := range call.Args {
			if t := in.info.TypeOf(arg); handles(t) || isRouter(t) {
				in.linkAll(arg, l, strips, seen)
			}
		}
		if decl := in.decls[fn]; fn != nil && decl != nil {
			for _, result := range in.returns[decl] {
				in.linkAll(result, l, strips, seen)
			}
		}
		if !strips {
			l.prefix = ""
		}
		in.mounted[call] = l
		return
	}
	obj, ok := in.object(e).(*types.Var)
	if !ok || !isRouter(obj.Type()) && !handles(obj.Type()) {
		return
	}
	if isRouter(obj.Type()) && in.owner[obj] == nil {
		if !strips {
			l.prefix = ""
		}
		in.inner[obj] = append(in.inner[obj], l)
		return
	}
	for _, v := range in.values[obj] {
		in.linkAll(v, l, strips, seen)
	}
}
