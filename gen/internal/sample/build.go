package sample

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

const (
	// deepest is how many levels of optional members a sample body has at most.
	deepest = 4
	// enough is how many values a sample body has before it gets optional members no more: each makes
	// a request of its own in the generated test.
	enough = 40
	// longestExample is how many bytes of an untyped example are taken over.
	longestExample = 1000
)

// body builds a valid value of the type: as deep as it stays small.
func body(t *ir.Type, depths depths) *node {
	for level := deepest; ; level-- {
		b := builder{depths: depths, capped: level == 1}
		n := b.build(t, level, "")
		if level == 1 || b.leaves <= enough {
			return n
		}
	}
}

// builder builds one value.
type builder struct {
	depths depths
	capped bool       // leave optional members out once there are enough leaves
	leaves int        // and objects and arrays
	open   []*ir.Type // objects being built: where a type recurses
}

// build makes a value of the type. Level is how many levels of optional members it may still have; at 0 it
// takes the shallowest way, which ends. Hint is the document's example for this place, or empty.
func (b *builder) build(t *ir.Type, level int, hint string) *node {
	if t == nil {
		t = &ir.Type{}
	}
	if hint == "" && level > 0 {
		hint = t.Example
	}
	if level <= 0 && t.Nullable && b.depths.of(t) == 0 && !isScalar(t) {
		return b.leaf(t, []string{"null"})
	}
	if !isScalar(t) {
		b.leaves++ // an empty object takes room too
	}
	switch {
	case t.Kind == ir.Any && len(t.Branches) > 0:
		return b.build(b.branch(t, level, hint), level-1, hint)
	case t.Kind == ir.Any && isContainer(hint) && len(hint) <= longestExample:
		return b.anything(t, hint)
	case t.Kind == ir.Object:
		return b.object(t, level, hint)
	case t.Kind == ir.Map:
		return b.mapping(t, level)
	case t.Kind == ir.Array:
		return b.array(t, level, hint)
	default:
		return b.leaf(t, literals(t, hint))
	}
}

func (b *builder) leaf(t *ir.Type, all []string) *node {
	b.leaves++
	return &node{literal: all[0], others: all[1:], typ: t}
}

func (b *builder) object(t *ir.Type, level int, hint string) *node {
	n := &node{kind: object, typ: t}
	if slices.Contains(b.open, t) {
		level = 0 // a second one shows the recursion, and ends it
	}
	b.open = append(b.open, t)
	defer func() { b.open = b.open[:len(b.open)-1] }()
	given := membersOf(hint)
	for _, f := range t.Fields {
		if !f.Required && !b.wanted(f.Type, level) {
			continue
		}
		n.members = append(n.members, member{f.Name, f.Ignore, b.build(f.Type, level-1, given[f.Name])})
	}
	return n
}

// wanted decides about what a value can do without.
func (b *builder) wanted(t *ir.Type, level int) bool {
	return level > 0 && b.depths.of(t) != never && !(b.capped && b.leaves >= enough)
}

func (b *builder) mapping(t *ir.Type, level int) *node {
	n := &node{kind: object, typ: t}
	if t.Closed || !b.wanted(t.Rest, level) {
		return n
	}
	n.members = []member{{"key", false, b.build(t.Rest, level-1, "")}}
	return n
}

// array has as many items as it must; two where their order is to be shown not to count.
func (b *builder) array(t *ir.Type, level int, hint string) *node {
	const most = 8
	n := &node{kind: array, typ: t, unordered: t.Unordered}
	want := min(t.MinItems, most)
	if b.wanted(t.Items, level) {
		want = max(want, 1)
		if t.Unordered {
			want = max(want, 2)
		}
	}
	given := itemsOf(hint)
	for i := range want {
		var example string
		if i < len(given) {
			example = given[i]
		}
		item := b.build(t.Items, level-1, example)
		if i > 0 && example == "" && !vary(item, n.items[0], i) && i >= t.MinItems {
			break // one like the other shows nothing
		}
		n.items = append(n.items, item)
	}
	return n
}

// vary makes an array's i-th item another value than the first, where its type has one; and keeps
// the first, when it is changed, from becoming that value.
func vary(item, first *node, i int) bool {
	l, from := item.changeable(), first.changeable()
	if l == nil {
		return false
	}
	all := append([]string{l.literal}, l.others...)
	i %= len(all)
	l.literal, l.others = all[i], slices.Concat(all[i+1:], all[:i])
	if rest := slices.DeleteFunc(slices.Clone(from.others), func(o string) bool { return o == l.literal }); len(rest) > 0 {
		from.others = rest
	}
	return i > 0
}

// branch chooses between the schemas of a oneOf or anyOf: the first that the hint fits, else the first,
// or the one that ends soonest where it has to end.
func (b *builder) branch(t *ir.Type, level int, hint string) *ir.Type {
	best := t.Branches[0]
	for _, c := range t.Branches {
		if hint != "" && shaped(c, hint) {
			return c
		}
		ending := level <= 1 || b.depths.of(best) == never || slices.Contains(b.open, best)
		if ending && b.depths.of(c) < b.depths.of(best) {
			best = c
		}
	}
	return best
}

// shaped reports whether a JSON value could be of the type, judged by its outermost level.
func shaped(t *ir.Type, v string) bool {
	switch t.Kind {
	case ir.Object, ir.Map:
		given := membersOf(v)
		if given == nil {
			return false
		}
		for _, f := range t.Fields {
			if f.Required && given[f.Name] == "" {
				return false
			}
		}
		return true
	case ir.Array:
		return len(v) > 0 && v[0] == '['
	default:
		return fits(t, v)
	}
}

func isScalar(t *ir.Type) bool { return t.Kind >= ir.String && t.Kind <= ir.Number }

func isContainer(v string) bool { return v != "" && (v[0] == '{' || v[0] == '[') }

// anything builds the value that an example spells, for a place that takes any.
func (b *builder) anything(t *ir.Type, v string) *node {
	n := &node{typ: t}
	switch v[0] {
	case '{':
		n.kind = object
		given := membersOf(v)
		for _, name := range sortedNames(given) {
			n.members = append(n.members, member{name, false, b.anyValue(given[name])})
		}
	case '[':
		n.kind = array
		for _, item := range itemsOf(v) {
			n.items = append(n.items, b.anyValue(item))
		}
	}
	return n
}

func (b *builder) anyValue(v string) *node {
	if isContainer(v) {
		return b.anything(nil, v)
	}
	t := &ir.Type{Kind: ir.Any}
	return b.leaf(t, distinct(append([]string{compact(v)}, literals(t, "")...)))
}

// membersOf are the members of a JSON object; nil where v is none.
func membersOf(v string) map[string]string {
	var raw map[string]json.RawMessage
	if !isContainer(v) || json.Unmarshal([]byte(v), &raw) != nil {
		return nil
	}
	m := make(map[string]string, len(raw))
	for name, value := range raw {
		m[name] = string(bytes.TrimSpace(value))
	}
	return m
}

func itemsOf(v string) []string {
	var raw []json.RawMessage
	if !isContainer(v) || json.Unmarshal([]byte(v), &raw) != nil {
		return nil
	}
	items := make([]string, len(raw))
	for i, value := range raw {
		items[i] = string(bytes.TrimSpace(value))
	}
	return items
}

func sortedNames(m map[string]string) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
