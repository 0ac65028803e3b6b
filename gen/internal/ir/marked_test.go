package ir

import "testing"

func TestMarked(t *testing.T) {
	t.Parallel()
	leaf := &Type{Kind: String}
	set := &Type{Kind: Array, Items: leaf, Unordered: true}
	noisy := &Type{Kind: Object, Fields: []*Field{{Name: "trace", Type: leaf, Ignore: true}}}
	ring := &Type{Kind: Object}
	ring.Fields = []*Field{{Name: "next", Type: &Type{Kind: Array, Items: ring}}}
	leads := &Type{Kind: Object, Rest: &Type{Branches: []*Type{ring, {Kind: Array, Items: set}}}}
	ring2 := &Type{Kind: Object}
	ring2.Fields = []*Field{{Name: "self", Type: ring2}, {Name: "noise", Type: noisy}}
	all := map[string]*Type{"leaf": leaf, "set": set, "noisy": noisy, "ring": ring, "leads": leads, "ring2": ring2}
	want := map[string]bool{"set": true, "noisy": true, "leads": true, "ring2": true}
	var ops []*Operation
	for _, typ := range all {
		ops = append(ops, &Operation{Bodies: []*Body{{Type: typ}, {MediaType: "image/png"}}})
	}
	marked := Marked(ops)
	for name, typ := range all {
		if marked[typ] != want[name] {
			t.Errorf("%s: marked %v", name, marked[typ])
		}
		if !marked[typ] && (Rules(typ) != nil || Disagreements(typ) != nil) {
			t.Errorf("%s has rules and is not marked", name)
		}
	}
	if marked[nil] || marked[ring.Fields[0].Type] || !marked[leads.Rest] {
		t.Errorf("marked: no type %v, a part of a ring %v, a union that leads there %v", marked[nil], marked[ring.Fields[0].Type], marked[leads.Rest])
	}
}
