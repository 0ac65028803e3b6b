package document

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// types are the types that a schema may name.
var types = []string{"null", "boolean", "object", "array", "number", "integer", "string"}

// constraints are the keywords that, beside a $ref, make a schema of their own.
var constraints = []string{
	"type", "nullable", "format", "enum", "const", "properties", "required", "additionalProperties",
	"items", "allOf", "oneOf", "anyOf", "minItems",
}

// Constrains tells whether a schema says anything beside its $ref that the references' target does not.
func Constrains(n Node) bool {
	for key := range n.Members() {
		if slices.Contains(constraints, key.Spelt()) {
			return true
		}
	}
	return false
}

// schema copies a schema: what decides the shape of a value.
func (p *Pruner) schema(n Node) *yaml.Node {
	if b, ok := n.Bool(); ok {
		return boolean(b)
	}
	if p.nodes++; p.nodes > maxSchemas {
		return p.refuse(n, fmt.Sprintf("the operations in scope need more than %d schemas", maxSchemas))
	}
	if !p.must(n, n.IsMapping(), "a schema is "+n.What(), "write "+n.Spell("a mapping such as {type: string}", `an object such as {"type": "string"}`)) || p.full {
		return mapping(n)
	}
	if at, ref, ok := n.Ref(); ok {
		target := p.ref(n, at, ref)
		if !p.siblings || !Constrains(n) {
			return target
		}
		out := mapping(n)
		p.keywords(out, n)
		all := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{target}}
		all.Content = append(all.Content, p.list(n, "allOf")...)
		put(out, "allOf", all)
		return out
	}
	out := mapping(n)
	p.keywords(out, n)
	if all := p.list(n, "allOf"); all != nil {
		put(out, "allOf", &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: all})
	}
	return out
}

// keywords copies all keywords but allOf and $ref.
func (p *Pruner) keywords(out *yaml.Node, n Node) {
	p.types(out, n.Get("type"))
	p.text(out, n, "format")
	for _, key := range []string{"nullable", "readOnly"} {
		p.boolean(out, n, key)
	}
	p.required(out, n.Get("required"))
	if props := n.Get("properties"); !props.IsZero() && p.must(props, props.IsMapping(), "properties is "+props.What()+", not a mapping", "write names with their schemas") {
		m := mapping(props)
		for key, value := range props.Members() {
			put(m, key.Spelt(), p.schema(value))
		}
		put(out, "properties", m)
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if v := n.Get(key); !v.IsZero() {
			put(out, key, p.schema(v))
		}
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		if list := p.list(n, key); list != nil {
			put(out, key, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: list})
		}
	}
}

// types copies the type or the types of a schema.
func (p *Pruner) types(out *yaml.Node, n Node) {
	if n.IsZero() {
		return
	}
	names := []Node{n}
	if n.IsList() {
		names = n.Items()
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, name := range names {
		// An unquoted null in a list of types is the type: nothing else can be meant.
		if !p.must(name, name.IsScalar() && slices.Contains(types, name.Spelt()), "type is "+name.What(), "use one of "+strings.Join(types, ", ")) {
			return
		}
		list.Content = append(list.Content, text(name.Spelt()))
	}
	if p.must(n, len(names) > 0, "type is an empty list", "name a type, or leave type out") {
		put(out, "type", list)
	}
}

// required copies the names of required members. A name that looks like a number is a text.
func (p *Pruner) required(out *yaml.Node, n Node) {
	if n.IsZero() || !p.must(n, n.IsList(), fmt.Sprintf("required is %s, not a list of names", n.What()), "list the names beside properties: "+n.Spell("required: [name]", `"required": ["name"]`)) {
		return
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, name := range n.Items() {
		if p.must(name, name.IsScalar() && !name.IsNull(), "required names "+name.What(), "write the member's name, in quotes if need be") {
			list.Content = append(list.Content, text(name.Spelt()))
		}
	}
	put(out, "required", list)
}

// list copies the schemas of allOf, oneOf or anyOf.
func (p *Pruner) list(n Node, key string) []*yaml.Node {
	v := n.Get(key)
	if v.IsZero() || !p.must(v, v.IsList() && v.Len() > 0, fmt.Sprintf("%s is %s, not a list of schemas", key, v.What()), "list at least one schema") {
		return nil
	}
	var out []*yaml.Node
	for _, item := range v.Items() {
		out = append(out, p.schema(item))
	}
	return out
}
