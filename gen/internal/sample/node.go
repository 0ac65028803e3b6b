package sample

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// node is a JSON value that remembers what it may be changed to.
type node struct {
	kind    nodeKind
	literal string   // leaf: JSON text
	others  []string // leaf: other valid literals, the best first
	members []member // object
	items   []*node  // array
	// unordered is true of an array that is compared as a multiset.
	unordered bool
	optional  bool     // a member that can be left out
	nullable  bool     // null is a value of it too
	given     bool     // an item that is the document's example
	typ       *ir.Type // what it was built for; nil: anything
}

type nodeKind uint8

const (
	leaf nodeKind = iota
	object
	array
)

type member struct {
	name    string
	ignored bool
	value   *node
}

// add adds a member and returns its value, which is still to be filled.
func (n *node) add(name string, ignored bool) *node {
	v := &node{}
	n.members = append(n.members, member{name, ignored, v})
	return v
}

// member is the value of an object's member; nil where it has none.
func (n *node) member(name string) *node {
	if i := slices.IndexFunc(n.members, func(m member) bool { return m.name == name }); i >= 0 {
		return n.members[i].value
	}
	return nil
}

// has reports whether an object has the member.
func (n *node) has(name string) bool { return n.member(name) != nil }

// with calls fn while the leaf has another literal.
func (n *node) with(literal string, fn func()) {
	was := n.literal
	n.literal = literal
	fn()
	n.literal = was
}

// json renders the value without blanks.
func (n *node) json() string {
	var b strings.Builder
	n.write(&b, plain{})
	return b.String()
}

// respelt renders the same value as another client might: members the other way round, with blanks,
// escapes and other number literals.
func (n *node) respelt() string {
	var b strings.Builder
	n.write(&b, fancy{})
	return b.String()
}

// A spelling decides what JSON leaves open.
type spelling interface {
	literal(string) string
	index(i, n int) int // which member comes i-th
	blank() string
}

func (n *node) write(b *strings.Builder, s spelling) {
	b.WriteString(s.blank())
	switch n.kind {
	case leaf:
		b.WriteString(s.literal(n.literal))
	case object:
		b.WriteByte('{')
		for i := range n.members {
			m := n.members[s.index(i, len(n.members))]
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(s.blank() + s.literal(quote(m.name)) + s.blank() + ":")
			m.value.write(b, s)
		}
		b.WriteString(s.blank() + "}")
	case array:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b, s)
		}
		b.WriteString(s.blank() + "]")
	}
}

type plain struct{}

func (plain) literal(l string) string { return l }
func (plain) index(i, _ int) int      { return i }
func (plain) blank() string           { return "" }

type fancy struct{}

func (fancy) literal(l string) string { return respell(l) }
func (fancy) index(i, n int) int      { return n - 1 - i }
func (fancy) blank() string           { return " " }

// respell writes a literal in another way with the same meaning.
func respell(l string) string {
	switch {
	case strings.HasPrefix(l, `"`):
		if c := l[1]; len(l) > 2 && c != '\\' && c < 0x80 {
			return fmt.Sprintf(`"\u%04x%s`, c, l[2:])
		}
		return l
	case !strings.ContainsAny(l[:1], "-0123456789"), strings.ContainsAny(l, "eE"):
		return l
	case strings.Contains(l, "."):
		return l + "0"
	default:
		return l + ".0"
	}
}

// quote is a text as a JSON string, in ASCII.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= 0x20 && r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// integerLiteral reports whether l is an integer as Go prints one.
func integerLiteral(l string) bool {
	digits := strings.TrimPrefix(l, "-")
	if digits == "" || len(digits) > 40 || (digits[0] == '0' && l != "0") {
		return false
	}
	_, err := strconv.ParseUint(digits[:min(len(digits), 19)], 10, 64)
	return err == nil && strings.Trim(digits, "0123456789") == ""
}
