package canon

import (
	"errors"
	"reflect"
	"strconv"
)

// Unmarshal decodes the JSON document data into what v points to, which it clears first. It takes
// what [Append] takes, and of that only what fits the type without loss:
//   - members have exactly their names; letter case matters;
//   - a field that is neither an Optional nor tagged omitzero is required;
//   - undeclared members go to the field Extra, and are refused where there is none;
//   - null goes into a Nullable or a Value and nowhere else;
//   - a whole number in any spelling (10, 10.0, 1e1) goes into an integer that holds it exactly; a string
//     is never a number, nor the reverse;
//   - a type with a method Enum() []Value takes those values only, and has them as Enum spells them.
//
// What does not fit is an [*Error]; what *v holds then is not defined. The types are listed in the
// package documentation. Time is linear in len(data): it never calls an UnmarshalJSON method, so that
// types may define theirs by it.
func Unmarshal(data []byte, v any) error {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return errors.New("canon: Unmarshal needs a pointer to decode into")
	}
	p, err := planOf(rv.Type().Elem())
	if err != nil {
		return err
	}
	s := scanners.Get().(*scanner)
	defer s.release()
	if _, ok := s.document(data, nil); !ok {
		return failure(data, s.offset, s.reason)
	}
	d := decoder{src: data}
	rv.Elem().SetZero()
	if d.value(d.skip(0), rv.Elem(), p) < 0 {
		return failure(data, d.offset, d.reason)
	}
	return nil
}

// decoder reads a document that a scanner has found well formed, so it checks nothing but whether it
// fits the types. Its methods return where a value ends, -1 where it does not fit.
type decoder struct {
	src    []byte
	name   []byte // room for an unescaped name
	offset int    // of the error
	reason string
}

func (d *decoder) fail(offset int, reason string) int {
	d.offset, d.reason = offset, reason
	return -1
}

func (d *decoder) skip(p int) int {
	for isBlank(d.src[p]) {
		p++
	}
	return p
}

// endOfText returns where the string at p ends.
func (d *decoder) endOfText(p int) (end int, escapes bool) {
	p, _ = plainText(d.src, p+1)
	for d.src[p] == '\\' {
		escapes = true
		p, _ = plainText(d.src, p+2)
	}
	return p + 1, escapes
}

// end returns where the value at p ends.
func (d *decoder) end(p int) int {
	depth := 0
	for p < len(d.src) {
		switch d.src[p] {
		case '"':
			p, _ = d.endOfText(p)
			if depth == 0 {
				return p
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return p + 1
			}
			if depth < 0 { // the value was a word or a number
				return p
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return p
			}
		}
		p++
	}
	return p
}

func (d *decoder) value(p int, v reflect.Value, pl *plan) int {
	end := d.plain(p, v, pl)
	if end < 0 || pl.enum == nil {
		return end
	}
	spelt, ok := pl.allowed(d.src[p:end])
	if !ok {
		return d.fail(p, "value is not one of "+pl.wanted)
	}
	switch pl.form {
	case formNumber, formInteger, formValue: // so that it equals the constant, also where 1.0 was sent for 1
		v.SetString(string(spelt))
	}
	return end
}

func (d *decoder) plain(p int, v reflect.Value, pl *plan) int {
	c := d.src[p]
	switch pl.form {
	case formNullable:
		if c == 'n' {
			return p + 4
		}
		return d.value(p, Hold(v), pl.elem)
	case formOptional:
		return d.value(p, Hold(v), pl.elem)
	case formPointer:
		v.Set(reflect.New(pl.elem.typ))
		return d.value(p, v.Elem(), pl.elem)
	case formValue:
		end := d.end(p)
		v.SetString(string(d.src[p:end]))
		return end
	case formText:
		if c != '"' {
			return d.wrong(p, "a string")
		}
		end, escapes := d.endOfText(p)
		v.SetString(d.text(p, end, escapes))
		return end
	case formBool:
		if c != 't' && c != 'f' {
			return d.wrong(p, "true or false")
		}
		v.SetBool(c == 't')
		return d.end(p)
	case formSlice:
		if c != '[' {
			return d.wrong(p, "an array")
		}
		return d.slice(p, v, pl)
	case formMap, formStruct:
		if c != '{' {
			return d.wrong(p, "an object")
		}
		return d.object(p, v, pl)
	}
	return d.number(p, v, pl)
}

// wrong is fail for a value of another kind than the type's.
func (d *decoder) wrong(p int, wanted string) int {
	names := [...]string{"", "null", "a boolean", "a number", "a string", "an array", "an object"}
	return d.fail(p, names[Value(d.src[p:p+1]).Kind()]+" where "+wanted+" is wanted")
}

// text returns what the string in src[p:end] stands for.
func (d *decoder) text(p, end int, escapes bool) string {
	if !escapes {
		return string(d.src[p+1 : end-1])
	}
	return string(appendUnescaped(nil, d.src[p+1:end-1]))
}

func (d *decoder) number(p int, v reflect.Value, pl *plan) int {
	c := d.src[p]
	if pl.form == formNumber && c != '-' && c-'0' > 9 {
		return d.wrong(p, "a number")
	}
	if c != '-' && c-'0' > 9 {
		return d.wrong(p, "a whole number")
	}
	end, _ := scanNumber(d.src, p)
	text := d.src[p:end]
	if pl.form == formNumber {
		v.SetString(string(text))
		return end
	}
	dec := parseDecimal(text)
	if !dec.whole() {
		return d.fail(p, "a fraction where a whole number is wanted")
	}
	ok := true
	switch pl.form {
	case formInteger:
		v.SetString(string(text))
	case formInt:
		var n int64
		if n, ok = dec.int64(); ok && !v.OverflowInt(n) {
			v.SetInt(n)
			return end
		}
		ok = false
	case formUint:
		n, fits := dec.magnitude()
		if ok = fits && !dec.negative && !v.OverflowUint(n); ok {
			v.SetUint(n)
		}
	}
	if !ok {
		return d.fail(p, "number does not fit "+v.Kind().String())
	}
	return end
}

func (d *decoder) slice(p int, v reflect.Value, pl *plan) int {
	p = d.skip(p + 1)
	if d.src[p] == ']' {
		v.Set(reflect.MakeSlice(pl.typ, 0, 0))
		return p + 1
	}
	for n := 0; ; n++ {
		if n == v.Cap() {
			v.Grow(1)
		}
		v.SetLen(n + 1)
		if p = d.value(p, v.Index(n), pl.elem); p < 0 {
			return -1
		}
		p = d.skip(p)
		if d.src[p] == ']' {
			return p + 1
		}
		p = d.skip(p + 1)
	}
}

// object reads a struct or a map.
func (d *decoder) object(start int, v reflect.Value, pl *plan) int {
	var room [2]uint64
	seen := room[:] // a bit for each field
	if len(pl.fields) > 64*len(room) {
		seen = make([]uint64, (len(pl.fields)+63)/64)
	}
	next := 0
	members := v
	if pl.form == formMap {
		v.Set(reflect.MakeMap(pl.typ))
	} else if pl.extra >= 0 {
		members = v.Field(pl.extra)
	}
	p := d.skip(start + 1)
	for d.src[p] != '}' {
		at := p
		end, escapes := d.endOfText(p)
		p = d.skip(d.skip(end) + 1)
		name := d.src[at+1 : end-1]
		if escapes {
			d.name = appendUnescaped(d.name[:0], name)
			name = d.name
		}
		i, ok := pl.field(name, next)
		switch {
		case ok:
			f := &pl.fields[i]
			next = i + 1
			seen[i/64] |= 1 << (i % 64)
			p = d.value(p, v.Field(f.index), f.plan)
		case pl.form == formStruct && pl.extra < 0:
			return d.fail(at, "member is not declared")
		default:
			p = d.member(p, string(name), members, pl.elem)
		}
		if p < 0 {
			return -1
		}
		if p = d.skip(p); d.src[p] == ',' {
			p = d.skip(p + 1)
		}
	}
	if missing := pl.missing(seen); missing != "" {
		return d.fail(start, missing)
	}
	return p + 1
}

// member reads a value into a map.
func (d *decoder) member(p int, name string, m reflect.Value, pl *plan) int {
	if m.IsNil() {
		m.Set(reflect.MakeMap(m.Type()))
	}
	v := reflect.New(pl.typ).Elem()
	if p = d.value(p, v, pl); p >= 0 {
		m.SetMapIndex(reflect.ValueOf(name).Convert(m.Type().Key()), v)
	}
	return p
}

// field finds a field by name. Mostly it is the one after the last.
func (p *plan) field(name []byte, next int) (int, bool) {
	if next < len(p.fields) && p.fields[next].name == string(name) {
		return next, true
	}
	i, ok := p.byName[string(name)]
	return i, ok
}

// missing says which required members there are not.
func (p *plan) missing(seen []uint64) string {
	names, n := "", 0
	for i := range p.fields {
		if f := &p.fields[i]; f.required && seen[i/64]>>(i%64)&1 == 0 {
			names += list(n, strconv.Quote(f.name))
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "member " + names + " is missing"
	}
	return "members " + names + " are missing"
}
