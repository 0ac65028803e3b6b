package routes

import (
	"go/ast"
	"go/types"
)

// wrapperCall looks at what a wrapper is given.
func (j *judge) wrapperCall(call *ast.CallExpr, endpoint string) {
	if endpoint == everything {
		if len(call.Args) > 0 && j.opaque(call.Args[len(call.Args)-1]) {
			j.found.all = true
		}
	} else {
		j.found.registered[endpoint] = true
	}
	for _, arg := range call.Args {
		j.timeouts(arg, map[types.Object]bool{})
	}
	if endpoint != everything && len(call.Args) > 0 {
		j.cookies(call.Args[len(call.Args)-1], endpoint)
	}
}

// inside looks at the handlers of a route that stands inside of a wrapper, without those that make one themselves.
func (j *judge) inside(handlers []ast.Expr, endpoint string) {
	for _, h := range handlers {
		if value := j.cell(h); value != nil {
			h = value
		}
		if j.guardOf(h).state == isGuarded || wrapsHandlers(j.info.TypeOf(h)) && j.wraps(h) {
			continue
		}
		j.timeouts(h, map[types.Object]bool{})
		j.cookies(h, endpoint)
	}
}

// opaque says whether a handler is one whose routes cannot be seen: no router is in it.
func (j *judge) opaque(e ast.Expr) bool {
	router := false
	seen := map[types.Object]bool{}
	var look func(n ast.Node)
	look = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if t := j.info.TypeOf(e); t != nil && isRouter(t) {
					router = true
				}
			}
			if id, ok := n.(*ast.Ident); ok {
				if obj := j.info.Uses[id]; obj != nil && !seen[obj] {
					seen[obj] = true
					for _, v := range j.values[obj] {
						look(v)
					}
					if fn := j.decls[obj]; fn != nil {
						for _, r := range j.returns[fn] {
							look(r)
						}
					}
				}
			}
			return !router
		})
	}
	look(e)
	return !router
}

// timeouts finds http.TimeoutHandler in what a wrapper is given.
func (j *judge) timeouts(e ast.Expr, seen map[types.Object]bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if j.wrapper(n) != "" {
				return false // said of that one
			}
			if fn, ok := j.callee(n).(*types.Func); ok && fn.FullName() == "net/http.TimeoutHandler" {
				j.exempt.report(n.Pos(), "timeout-inside", "http.TimeoutHandler stands inside of a wrapper, so that an answer that it gives up on is stored as the operation's: put it outside, or give the operation a timeout")
			}
		case *ast.Ident:
			obj := j.info.Uses[n]
			if v, ok := obj.(*types.Var); ok && !seen[obj] && (handles(v.Type()) || isFunc(v.Type())) && !isRouter(v.Type()) {
				seen[obj] = true
				for _, value := range j.values[obj] {
					j.timeouts(value, seen)
				}
			}
		}
		return true
	})
}

// cookies finds http.SetCookie in a handler of an operation, and what they call in the package.
func (j *judge) cookies(handler ast.Expr, endpoint string) {
	seen := map[types.Object]bool{}
	var look func(n ast.Node, depth int)
	look = func(n ast.Node, depth int) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				fn, ok := j.callee(n).(*types.Func)
				if ok && (fn.FullName() == "net/http.SetCookie" || fn.Name() == "SetCookie" && routerOf(fn.Pkg()) != "") {
					j.exempt.report(n.Pos(), "cookie", "%s sets a cookie, which no replay repeats: set it in an operation without a key, or put it into the body", endpoint)
				}
			case *ast.Ident:
				obj := j.info.Uses[n]
				if obj == nil || seen[obj] || depth > deepest {
					return true
				}
				seen[obj] = true
				if decl := j.decls[obj]; decl != nil && decl.Body != nil {
					look(decl.Body, depth+1)
				}
				if v, ok := obj.(*types.Var); ok && (handles(v.Type()) || isFunc(v.Type())) && !isRouter(v.Type()) {
					for _, value := range j.values[obj] {
						look(value, depth+1)
					}
				}
			}
			return true
		})
	}
	look(handler, 0)
}
