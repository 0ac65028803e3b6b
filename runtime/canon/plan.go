package canon

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
)

// plan is how the values of one type are read and written. It is made once for a type.
type plan struct {
	typ    reflect.Type
	form   form
	elem   *plan            // of an Optional, Nullable, pointer, slice or map; of a struct's Extra
	fields []field          // of a struct
	byName map[string]int   // of the fields
	extra  int              // field of a struct that holds undeclared members; -1: they are refused
	enum   map[string]Value // the only values allowed, by canonical form, as the type spells them
	wanted string           // the enum for people
}

// form is how a type appears in JSON.
type form uint8

const (
	formText form = iota
	formBool
	formInt
	formUint
	formNumber
	formInteger
	formValue
	formSlice
	formMap
	formStruct
	formOptional
	formNullable
	formPointer
)

type field struct {
	index    int
	name     string
	label    []byte // the name as written in JSON, with its colon
	plan     *plan
	required bool
	omitZero bool
}

var (
	valueType   = reflect.TypeFor[Value]()
	numberType  = reflect.TypeFor[Number]()
	integerType = reflect.TypeFor[Integer]()
	enumType    = reflect.TypeFor[interface{ Enum() []Value }]()
)

var plans sync.Map // reflect.Type to *plan

// planOf returns the plan of a type; an error where no JSON fits it.
func planOf(t reflect.Type) (*plan, error) {
	if p, ok := plans.Load(t); ok {
		return p.(*plan), nil
	}
	m := planner{}
	p, err := m.plan(t)
	if err != nil {
		return nil, fmt.Errorf("canon: type %s: %w", t, err)
	}
	for t, p := range m {
		plans.LoadOrStore(t, p)
	}
	return p, nil
}

// planner holds the plans that are being made: types recurse.
type planner map[reflect.Type]*plan

func (m planner) plan(t reflect.Type) (*plan, error) {
	if p, ok := m[t]; ok {
		return p, nil
	}
	if p, ok := plans.Load(t); ok {
		return p.(*plan), nil
	}
	p := &plan{typ: t, extra: -1}
	m[t] = p
	if err := m.fill(p); err != nil {
		return nil, err
	}
	if t.Implements(enumType) && p.form != formOptional && p.form != formNullable && p.form != formPointer {
		return p, p.allow(reflect.Zero(t).Interface().(interface{ Enum() []Value }).Enum())
	}
	return p, nil
}

func (m planner) fill(p *plan) (err error) {
	switch t := p.typ; t.Kind() {
	case reflect.String:
		p.form = formOfString(t)
	case reflect.Bool:
		p.form = formBool
	case reflect.Int, reflect.Int32, reflect.Int64:
		p.form = formInt
	case reflect.Uint, reflect.Uint32, reflect.Uint64:
		p.form = formUint
	case reflect.Pointer:
		p.form = formPointer
		p.elem, err = m.element(t.Elem())
	case reflect.Slice:
		p.form = formSlice
		p.elem, err = m.element(t.Elem())
	case reflect.Map:
		p.form = formMap
		if t.Key().Kind() != reflect.String {
			return fmt.Errorf("keys of %s are not strings", t)
		}
		p.elem, err = m.element(t.Elem())
	case reflect.Struct:
		return m.fillStruct(p)
	default:
		return fmt.Errorf("%s has no exact JSON form", t)
	}
	return err
}

// formOfString tells the kinds of text apart. A defined type over Number, Integer or Value is one where
// it has a method of that name that returns it.
func formOfString(t reflect.Type) form {
	for _, f := range []struct {
		typ  reflect.Type
		form form
	}{{numberType, formNumber}, {integerType, formInteger}, {valueType, formValue}} {
		m, ok := t.MethodByName(f.typ.Name())
		if t == f.typ || ok && m.Type.NumIn() == 1 && m.Type.NumOut() == 1 && m.Type.Out(0) == f.typ {
			return f.form
		}
	}
	return formText
}

// element plans what is inside of something else; there nothing can be absent.
func (m planner) element(t reflect.Type) (*plan, error) {
	p, err := m.plan(t)
	if err == nil && p.form == formOptional {
		return nil, fmt.Errorf("%s is not a member of a struct", t)
	}
	return p, err
}

func (m planner) fillStruct(p *plan) (err error) {
	switch {
	case isOptional(p.typ):
		p.form = formOptional
		p.elem, err = m.element(p.typ.Field(0).Type.Elem())
		return err
	case isNullable(p.typ):
		p.form = formNullable
		p.elem, err = m.element(p.typ.Field(0).Type.Elem())
		return err
	}
	p.form = formStruct
	p.byName = map[string]int{}
	for i := range p.typ.NumField() {
		f := p.typ.Field(i)
		if err := m.addField(p, f, i); err != nil {
			return fmt.Errorf("field %s.%s: %w", p.typ, f.Name, err)
		}
	}
	return nil
}

func (m planner) addField(p *plan, f reflect.StructField, i int) (err error) {
	tag, tagged := f.Tag.Lookup("json")
	if tag == "-" {
		if f.Name == "Extra" && f.Type.Kind() == reflect.Map && f.Type.Key().Kind() == reflect.String {
			p.extra = i
			p.elem, err = m.element(f.Type.Elem())
		}
		return err
	}
	if f.Anonymous {
		return errors.New("embedded fields have no exact JSON form")
	}
	if !f.IsExported() {
		if tagged {
			return errors.New("not exported")
		}
		return nil
	}
	fl := field{index: i, name: f.Name}
	if tagged {
		name, named, omitZero, err := ParseTag(tag)
		if err != nil {
			return err
		}
		if fl.omitZero = omitZero; named {
			fl.name = name
		}
	}
	if fl.plan, err = m.plan(f.Type); err != nil {
		return err
	}
	fl.required = fl.plan.form != formOptional && !fl.omitZero
	if _, ok := p.byName[fl.name]; ok {
		return fmt.Errorf("another field is named %q", fl.name)
	}
	var valid bool
	if fl.label, valid = appendText(nil, fl.name); !valid {
		return errors.New("name is not UTF-8")
	}
	fl.label = append(fl.label, ':')
	p.byName[fl.name] = len(p.fields)
	p.fields = append(p.fields, fl)
	return nil
}
