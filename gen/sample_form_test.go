package gen

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/sample"
)

// field is what a form or a query says of one name: its texts, or what is in brackets behind it.
type field struct {
	texts   []string
	members map[string]*field
}

// in is the field of a name with brackets, a[b][c].
func (f *field) in(name string) *field {
	if f.members == nil {
		f.members = map[string]*field{}
	}
	first, rest, deeper := strings.Cut(name, "[")
	first = strings.TrimSuffix(first, "]")
	if f.members[first] == nil {
		f.members[first] = &field{}
	}
	if deeper {
		return f.members[first].in(rest)
	}
	return f.members[first]
}

// validForm validates the fields of a form as the object that they stand for. What is sent as no object of the schema, because
// a style says nothing of it, is not looked at.
func validForm(media *openapi3.MediaType, r sample.Request) error {
	s := media.Schema.Value
	root := &field{}
	for _, encoded := range []string{r.Form, r.Files} {
		values, err := url.ParseQuery(encoded)
		if err != nil {
			return err
		}
		for name, texts := range values {
			into := root.in(name)
			if propertyOf(s, name, 0) != nil {
				root.members[name] = &field{}
				into = root.members[name]
			}
			if e := media.Encoding[name]; e != nil && e.Explode != nil && !*e.Explode && e.Style != "deepObject" {
				texts = strings.Split(texts[0], ",")
			}
			into.texts = append(into.texts, texts...)
		}
	}
	object, _ := typed(s, root).(map[string]any)
	if !strings.HasPrefix(r.ContentType, "multipart/") {
		for name := range object {
			p := propertyOf(s, name, 0)
			if p != nil && (isObject(p) || itemOf(p) != nil && isObject(itemOf(p))) && len(root.members[name].members) == 0 {
				delete(object, name)
			}
		}
	}
	err := visit(s, object)
	if missing, ok := missingOf(err); ok && propertyOf(s, missing, 0) != nil && !isText(propertyOf(s, missing, 0)) {
		return nil // sent under other names
	}
	return err
}

// missingOf is the member of the outermost object that an error says is missing.
func missingOf(err error) (string, bool) {
	var schema *openapi3.SchemaError
	if !asSchemaError(err, &schema) || schema.SchemaField != "required" || len(schema.JSONPointer()) != 1 {
		return "", false
	}
	return schema.JSONPointer()[0], true
}

func isObject(s *openapi3.Schema) bool {
	return s.Type.Is("object") || len(s.Properties) > 0
}

func isText(s *openapi3.Schema) bool {
	return s.Type.Is("string") || s.Type.Is("integer") || s.Type.Is("number") || s.Type.Is("boolean") || s.Type.Is("array")
}

// choices are the schemas that a value may have to meet: the schema, and those that it is made of.
func choices(s *openapi3.Schema, depth int) []*openapi3.Schema {
	out := []*openapi3.Schema{s}
	if depth > 6 {
		return out
	}
	for _, list := range []openapi3.SchemaRefs{s.AllOf, s.OneOf, s.AnyOf} {
		for _, ref := range list {
			if ref.Value != nil {
				out = append(out, choices(ref.Value, depth+1)...)
			}
		}
	}
	return out
}

func propertyOf(s *openapi3.Schema, name string, depth int) *openapi3.Schema {
	for _, c := range choices(s, depth) {
		if p := c.Properties[name]; p != nil {
			return p.Value
		}
	}
	for _, c := range choices(s, depth) {
		if rest := c.AdditionalProperties.Schema; rest != nil {
			return rest.Value
		}
	}
	return nil
}

// typed is a field as a JSON value that its schema might take.
func typed(s *openapi3.Schema, f *field) any {
	if items, ok := indexed(s, f); ok {
		return items
	}
	if len(f.members) > 0 {
		object := map[string]any{}
		for name, m := range f.members {
			p := propertyOf(s, name, 0)
			if p == nil {
				p = &openapi3.Schema{}
			}
			object[name] = typed(p, m)
		}
		return object
	}
	if text := scalarOf(s, strings.Join(f.texts, ",")); len(f.texts) == 1 && visit(s, text) == nil {
		return text
	}
	if item := itemOf(s); item != nil {
		var items []any
		for _, text := range f.texts {
			items = append(items, scalarOf(item, text))
		}
		return items
	}
	return scalarOf(s, strings.Join(f.texts, ","))
}

// indexed are the items of a list that each have their number in brackets; false where the schema takes no list, or the
// names are no numbers.
func indexed(s *openapi3.Schema, f *field) ([]any, bool) {
	item := itemOf(s)
	if item == nil || len(f.members) == 0 {
		return nil, false
	}
	items := make([]any, len(f.members))
	for i := range items {
		m := f.members[strconv.Itoa(i)]
		if m == nil {
			return nil, false
		}
		items[i] = typed(item, m)
	}
	return items, true
}

// itemOf is the schema of a list's items; nil where the schema takes no list.
func itemOf(s *openapi3.Schema) *openapi3.Schema {
	for _, c := range choices(s, 0) {
		if c.Type.Includes("array") {
			if c.Items != nil && c.Items.Value != nil {
				return c.Items.Value
			}
			return &openapi3.Schema{}
		}
	}
	return nil
}

// scalarOf is a text as the first type that takes it.
func scalarOf(s *openapi3.Schema, text string) any {
	for _, c := range choices(s, 0) {
		switch {
		case c.Type.Includes("object"):
			if v, err := parsed(text); err == nil {
				return v
			}
		case c.Type.Includes("integer"), c.Type.Includes("number"):
			if f, err := strconv.ParseFloat(text, 64); err == nil {
				return f
			}
		case c.Type.Includes("boolean") && (text == "true" || text == "false"):
			return text == "true"
		case c.Type.Includes("string"):
			return text
		}
	}
	return text
}
