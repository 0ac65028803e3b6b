package sample

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Trial is what a property test asks of a payload: a random request, the same one in another form,
// and one that differs in a single place of the identity.
type Trial struct {
	Request, Same Request
	Changed       *Request // nil where the request has nothing to change
}

// Trials makes n random trials of every operation, by endpoint. Unlike [Cases] they go to extremes: odd
// names and texts, exact and huge numbers, nulls, undeclared members and parameters.
func Trials(doc *ir.Document, n int, seed uint64) map[string][]Trial {
	all := map[string][]Trial{}
	sizes := sizesOf(doc)
	for i, op := range doc.Operations {
		r := &random{rand.New(rand.NewPCG(seed, uint64(i))), sizes, newSource()}
		for range n {
			all[op.Endpoint] = append(all[op.Endpoint], r.trial(op))
		}
	}
	return all
}

type random struct {
	*rand.Rand
	sizes  sizes
	source *source
}

// chance is true once in n.
func (r *random) chance(n int) bool { return r.IntN(n) == 0 }

func (r *random) trial(op *ir.Operation) Trial {
	d := r.draft(op)
	t := Trial{Request: d.request()}
	t.Changed = r.changed(d)
	t.Same = r.same(d)
	return t
}

func (r *random) draft(op *ir.Operation) *draft {
	d := &draft{op: op}
	for _, p := range op.PathParams {
		v := r.parameter(p, 1)
		whole := slices.Contains(strings.Split(op.Path, "/"), "{"+p.Name+"}")
		for i, text := range v.texts {
			v.texts[i] = r.segment(p, text, whole)
		}
		v.others = []string{v.others[0]}
		if !whole {
			v.others = nil // another text could move the border between two parameters
		}
		d.path = append(d.path, v)
	}
	d.query = r.parameters(op.QueryParams)
	d.header = r.parameters(op.Headers)
	if r.chance(4) {
		text := &ir.Type{Kind: ir.Array, Items: &ir.Type{Kind: ir.String}}
		d.query = append(d.query, r.parameter(&ir.Parameter{Name: "undeclared " + r.word(), Type: text}, 2))
	}
	if bodies := sendable(op); len(bodies) > 0 && (op.Required || !r.chance(5)) {
		b := bodies[r.IntN(len(bodies))]
		d.body = b
		all := concrete(op, b)
		d.mediaType = all[r.IntN(len(all))]
		switch b.Form {
		case ir.JSON:
			d.json = r.value(b.Type, 5)
		case ir.Fields, ir.Multipart:
			if d.fields = append(r.parameters(b.Fields), r.extra(b)...); len(d.fields) == 0 && len(b.Fields) > 0 {
				d.fields = append(d.fields, r.parameter(b.Fields[0], 1))
			}
		default:
			d.opaque = r.word() + "é"
		}
	}
	return d
}

// extra is a field that a form does not declare, so that it is not empty: that is no body at all.
func (r *random) extra(b *ir.Body) []*value {
	if b.Closed {
		return nil
	}
	return []*value{r.parameter(&ir.Parameter{Name: "undeclared " + r.word()}, 1)}
}

// segment keeps a text that a path can hold. Where the parameter shares its segment with others, the
// borders between them have to be plain.
func (r *random) segment(p *ir.Parameter, text string, whole bool) string {
	plain := "s" + strconv.Itoa(r.IntN(1000))
	switch {
	case text == "", text == ".", text == "..":
		return plain
	case whole, p.Type != nil && len(p.Type.Enum) > 0:
		return text
	case p.Type == nil, p.Type.Kind == ir.String:
		return plain
	default:
		return strings.TrimPrefix(text, "-")
	}
}

func (r *random) parameters(all []*ir.Parameter) []*value {
	var values []*value
	for _, p := range all {
		if p.Required || !r.chance(3) {
			values = append(values, r.parameter(p, 1+r.IntN(3)))
		}
	}
	return values
}

// parameter gives a parameter up to n texts; one, unless it is repeated.
func (r *random) parameter(p *ir.Parameter, n int) *value {
	t := p.Type
	if t != nil && t.Kind == ir.Array {
		t = t.Items
	} else {
		n = 1
	}
	v := &value{param: p}
	for range n {
		text, other := r.text(t)
		v.texts = append(v.texts, text)
		v.others = []string{other}
	}
	return v
}

// text is a parameter's text in canonical spelling, and another.
func (r *random) text(t *ir.Type) (string, string) {
	if t == nil {
		t = &ir.Type{Kind: ir.String}
	}
	if len(t.Enum) > 0 {
		all := r.source.parameterTexts(&ir.Parameter{Type: t})
		return all[r.IntN(len(all))], all[len(all)-1]
	}
	switch t.Kind {
	case ir.Bool:
		if r.chance(2) {
			return "true", "false"
		}
		return "false", "true"
	case ir.Int, ir.Integer:
		n := r.integer(t)
		return n.String(), r.besides(n, t).String()
	case ir.Number:
		n := r.integer(&ir.Type{Kind: ir.Int, Bits: 32})
		return n.String() + ".5", n.String() + ".25"
	default:
		w := r.word()
		return w, w + "2"
	}
}

// word is a text that a header, a query and a path can hold.
func (r *random) word() string {
	const letters = "abcXYZ019-_~ &=+%/?#;,"
	n := 1 + r.IntN(6)
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return "w" + string(b) + "w" // no blank at the ends
}

// integer is a random integer of the type, now small, now anywhere in its range.
func (r *random) integer(t *ir.Type) *big.Int {
	if r.chance(2) {
		return big.NewInt(int64(r.IntN(100)))
	}
	if t.Kind == ir.Integer {
		n, _ := new(big.Int).SetString(strings.Repeat(strconv.FormatUint(r.Uint64()|1, 10), 1+r.IntN(3)), 10)
		return n
	}
	var n *big.Int
	switch {
	case t.Unsigned && t.Bits == 32:
		n = new(big.Int).SetUint64(uint64(r.Uint32()))
	case t.Unsigned:
		n = new(big.Int).SetUint64(r.Uint64())
	case t.Bits == 32:
		n = big.NewInt(int64(int32(r.Uint32())))
	default:
		n = big.NewInt(int64(r.Uint64()))
	}
	return n
}

// besides is a neighbour of n in the type's range.
func (r *random) besides(n *big.Int, t *ir.Type) *big.Int {
	step := big.NewInt(1)
	if next := new(big.Int).Add(n, step); inRange(new(big.Rat).SetInt(next), &ir.Type{Kind: t.Kind, Bits: t.Bits, Unsigned: t.Unsigned}) {
		return next
	}
	return new(big.Int).Sub(n, step)
}

// changed changes one place of the identity, and undoes it.
func (r *random) changed(d *draft) *Request {
	var places []func() Request
	for _, values := range [][]*value{d.path, d.query, d.header, d.fields} {
		for _, v := range values {
			if v.param.Ignore || len(v.others) == 0 || v.texts[len(v.texts)-1] == v.others[0] {
				continue
			}
			places = append(places, func() Request {
				last := &v.texts[len(v.texts)-1]
				was := *last
				*last = v.others[0]
				defer func() { *last = was }()
				return d.request()
			})
		}
	}
	switch {
	case d.json != nil:
		for _, l := range d.json.counting(nil) {
			places = append(places, func() (changed Request) {
				l.with(l.others[0], func() { changed = d.request() })
				return changed
			})
		}
	case d.body != nil && d.body.Form == ir.Digest:
		places = append(places, func() Request { return d.requestWith("changed") })
	}
	if len(places) == 0 {
		return nil
	}
	req := places[r.IntN(len(places))]()
	return &req
}

// counting lists the leaves that count and can change.
func (n *node) counting(all []*node) []*node {
	if n.kind == leaf && len(n.others) > 0 {
		all = append(all, n)
	}
	for _, m := range n.members {
		if !m.ignored {
			all = m.value.counting(all)
		}
	}
	for _, item := range n.items {
		all = item.counting(all)
	}
	return all
}

// same alters everything that the identity leaves out. The draft is spent afterwards.
func (r *random) same(d *draft) Request {
	for _, values := range [][]*value{d.query, d.fields} {
		for _, v := range values {
			if v.param.Ignore {
				v.texts = []string{v.others[0]}
			}
			if v.param.Type != nil && v.param.Type.Unordered {
				r.Shuffle(len(v.texts), func(i, j int) { v.texts[i], v.texts[j] = v.texts[j], v.texts[i] })
			}
		}
		r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	}
	if d.json == nil {
		return d.request()
	}
	r.disturb(d.json)
	return d.requestWith(d.json.respelt())
}

// disturb gives ignored members other values and unordered arrays other orders.
func (r *random) disturb(n *node) {
	for i := range n.members {
		m := &n.members[i]
		if m.ignored {
			m.value = r.value(m.value.typ, 2)
		} else {
			r.disturb(m.value)
		}
	}
	for _, item := range n.items {
		r.disturb(item)
	}
	if n.unordered {
		r.Shuffle(len(n.items), func(i, j int) { n.items[i], n.items[j] = n.items[j], n.items[i] })
	}
}
