package idem

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"

	"github.com/idemgen/idemgen/runtime/canon"
)

// payloadType says which fields of a payload struct hold which part of a request; -1: it has none.
type payloadType struct {
	path, query, header, scope, mediaType, body, form, parts int
}

var payloadTypes sync.Map // reflect.Type to *payloadType

var (
	opaqueType         = reflect.TypeFor[Opaque]()
	optionalOpaqueType = reflect.TypeFor[canon.Optional[Opaque]]()
)

// payloadPlan returns how payloads of this type are taken apart. It is an error, one of the program,
// where the type is none that generated code has.
func payloadPlan(t reflect.Type) (*payloadType, error) {
	if p, known := payloadTypes.Load(t); known {
		return p.(*payloadType), nil
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("payload type %s: not a struct", t)
	}
	p := &payloadType{path: -1, query: -1, header: -1, scope: -1, mediaType: -1, body: -1, form: -1, parts: -1}
	for i := range t.NumField() {
		if err := p.add(t.Field(i), i); err != nil {
			return nil, fmt.Errorf("payload type %s: field %s: %w", t, t.Field(i).Name, err)
		}
	}
	payloadTypes.Store(t, p)
	return p, nil
}

func (p *payloadType) add(f reflect.StructField, index int) error {
	name, _, err := memberName(f.Tag.Get("json"))
	if err != nil {
		return err
	}
	parts := map[string]*int{"path": &p.path, "query": &p.query, "header": &p.header, "scope": &p.scope,
		"type": &p.mediaType, "body": &p.body, "form": &p.form, "parts": &p.parts}
	part := parts[name]
	if part == nil || *part >= 0 {
		return fmt.Errorf("%q is no part of a payload, or one too many", name)
	}
	*part = index
	switch name {
	case "path", "query", "header", "scope":
		_, err = paramsTypeOf(f.Type)
	case "form", "parts":
		_, err = paramsTypeOf(held(f.Type))
	case "type":
		if f.Type.Kind() != reflect.String {
			err = errors.New("not a string")
		}
	}
	return err
}

// decodePayload reads the request into the payload struct that p points to. Nothing in it is shared
// with the request's body. Where the request does not fit the type, it is refused: 400, or 415 for
// parameters of the content type that the payload could not show.
func decodePayload(p any, rq *request) *Problem {
	dst := reflect.ValueOf(p).Elem()
	plan, err := payloadPlan(dst.Type())
	if err != nil {
		return internalError("the payload type does not fit")
	}
	for _, part := range []struct {
		index  int
		values Values
		where  string
	}{{plan.path, rq.path, "path"}, {plan.query, rq.query, "query"}, {plan.header, rq.header, "header"}} {
		if part.index < 0 {
			continue
		}
		if problem := decodeParams(dst.Field(part.index), part.values, part.where); problem != nil {
			return problem
		}
	}
	if plan.scope >= 0 {
		if problem := decodeFacts(dst.Field(plan.scope), rq.scope); problem != nil {
			return problem
		}
	}
	switch {
	case plan.mediaType >= 0:
		dst.Field(plan.mediaType).SetString(rq.mediaType)
	case rq.mediaType != rq.declared:
		return unsupportedMedia("content type must have no parameters but a charset of utf-8")
	}
	for _, part := range plan.bodies() {
		if problem := decodeBody(dst.Field(part.index), rq, part); problem != nil {
			return problem
		}
	}
	return nil
}

// bodyPart is a part of a payload that holds bodies of some forms.
type bodyPart struct {
	index int
	holds func(Form) bool
}

func (p *payloadType) bodies() []bodyPart {
	return slices.DeleteFunc([]bodyPart{
		{p.body, func(f Form) bool { return f == Document || f == Digest }},
		{p.form, func(f Form) bool { return f == Fields }},
		{p.parts, func(f Form) bool { return f == Multipart }},
	}, func(b bodyPart) bool { return b.index < 0 })
}

// held is the type that t is, or is an Optional of.
func held(t reflect.Type) reflect.Type {
	if isOptional(t) {
		return t.Field(0).Type.Elem()
	}
	return t
}

func decodeFacts(dst reflect.Value, facts map[string]string) *Problem {
	values := make(Values, len(facts))
	for name, fact := range facts {
		values[name] = []string{fact}
	}
	if problem := decodeParams(dst, values, "scope"); problem != nil {
		return &Problem{Status: http.StatusInternalServerError, Code: CodeScopeMissing, Detail: problem.Detail}
	}
	return nil
}

// decodeBody reads a body into the part of a payload for its form. Where it has another form, or there is none, that
// part is left out.
func decodeBody(dst reflect.Value, rq *request, part bodyPart) *Problem {
	switch has := part.holds(rq.form) && rq.hasBody; {
	case !has && isOptional(dst.Type()):
		return nil
	case !has && !rq.hasBody && part.holds(Fields): // one without fields, which may all be optional
		return decodeForm(dst, &request{form: Fields})
	case !has:
		return invalid("body is required")
	case rq.form == Fields, rq.form == Multipart:
		form := reflect.New(held(dst.Type()))
		if problem := decodeForm(form.Elem(), rq); problem != nil {
			return problem
		}
		if isOptional(dst.Type()) {
			canon.Hold(dst).Set(form.Elem())
		} else {
			dst.Set(form.Elem())
		}
		return nil
	}
	body, err := rq.body.bytes()
	if err != nil {
		return internalError("the request's body could not be read again")
	}
	switch dst.Type() {
	case opaqueType:
		dst.SetBytes(bytes.Clone(body))
	case optionalOpaqueType:
		dst.Set(reflect.ValueOf(canon.Some(Opaque(bytes.Clone(body)))))
	default:
		if err := canon.Unmarshal(body, dst.Addr().Interface()); err != nil {
			return bodyProblem(err)
		}
	}
	return nil
}

// encodePayload returns the request that decodePayload would have to read to give p, a payload struct,
// so that both have one fingerprint.
func encodePayload(p any, op *Operation) (*request, error) {
	src := reflect.ValueOf(p)
	if !src.IsValid() {
		return nil, errors.New("payload is nil")
	}
	plan, err := payloadPlan(src.Type())
	if err != nil {
		return nil, err
	}
	rq := &request{named: op.PathNames, typed: true}
	for _, part := range []struct {
		index  int
		values *Values
		where  string
	}{{plan.path, &rq.path, "path"}, {plan.query, &rq.query, "query"}, {plan.header, &rq.header, "header"}} {
		if part.index < 0 {
			continue
		}
		if *part.values, err = encodeParams(src.Field(part.index), part.where); err != nil {
			return nil, err
		}
	}
	if plan.scope >= 0 {
		facts, err := encodeParams(src.Field(plan.scope), "scope")
		if err != nil {
			return nil, err
		}
		rq.scope = make(map[string]string, len(facts))
		for name, texts := range facts {
			rq.scope[name] = texts[0]
		}
	}
	mediaType := ""
	if plan.mediaType >= 0 {
		mediaType = src.Field(plan.mediaType).String()
	}
	for _, part := range plan.bodies() {
		if err := encodeBody(rq, op, mediaType, part, src.Field(part.index)); err != nil {
			return nil, err
		}
	}
	return rq, nil
}

// encodeBody sets the body of rq, where part has one.
func encodeBody(rq *request, op *Operation, mediaType string, part bodyPart, src reflect.Value) error {
	if isOptional(src.Type()) && src.IsZero() {
		return nil
	}
	if rq.hasBody {
		return errors.New("more than one body")
	}
	header := http.Header{}
	if mediaType != "" {
		header["Content-Type"] = []string{mediaType}
	}
	m, problem := matchMedia(op, header)
	switch {
	case problem != nil:
		return fmt.Errorf("type: %w", problem)
	case !part.holds(m.form):
		return fmt.Errorf("type: %s is another body's", m.text)
	}
	rq.setMedium(m)
	if m.form == Fields || m.form == Multipart {
		if isOptional(src.Type()) {
			src = src.MethodByName("Get").Call(nil)[0]
		}
		err := encodeForm(rq, src)
		rq.hasBody = m.form == Multipart || len(rq.fields) > 0
		return err
	}
	body, err := encodeText(src)
	switch {
	case err != nil:
		return fmt.Errorf("body: %w", err)
	case len(body) == 0 && isOptional(src.Type()):
		rq.hasBody = false
	case len(body) == 0:
		return errors.New("body is required")
	}
	rq.body = inMemory(body)
	return nil
}

func encodeText(src reflect.Value) ([]byte, error) {
	switch v := src.Interface().(type) {
	case Opaque:
		return v, nil
	case canon.Optional[Opaque]:
		return canon.Or(v, nil), nil
	}
	return canon.Marshal(src.Interface())
}
