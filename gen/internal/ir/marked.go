package ir

// Marked are the types of the operations' bodies of which a value can hold something ignored or unordered. Only they
// can have [Rules] or [Disagreements]. It looks at each type once for all operations, which those cannot: they walk
// all that a body can be, and in many documents everything leads to everything.
func Marked(ops []*Operation) map[*Type]bool {
	users := map[*Type][]*Type{} // of each type, those that it is a part of
	var types, marked []*Type
	met := func(t, user *Type) {
		if t == nil {
			return
		}
		if _, ok := users[t]; !ok {
			types = append(types, t)
		}
		users[t] = append(users[t], user)
	}
	for _, op := range ops {
		for _, b := range op.Bodies {
			met(b.Type, nil)
		}
	}
	for i := 0; i < len(types); i++ { // the list grows while types are looked at
		t := types[i]
		mark := t.Unordered
		for _, f := range t.Fields {
			met(f.Type, t)
			mark = mark || f.Ignore
		}
		for _, b := range t.Branches {
			met(b, t)
		}
		met(t.Items, t)
		met(t.Rest, t)
		if mark {
			marked = append(marked, t)
		}
	}
	out := map[*Type]bool{nil: true} // no type is part of no other
	for len(marked) > 0 {
		t := marked[len(marked)-1]
		marked = marked[:len(marked)-1]
		if !out[t] {
			out[t] = true
			marked = append(marked, users[t]...)
		}
	}
	delete(out, nil)
	return out
}
