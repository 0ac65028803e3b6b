package openapi

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// parameter is a parameter that an operation has.
type parameter struct {
	node document.Node // where it is defined
	uses document.Node // where the operation names it: the same, or a $ref with extensions beside it
	name string
	in   string
}

func nodes(params []*parameter) []document.Node {
	out := make([]document.Node, len(params))
	for i, p := range params {
		out[i] = p.node
	}
	return out
}

// template reads the names of a path's template.
func (l *loader) template(op *operation) []string {
	names, what, remedy := Template(op.Path)
	if what != "" {
		l.lib.ReportAs(ir.LintRoute, op.at, fmt.Sprintf("path %s %s", op.spelt, what), remedy)
	}
	return names
}

// Template is the names in a path's template, in order; or what is wrong with it, and what to do.
func Template(path string) (names []string, what, remedy string) {
	rest := ir.Placeholder.ReplaceAllString(path, "\x00")
	if what, remedy := notNormal(ir.Placeholder.ReplaceAllString(path, "{}")); what != "" {
		return nil, what + ", so that no request in normal form has it", remedy
	}
	switch {
	case !strings.HasPrefix(path, "/"):
		return nil, "does not start with a slash", "write it with one"
	case strings.ContainsAny(rest, "{}"):
		return nil, "has a brace that is no placeholder", "write placeholders as {name}"
	case strings.Contains(rest, "\x00\x00"):
		return nil, "has two placeholders with nothing between them", "separate them"
	}
	for _, p := range ir.Placeholder.FindAllString(path, -1) {
		name := p[1 : len(p)-1]
		if slices.Contains(names, name) {
			return nil, fmt.Sprintf("has the placeholder {%s} twice", name), "give each a name of its own"
		}
		names = append(names, name)
	}
	return names, "", ""
}

// parameters finds an operation's parameters: those of the path item, each of which the operation may
// replace, then its own.
func (l *loader) parameters(op *operation, shared []document.Node) []*parameter {
	var all []*parameter
	at := map[string]int{} // where each is in all
	for _, list := range append(slices.Clone(shared), op.node.Get("parameters")) {
		from := len(all)
		if !list.IsZero() && !list.IsList() {
			l.bad(list, "parameters is "+list.What()+", not a list", "write a list of parameters")
			continue
		}
		for _, item := range list.Items() {
			p := l.declared(item)
			if p == nil {
				continue
			}
			switch i, ok := at[p.key()]; {
			case !ok:
				at[p.key()] = len(all)
				all = append(all, p)
			case i < from:
				all[i] = p
			case !all[i].node.Same(p.node): // one reference may be written twice
				id := ir.LintDocument
				if p.in == "header" && strings.EqualFold(p.name, l.keyHeader()) {
					id = ir.LintHeaderTwice
				}
				l.breaks(id, item, fmt.Sprintf("the %s parameter %q is there twice", p.in, p.name), "keep one of them")
			}
		}
	}
	return l.matchTemplate(op, all)
}

// key identifies a parameter. Header names differ in more than letter case.
func (p *parameter) key() string {
	if p.in == "header" {
		return p.in + " " + strings.ToLower(p.name)
	}
	return p.in + " " + p.name
}

// declared reads which parameter an item of a list declares.
func (l *loader) declared(item document.Node) *parameter {
	if !item.IsMapping() {
		l.bad(item, "a parameter is "+item.What(), "write a mapping with name and in")
		return nil
	}
	n := l.lib.Resolve(item, "parameters", "a parameter")
	if n.IsZero() {
		return nil
	}
	p := &parameter{node: n, uses: item, name: n.Get("name").Spelt(), in: n.Get("in").Spelt()}
	places := map[string]place{"path": onPath, "query": onQuery, "header": onHeader, "cookie": elsewhere, "querystring": elsewhere}
	at, ok := places[p.in]
	if !ok {
		l.bad(n, fmt.Sprintf("a parameter is in %q", p.in), "write "+n.Spell("in: path, query, header or cookie", `"in": "path", "query", "header" or "cookie"`))
		return nil
	}
	if p.name == "" {
		l.bad(n, "a parameter has no name", "name it")
		return nil
	}
	l.extensions(n, at)
	l.extensions(item, at)
	return p
}

// matchTemplate returns the parameters that requests have: those of the path that are in its template, and all others.
// A template may have a name that no parameter declares: its text is taken as it is. Where there are both, one of them
// is misspelt.
func (l *loader) matchTemplate(op *operation, all []*parameter) []*parameter {
	missing := slices.Clone(op.names)
	var extra []*parameter
	for _, p := range all {
		if i := slices.Index(missing, p.name); p.in == "path" && i >= 0 {
			missing = slices.Delete(missing, i, i+1)
		} else if p.in == "path" {
			extra = append(extra, p)
		}
	}
	if len(missing) > 0 {
		for _, p := range extra {
			l.breaks(ir.LintRoute, p.uses, fmt.Sprintf("path parameter %q is not in the path %s, which has {%s}", p.name, op.spelt, strings.Join(missing, "} and {")), "write one name in both places, or remove the parameter")
		}
	}
	return slices.DeleteFunc(all, func(p *parameter) bool { return slices.Contains(extra, p) })
}

// parameter converts one parameter. The bool is false for those that are not part of a payload.
func (c *converter) parameter(p *parameter, k *openapi3.Parameter) (*ir.Parameter, bool) {
	out := &ir.Parameter{Pos: p.uses.Pos(), Name: p.name, Doc: doc(p.uses, p.node), Required: k.Required || p.in == "path"}
	switch p.in {
	case "header":
		include, key := c.flag("x-idempotency-include", p.uses, p.node)
		if !include {
			return nil, false
		}
		out.Name = http.CanonicalHeaderKey(p.name)
		switch name := p.node.Get("name"); {
		case strings.EqualFold(p.name, c.keyHeader()):
			c.breaks(ir.LintPlace, key, "the header with the idempotency key cannot be part of what it identifies", "remove x-idempotency-include")
			return nil, false
		case !token.MatchString(p.name):
			c.bad(name, fmt.Sprintf("the header parameter %q is not the name of a header", p.name), "write letters, digits and hyphens")
			return nil, false
		case slices.Contains(framing, strings.ToLower(p.name)):
			c.breaks(ir.LintPlace, name, fmt.Sprintf("the header %s is about the message, and no handler finds it among the others", out.Name), "remove x-idempotency-include")
			return nil, false
		}
	case "query":
		out.Ignore, _ = c.flag("x-idempotency-ignore", p.uses, p.node)
	case "path":
	default:
		return nil, false
	}
	out.Type = c.parameterType(p, k)
	out.Example = c.given(out.Type, p.node)
	return out, true
}

func (l *loader) keyHeader() string {
	if h := l.policy.Header; h != "" {
		return h
	}
	return "Idempotency-Key"
}

// parameterType is a scalar, an array of scalars where the parameter is repeated, and else a string:
// the text as sent.
func (c *converter) parameterType(p *parameter, k *openapi3.Parameter) *ir.Type {
	text := &ir.Type{Pos: p.node.Pos(), Kind: ir.String}
	if k.Schema == nil {
		return text
	}
	v := view{ref: k.Schema, node: p.node.Get("schema")}
	text.Pos = v.node.Pos()
	c.noRules(v, "a parameter")
	t := c.schemaOf(p, k)
	text.Pattern, text.MorePatterns, text.MinLength, text.MaxLength, text.Format = t.Pattern, t.MorePatterns, t.MinLength, t.MaxLength, t.Format
	if ir.Rules(t) != nil {
		c.breaks(ir.LintPlace, v.node, fmt.Sprintf("the schema of the %s parameter %q has members to ignore or arrays without order", p.in, p.name), "use another schema here: a parameter is compared as text")
	}
	style := map[string]string{"path": "simple", "header": "simple", "query": "form"}[p.in]
	if k.Style != "" && k.Style != style || k.AllowEmptyValue {
		text.Pattern = cmp.Or(textPattern(t, k, p.name), text.Pattern)
		return text
	}
	switch {
	case t.Kind == ir.Array && p.in == "query" && (k.Explode == nil || *k.Explode):
		items := c.without(t.Items)
		if !scalar(items) {
			items = &ir.Type{Pos: t.Pos, Kind: ir.String}
		}
		out := *t
		out.Ref, out.Name, out.Nullable, out.Unordered, out.Items = "", "", false, false, items
		return &out
	case t.Kind == ir.Array:
		text.Pattern = textPattern(t, k, p.name)
	case scalar(t):
		return c.without(t)
	}
	if items := asSent(t, p.in == "query" && (k.Explode == nil || *k.Explode)); items.Kind == ir.Array {
		return items
	}
	return text
}

func scalar(t *ir.Type) bool {
	switch t.Kind {
	case ir.String, ir.Bool, ir.Int, ir.Integer, ir.Number:
		return true
	}
	return false
}
