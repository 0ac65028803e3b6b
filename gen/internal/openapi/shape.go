package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// mask is a set of JSON types. A number is a whole one or one with a fraction, so that integer and
// number have integer in common.
type mask uint8

const (
	isNull mask = 1 << iota
	isBool
	isWhole
	isFraction
	isString
	isArray
	isObject

	isNumber = isWhole | isFraction
	anything = isNull | isBool | isNumber | isString | isArray | isObject
)

var masks = map[string]mask{
	"null": isNull, "boolean": isBool, "integer": isWhole, "number": isNumber,
	"string": isString, "array": isArray, "object": isObject,
}

// kinds are the types a mask consists of, null left out.
func (m mask) kinds() []mask {
	var out []mask
	for _, k := range []mask{isBool, isNumber, isString, isArray, isObject} {
		if m&k != 0 {
			out = append(out, m&k)
		}
	}
	return out
}

func (m mask) String() string {
	var out []string
	for _, k := range []struct {
		mask mask
		name string
	}{{isNull, "null"}, {isBool, "boolean"}, {isNumber, "number"}, {isWhole, "integer"}, {isString, "string"}, {isArray, "array"}, {isObject, "object"}} {
		if m&k.mask == k.mask {
			out = append(out, k.name)
			m &^= k.mask
		}
	}
	return strings.Join(out, " or ")
}

// shape is what one schema or several together say of a value: allOf and references flattened.
type shape struct {
	types     mask
	typesAt   document.Node // the type that narrowed them last
	typed     bool
	nullable  bool // said so
	format    string
	enum      *enum
	fields    []*field
	byName    map[string]*field
	required  []document.Node
	closed    bool
	loose     bool // patternProperties: closed is not
	rest      []view
	restSaid  bool
	items     []view
	unordered document.Node // its key, where true
	groups    []group
	done      map[any]bool
	parts     []view // every view, flattened: hints and examples are read from them
	quiet     bool   // one of several branches: that it admits nothing is no fault of the document
	failed    bool
}

// field is a declared member: one schema, or several that allOf brought together.
type field struct {
	key   document.Node
	views []view
}

// group are the branches of a oneOf or anyOf, and the view that has them.
type group struct {
	of       view
	which    skip
	branches []view
}

// shape flattens views. label names the value in messages.
func (c *converter) shape(views []view, label string) *shape {
	s := &shape{types: anything, byName: map[string]*field{}, done: map[any]bool{}, quiet: decided(views)}
	within := map[any]bool{}
	for _, v := range views {
		c.flatten(s, v, label, within)
	}
	return s
}

// decided tells whether views are the combination of a schema with one of its branches.
func decided(views []view) bool {
	return slices.ContainsFunc(views, func(v view) bool { return v.skip != 0 })
}

// flatten adds what v says. within are the schemas that v is a part of.
func (c *converter) flatten(s *shape, v view, label string, within map[any]bool) {
	id := v.node.ID()
	if within[id] {
		c.bad(v.node, "a schema contains itself through allOf", "let it refer to itself in a property, or break the circle")
		s.failed = true
		return
	}
	if s.done[id] {
		return // once is enough, and allOf of allOf of ... would be visited time and again
	}
	s.done[id], within[id] = true, true
	defer delete(within, id)
	c.look(v)
	if unordered, key := c.flag("x-idempotency-unordered", v.node); unordered && s.unordered.IsZero() {
		s.unordered = key
	}
	s.parts = append(s.parts, v)
	if v.isRef() {
		if v.skip&skipAllOf == 0 {
			c.flatten(s, c.deref(v), label, within)
		}
		return
	}
	c.narrow(s, v, label)
	c.literals(s, v, label)
	c.members(s, v)
	for _, m := range c.allOf(v) {
		c.flatten(s, m, label, within)
	}
	for _, which := range []skip{skipOneOf, skipAnyOf} {
		branches, null := c.group(v, which)
		s.nullable = s.nullable || null
		switch {
		case len(branches) == 1:
			c.flatten(s, branches[0], label, within)
		case len(branches) > 1 && c.shaping(branches):
			s.groups = append(s.groups, group{v, which, branches})
		}
	}
}

// shaping tells whether branches say what a value looks like. Those that only demand members, as
// anyOf: [{required: [a]}, {required: [b]}] does, do not.
func (c *converter) shaping(branches []view) bool {
	for _, b := range branches {
		if constrains(b, "required") || b.isRef() {
			return true
		}
	}
	return false
}

// narrow takes what v says of the type.
func (c *converter) narrow(s *shape, v view, label string) {
	k := v.schema()
	s.nullable = s.nullable || k.Nullable
	if s.format == "" {
		s.format = k.Format
	}
	if k.Type == nil {
		return
	}
	var m mask
	for _, name := range k.Type.Slice() {
		m |= masks[name]
	}
	at := v.node.Get("type")
	both := s.types & m
	if s.typed && both&^isNull == 0 && m&^isNull != 0 && s.types&^isNull != 0 {
		if !s.failed && !s.quiet {
			first := on(s.typesAt.Pos(), at.Pos())
			c.bad(at, fmt.Sprintf("%s cannot be both %s and, on %s, %s", label, m&^isNull, first, s.types&^isNull), "make the schemas of allOf agree")
		}
		s.failed = true
		return
	}
	s.types, s.typesAt, s.typed = both, at, true
}

// members takes what v says of the members of an object and the items of an array.
func (c *converter) members(s *shape, v view) {
	k := v.schema()
	for key, n := range v.node.Get("properties").Members() {
		ref := k.Properties[key.Spelt()]
		if ref == nil {
			continue
		}
		f := s.field(key)
		f.views = append(f.views, part(ref, n))
	}
	s.required = append(s.required, v.node.Get("required").Items()...)
	if k.Items != nil {
		s.items = append(s.items, part(k.Items, v.node.Get("items")))
	}
	if !v.node.Get("patternProperties").IsZero() {
		s.loose = true
	}
	ap := v.node.Get("additionalProperties")
	switch {
	case k.AdditionalProperties.Has != nil:
		s.restSaid = true
		s.closed = s.closed || !*k.AdditionalProperties.Has
	case k.AdditionalProperties.Schema != nil:
		s.restSaid = true
		s.rest = append(s.rest, part(k.AdditionalProperties.Schema, ap))
	}
}

func (s *shape) field(key document.Node) *field {
	f := s.byName[key.Spelt()]
	if f == nil {
		f = &field{key: key}
		s.byName[key.Spelt()] = f
		s.fields = append(s.fields, f)
	}
	return f
}

// kind settles what the value is where no type says so.
func (s *shape) kind(restricted mask) mask {
	m := s.types & restricted
	if s.typed || restricted != anything {
		return m
	}
	var implied mask
	if len(s.fields) > 0 || s.restSaid {
		implied |= isObject
	}
	if len(s.items) > 0 {
		implied |= isArray
	}
	if s.enum != nil {
		implied |= s.enum.types() &^ isNull
	}
	if implied != 0 {
		return implied
	}
	return m
}

// pos is the place of the first view.
func pos(views []view) ir.Pos {
	for _, v := range views {
		if !v.node.IsZero() {
			return v.node.Pos()
		}
	}
	return ir.Pos{}
}
