package sample

import (
	"net/textproto"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Change is how a request differs from a case's in one way. It mirrors idemtest.Change: what a field
// says takes the place of what is there, and the rest stays.
type Change struct {
	Name        string // what differs: "body.amount"
	Path        string
	Query       string // the values of the parameters that it names
	ContentType string
	Header      []string
	Body        string // the whole of it
	NoBody      bool
	At          string // a JSON pointer to a value of the body, which becomes Value
	Value       string // empty: the member is left out
	Form, Files string // the values of the fields that they name
	// NoQuery, NoHeader and NoForm name a parameter, a header or a field of a form that is left out.
	NoQuery, NoHeader, NoForm string
	Reversed                  bool // the array at At, which may be the body, the other way round; of a form its fields
}

// parameterChanges changes each parameter in turn: it has another value, or is left out. Those that the identity leaves
// out make the same request.
func (d *draft) parameterChanges() (changed, same []Change) {
	add := func(v *value, c Change) {
		if v.param.Ignore {
			same = append(same, c)
		} else {
			changed = append(changed, c)
		}
	}
	for _, v := range d.path {
		if len(v.others) > 0 && len(changed) < mostChanges {
			was := v.texts
			v.texts = v.others[:1]
			add(v, Change{Name: "path." + v.param.Name, Path: d.escapedPath()})
			v.texts = was
		}
	}
	for _, v := range d.query {
		if len(v.others) > 0 {
			add(v, Change{Name: "query." + v.param.Name, Query: pairs(v.changed())})
		}
		if texts := v.reversed(); texts != nil {
			add(v, Change{Name: "query." + v.param.Name + otherOrder, Query: pairs(texts)})
		}
	}
	for _, v := range d.header {
		if len(v.others) > 0 {
			add(v, Change{Name: "header." + v.param.Name, Header: []string{headerLine(v.param, v.others[0])}})
		}
	}
	for _, v := range d.query {
		if !v.param.Required && !v.param.Kept {
			add(v, Change{Name: "query." + v.param.Name + leftOut, NoQuery: v.param.Name})
		}
	}
	for _, v := range d.header {
		if !v.param.Required {
			add(v, Change{Name: "header." + v.param.Name + leftOut, NoHeader: textproto.CanonicalMIMEHeaderKey(v.param.Name)})
		}
	}
	return changed, same
}

const (
	leftOut    = " left out"         // stands behind the name of what is not there
	otherOrder = " in another order" // and of what is there the other way round
)

func headerLine(p *ir.Parameter, text string) string {
	return textproto.CanonicalMIMEHeaderKey(p.Name) + ": " + text
}

func (m maker) bodyChanges(d *draft) (changed, same []Change) {
	if d.body == nil {
		return nil, nil
	}
	switch {
	case d.json != nil:
		changed, same = m.jsonChanges(d)
	case d.fields != nil:
		changed, same = m.formChanges(d)
	default:
		changed = append(changed, Change{Name: "body", Body: "two"})
	}
	if c, ok := m.typeChange(d); ok {
		changed = append(changed, c)
	}
	if !d.op.Required {
		changed = append(changed, Change{Name: "body left out", NoBody: true})
	}
	return changed, same
}

// formChanges changes each field in turn, leaves it out, and then changes the order of what has none.
func (m maker) formChanges(d *draft) (changed, same []Change) {
	var absent []Change
	for _, v := range d.fields {
		add, c := &changed, Change{Name: "form." + v.param.Name}
		if v.param.Ignore {
			add = &same
		}
		set := &c.Form
		if v.param.Part {
			set = &c.Files
		}
		if len(v.others) > 0 {
			*set = pairs(v.changed())
			*add = append(*add, c)
		}
		if texts := v.reversed(); texts != nil {
			c.Name += otherOrder
			*set = pairs(texts)
			if v.param.Type.Unordered {
				add = &same
			}
			*add = append(*add, c)
		}
		if gone := (Change{Name: "form." + v.param.Name + leftOut, NoForm: v.param.Name}); v.param.Required || v.param.Kept || len(d.fields) == 1 {
			continue // a form has a field
		} else if v.param.Ignore {
			same = append(same, gone)
		} else {
			absent = append(absent, gone)
		}
	}
	if len(d.fields) > 1 || d.body.Form == ir.Multipart {
		same = append(same, Change{Name: "form" + otherOrder, Reversed: true})
	}
	added, alike := m.addedFields(d)
	return slices.Concat(changed, absent, added), append(same, alike...)
}

// addedFields adds each declared field in turn that had no room in the sample.
func (m maker) addedFields(d *draft) (changed, same []Change) {
	sent := map[string]bool{}
	for _, v := range d.fields {
		sent[v.param.Name], sent[group(v.param)] = true, true
	}
	needs := needed(d.body.Fields)
	for _, p := range byName(d.body.Fields) {
		g := group(p)
		if sent[p.Name] || !sent[g] && (needs[g] > 1 || needs[g] == 1 && !p.Kept) || len(changed)+len(same) >= mostChanges {
			continue
		}
		v := newValue(p, m.fieldTexts(p, ""))
		c := Change{Name: "form." + p.Name + " added"}
		set := &c.Form
		if p.Part {
			set = &c.Files
		}
		*set = pairs([]*value{v})
		if p.Ignore {
			same = append(same, c)
		} else {
			changed = append(changed, c)
		}
	}
	return changed, same
}

// jsonChanges changes each leaf in turn, then what may differ without being another request. A body
// that has to be large has only its first leaves changed.
func (m maker) jsonChanges(d *draft) (changed, same []Change) {
	var unordered []Change
	d.json.visit(spotOf(d.json), func(s visited) {
		n := s.node
		switch {
		case len(changed)+len(same)+len(unordered) >= mostChanges:
		case s.ignored:
			if l, ok := changeable(s); ok {
				same = append(same, leafChange(s.name, l.pointer, l.node.others[0]))
			}
			if n.optional {
				same = append(same, Change{Name: s.name + leftOut, At: s.pointer})
			}
		case n.kind == leaf && len(n.others) > 0:
			changed = append(changed, leafChange(s.name, s.pointer, n.others[0]))
		case n.kind == leaf && n.optional: // its only value
			changed = append(changed, Change{Name: s.name + leftOut, At: s.pointer})
		case n.unordered && len(n.items) > 1:
			unordered = append(unordered, Change{Name: s.name + otherOrder, At: s.pointer, Reversed: true})
		}
	})
	same = append(same, unordered...)
	d.json.visit(spotOf(d.json), func(s visited) {
		for _, c := range s.further() {
			if len(changed)+len(same) < mostChanges {
				changed = append(changed, c)
			}
		}
	})
	added, alike := m.addedMembers(d.json)
	return append(changed, added...), append(same, alike...)
}

// addedMembers adds each declared member in turn that had no room in the sample: each is part of the identity.
func (m maker) addedMembers(body *node) (changed, same []Change) {
	body.visit(spotOf(body), func(s visited) {
		t := s.node.typ
		if s.ignored || s.node.kind != object || t == nil || t.MaxMembers > 0 && len(s.node.members) >= t.MaxMembers {
			return
		}
		for _, f := range m.fieldsOf(t) {
			if len(changed)+len(same) >= mostChanges {
				return
			}
			if f.ReadOnly || s.node.has(f.Name) || slices.Contains(t.Unwanted, f.Name) || m.unknown(f.Type) || m.sizes.of(f.Type) > mostWanted {
				continue
			}
			c := Change{Name: s.name + "." + f.Name + " added", At: s.pointer + "/" + pointerEscapes.Replace(f.Name), Value: m.body(f.Type, "", 0).json()}
			if f.Ignore {
				same = append(same, c)
			} else {
				changed = append(changed, c)
			}
		}
	})
	return changed, same
}

// further are changes of a value that are not another value of its type: it is left out, it is null, its items are in
// another order or one less, it has a member that the document does not declare.
func (s visited) further() []Change {
	var out []Change
	n := s.node
	if s.ignored {
		return nil
	}
	if n.optional && s.pointer != "" && !(n.kind == leaf && len(n.others) == 0) {
		out = append(out, Change{Name: s.name + leftOut, At: s.pointer})
	}
	if null := n.kind == leaf && (n.literal == "null" || len(n.others) > 0 && n.others[0] == "null"); n.nullable && !null {
		out = append(out, leafChange(s.name+" null", s.pointer, "null"))
	}
	switch n.kind {
	case array:
		if !n.unordered && len(n.items) > 1 && n.items[0].json() != n.items[len(n.items)-1].json() {
			out = append(out, Change{Name: s.name + otherOrder, At: s.pointer, Reversed: true})
		}
		if n.typ != nil && len(n.items) > n.typ.MinItems {
			out = append(out, Change{Name: s.name + "[0]" + leftOut, At: s.pointer + "/0"})
		}
	case object:
		if t := n.typ; s.pointer == "" && t != nil && !t.Closed && t.Rest == nil && !n.has(undeclared) && (t.MaxMembers == 0 || len(n.members) < t.MaxMembers) {
			out = append(out, Change{Name: s.name + " with another member", At: "/" + undeclared, Value: `"one"`})
		}
	}
	return out
}

// unfilled are the names of values that no known text is good for.
func (m maker) unfilled(d *draft) []string {
	var out []string
	for _, of := range []struct {
		where  string
		values []*value
	}{{"path.", d.path}, {"query.", d.query}, {"header.", d.header}, {"form.", d.fields}} {
		for _, v := range of.values {
			if t := v.param.Type; m.unknown(t) || t != nil && t.Kind == ir.Array && m.unknown(t.Items) {
				out = append(out, of.where+v.param.Name)
			}
		}
	}
	if d.json != nil {
		d.json.visit(spotOf(d.json), func(s visited) {
			if s.node.kind == leaf && s.node.literal != "null" && m.unknown(s.node.typ) {
				out = append(out, s.name)
			}
		})
	}
	return out
}

// undeclared is the name of a member that no document has.
const undeclared = "undeclared"

// leafChange changes a value of the body. A body that is one value has no pointer to it.
func leafChange(name, pointer, literal string) Change {
	if pointer == "" {
		return Change{Name: name, Body: literal}
	}
	return Change{Name: name, At: pointer, Value: literal}
}

// typeChange sends the body as another media type, where the operation takes several.
func (m maker) typeChange(d *draft) (Change, bool) {
	if all := concrete(d.op, d.body); len(all) > 1 {
		return Change{Name: "type", ContentType: all[1]}, true
	}
	others := sendable(d.op)
	i := slices.IndexFunc(others, func(b *ir.Body) bool { return b != d.body })
	if i < 0 {
		return Change{}, false
	}
	var other draft
	other.op = d.op
	m.useBody(&other, others[i])
	r := other.request()
	return Change{Name: "type " + other.mediaType, ContentType: r.ContentType, Body: r.Body, Form: r.Form, Files: r.Files}, true
}

// visited is a value of a body, with its name in messages and the JSON pointer to it.
type visited struct {
	node          *node
	name, pointer string
	ignored       bool
}

func spotOf(body *node) visited { return visited{node: body, name: "body"} }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// visit calls fn with every value that counts and every ignored member, outermost first. It does
// not look into ignored members, and of an array's items only at the first: the others are its like.
func (n *node) visit(at visited, fn func(visited)) {
	fn(at)
	if at.ignored {
		return
	}
	for _, m := range n.members {
		m.value.visit(visited{m.value, at.name + "." + m.name, at.pointer + "/" + pointerEscapes.Replace(m.name), m.ignored}, fn)
	}
	if len(n.items) > 0 {
		n.items[0].visit(visited{n.items[0], at.name + "[0]", at.pointer + "/0", false}, fn)
	}
}

// changeable finds the first leaf of an ignored value that has another valid literal.
func changeable(s visited) (found visited, ok bool) {
	s.ignored = false
	s.node.visit(s, func(v visited) {
		if !ok && !v.ignored && v.node.kind == leaf && len(v.node.others) > 0 {
			found, ok = v, true
		}
	})
	return found, ok
}
