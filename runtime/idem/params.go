package idem

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/idemgen/idemgen/runtime/canon"
)

// paramsType is how the parameters of one place are read into a struct and written from it. It is
// made once for a type.
type paramsType struct {
	fields []paramField
	byName map[string]int
	extra  int // field of the undeclared ones; -1: none
}

// paramField is one declared parameter.
type paramField struct {
	index    int
	name     string
	required bool
	repeated bool // a slice: every text that was sent
	optional bool // a canon.Optional
	part     bool // a Part of a multipart body, not a text
	text     textForm
}

var paramsTypes sync.Map // reflect.Type to *paramsType

func paramsTypeOf(t reflect.Type) (*paramsType, error) {
	if p, known := paramsTypes.Load(t); known {
		return p.(*paramsType), nil
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is not a struct", t)
	}
	p := &paramsType{byName: make(map[string]int), extra: -1}
	for i := range t.NumField() {
		if err := p.add(t.Field(i), i); err != nil {
			return nil, fmt.Errorf("field %s.%s: %w", t, t.Field(i).Name, err)
		}
	}
	paramsTypes.Store(t, p)
	return p, nil
}

func (p *paramsType) add(f reflect.StructField, index int) error {
	tag := f.Tag.Get("json")
	if tag == "-" && f.Name == "Extra" && (f.Type == reflect.TypeFor[Values]() || f.Type == reflect.TypeFor[Parts]()) {
		p.extra = index
		return nil
	}
	name, omitZero, err := memberName(tag)
	if err != nil {
		return err
	}
	field := paramField{index: index, name: name, required: !omitZero}
	scalar := f.Type
	switch {
	case scalar.Kind() == reflect.Slice:
		field.repeated = true
		scalar = scalar.Elem()
	case isOptional(scalar):
		field.optional, field.required = true, false
		scalar = scalar.Field(0).Type.Elem()
	}
	if field.part = scalar == reflect.TypeFor[Part](); !field.part {
		if field.text, err = textFormOf(scalar); err != nil {
			return err
		}
	}
	if _, twice := p.byName[name]; twice {
		return fmt.Errorf("another field is named %q", name)
	}
	p.byName[name] = len(p.fields)
	p.fields = append(p.fields, field)
	return nil
}

// memberName is the name of the parameter, or the part of a payload, that a tag names.
func memberName(tag string) (name string, omitZero bool, err error) {
	name, named, omitZero, err := canon.ParseTag(tag)
	if err == nil && !named {
		err = errors.New("must be a name, or a name with omitzero")
	}
	if err != nil {
		err = fmt.Errorf("json tag %q: %w", tag, err)
	}
	return name, omitZero, err
}

// isOptional says whether t is an instance of canon.Optional.
func isOptional(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Optional[") &&
		t.PkgPath() == reflect.TypeFor[canon.Rule]().PkgPath()
}

// decodeParams reads the parameters of one place ("path", "query" or "header") into the struct dst. A
// required one that is missing, a single one that was sent twice, and a text that is not the
// canonical spelling of its type's value are refused with 400: the payload and the request must say
// the same. What is undeclared goes to the field Extra, where there is one.
func decodeParams(dst reflect.Value, v Values, where string) *Problem {
	p, err := paramsTypeOf(dst.Type())
	if err != nil {
		return internalError("the payload type does not fit")
	}
	for i := range p.fields {
		f := &p.fields[i]
		if reason := f.decodeTexts(dst.Field(f.index), v[sentName(where, f.name)]); reason != "" {
			return invalid(fmt.Sprintf("%s parameter %s: %s", where, strconv.Quote(f.name), reason))
		}
	}
	if p.extra >= 0 {
		dst.Field(p.extra).Set(reflect.ValueOf(Values(undeclared(p, v))))
	}
	return nil
}

// sentName is the name under which a request holds a parameter.
func sentName(where, name string) string {
	if where == "header" {
		return http.CanonicalHeaderKey(name)
	}
	return name
}

// undeclared are the values whose names p does not have.
func undeclared[T any](p *paramsType, v map[string][]T) map[string][]T {
	var extra map[string][]T
	for name, values := range v {
		if _, declared := p.byName[name]; !declared && len(values) > 0 {
			if extra == nil {
				extra = make(map[string][]T)
			}
			extra[name] = values
		}
	}
	return extra
}

// decodeTexts reads the texts of one parameter into dst, and says what is wrong with them.
func (f *paramField) decodeTexts(dst reflect.Value, texts []string) (reason string) {
	return f.decode(dst, len(texts), func(dst reflect.Value, i int) string { return f.text.decode(dst, texts[i]) })
}

// decode reads n values of one name into dst, each by value, and says what is wrong with them.
func (f *paramField) decode(dst reflect.Value, n int, value func(reflect.Value, int) (reason string)) (reason string) {
	switch {
	case n == 0 && f.required:
		return "is required"
	case n == 0:
		return ""
	case f.repeated:
		list := reflect.MakeSlice(dst.Type(), n, n)
		for i := range n {
			if reason := value(list.Index(i), i); reason != "" {
				return reason
			}
		}
		dst.Set(list)
		return ""
	case n > 1:
		return "must be sent once"
	}
	return value(dst, 0)
}

// encodeParams is what decodeParams would have to read to give src: the parameters of a request that
// nobody sent.
func encodeParams(src reflect.Value, where string) (Values, error) {
	p, err := paramsTypeOf(src.Type())
	if err != nil {
		return nil, err
	}
	v := make(Values)
	for i := range p.fields {
		f := &p.fields[i]
		texts, err := f.encode(src.Field(f.index))
		if err != nil {
			return nil, fmt.Errorf("%s parameter %s: %w", where, strconv.Quote(f.name), err)
		}
		if len(texts) > 0 {
			v[sentName(where, f.name)] = texts
		}
	}
	if p.extra < 0 {
		return v, nil
	}
	for name, texts := range src.Field(p.extra).Interface().(Values) {
		if _, declared := p.byName[name]; declared {
			return nil, fmt.Errorf("%s parameter %s: is declared, so it is no extra", where, strconv.Quote(name))
		}
		if len(texts) > 0 {
			v[name] = texts
		}
	}
	return v, nil
}

func (f *paramField) encode(src reflect.Value) ([]string, error) {
	switch {
	case f.optional && src.IsZero():
		return nil, nil
	case !f.repeated:
		text, err := f.text.encode(src)
		return []string{text}, err
	case src.Len() == 0 && f.required:
		return nil, errors.New("is required")
	}
	texts := make([]string, src.Len())
	for i := range texts {
		text, err := f.text.encode(src.Index(i))
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	return texts, nil
}
