package routes

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// origin is where a router comes from.
type origin struct {
	objects map[types.Object]bool // it, and those that it is a part of
	from    map[types.Object]bool // functions that were given it, and that nobody in the package calls
	prefix  string                // of its paths
	methods []string              // none: every one
	guarded bool
	lost    bool // it comes from where it cannot be followed
}

func newOrigin() origin {
	return origin{objects: map[types.Object]bool{}, from: map[types.Object]bool{}}
}

// originOf follows the router of a registration to those that it is a part of.
func (in *inspection) originOf(r registration) origin {
	if r.on == nil {
		o := newOrigin()
		o.objects[r.global] = true
		o.guarded = in.guarded[r.global]
		return o
	}
	return in.climb(r.on, map[types.Object]bool{})
}

func (in *inspection) climb(e ast.Expr, seen map[types.Object]bool) origin {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		return in.climbCall(call, seen)
	}
	obj := in.object(e)
	if obj == nil {
		return newOrigin()
	}
	return in.climbObject(obj, seen)
}

func (in *inspection) climbObject(obj types.Object, seen map[types.Object]bool) origin {
	if seen[obj] {
		return newOrigin()
	}
	seen[obj] = true
	defer delete(seen, obj)
	cell := in.row.cells[obj]
	var parts []origin
	for _, l := range in.inner[obj] {
		part := in.climb(l.to, seen)
		part.prefix += l.prefix
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		values := in.values[obj]
		if cell != nil {
			values = []ast.Expr{cell}
		}
		for _, v := range values {
			parts = append(parts, in.climb(v, seen))
		}
	}
	out := in.alternatives(parts)
	if cell == nil { // in another row it is another router
		out.objects[obj] = true
	}
	out.guarded = out.guarded || in.guarded[obj]
	out.lost = out.lost || in.unsure[obj]
	if fn := in.owner[obj]; fn != nil {
		decl := in.declared(fn)
		switch exported := decl != nil && decl.Exported(); {
		case exported && (len(parts) == 0 || len(in.known) == 0):
			out.from[decl] = true
		case len(parts) == 0:
			out.lost = true
		}
	}
	return out
}

// alternatives is a router that may be one of several.
func (in *inspection) alternatives(parts []origin) origin {
	out := newOrigin()
	for i, p := range parts {
		maps.Copy(out.objects, p.objects)
		maps.Copy(out.from, p.from)
		out.lost = out.lost || p.lost
		if i == 0 {
			out.guarded, out.prefix, out.methods = p.guarded, p.prefix, p.methods
			continue
		}
		out.guarded = out.guarded && p.guarded
		if p.prefix != out.prefix {
			out.prefix = unknown
		}
		if !slices.Equal(p.methods, out.methods) {
			out.methods = []string{unknown}
		}
	}
	return out
}

// climbCall is about groups and their like, and functions that return a router.
func (in *inspection) climbCall(call *ast.CallExpr, seen map[types.Object]bool) origin {
	if m := in.method(call); m.router != "" {
		return in.climbGroup(m, call, seen)
	}
	out := newOrigin()
	fn := in.callee(call)
	if decl := in.decls[fn]; decl != nil && !seen[fn] {
		seen[fn] = true
		defer delete(seen, fn)
		var parts []origin
		for _, e := range in.returns[decl] {
			if t := in.info.TypeOf(e); t != nil && isRouter(t) {
				parts = append(parts, in.climb(e, seen))
			}
		}
		out = in.alternatives(parts)
		out.objects[fn] = true
	}
	out.guarded = out.guarded || in.guardedCall[call]
	return out
}

func (in *inspection) climbGroup(m method, call *ast.CallExpr, seen map[types.Object]bool) origin {
	out := in.climb(m.on, seen)
	for _, arg := range call.Args {
		out.guarded = out.guarded || in.isMiddleware(arg)
		out.lost = out.lost || in.mayGuard(arg)
	}
	switch {
	case m.name == "Group" && m.router != "chi", m.name == "PathPrefix":
		if len(call.Args) > 0 {
			out.prefix += strings.TrimSuffix(in.text(call.Args[0]), "/")
		}
	case m.name == "Methods":
		out.methods = in.texts(call.Args)
	}
	return out
}

// texts are constant texts.
func (in *inspection) texts(list []ast.Expr) []string {
	var out []string
	for _, e := range list {
		out = append(out, in.text(e))
	}
	return out
}

// escapes are the functions that hand a router to packages that cannot be seen from here: those that were given it,
// those that return it, and those that return a value which serves by it.
func (in *inspection) escapes(o origin) []types.Object {
	out := maps.Clone(o.from)
	servers := in.servers(o)
	for more := true; more; { // one may return what another does
		more = false
		for obj, decl := range in.decls {
			if out[obj] || in.calls[obj] > 0 && len(in.known) > 0 { // one that is called here is judged here
				continue
			}
			if slices.ContainsFunc(in.returns[decl], func(e ast.Expr) bool {
				return servers[in.localType(in.info.TypeOf(e))] || in.mentions(e, o.objects, out)
			}) {
				out[obj], more = true, true
			}
		}
	}
	var list []types.Object
	for fn := range out {
		if fn.Exported() && in.pass.Pkg.Name() != "main" {
			list = append(list, fn)
		}
	}
	slices.SortFunc(list, func(a, b types.Object) int { return int(a.Pos() - b.Pos()) })
	return list
}

// servers are the types of the package that serve by a router.
func (in *inspection) servers(o origin) map[types.Object]bool {
	out := map[types.Object]bool{}
	for obj, decl := range in.decls {
		if decl.Recv == nil || decl.Name.Name != "ServeHTTP" {
			continue
		}
		named := in.localType(obj.(*types.Func).Signature().Recv().Type())
		if named != nil && slices.ContainsFunc(in.served(named), func(e ast.Expr) bool { return in.mentions(e, o.objects, nil) }) {
			out[named] = true
		}
	}
	return out
}

// mentions says whether an expression hands on one of the variables, or the result of one of the functions.
func (in *inspection) mentions(e ast.Expr, variables, functions map[types.Object]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || variables[in.object(n)]
		case *ast.CallExpr:
			found = found || functions[in.callee(n)]
		}
		return !found
	})
	return found
}
