package sample

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// value is a random value of the type. At depth 0 it takes the shallowest way.
func (r *random) value(t *ir.Type, depth int) *node {
	if t == nil {
		return r.untyped(depth)
	}
	if t.Nullable && (depth <= 0 || r.chance(5)) {
		return &node{literal: "null", typ: t}
	}
	if len(t.Enum) > 0 {
		i := r.IntN(len(t.Enum))
		n := &node{literal: t.Enum[i], typ: t}
		if len(t.Enum) > 1 {
			n.others = []string{t.Enum[(i+1)%len(t.Enum)]}
		}
		return n
	}
	switch t.Kind {
	case ir.Any:
		if len(t.Branches) == 0 {
			n := r.untyped(depth)
			n.typ = t
			return n
		}
		n := r.value(r.branch(t, depth), depth-1)
		return n
	case ir.Array:
		return r.array(t, depth)
	case ir.Map, ir.Object:
		return r.object(t, depth)
	default:
		return r.scalar(t)
	}
}

func (r *random) branch(t *ir.Type, depth int) *ir.Type {
	best := t.Branches[r.IntN(len(t.Branches))]
	for _, b := range t.Branches {
		if (depth <= 0 || r.sizes.of(best) == never) && r.sizes.of(b) < r.sizes.of(best) {
			best = b
		}
	}
	return best
}

func (r *random) array(t *ir.Type, depth int) *node {
	n := &node{kind: array, typ: t, unordered: t.Unordered}
	want := r.IntN(4)
	if depth <= 0 {
		want = 0
	}
	if r.sizes.of(t.Items) == never {
		want = 0
	}
	for range want {
		n.items = append(n.items, r.value(t.Items, depth-1))
	}
	return n
}

func (r *random) object(t *ir.Type, depth int) *node {
	n := &node{kind: object, typ: t}
	for _, f := range t.Fields {
		if f.Required || (depth > 0 && !r.chance(3) && r.sizes.of(f.Type) != never) {
			n.members = append(n.members, member{f.Name, f.Ignore, r.value(f.Type, depth-1)})
		}
	}
	if !t.Closed && depth > 0 && r.sizes.of(t.Rest) != never && (t.Kind == ir.Map || r.chance(4)) {
		for range r.IntN(3) {
			r.undeclared(n, t, depth)
		}
	}
	r.Shuffle(len(n.members), func(i, j int) { n.members[i], n.members[j] = n.members[j], n.members[i] })
	return n
}

// undeclared adds a member that the schema does not name.
func (r *random) undeclared(n *node, t *ir.Type, depth int) {
	name := r.unicode()
	taken := slices.ContainsFunc(t.Fields, func(f *ir.Field) bool { return f.Name == name }) ||
		slices.ContainsFunc(n.members, func(m member) bool { return m.name == name })
	if !taken {
		n.members = append(n.members, member{name, false, r.value(t.Rest, depth-1)})
	}
}

func (r *random) scalar(t *ir.Type) *node {
	n := &node{typ: t}
	switch t.Kind {
	case ir.Bool:
		n.literal, n.others = "true", []string{"false"}
		if r.chance(2) {
			n.literal, n.others = "false", []string{"true"}
		}
	case ir.Int, ir.Integer:
		i := r.integer(t)
		n.literal, n.others = r.spell(i), []string{r.besides(i, t).String()}
	case ir.Number:
		n.literal, n.others = r.number()
	default:
		s := r.unicode()
		n.literal, n.others = r.quote(s), []string{quote(s + "2")}
	}
	return n
}

// spell writes a whole number in one of the ways that JSON has.
func (r *random) spell(i *big.Int) string {
	s := i.String()
	switch r.IntN(4) {
	case 0:
		return s + ".0"
	case 1:
		if zeros := len(s) - len(strings.TrimRight(s, "0")); zeros > 0 && s != "0" {
			return fmt.Sprintf("%se%d", s[:len(s)-zeros], zeros)
		}
		return s + "e0"
	case 2:
		return s + "E+00"
	default:
		return s
	}
}

// number is an exact decimal, and another that differs in its last digit.
func (r *random) number() (string, []string) {
	whole := r.integer(&ir.Type{Kind: ir.Integer}).String()
	fraction := fmt.Sprintf("%0*d", 1+r.IntN(20), r.IntN(1000))
	var exponent string
	if r.chance(3) {
		exponent = fmt.Sprintf("e%d", r.IntN(60)-30)
	}
	sign := [2]string{"", "-"}[r.IntN(2)]
	return sign + whole + "." + fraction + exponent, []string{sign + whole + "." + fraction + "1" + exponent}
}

// unicode is a text of any characters that JSON can hold.
func (r *random) unicode() string {
	alphabet := []rune{'a', 'b', 'Z', '0', ' ', '"', '\\', '/', '<', '&', 0, 0x1f, 0x7f, 'é', 'ß', 0x2028, '中', 0xfffd, 0xffff, 0x10000, 0x1f600}
	s := make([]rune, r.IntN(6))
	for i := range s {
		s[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(s)
}

// quote writes a string with escapes, or with as few as JSON allows.
func (r *random) quote(s string) string {
	if r.chance(2) {
		return quote(s)
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < 0x20:
			fmt.Fprintf(&b, `\u%04X`, c)
		case c == '/' && r.chance(2):
			b.WriteString(`\/`)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// untyped is any JSON value.
func (r *random) untyped(depth int) *node {
	kinds := 7
	if depth <= 0 {
		kinds = 5
	}
	switch r.IntN(kinds) {
	case 0:
		return &node{literal: "null", others: []string{"false"}}
	case 1:
		return r.scalar(&ir.Type{Kind: ir.Bool})
	case 2:
		return r.scalar(&ir.Type{Kind: ir.Integer})
	case 3:
		return r.scalar(&ir.Type{Kind: ir.Number})
	case 4:
		return r.scalar(&ir.Type{Kind: ir.String})
	case 5:
		return r.array(&ir.Type{Kind: ir.Array}, min(depth, 2))
	default:
		return r.object(&ir.Type{Kind: ir.Map}, min(depth, 2))
	}
}
