package canon

import "fmt"

// allow restricts a type to some values. Text is told from numbers and other values by what they are.
func (p *plan) allow(values []Value) error {
	p.enum = make(map[string]Value, len(values))
	kinds := map[Kind]bool{}
	for i, v := range values {
		b, err := Append(nil, []byte(v), nil)
		if err != nil {
			return fmt.Errorf("enum of %s: %q: %w", p.typ, string(v), err)
		}
		p.enum[string(b)] = v
		kinds[v.Kind()] = true
		p.wanted += list(i, string(b))
	}
	if p.form == formText && (len(kinds) != 1 || !kinds[KindString]) {
		p.form = formValue
		if len(kinds) == 1 && kinds[KindNumber] {
			p.form = formNumber
		}
	}
	return nil
}

// list returns the i-th part of an enumeration that ends after a few.
func list(i int, part string) string {
	const enough = 10
	switch {
	case i == 0:
		return part
	case i < enough:
		return ", " + part
	case i == enough:
		return ", …"
	}
	return ""
}

// allowed returns a well-formed value of an enum as the enum spells it, and whether it is one.
func (p *plan) allowed(text []byte) (Value, bool) {
	if v, ok := p.enum[string(text)]; ok {
		return v, true
	}
	var room [64]byte
	b, err := Append(room[:0], text, nil)
	if err != nil {
		return "", false
	}
	v, ok := p.enum[string(b)]
	return v, ok
}
