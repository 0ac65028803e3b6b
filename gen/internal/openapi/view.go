package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// maxHops bounds walks along references and single allOfs, which package document bounds as well.
const maxHops = 200

// view is one schema seen twice: as kin-openapi decoded it, and as it stands in the document.
type view struct {
	ref  *openapi3.SchemaRef
	node document.Node
	skip skip
}

// skip says which groups of branches are decided already, in a view that was combined with one of them.
type skip uint8

const (
	skipOneOf skip = 1 << iota
	skipAnyOf
	skipAllOf // its members, or what it refers to, are views of their own
)

// schema is what kin-openapi decoded; never nil.
func (v view) schema() *openapi3.Schema {
	if v.ref == nil || v.ref.Ref != "" || v.ref.Value == nil {
		return &openapi3.Schema{}
	}
	return v.ref.Value
}

// isRef tells whether the view is a reference and, but for annotations, nothing else.
func (v view) isRef() bool { return v.ref != nil && v.ref.Ref != "" }

// deref is the schema that a reference names: one step.
func (c *converter) deref(v view) view {
	name, target, ok := c.prune.Target(v.ref.Ref)
	if !ok {
		return view{node: v.node}
	}
	return view{ref: c.t.Components.Schemas[name], node: target.Node}
}

// part is the view of a member schema.
func part(ref *openapi3.SchemaRef, n document.Node) view { return view{ref: ref, node: n} }

// list pairs a list of schemas with its nodes.
func list(refs openapi3.SchemaRefs, n document.Node) []view {
	items := n.Items()
	out := make([]view, 0, len(refs))
	for i, ref := range refs {
		if i < len(items) {
			out = append(out, part(ref, items[i]))
		}
	}
	return out
}

// allOf are the members of allOf. Where keywords beside a $ref count, the reference is the first.
func (c *converter) allOf(v view) []view {
	if v.skip&skipAllOf != 0 {
		return nil
	}
	refs, nodes := v.schema().AllOf, v.node.Get("allOf")
	var out []view
	if len(refs) == nodes.Len()+1 {
		out = append(out, c.deref(view{ref: refs[0], node: v.node}))
		refs = refs[1:]
	}
	return append(out, list(refs, nodes)...)
}

// group are the branches of oneOf or anyOf, and whether null is one of them.
func (c *converter) group(v view, which skip) (branches []view, null bool) {
	if v.skip&which != 0 {
		return nil, false
	}
	all := list(v.schema().OneOf, v.node.Get("oneOf"))
	if which == skipAnyOf {
		all = list(v.schema().AnyOf, v.node.Get("anyOf"))
	}
	for _, b := range all {
		if c.isNull(b) {
			null = true
			continue
		}
		branches = append(branches, b)
	}
	return branches, null
}

// isNull tells whether a schema admits null and nothing else.
func (c *converter) isNull(v view) bool {
	for range maxHops {
		if !v.isRef() {
			break
		}
		v = c.deref(v)
	}
	if t := v.schema().Type; t != nil {
		return slices.Equal(t.Slice(), []string{"null"})
	}
	enum := v.node.Get("enum")
	return v.node.Get("const").IsNull() || enum.Len() == 1 && enum.Items()[0].IsNull()
}

// constrains tells whether a view says anything of values but for the keywords named.
func constrains(v view, except ...string) bool {
	s := v.schema()
	says := func(key string, there bool) bool { return there && !slices.Contains(except, key) }
	beside := func(key string) bool { return !v.isRef() && !v.node.Get(key).IsZero() }
	return says("type", s.Type != nil) ||
		says("nullable", s.Nullable) ||
		says("format", s.Format != "") ||
		says("properties", len(s.Properties) > 0) ||
		says("required", len(s.Required) > 0) ||
		says("additionalProperties", s.AdditionalProperties.Has != nil || s.AdditionalProperties.Schema != nil) ||
		says("items", s.Items != nil) ||
		says("allOf", len(s.AllOf) > 0 && v.skip&skipAllOf == 0) ||
		says("oneOf", len(s.OneOf) > 0 && v.skip&skipOneOf == 0) ||
		says("anyOf", len(s.AnyOf) > 0 && v.skip&skipAnyOf == 0) ||
		says("enum", beside("enum")) || says("const", beside("const")) || says("minItems", beside("minItems")) ||
		says("x-idempotency-unordered", !v.node.Get("x-idempotency-unordered").IsZero())
}

// plain leads from a schema that only names another one, by a reference or as the one schema of allOf
// or oneOf, to that one. null: on the way null was admitted. beside are the schemas on the way that say what helps to make
// up a value, the nearest to the place first.
func (c *converter) plain(v view) (to view, null bool, beside []view) {
	for range maxHops {
		if v.skip != 0 {
			return v, null, beside
		}
		c.look(v)
		switch {
		case v.isRef():
			if !v.node.Get("x-idempotency-unordered").IsZero() {
				return v, null, beside
			}
			beside = append(beside, hinting(v)...)
			v = c.deref(v)
			continue
		case !constrains(v, "allOf", "nullable"):
			if all := c.allOf(v); len(all) == 1 {
				null = null || v.schema().Nullable
				beside = append(beside, hinting(v)...)
				v = all[0]
				continue
			}
		}
		next := view{}
		for key, which := range map[string]skip{"oneOf": skipOneOf, "anyOf": skipAnyOf} {
			if branches, n := c.group(v, which); len(branches) == 1 && !constrains(v, key, "nullable") {
				next, null = branches[0], null || n || v.schema().Nullable
			}
		}
		if next.ref == nil {
			return v, null, beside
		}
		beside = append(beside, hinting(v)...)
		v = next
	}
	return v, null, beside
}

// context is what a schema says about the place that it is used in.
type context struct {
	doc       string
	readOnly  bool
	ignore    bool
	ignoreKey document.Node
}

// context reads it along references and allOf: what stands nearer to the place wins.
func (c *converter) context(v view) context {
	var out context
	said := false
	seen := map[any]bool{}
	var visit func(v view)
	visit = func(v view) {
		if seen[v.node.ID()] || len(seen) > maxHops {
			return
		}
		seen[v.node.ID()] = true
		if out.doc == "" {
			out.doc = doc(v.node)
		}
		readOnly, _ := v.node.Get("readOnly").Bool()
		out.readOnly = out.readOnly || readOnly
		if !said && !v.node.Get("x-idempotency-ignore").IsZero() {
			said = true
			out.ignore, out.ignoreKey = c.flag("x-idempotency-ignore", v.node)
		}
		if v.isRef() {
			visit(c.deref(v))
		}
		for _, m := range c.allOf(v) {
			visit(m)
		}
	}
	visit(v)
	return out
}

// noRules reports extensions on a schema that is used where they mean nothing.
func (c *converter) noRules(v view, where string) {
	if ctx := c.context(v); ctx.ignore {
		c.breaks(ir.LintPlace, ctx.ignoreKey, "x-idempotency-ignore on the schema of "+where, "put it on a property, or on a query parameter itself")
	}
	v, _, _ = c.plain(v)
	if unordered, key := c.flag("x-idempotency-unordered", v.node); unordered && where == "a parameter" {
		c.breaks(ir.LintPlace, key, "x-idempotency-unordered on a parameter: the order of repeated parameters counts", "remove it")
	}
}

// holders are keywords whose schemas are not read: what they say about values is the handler's to check.
var holders = []string{
	"not", "if", "then", "else", "patternProperties", "dependentSchemas", "prefixItems", "contains",
	"propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema",
}

// look checks the extensions of a schema, once.
func (c *converter) look(v view) {
	if !v.node.IsMapping() || c.checked[v.node.ID()] {
		return
	}
	c.extensions(v.node, onSchema)
	for _, h := range holders {
		c.unread(v.node.Get(h), h)
	}
}

// unread reports extensions where they have no effect.
func (c *converter) unread(n document.Node, below string) {
	for key, value := range n.Members() {
		if strings.HasPrefix(key.Spelt(), "x-idempotency-") {
			c.breaks(ir.LintPlace, key, fmt.Sprintf("%s has no effect below %s", key.Spelt(), below), "declare the member under properties and put it there")
			continue
		}
		c.unread(value, below)
	}
	for _, item := range n.Items() {
		c.unread(item, below)
	}
}
