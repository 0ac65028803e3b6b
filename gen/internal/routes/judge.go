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
	j.row = r.row
	defer func() { j.row = row{} }()
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
	case len(ops) > 0 && g.state == isGuarded && g.endpoint != "" && g.endpoint != everything && !has(ops, g.endpoint) && !p.open && !p.some:
		j.exempt.report(pos, "route-wrapper", "%s is %s, and is registered with the wrapper of %s: register its own", p, ops[0].Endpoint, g.endpoint)
	case g.state == isGuarded || o.guarded:
		if len(ops) > 0 {
			j.inside(r.handlers, ops[0].Endpoint)
		}
	case o.lost || p.some || g.state == unclear && !j.isGeneratedAt(pos):
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
