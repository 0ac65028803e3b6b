package routes

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// registration is a route that a router was told.
type registration struct {
	pattern
	handlers []ast.Expr // the handler, and what stands before it for this route alone
	on       ast.Expr
	global   types.Object // the router, where on is nil
	call     *ast.CallExpr
	row      row
}

// pos is where a finding about it stands.
func (r registration) pos() token.Pos {
	if r.row.place != nil {
		return r.row.place.Pos()
	}
	if sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel.Pos()
	}
	return r.call.Lparen
}

// verbs are methods of routers that are named after HTTP's.
var verbs = map[string]string{
	"Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE", "Get": "GET", "Head": "HEAD", "Options": "OPTIONS",
	"POST": "POST", "PUT": "PUT", "PATCH": "PATCH", "DELETE": "DELETE", "GET": "GET", "HEAD": "HEAD", "OPTIONS": "OPTIONS",
}

// registrationOf reads a call as a registration; false where it is none.
func (in *inspection) registrationOf(call *ast.CallExpr) (registration, bool) {
	m := in.method(call)
	r := registration{on: m.on, global: m.global, call: call}
	path := func(i int) { r.setPath(in.text(call.Args[i])) }
	switch n := len(call.Args); {
	case m.router == "" || n == 0:
		return r, false
	case m.router == "http" && n == 2: // Handle, HandleFunc
		r.pattern, r.handlers = httpPattern(in.text(call.Args[0])), call.Args[1:]
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
		r.setMethods(in.texts(call.Args[:1]))
		r.handlers = call.Args[2:]
		path(1)
	case m.name == "Match" && (m.router == "gin" || m.router == "echo") && n >= 3:
		r.setMethods([]string{unknown})
		if lit := in.literal(call.Args[0]); lit != nil {
			r.setMethods(in.texts(lit.Elts))
		}
		r.handlers = call.Args[2:]
		path(1)
	case m.router == "echo" && m.name == "AddRoute" && n == 1:
		return in.echoRoute(r), true
	case m.router == "chi" && (m.name == "Handle" || m.name == "HandleFunc") && n == 2:
		r.handlers = call.Args[1:]
		if method, rest, ok := strings.Cut(in.text(call.Args[0]), " "); ok && !strings.Contains(method, "/") {
			r.setMethods([]string{method})
			r.setPath(rest)
		} else {
			path(0)
		}
	default:
		return r, false
	}
	return r, true
}

// echoRoute reads AddRoute(echo.Route{Method: "POST", Path: "/x", Handler: h}); of any other route nothing is known.
func (in *inspection) echoRoute(r registration) registration {
	e := r.call.Args[0]
	if value := in.cell(e); value != nil {
		e = value
	}
	if lit := in.literal(e); lit != nil {
		t := in.info.TypeOf(lit)
		method, path, handler := fieldOf(t, lit, "Method"), fieldOf(t, lit, "Path"), fieldOf(t, lit, "Handler")
		if method != nil && path != nil && handler != nil {
			r.setMethods([]string{in.text(method)})
			r.setPath(in.text(path))
			r.handlers = []ast.Expr{handler}
			if before := fieldOf(t, lit, "Middlewares"); before != nil {
				r.handlers = append(r.handlers, before)
			}
			return r
		}
	}
	r.setMethods([]string{unknown})
	r.setPath(unknown)
	r.handlers = r.call.Args
	return r
}

// gorilla reads Handle("/x", h).Methods("POST"), and Path("/x").Methods("POST").Handler(h).
func (in *inspection) gorilla(m method, r registration) (registration, bool) {
	switch {
	case (m.name == "Handle" || m.name == "HandleFunc") && len(r.call.Args) == 2:
		r.handlers = r.call.Args[1:]
		r.setPath(in.text(r.call.Args[0]))
	case (m.name == "Handler" || m.name == "HandlerFunc") && len(r.call.Args) == 1:
		r.handlers = r.call.Args
		path := ""
		for {
			call, ok := ast.Unparen(r.on).(*ast.CallExpr)
			if !ok {
				break
			}
			step := in.method(call)
			if step.router != "gorilla" || step.name == "Subrouter" {
				break
			}
			switch step.name {
			case "PathPrefix":
				r.below = true
				fallthrough
			case "Path":
				path = in.text(call.Args[0]) + path
			case "Methods":
				r.methods = append(r.methods, in.texts(call.Args)...)
			}
			r.on = step.on
		}
		below := r.below
		r.setPath(path)
		r.below = r.below || below
	default:
		return r, false
	}
	r.setMethods(append(r.methods, in.texts(in.methods[r.call])...))
	return r, true
}

// readMethods notes what Methods tells a route of gorilla's, through Name and its like, or a variable.
func (in *inspection) readMethods(call *ast.CallExpr) {
	m := in.method(call)
	if m.router != "gorilla" || m.name != "Methods" {
		return
	}
	e := m.on
	for {
		if obj := in.object(e); obj != nil && len(in.values[obj]) == 1 {
			e = in.values[obj][0]
		}
		on, ok := ast.Unparen(e).(*ast.CallExpr)
		step := method{}
		if ok {
			step = in.method(on)
		}
		if step.router != "gorilla" {
			return
		}
		in.methods[on] = append(in.methods[on], call.Args...)
		e = step.on
	}
}

// guardOfAll is the guard of a registration's handlers: one of them is enough.
func (in *inspection) guardOfAll(r registration) guard {
	out := guard{state: unguarded}
	for _, h := range r.handlers {
		g := guard{state: unguarded}
		if !isMiddlewareType(in.info.TypeOf(h)) {
			g = in.guardOf(h)
		} else if in.mayGuard(h) {
			g = guard{}
		}
		switch { // gin's handlers are its middlewares too: what is one wrapper's says which, and comes first
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

// registrations are those of the package, one for each line of a table. A router that stands inside of another one is
// none.
func (in *inspection) registrations() []registration {
	var all []registration
	in.calling(func(call *ast.CallExpr) {
		r, ok := in.registrationOf(call)
		if !ok || len(r.handlers) == 1 && in.isPart(r.handlers[0]) {
			return
		}
		rows := in.rowsOf(call)
		if len(rows) == 0 {
			all = append(all, r)
			return
		}
		for _, line := range rows {
			in.row = line
			r, _ := in.registrationOf(call)
			r.row = line
			all = append(all, r)
		}
		in.row = row{}
	})
	return all
}

// isPart says whether a handler is a router, through http.StripPrefix too.
func (in *inspection) isPart(e ast.Expr) bool {
	if isRouter(in.info.TypeOf(e)) {
		return true
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if fn, ok := in.callee(call).(*types.Func); ok && fn.FullName() == "net/http.StripPrefix" {
			return in.isPart(call.Args[1])
		}
	}
	return false
}

// behind puts the registration's pattern behind where its router stands.
func (r registration) behind(o origin) pattern {
	p := r.pattern
	if len(p.methods) == 0 && !p.some {
		p.setMethods(o.methods)
	}
	return p.prefixed(o.prefix)
}
