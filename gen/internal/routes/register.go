package routes

import (
	"go/ast"
	"go/types"
	"strings"
)

// registration is a route that a router was told.
type registration struct {
	pattern
	handlers []ast.Expr // the handler, and what stands before it for this route alone
	on       ast.Expr
	call     *ast.CallExpr
}

// verbs are methods of routers that are named after HTTP's.
var verbs = map[string]string{
	"Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE", "Get": "GET", "Head": "HEAD", "Options": "OPTIONS",
	"POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE", "GET": "GET", "HEAD": "HEAD", "OPTIONS": "OPTIONS",
}

// registrationOf reads a call as a registration; false where it is none.
func (in *inspection) registrationOf(call *ast.CallExpr) (registration, bool) {
	m := in.method(call)
	r := registration{on: m.on, call: call}
	path := func(i int) { r.setPath(text(in.info, call.Args[i])) }
	switch n := len(call.Args); {
	case m.router == "" || n == 0:
		return r, false
	case m.router == "http" && n == 2: // Handle, HandleFunc
		r.pattern, r.handlers = httpPattern(text(in.info, call.Args[0])), call.Args[1:]
	case m.router == "gorilla":
		return in.gorilla(m, r)
	case verbs[m.name] != "" && n >= 2:
		r.methods, r.handlers = []string{verbs[m.name]}, call.Args[1:]
		path(0)
	case m.name == "Any" && n >= 2:
		r.handlers = call.Args[1:]
		path(0)
	case m.router == "chi" && (m.name == "Method" || m.name == "MethodFunc") && n == 3,
		m.router == "gin" && m.name == "Handle" && n >= 3,
		m.router == "echo" && m.name == "Add" && n >= 3:
		if method := text(in.info, call.Args[0]); !strings.Contains(method, unknown) {
			r.methods = []string{method}
		}
		r.handlers = call.Args[2:]
		path(1)
	case m.name == "Match" && (m.router == "gin" || m.router == "echo") && n >= 3:
		if lit, ok := call.Args[0].(*ast.CompositeLit); ok {
			for _, e := range lit.Elts {
				r.methods = append(r.methods, text(in.info, e))
			}
		}
		r.handlers = call.Args[2:]
		path(1)
	case m.router == "chi" && (m.name == "Handle" || m.name == "HandleFunc") && n == 2:
		r.handlers = call.Args[1:]
		path(0)
	default:
		return r, false
	}
	return r, true
}

// gorilla reads Handle("/x", h).Methods("POST"), and Path("/x").Methods("POST").Handler(h).
func (in *inspection) gorilla(m method, r registration) (registration, bool) {
	r.methods = in.methods[r.call]
	switch {
	case (m.name == "Handle" || m.name == "HandleFunc") && len(r.call.Args) == 2:
		r.handlers = r.call.Args[1:]
		r.setPath(text(in.info, r.call.Args[0]))
	case (m.name == "Handler" || m.name == "HandlerFunc") && len(r.call.Args) == 1:
		r.handlers = r.call.Args
		path := ""
		for {
			call, ok := ast.Unparen(r.on).(*ast.CallExpr)
			if !ok {
				break
			}
			step := in.method(call)
			switch step.name {
			case "Path", "PathPrefix":
				path = text(in.info, call.Args[0]) + path
			case "Methods":
				for _, arg := range call.Args {
					r.methods = append(r.methods, text(in.info, arg))
				}
			}
			r.on = step.on
		}
		r.setPath(path)
	default:
		return r, false
	}
	return r, true
}

// guardOfAll is the guard of a registration's handlers: one of them is enough.
func (in *inspection) guardOfAll(r registration) guard {
	out := guard{state: unguarded}
	for _, h := range r.handlers {
		g := in.guardOf(h)
		switch {
		case g.state == isGuarded:
			return g
		case in.isMiddleware(h):
			return guard{isGuarded, everything}
		case g.state == unclear:
			out = g
		}
	}
	return out
}

// registrations are those of the package, with the paths of their groups before theirs.
func (in *inspection) registrations() []registration {
	var all []registration
	in.each(func(n ast.Node, _ *ast.FuncDecl) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		r, ok := in.registrationOf(call)
		if !ok || len(r.handlers) == 1 && routerIn(in, r.handlers[0]) != nil {
			return
		}
		all = append(all, r)
	})
	return all
}

// prefixed puts the paths of groups before the pattern's own.
func (p pattern) prefixed(prefix string) pattern {
	if p.open {
		return p
	}
	var before pattern
	before.setPath(prefix)
	p.path = append(before.path, p.path...)
	p.open = before.open
	return p
}

// servesHTTP says whether a type is a server of ogen's: a router that nobody else sees into.
func servesHTTP(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "ServeHTTP")
	return obj != nil
}
