package routes

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// judge finds what is wrong with the registrations of a package.
type judge struct {
	*inspection
	exempt   *exempt
	deferred map[types.Object][]bareRoute     // by the function whose callers can see more
	ours     map[types.Object]bool            // routers that have an operation of the document
	explicit map[string]map[types.Object]bool // paths of operations, and the routers that have them under their method
}

// note remembers which routers have which operations.
func (j *judge) note(r registration) {
	o := j.originOf(r)
	p := r.behind(o)
	ops, _ := j.operations(p)
	for _, op := range ops {
		for obj := range o.objects {
			j.ours[obj] = true
			if len(p.methods) > 0 {
				key := explicitKey(op, p)
				if j.explicit[key] == nil {
					j.explicit[key] = map[types.Object]bool{}
				}
				j.explicit[key][obj] = true
			}
		}
	}
}

func explicitKey(op keyed, p pattern) string { return op.Endpoint + " " + strings.Join(p.path, "/") }

func shares(o origin, objects map[types.Object]bool) bool {
	for obj := range o.objects {
		if objects[obj] {
			return true
		}
	}
	return false
}

// operations are the keyed operations that a pattern takes, the most specific ones, and whether it is another route of
// the document.
func (in *inspection) operations(p pattern) (ops []keyed, other bool) {
	longest := 0
	better := func(r Route) bool {
		n := len(segments(r.Path))
		if !p.takes(r) || n < longest {
			return false
		}
		if n > longest {
			longest, ops, other = n, nil, false
		}
		return true
	}
	for _, o := range in.known {
		for _, op := range o.Keyed {
			if better(op.Route) {
				ops = append(ops, op)
			}
		}
		for _, r := range o.Other {
			if better(r) {
				other = true
			}
		}
	}
	return ops, other
}

// registration judges one.
func (j *judge) registration(r registration) {
	j.row = r.row
	defer func() { j.row = row{} }()
	o := j.originOf(r)
	p := r.behind(o)
	relative := p
	p.open = p.open || len(o.from) > 0
	ops, other := j.operations(p)
	g := j.guardOfAll(r)
	j.found.routes++
	for _, op := range ops {
		j.found.registered[op.Endpoint] = true
	}
	if len(ops) == 0 && p.open && (len(p.methods) == 0 || p.mutating()) && (g.state == unclear || o.guarded || g.endpoint == everything) {
		j.found.all = true // it may be any
	}
	pos := r.pos()
	switch {
	case len(ops) > 0 && g.state == isGuarded && g.endpoint != "" && g.endpoint != everything && !has(ops, g.endpoint) && !p.open:
		j.exempt.report(pos, "route-wrapper", "%s is %s, and is registered with the wrapper of %s: register its own", p, ops[0].Endpoint, g.endpoint)
	case g.state == isGuarded || o.guarded:
		if len(ops) > 0 {
			j.inside(r.handlers, ops[0].Endpoint)
		}
	case o.lost || g.state == unclear && !j.isGeneratedAt(pos):
	default:
		j.bare(pos, p, relative, o, ops, other)
	}
}

// isGeneratedAt says whether a place lies in generated code. What such registers is given to it as an interface: who
// calls it knows what that is.
func (j *judge) isGeneratedAt(pos token.Pos) bool {
	for _, f := range j.files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return ast.IsGenerated(f)
		}
	}
	return false
}

func has(ops []keyed, endpoint string) bool {
	for _, op := range ops {
		if op.Endpoint == endpoint {
			return true
		}
	}
	return false
}

const unguardedRoute = "%s is %s, and no wrapper guards it: register the generated wrapper of %s, or put Middleware before the router"

// names are those of functions, by which the whole program knows them.
func names(fns []types.Object) []string {
	var out []string
	for _, fn := range fns {
		if f, ok := fn.(*types.Func); ok {
			out = append(out, f.FullName())
		}
	}
	return out
}

// bare is about a registration that nothing guards, as far as this package shows.
func (j *judge) bare(pos token.Pos, p, relative pattern, o origin, ops []keyed, other bool) {
	if len(ops) == 0 && !other && p.mutating() && !p.open && shares(o, j.ours) {
		j.exempt.report(pos, "route-unknown", "%s is in no document: add it to the document, or say //idemgen:exempt and why", p)
		return
	}
	if fns := j.escapes(o); len(fns) > 0 {
		if (len(p.methods) == 0 || p.mutating()) && !j.exempt.covers(pos) {
			for _, fn := range fns {
				j.deferred[fn] = append(j.deferred[fn], bareRoute{p.methods, relative.text})
			}
			for _, op := range ops {
				j.found.pending = append(j.found.pending, pending{names(fns), place(j.pass.Fset, pos), fmt.Sprintf(unguardedRoute, p, op.Endpoint, op.Endpoint)})
			}
		}
		return
	}
	for _, op := range ops {
		if len(p.methods) == 0 && shares(o, j.explicit[explicitKey(op, p)]) {
			continue // its method's own route takes it
		}
		j.exempt.report(pos, "route-bare", unguardedRoute, p, op.Endpoint, op.Endpoint)
	}
}

// call judges what wrappers are given, and calls of functions that register operations.
func (j *judge) call(call *ast.CallExpr) {
	if endpoint := j.wrapper(call); endpoint != "" {
		j.wrapperCall(call, endpoint)
		return
	}
	if m := j.method(call); m.router == "chi" && (m.name == "Route" || m.name == "Group") {
		j.handed(m, call)
		return
	}
	fn, ok := j.callee(call).(*types.Func)
	var fact bare
	if !ok || j.decls[fn] != nil || !j.pass.ImportObjectFact(fn, &fact) {
		return
	}
	o := j.originOfCall(call)
	for _, arg := range call.Args {
		o.guarded = o.guarded || j.guardsItself(arg)
	}
	j.imported(fn, call, fact, o)
}

// handed is about chi's groups whose routes are a function of another package.
func (j *judge) handed(m method, call *ast.CallExpr) {
	last := call.Args[len(call.Args)-1]
	for _, fn := range j.functions(last).imported {
		var fact bare
		if !j.pass.ImportObjectFact(fn, &fact) {
			continue
		}
		o := j.climb(m.on, map[types.Object]bool{})
		if m.name == "Route" {
			o.prefix += j.text(call.Args[0])
		}
		j.imported(fn, last, fact, o)
	}
}

// originOfCall is where the router comes from that a function of another package is given, or gives.
func (j *judge) originOfCall(call *ast.CallExpr) origin {
	var parts []origin
	for _, arg := range call.Args {
		if isRouter(j.info.TypeOf(arg)) {
			parts = append(parts, j.climb(arg, map[types.Object]bool{}))
		} else if j.hasMiddleware(arg) {
			part := newOrigin()
			part.guarded = true
			parts = append(parts, part)
		}
	}
	if l, ok := j.mounted[call]; ok {
		part := j.climb(l.to, map[types.Object]bool{})
		part.prefix += l.prefix
		parts = append(parts, part)
	}
	for obj, values := range j.values {
		for _, v := range values {
			if ast.Unparen(v) == call && (isRouter(obj.Type()) || servesHTTP(obj.Type())) {
				parts = append(parts, j.climbObject(obj, map[types.Object]bool{}))
			}
		}
	}
	out := newOrigin()
	out.guarded = j.guardedCall[call]
	for _, p := range parts { // each is the same router
		for obj := range p.objects {
			out.objects[obj] = true
		}
		for fn := range p.from {
			out.from[fn] = true
		}
		out.guarded, out.lost = out.guarded || p.guarded, out.lost || p.lost
		if out.prefix == "" {
			out.prefix = p.prefix
		}
	}
	for obj, decl := range j.decls {
		for _, e := range j.returns[decl] {
			if ast.Unparen(e) == call && j.calls[obj] == 0 && obj.Exported() {
				out.from[obj] = true
			}
		}
	}
	return out
}

// guardsItself says whether what a generated registration is given guards in its own methods.
func (j *judge) guardsItself(arg ast.Expr) bool {
	t := j.info.TypeOf(arg)
	if t == nil || isRouter(t) {
		return false
	}
	methods := types.NewMethodSet(t)
	for m := range methods.Methods() {
		fn, ok := m.Obj().(*types.Func)
		if ok && m.Obj().Exported() && fn.Pkg() != nil && !isRuntime(fn.Pkg()) &&
			(&pursuit{inspection: j.inspection, within: map[any]bool{}}).followFunc(fn.Origin()).state == isGuarded {
			return true
		}
	}
	return false
}

// imported is about operations that a function of another package registers.
func (j *judge) imported(fn *types.Func, at ast.Expr, fact bare, o origin) {
	j.found.called[fn.FullName()] = true
	if len(j.known) > 0 {
		for _, r := range fact.Routes {
			j.found.all = j.found.all || r.Path == everything
		}
	}
	var found []string
	for _, r := range fact.Routes {
		if r.Path == everything {
			found = append(found, everything)
			continue
		}
		p := r.pattern(o.prefix)
		p.open = p.open || len(o.from) > 0
		ops, _ := j.operations(p)
		for _, op := range ops {
			j.found.registered[op.Endpoint] = true
			found = append(found, p.String()+" ("+op.Endpoint+")")
		}
	}
	if o.guarded || o.lost {
		return
	}
	if fns := j.escapes(o); len(fns) > 0 {
		for _, f := range fns {
			if j.exempt.covers(at.Pos()) {
				break
			}
			for _, r := range fact.Routes {
				if r.Path != everything {
					r.Path = r.pattern(o.prefix).text
				}
				j.deferred[f] = append(j.deferred[f], r)
			}
		}
		return
	}
	switch {
	case len(found) == 0 || len(j.known) == 0:
	case found[0] == everything:
		j.exempt.report(at.Pos(), "route-bare", "%s serves every operation of the document, and no wrapper guards it: put Middleware before the router", fn.Name())
	default:
		j.exempt.report(at.Pos(), "route-bare", "%s registers %s, and no wrapper guards it: put Middleware before the router", fn.Name(), strings.Join(found, "; "))
	}
}
