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
	Reversed    bool   // the array at At, which may be the body, the other way round; of a form its fields
}

// parameterChanges changes each parameter in turn. Those that the identity leaves out make the same
// request.
func (d *draft) parameterChanges() (changed, same []Change) {
	add := func(v *value, c Change) {
		switch {
		case len(v.others) == 0: // only one value is possible
		case v.param.Ignore:
			same = append(same, c)
		default:
			changed = append(changed, c)
		}
	}
	for _, v := range d.path {
		if len(v.others) > 0 && len(changed) < enough {
			was := v.texts
			v.texts = v.others[:1]
			add(v, Change{Name: "path." + v.param.Name, Path: d.escapedPath()})
			v.texts = was
		}
	}
	for _, v := range d.query {
		if len(v.others) > 0 {
			add(v, Change{Name: "query." + v.param.Name, Query: pairs(v.with(v.others[0]))})
		}
	}
	for _, v := range d.header {
		if len(v.others) > 0 {
			add(v, Change{Name: "header." + v.param.Name, Header: []string{headerLine(v.param, v.others[0])}})
		}
	}
	return changed, same
}

func headerLine(p *ir.Parameter, text string) string {
	return textproto.CanonicalMIMEHeaderKey(p.Name) + ": " + text
}

func (m maker) bodyChanges(d *draft) (changed, same []Change) {
	if d.body == nil {
		return nil, nil
	}
	switch {
	case d.json != nil:
		changed, same = d.jsonChanges()
	case d.fields != nil:
		changed, same = d.formChanges()
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

// formChanges changes each field in turn, and then the order of what has none.
func (d *draft) formChanges() (changed, same []Change) {
	names := 0
	for _, v := range d.fields {
		c := Change{Name: "form." + v.param.Name}
		set := &c.Form
		if v.param.Part {
			set = &c.Files
		}
		if names++; len(v.others) == 0 {
			continue
		}
		*set = pair(v.param, v.others[0])
		if v.param.Ignore {
			same = append(same, c)
			continue
		}
		changed = append(changed, c)
		if len(v.texts) > 1 && v.param.Type.Unordered {
			c.Name += " in another order"
			texts := slices.Clone(v.texts)
			slices.Reverse(texts)
			*set = pairs([]*value{{param: v.param, texts: texts}})
			same = append(same, c)
		}
	}
	if names > 1 || d.body.Form == ir.Multipart {
		same = append(same, Change{Name: "form in another order", Reversed: true})
	}
	return changed, same
}

// jsonChanges changes each leaf in turn, then what may differ without being another request. A body
// that has to be large has only its first leaves changed.
func (d *draft) jsonChanges() (changed, same []Change) {
	var unordered []Change
	d.json.visit(spotOf(d.json), func(s visited) {
		n := s.node
		switch {
		case len(changed)+len(same)+len(unordered) >= enough:
		case s.ignored:
			if l, ok := changeable(s); ok {
				same = append(same, leafChange(s.name, l.pointer, l.node.others[0]))
			}
		case n.kind == leaf && len(n.others) > 0:
			changed = append(changed, leafChange(s.name, s.pointer, n.others[0]))
		case n.kind == leaf && n.optional: // its only value
			changed = append(changed, Change{Name: s.name + " left out", At: s.pointer})
		case n.unordered && len(n.items) > 1:
			unordered = append(unordered, Change{Name: s.name + " in another order", At: s.pointer, Reversed: true})
		}
	})
	same = append(same, unordered...)
	d.json.visit(spotOf(d.json), func(s visited) {
		for _, c := range s.further() {
			if len(changed)+len(same) < enough {
				changed = append(changed, c)
			}
		}
	})
	return changed, same
}

// further are changes of a value that are not another value of its type: it is left out, it is null, its items are in
// another order, it has a member that the document does not declare.
func (s visited) further() []Change {
	var out []Change
	n := s.node
	if s.ignored {
		return nil
	}
	if n.optional && s.pointer != "" && !(n.kind == leaf && len(n.others) == 0) {
		out = append(out, Change{Name: s.name + " left out", At: s.pointer})
	}
	switch {
	case n.kind == leaf && len(n.others) > 1 && slices.Contains(n.others[1:], "null"):
		out = append(out, leafChange(s.name+" null", s.pointer, "null"))
	case n.kind == array && !n.unordered && len(n.items) > 1 && n.items[0].json() != n.items[len(n.items)-1].json():
		out = append(out, Change{Name: s.name + " in another order", At: s.pointer, Reversed: true})
	case n.kind == object && s.pointer == "" && n.typ != nil && !n.typ.Closed && n.typ.Rest == nil && !n.has(undeclared):
		out = append(out, Change{Name: s.name + " with another member", At: "/" + undeclared, Value: `"one"`})
	}
	return out
}

// unfilled are the names of values that no known text is good for.
func (d *draft) unfilled() []string {
	var out []string
	for _, of := range []struct {
		where  string
		values []*value
	}{{"path.", d.path}, {"query.", d.query}, {"header.", d.header}, {"form.", d.fields}} {
		for _, v := range of.values {
			if impossible(v.param.Type) {
				out = append(out, of.where+v.param.Name)
			}
		}
	}
	if d.json != nil {
		d.json.visit(spotOf(d.json), func(s visited) {
			if s.node.kind == leaf && s.node.literal != "null" && impossible(s.node.typ) {
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
