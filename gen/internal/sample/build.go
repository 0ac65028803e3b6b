package sample

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

const (
	// deepest is how many levels of optional members a sample body has at most.
	deepest = 4
	// enough is how large a sample body grows by optional members: each value makes a line of the
	// generated test, and three requests when that runs.
	enough = 64
	// mostItems is how many items of an array are made where its minItems asks for more.
	mostItems = 8
	// mostWanted is how large a member may be that the document only wants in some way.
	mostWanted = 8
	// mostChanges is how many changes of a kind a body has: of its values, or by members that the sample has no room for.
	mostChanges = 200
	// longestExample is how many bytes of an untyped example are taken over.
	longestExample = 1000
)

// body builds a valid value of the type: the smallest, which has to be finite, grown level by level up
// to most. So a member's sample does not depend on its neighbours while there is room. Example is what the document gives
// for it, or empty.
func (m maker) body(t *ir.Type, example string, most int) *node {
	b := &builder{maker: m, room: most - m.sizes.of(t)}
	root := &node{}
	b.fill(root, t, example, place{})
	for i := 0; i < len(b.spots) && b.room > 0; i++ { // the list grows while values do
		b.grow(b.spots[i])
	}
	root.finish()
	return root
}

// builder builds one value.
type builder struct {
	maker
	room  int    // what optional members may still take; what is required has its room already
	spots []spot // values that may grow, outermost first
}

// place is where in a body a value is.
type place struct {
	level int
	open  *opened // the objects around it
	still bool    // nothing optional here: too deep, or inside the second round of a recursion
}

// opened is a list of types, innermost first.
type opened struct {
	typ *ir.Type
	in  *opened
}

// spot is an object or array that may get optional members or items.
type spot struct {
	node  *node
	hint  string
	place place // of what is in it
}

// inside is the place of what is in a value of type t.
func (p place) inside(t *ir.Type) place {
	for o := p.open; o != nil; o = o.in {
		p.still = p.still || o.typ == t // a second one shows the recursion, and ends it
	}
	p.level++
	p.still = p.still || p.level > deepest
	p.open = &opened{t, p.open}
	return p
}

// fill makes n the smallest value of the type, or a larger one where a null or the smallest branch
// would tell less and there is room. Hint is the document's example for this place, or empty.
func (b *builder) fill(n *node, t *ir.Type, hint string, at place) {
	if t == nil {
		t = untyped
	}
	n.typ, n.nullable = t, n.nullable || t.Nullable
	if !at.still {
		hint = cmp.Or(hint, t.Example)
	}
	switch {
	case t.Nullable && !isScalar(t) && !b.take(b.sizes.solid[t]-1, at):
		n.literal = "null"
	case t.Kind == ir.Any && len(t.Branches) > 0:
		branch := b.branch(t, hint, at)
		b.fill(n, branch, hint, at)
		if n.kind == leaf && len(branch.Enum) > 0 {
			n.others = distinct(append(n.others, otherMembers(t.Branches, branch)...))
		}
		if t.Tag != "" {
			b.tag(n, t.Tag, t.Tags[slices.Index(t.Branches, branch)])
		}
		for _, f := range telling(t.Branches, branch) {
			if n.kind == object && !n.has(f.Name) {
				b.fill(n.add(f.Name, f.Ignore), f.Type, membersOf(hint)[f.Name], at)
			}
		}
	case t.Kind == ir.Any && isContainer(hint) && len(hint) <= longestExample && b.take(strings.Count(hint, ",")+1, at):
		anything(n, hint)
	case t.Kind == ir.Object, t.Kind == ir.Map:
		b.object(n, t, hint, at.inside(t))
	case t.Kind == ir.Array:
		b.array(n, t, hint, at.inside(t))
	default:
		all := b.literals(t, hint)
		n.literal, n.others = all[0], all[1:]
	}
}

// tag gives an object the member that says of which schema it is, where only that one's reader tells.
func (b *builder) tag(n *node, name string, tags []string) {
	if n.kind != object || len(tags) == 0 {
		return
	}
	declared := fieldOf(n.typ, name)
	var all []string
	for _, text := range tags {
		if l := quote(text); declared == nil || declared.Type == nil || len(declared.Type.Enum) == 0 || slices.Contains(declared.Type.Enum, l) {
			all = append(all, l)
		}
	}
	v := n.member(name)
	if v == nil {
		v = n.add(name, declared != nil && declared.Ignore)
		if declared != nil {
			v.typ = declared.Type
		}
	}
	switch {
	case v.kind != leaf:
	case len(all) > 0:
		v.literal, v.others = all[0], all[1:]
	case v.literal == "": // the branch says it itself, and otherwise
		all = b.literals(declared.Type, "")
		v.literal, v.others = all[0], all[1:]
	}
}

// take takes room for what makes a value tell more, if there is so much.
func (b *builder) take(n int, at place) bool {
	if at.still || n > b.room {
		return false
	}
	b.room -= n
	return true
}

func (b *builder) object(n *node, t *ir.Type, hint string, in place) {
	n.kind = object
	given := membersOf(hint)
	for _, f := range b.fieldsOf(t) {
		if f.Required || slices.Contains(t.Wanted, f.Name) && b.sizes.of(f.Type) <= mostWanted {
			b.fill(n.add(f.Name, f.Ignore), f.Type, given[f.Name], in)
		}
	}
	for _, f := range b.fieldsOf(t) {
		if len(n.members) < t.MinMembers && !n.has(f.Name) && !f.ReadOnly && b.sizes.of(f.Type) <= mostWanted {
			b.fill(n.add(f.Name, f.Ignore), f.Type, given[f.Name], in)
		}
	}
	for t.Kind == ir.Map && len(n.members) < min(t.MinMembers, mostItems) {
		b.entry(n, given, in)
	}
	if len(t.Tags) > 0 {
		b.tag(n, t.Tag, t.Tags[0])
	}
	b.spots = append(b.spots, spot{n, hint, in})
}

// entry adds a member to a map: one that the document gives, or one of ours.
func (b *builder) entry(n *node, given map[string]string, in place) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !n.has(name) {
			b.fill(n.add(name, false), n.typ.Rest, given[name], in)
			return
		}
	}
	name := "key"
	for i := 2; n.has(name); i++ {
		name = "key" + strconv.Itoa(i)
	}
	b.fill(n.add(name, false), n.typ.Rest, "", in)
}

func (b *builder) array(n *node, t *ir.Type, hint string, in place) {
	n.kind, n.unordered = array, t.Unordered
	for range min(t.MinItems, mostItems) {
		b.item(n, hint, in)
	}
	b.spots = append(b.spots, spot{n, hint, in})
}

func (b *builder) item(n *node, hint string, in place) {
	var example string
	if given := itemsOf(hint); len(n.items) < len(given) {
		example = given[len(n.items)]
	}
	item := &node{given: example != ""}
	n.items = append(n.items, item)
	b.fill(item, n.typ.Items, example, in)
	if t := n.typ.Items; n.typ.Unique && n.typ.MinItems > len(item.others)+1 && t != nil && isScalar(t) && item.kind == leaf {
		all := b.several(t, mostItems)
		item.literal, item.others = all[0], all[1:]
	}
}

// grow gives a value what it can do without: optional members, one member of a map, one item of an
// array, or two where their order is to be shown not to count.
func (b *builder) grow(s spot) {
	n, t := s.node, s.node.typ
	switch t.Kind {
	case ir.Object:
		given := membersOf(s.hint)
		for _, f := range b.fieldsOf(t) {
			if b.room <= 0 {
				return // a wide object, in many bodies
			}
			if t.MaxMembers > 0 && len(n.members) >= t.MaxMembers {
				return
			}
			if !f.Required && !f.ReadOnly && !n.has(f.Name) && !slices.Contains(t.Unwanted, f.Name) && !b.unknown(f.Type) && b.take(b.sizes.of(f.Type), s.place) {
				v := n.add(f.Name, f.Ignore)
				v.optional = true
				b.fill(v, f.Type, given[f.Name], s.place)
			}
		}
	case ir.Map:
		if !t.Closed && len(n.members) == 0 && b.take(b.sizes.of(t.Rest), s.place) {
			b.entry(n, membersOf(s.hint), s.place)
		}
	case ir.Array:
		want := 1
		if t.Unordered {
			want = 2
		}
		if t.MaxItems > 0 {
			want = min(want, t.MaxItems)
		}
		for len(n.items) < want && b.take(b.sizes.of(t.Items), s.place) {
			b.item(n, s.hint, s.place)
		}
	}
}

// branch chooses between the schemas of a oneOf or anyOf: the first that the hint fits, else the first,
// or the smallest where there is no room for another.
func (b *builder) branch(t *ir.Type, hint string, at place) *ir.Type {
	least, best := t.Branches[0], t.Branches[0]
	for _, c := range t.Branches {
		if b.sizes.of(c) < b.sizes.of(least) {
			least = c
		}
	}
	if i := slices.IndexFunc(t.Branches, func(c *ir.Type) bool { return hint != "" && b.shaped(c, hint) }); i >= 0 {
		best = t.Branches[i]
	}
	best = clear(t.Branches, best)
	for o := at.open; o != nil; o = o.in {
		if o.typ == best {
			return least
		}
	}
	if b.take(b.sizes.of(best)-b.sizes.of(least), at) {
		return best
	}
	return least
}

// clear is the first branch, from best on, of which no value looks like one of another branch too.
func clear(branches []*ir.Type, best *ir.Type) *ir.Type {
	if !few(branches) {
		return best
	}
	at := slices.Index(branches, best)
	for i := range branches {
		c := branches[(at+i)%len(branches)]
		if !slices.ContainsFunc(branches, func(other *ir.Type) bool { return other != c && passes(c, other) }) {
			return c
		}
	}
	return best
}

// few reports whether the branches are few and narrow enough to compare each member with all others.
func few(branches []*ir.Type) bool {
	const mostBranches, mostFields = 20, 1000
	fields := 0
	for _, t := range branches {
		fields += len(t.Fields)
	}
	return len(branches) <= mostBranches && fields <= mostFields
}

// passes reports whether a value of t may be one of other too: that has nothing required which t has not, or has with
// other values.
func passes(t, other *ir.Type) bool {
	if t.Kind != other.Kind || t.Kind != ir.Object {
		return t.Kind == other.Kind && len(t.Enum)+len(other.Enum) == 0
	}
	for _, f := range other.Fields {
		own := fieldOf(t, f.Name)
		switch {
		case own == nil && f.Required:
			return false
		case own == nil || own.Type == nil || f.Type == nil:
		case own.Type.Kind != f.Type.Kind && own.Type.Kind != ir.Any && f.Type.Kind != ir.Any, apart(own, f):
			return false
		}
	}
	return !other.Closed || !slices.ContainsFunc(t.Fields, func(f *ir.Field) bool { return f.Required && fieldOf(other, f.Name) == nil })
}

func fieldOf(t *ir.Type, name string) *ir.Field {
	if i := slices.IndexFunc(t.Fields, func(f *ir.Field) bool { return f.Name == name }); i >= 0 {
		return t.Fields[i]
	}
	return nil
}

// apart reports whether two members of one name have no value in common.
func apart(a, b *ir.Field) bool {
	if a.Type == nil || b.Type == nil || len(a.Type.Enum) == 0 || len(b.Type.Enum) == 0 {
		return false
	}
	of := map[string]bool{}
	for _, l := range a.Type.Enum {
		of[l] = true
	}
	return !slices.ContainsFunc(b.Type.Enum, func(l string) bool { return of[l] })
}

// telling are the optional members of a branch whose values no other branch has: a value without them may be of any.
func telling(branches []*ir.Type, t *ir.Type) []*ir.Field {
	if !few(branches) {
		return nil
	}
	var out []*ir.Field
	for _, f := range t.Fields {
		if !f.Required && !f.ReadOnly && slices.ContainsFunc(branches, func(other *ir.Type) bool {
			theirs := fieldOf(other, f.Name)
			return other != t && theirs != nil && apart(f, theirs)
		}) {
			out = append(out, f)
		}
	}
	return out
}

// otherMembers are the first literals of other branches that are enumerations too, as a choice of constants is: one of each.
func otherMembers(branches []*ir.Type, t *ir.Type) []string {
	var out []string
	for _, other := range branches {
		if other != t && len(other.Enum) > 0 && !slices.Contains(t.Enum, other.Enum[0]) {
			out = append(out, other.Enum[0])
		}
	}
	return out
}

// untyped is what may be anything.
var untyped = &ir.Type{}

// finish sorts members by name, and makes the items of an array differ where that shows something.
func (n *node) finish() {
	slices.SortFunc(n.members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	for _, m := range n.members {
		m.value.finish()
	}
	for _, item := range n.items {
		item.finish()
	}
	if n.typ == nil || n.typ.Kind != ir.Array {
		return
	}
	for i := 1; i < len(n.items); i++ {
		if !n.items[i].given && !vary(n.items[i], n.items[0], i) && i >= n.typ.MinItems {
			n.items = n.items[:i] // one like the other shows nothing
		}
	}
	if n.typ.Unique {
		n.keepApart()
	}
}

// keepApart keeps the items of an array from becoming like each other when one is changed.
func (n *node) keepApart() {
	taken := map[string]bool{}
	for _, item := range n.items {
		taken[item.literal] = true
	}
	for _, item := range n.items {
		item.others = slices.DeleteFunc(slices.Clone(item.others), func(l string) bool { return taken[l] })
	}
}

// vary gives each leaf of an array's i-th item another value than the first item has there, where its
// type has one; and keeps the first, when it is changed, from becoming that value.
func vary(item, first *node, i int) bool {
	switch {
	case item.kind != first.kind:
		return true
	case item.kind == leaf:
		if len(item.others) == 0 || item.literal != first.literal {
			return item.literal != first.literal
		}
		all := append([]string{item.literal}, item.others...)
		i %= len(all)
		item.literal, item.others = all[i], slices.Concat(all[i+1:], all[:i])
		if rest := slices.DeleteFunc(slices.Clone(first.others), func(o string) bool { return o == item.literal }); len(rest) > 0 {
			first.others = rest
		}
		return i > 0
	}
	varied := len(item.members) != len(first.members) || len(item.items) != len(first.items)
	for j := range min(len(item.members), len(first.members)) {
		if m := item.members[j]; m.name == first.members[j].name && !m.ignored {
			varied = vary(m.value, first.members[j].value, i) || varied
		}
	}
	for j := range min(len(item.items), len(first.items)) {
		varied = vary(item.items[j], first.items[j], i) || varied
	}
	return varied
}
