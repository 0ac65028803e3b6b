package idem

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/idemgen/idemgen/runtime/canon"
)

// FormFields is the form of a payload whose operation declares no fields of it. What was sent nevertheless counts: the
// handler can see it.
type FormFields struct {
	Extra Values `json:"-"` // undeclared fields
}

// FormParts is [FormFields] for a multipart body.
type FormParts struct {
	Extra Parts `json:"-"` // undeclared parts
}

// appendForm writes a form: the lists of its values by name. What it holds of each name keeps its order, unless the
// rules say that it has none; the order of different names is no difference.
func appendForm[T any](e *envelope, rules canon.Rules, form map[string][]T, write func(T)) {
	var root canon.Rule
	if len(rules) > 0 {
		root = rules[0]
	}
	var names []string
	for name, values := range form {
		if len(values) > 0 && !leavesOut(root.Ignore, name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, compareNames)
	e.dst = append(e.dst, '{')
	for i, name := range names {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		e.text("form", name)
		e.dst = append(e.dst, ':')
		appendValues(e, unordered(rules, root, name), form[name], write)
	}
	e.dst = append(e.dst, '}')
}

func unordered(rules canon.Rules, root canon.Rule, name string) bool {
	return slices.ContainsFunc(root.Members, func(m canon.Member) bool { return m.Name == name && rules[m.Rule].Unordered })
}

// appendValues writes a list, sorted where it has no order.
func appendValues[T any](e *envelope, unordered bool, values []T, write func(T)) {
	e.dst = append(e.dst, '[')
	from := len(e.dst)
	var items [][]byte
	for i, value := range values {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		start := len(e.dst)
		write(value)
		if unordered {
			items = append(items, bytes.Clone(e.dst[start:]))
		}
	}
	if unordered {
		slices.SortFunc(items, bytes.Compare)
		e.dst = append(e.dst[:from], bytes.Join(items, []byte(","))...)
	}
	e.dst = append(e.dst, ']')
}

// field writes a value of a form.
func (e *envelope) field(text string) { e.text("form", text) }

// part writes a part: its text, where it is nothing more.
func (e *envelope) part(p Part) {
	if text, ok := p.plain(); ok {
		e.text("form", text)
		return
	}
	e.dst = append(e.dst, '{')
	start := e.start
	e.start = len(e.dst)
	some := false
	for _, name := range slices.SortedFunc(maps.Keys(p.Header), compareNames) {
		e.openList("header", &some, name, p.Header[name])
	}
	e.closeLists(some)
	if p.FileName != "" {
		e.member("name")
		e.text("file name", p.FileName)
	}
	sum := p.digest()
	e.member("sha256")
	e.text("sha256", hex.EncodeToString(sum[:]))
	if p.MediaType != "" {
		e.member("type")
		e.text("media type", p.MediaType)
	}
	e.dst = append(e.dst, '}')
	e.start = start
}

// decodeForm reads a form into the struct dst, as decodeParams reads parameters. What is undeclared goes to the field
// Extra, and is refused where there is none.
func decodeForm(dst reflect.Value, rq *request) *Problem {
	p, err := paramsTypeOf(dst.Type())
	if err != nil {
		return internalError("the payload type does not fit")
	}
	for i := range p.fields {
		f := &p.fields[i]
		if reason := f.decodeForm(dst.Field(f.index), rq); reason != "" {
			return invalid(fmt.Sprintf("form field %s: %s", strconv.Quote(f.name), reason))
		}
	}
	fields, parts := undeclared(p, rq.fields), undeclared(p, rq.parts)
	switch {
	case p.extra < 0 && len(fields)+len(parts) > 0:
		name := slices.Min(slices.AppendSeq(slices.Collect(maps.Keys(fields)), maps.Keys(parts)))
		return invalid(fmt.Sprintf("form field %s: is not declared", strconv.Quote(name)))
	case p.extra < 0:
	case rq.form == Multipart:
		dst.Field(p.extra).Set(reflect.ValueOf(Parts(parts)))
	default:
		dst.Field(p.extra).Set(reflect.ValueOf(Values(fields)))
	}
	return nil
}

// decodeForm reads what a form has of one name.
func (f *paramField) decodeForm(dst reflect.Value, rq *request) (reason string) {
	if rq.form == Fields {
		return f.decodeTexts(dst, rq.fields[f.name])
	}
	parts := rq.parts[f.name]
	return f.decode(dst, len(parts), func(dst reflect.Value, i int) (reason string) {
		if !f.part {
			text, ok := parts[i].plain()
			if !ok {
				return "must be a plain text in UTF-8, without a file name or headers of its own"
			}
			return f.text.decode(dst, text)
		}
		if f.optional {
			dst.Set(reflect.ValueOf(canon.Some(parts[i])))
		} else {
			dst.Set(reflect.ValueOf(parts[i]))
		}
		return ""
	})
}

// encodeForm sets the fields or parts of rq to what decodeForm would have to read to give src.
func encodeForm(rq *request, src reflect.Value) error {
	p, err := paramsTypeOf(src.Type())
	if err != nil {
		return err
	}
	if rq.form == Fields {
		rq.fields, err = encodeParams(src, "form")
		return err
	}
	rq.parts = Parts{}
	for i := range p.fields {
		f := &p.fields[i]
		parts, err := f.encodeParts(src.Field(f.index))
		if err != nil {
			return fmt.Errorf("form field %s: %w", strconv.Quote(f.name), err)
		}
		rq.parts[f.name] = parts
	}
	if p.extra < 0 {
		return nil
	}
	for name, parts := range src.Field(p.extra).Interface().(Parts) {
		if _, declared := p.byName[name]; declared {
			return fmt.Errorf("form field %s: is declared, so it is no extra", strconv.Quote(name))
		}
		rq.parts[name] = parts
	}
	return nil
}

func (f *paramField) encodeParts(src reflect.Value) ([]Part, error) {
	if !f.part {
		texts, err := f.encode(src)
		parts := make([]Part, len(texts))
		for i, text := range texts {
			parts[i] = TextPart(text)
		}
		return parts, err
	}
	switch v := src.Interface().(type) {
	case []Part:
		if len(v) == 0 && f.required {
			return nil, errors.New("is required")
		}
		return v, nil
	case canon.Optional[Part]:
		if part, ok := v.Get(); ok {
			return []Part{part}, nil
		}
		return nil, nil
	}
	return []Part{src.Interface().(Part)}, nil
}
