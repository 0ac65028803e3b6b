package routes

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// exportGuards remembers functions that other packages may register, or whose results they may. What their parameters
// add counts where they are called.
func (in *inspection) exportGuards() {
	for obj, decl := range in.decls {
		fn, ok := obj.(*types.Func)
		if !ok || decl.Body == nil || !fn.Exported() {
			continue
		}
		p := &pursuit{inspection: in, within: map[any]bool{}, neutral: true}
		g := p.resultOf(decl, nil)
		gives := slices.ContainsFunc(in.returns[decl], func(e ast.Expr) bool { return handles(in.info.TypeOf(e)) })
		if body := p.followBody(decl); body.state == isGuarded && g.state != isGuarded {
			g, gives = body, true
		}
		switch {
		case g.state == isGuarded:
			in.pass.ExportObjectFact(fn, &guards{Endpoint: g.endpoint})
		case g.state == unclear && gives:
			in.pass.ExportObjectFact(fn, &guards{Unclear: true})
		}
	}
}

// exportOgen remembers the constructor of ogen's server, which registers every operation.
func (in *inspection) exportOgen() {
	for _, f := range in.files {
		if !isGenerated(f, ogenHeader) {
			continue
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Recv != nil || decl.Name.Name != "NewServer" {
				continue
			}
			fn, ok := in.info.Defs[decl.Name].(*types.Func)
			if ok && fn.Signature().Results().Len() > 0 && servesHTTP(fn.Signature().Results().At(0).Type()) {
				in.pass.ExportObjectFact(fn, &bare{[]bareRoute{{Path: everything}}})
			}
		}
	}
}

// exportBare remembers functions whose callers have a router with operations that nothing guards here.
func (in *inspection) exportBare(byFunc map[types.Object][]bareRoute) {
	for fn, routes := range byFunc {
		slices.SortFunc(routes, func(a, b bareRoute) int { return strings.Compare(a.key(), b.key()) })
		routes = slices.CompactFunc(routes, func(a, b bareRoute) bool { return a.key() == b.key() })
		in.pass.ExportObjectFact(fn, &bare{routes})
	}
}

func (r bareRoute) key() string { return strings.Join(r.Methods, ",") + " " + r.Path }

// pattern is the route where its router stands behind a prefix.
func (r bareRoute) pattern(prefix string) pattern {
	p := pattern{methods: r.Methods}
	p.setPath(r.Path)
	return p.prefixed(prefix)
}
