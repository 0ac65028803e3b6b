package routes

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

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
	for _, obj := range j.resultsOf(call) {
		parts = append(parts, j.climbObject(obj, map[types.Object]bool{}))
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

// resultsOf are the variables that hold a router which a call gives, in the order of their places.
func (j *judge) resultsOf(call *ast.CallExpr) []types.Object {
	var out []types.Object
	for obj, values := range j.values {
		if (isRouter(obj.Type()) || servesHTTP(obj.Type())) && slices.ContainsFunc(values, func(v ast.Expr) bool { return ast.Unparen(v) == call }) {
			out = append(out, obj)
		}
	}
	slices.SortFunc(out, func(a, b types.Object) int { return int(a.Pos() - b.Pos()) })
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
