package canon

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Marshal encodes v as JSON: members under exactly their names, in the order of the fields, then those
// in Extra by name; an absent Optional left out; a nil slice as [], a nil map as {}. It is not the
// canonical form, which is what [Append] makes of it.
//
// The types that it takes are listed in the package documentation. It never calls a MarshalJSON method,
// so that types may define theirs by it, and the time is linear in the size of what is encoded.
//
// Text that is not UTF-8, a [Value], [Number] or [Integer] that is none, a value that an enum does not
// have and nesting deeper than 1,000 are an [*Error].
func Marshal(v any) ([]byte, error) {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() {
		return nil, errors.New("canon: nil has no JSON form")
	}
	p, err := planOf(rv.Type())
	if err != nil {
		return nil, err
	}
	e := encoders.Get().(*encoder)
	defer e.release()
	if err := e.value(rv, p, 0); err != nil {
		slices.Reverse(e.path)
		return nil, &Error{Offset: -1, Path: strings.Join(e.path, ""), Reason: err.Error()}
	}
	return bytes.Clone(e.buf), nil
}

type encoder struct {
	buf  []byte
	path []string // to an error, from the inside out
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func (e *encoder) release() {
	if cap(e.buf) > minPooled {
		return
	}
	*e = encoder{buf: e.buf[:0]}
	encoders.Put(e)
}

// in notes on the way out where an error happened.
func (e *encoder) in(name string, err error) error {
	if err != nil {
		e.path = append(e.path, "/"+token(name))
	}
	return err
}

var errDepth = errors.New("nested deeper than 1000")

func (e *encoder) value(v reflect.Value, p *plan, depth int) error {
	from := len(e.buf)
	if err := e.plain(v, p, depth); err != nil {
		return err
	}
	if p.enum == nil {
		return nil
	}
	if _, ok := p.allowed(e.buf[from:]); !ok {
		return errors.New("value is not one of " + p.wanted)
	}
	return nil
}

func (e *encoder) plain(v reflect.Value, p *plan, depth int) error {
	switch p.form {
	case formText:
		return e.text(v.String())
	case formBool:
		e.buf = strconv.AppendBool(e.buf, v.Bool())
	case formInt:
		e.buf = strconv.AppendInt(e.buf, v.Int(), 10)
	case formUint:
		e.buf = strconv.AppendUint(e.buf, v.Uint(), 10)
	case formNumber:
		e.buf = append(e.buf, v.String()...)
		return checkNumber(v.String())
	case formInteger:
		e.buf = append(e.buf, v.String()...)
		return checkInteger(v.String())
	case formValue:
		return e.raw(v.String(), depth)
	case formSlice:
		return e.slice(v, p, depth)
	case formMap, formStruct:
		return e.object(v, p, depth)
	case formOptional, formNullable:
		return e.held(v.Field(0), p, depth)
	case formPointer:
		return e.held(v, p, depth)
	}
	return nil
}

// held encodes what a pointer leads to.
func (e *encoder) held(v reflect.Value, p *plan, depth int) error {
	switch {
	case !v.IsNil():
		if depth > maxDepth { // pointers in a circle
			return errDepth
		}
		return e.value(v.Elem(), p.elem, depth)
	case p.form == formNullable:
		e.buf = append(e.buf, "null"...)
		return nil
	case p.form == formOptional:
		return errors.New("an absent value has no JSON form")
	}
	return errors.New("nil pointer")
}

func (e *encoder) text(s string) error {
	var ok bool
	if e.buf, ok = appendText(e.buf, s); !ok {
		return errors.New("invalid UTF-8")
	}
	return nil
}

// raw writes a Value, as it is, once it is known to be one value.
func (e *encoder) raw(text string, depth int) error {
	from := len(e.buf)
	e.buf = append(e.buf, text...)
	s := scanners.Get().(*scanner)
	defer s.release()
	if _, ok := s.nested(e.buf[from:], nil, depth); !ok {
		return fmt.Errorf("not a JSON value: %s", s.reason)
	}
	return nil
}

func (e *encoder) slice(v reflect.Value, p *plan, depth int) error {
	if depth == maxDepth {
		return errDepth
	}
	e.buf = append(e.buf, '[')
	for i := range v.Len() {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		if err := e.value(v.Index(i), p.elem, depth+1); err != nil {
			return e.in(strconv.Itoa(i), err)
		}
	}
	e.buf = append(e.buf, ']')
	return nil
}

// object encodes a struct or a map.
func (e *encoder) object(v reflect.Value, p *plan, depth int) error {
	if depth == maxDepth {
		return errDepth
	}
	e.buf = append(e.buf, '{')
	from := len(e.buf)
	for i := range p.fields {
		f := &p.fields[i]
		fv := v.Field(f.index)
		if f.plan.form == formOptional && fv.Field(0).IsNil() || f.omitZero && fv.IsZero() {
			continue
		}
		if len(e.buf) > from {
			e.buf = append(e.buf, ',')
		}
		e.buf = append(e.buf, f.label...)
		if err := e.value(fv, f.plan, depth+1); err != nil {
			return e.in(f.name, err)
		}
	}
	if p.form == formStruct {
		if p.extra < 0 {
			e.buf = append(e.buf, '}')
			return nil
		}
		v = v.Field(p.extra)
	}
	if err := e.members(v, p, depth, from); err != nil {
		return err
	}
	e.buf = append(e.buf, '}')
	return nil
}

// members encodes what a map holds, in the order of the names.
func (e *encoder) members(v reflect.Value, p *plan, depth, from int) error {
	if v.Len() == 0 {
		return nil
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range keys {
		name := k.String()
		if _, ok := p.byName[name]; ok {
			return e.in(name, errors.New("undeclared member has the name of a declared one"))
		}
		if len(e.buf) > from {
			e.buf = append(e.buf, ',')
		}
		if err := e.text(name); err != nil {
			return e.in(name, err)
		}
		e.buf = append(e.buf, ':')
		if err := e.value(v.MapIndex(k), p.elem, depth+1); err != nil {
			return e.in(name, err)
		}
	}
	return nil
}
