package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/openapi"
	"github.com/idemgen/idemgen/gen/internal/sample"
)

// validity counts what kin-openapi says of samples.
type validity struct {
	valid, all int
	wrong      map[string]int // reasons
	examples   map[string]string
}

func (v *validity) add(where string, err error) {
	if v.all++; err == nil {
		v.valid++
		return
	}
	if v.wrong == nil {
		v.wrong, v.examples = map[string]int{}, map[string]string{}
	}
	reason := err.Error()
	var schema *openapi3.SchemaError
	if ok := asSchemaError(err, &schema); ok {
		reason = schema.SchemaField
	}
	if v.wrong[reason]++; v.examples[reason] == "" {
		v.examples[reason] = where + ": " + strings.Join(strings.Fields(err.Error()), " ")
	}
}

func asSchemaError(err error, to **openapi3.SchemaError) bool {
	for err != nil {
		if s, ok := err.(*openapi3.SchemaError); ok {
			for s.Origin != nil {
				deeper, ok := s.Origin.(*openapi3.SchemaError)
				if !ok {
					break
				}
				s = deeper
			}
			*to = s
			return true
		}
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			return false
		}
		err = u.Unwrap()
	}
	return false
}

func (v *validity) percent() float64 { return 100 * float64(v.valid) / float64(max(1, v.all)) }

// TestSamplesAreValid holds the sample requests of public documents to their schemas, as another library reads them:
// at least 98 of 100, of the requests and of what is changed in them. What is not valid is listed by reason.
func TestSamplesAreValid(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "shared", "corpus")
	names, err := filepath.Glob(filepath.Join(dir, "*.[jy]*"))
	if err != nil || len(names) == 0 {
		t.Skip("there are no public documents beside the project")
	}
	var base, changes validity
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b, c := samplesOf(t, filepath.Base(name), data)
		t.Logf("%-40s %5d requests, %5.1f %% valid; %6d changes, %5.1f %% valid", filepath.Base(name), b.all, b.percent(), c.all, c.percent())
		merge(&base, b)
		merge(&changes, c)
	}
	for what, v := range map[string]*validity{"requests": &base, "changes": &changes} {
		t.Logf("%s: %d of %d valid, %.1f %%", what, v.valid, v.all, v.percent())
		var reasons []string
		for r := range v.wrong {
			reasons = append(reasons, r)
		}
		sort.Slice(reasons, func(i, j int) bool { return v.wrong[reasons[i]] > v.wrong[reasons[j]] })
		for _, r := range reasons {
			t.Logf("  %4d %s: %.300s", v.wrong[r], r, v.examples[r])
		}
		if v.percent() < 98 {
			t.Errorf("only %.1f %% of the %s are valid", v.percent(), what)
		}
	}
}

func merge(to *validity, from validity) {
	to.valid, to.all = to.valid+from.valid, to.all+from.all
	for r, n := range from.wrong {
		if to.wrong == nil {
			to.wrong, to.examples = map[string]int{}, map[string]string{}
		}
		to.wrong[r] += n
		if to.examples[r] == "" {
			to.examples[r] = from.examples[r]
		}
	}
}

// samplesOf validates the samples of a document, of whose operations each that can has a key.
func samplesOf(t *testing.T, name string, data []byte) (base, changes validity) {
	t.Helper()
	fsys := fstest.MapFS{name: {Data: data}}
	annotated, err := Annotate(fsys, AnnotateConfig{Spec: name})
	if err != nil {
		return base, changes // Swagger 2.0
	}
	for _, f := range annotated.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.New}
	}
	doc, problems := openapi.Load(fsys, name)
	if len(problems) > 0 {
		t.Logf("%s: %v", name, problems[0]) // Swagger 2.0
		return base, changes
	}
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = false // nothing is fetched
	theirs, err := loader.LoadFromData(fsys[name].Data)
	if err != nil {
		t.Logf("%s: kin-openapi does not load it: %.200v", name, err)
		return base, changes
	}
	cases, _ := sample.Cases(doc)
	for _, c := range cases {
		item := theirs.Paths.Value(c.Operation.Path)
		if item == nil || item.GetOperation(c.Operation.Method) == nil {
			continue
		}
		op := item.GetOperation(c.Operation.Method)
		where := name + " " + c.Operation.Endpoint
		base.add(where, validRequest(op, item, c.Operation.Path, c.Request))
		for _, ch := range c.Changed {
			r, err := changed(c.Request, ch)
			if err != nil {
				t.Errorf("%s: %s: %v", where, ch.Name, err)
				continue
			}
			changes.add(where+" "+ch.Name, validRequest(op, item, c.Operation.Path, r))
		}
	}
	return base, changes
}

// validRequest validates the path, the query and a JSON body.
func validRequest(op *openapi3.Operation, item *openapi3.PathItem, template string, r sample.Request) error {
	query, err := url.ParseQuery(r.Query)
	if err != nil {
		return err
	}
	path := pathValuesOf(template, r.Path)
	for _, ref := range append(append(openapi3.Parameters{}, item.Parameters...), op.Parameters...) {
		p := ref.Value
		var texts []string
		switch p.In {
		case "path":
			texts = path[p.Name]
		case "query":
			texts = query[p.Name]
		default:
			continue
		}
		if len(texts) == 0 || p.Schema == nil || p.Schema.Value == nil {
			continue
		}
		if err := validText(p.Schema.Value, texts); err != nil {
			return fmt.Errorf("%s parameter %s: %w", p.In, p.Name, err)
		}
	}
	if r.Body == "" || op.RequestBody == nil || op.RequestBody.Value == nil {
		return nil
	}
	media := op.RequestBody.Value.Content.Get(r.ContentType)
	if media == nil || media.Schema == nil || media.Schema.Value == nil || !strings.Contains(r.ContentType, "json") {
		return nil
	}
	var v any
	d := json.NewDecoder(strings.NewReader(r.Body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	return media.Schema.Value.VisitJSON(plainNumbers(v), openapi3.VisitAsRequest(), openapi3.SetSchemaRegexCompiler(asMeant))
}

// asMeant compiles a pattern for kin-openapi, whose own compiler takes Go's alone: /x/i is written as JavaScript does,
// and a lookahead is not checked.
func asMeant(pattern string) (openapi3.RegexMatcher, error) {
	if inner, ok := strings.CutPrefix(pattern, "/"); ok && strings.HasSuffix(strings.TrimSuffix(inner, "i"), "/") {
		pattern = "(?i)" + strings.TrimSuffix(strings.TrimSuffix(inner, "i"), "/")
	}
	if strings.Contains(pattern, "(?!") {
		return regexp.MustCompile(""), nil
	}
	return regexp.Compile(pattern)
}

// plainNumbers are numbers as kin-openapi knows them.
func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := strconv.ParseFloat(v.String(), 64)
		return f
	case map[string]any:
		for k := range v {
			v[k] = plainNumbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	}
	return v
}

// validText validates a parameter's text as its schema's type, each of a list.
func validText(s *openapi3.Schema, texts []string) error {
	if s.Type.Is("array") && s.Items != nil && s.Items.Value != nil {
		s = s.Items.Value
	}
	for _, text := range texts {
		var v any = text
		switch {
		case s.Type.Is("integer"), s.Type.Is("number"):
			f, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return err
			}
			v = f
		case s.Type.Is("boolean"):
			v = text == "true"
		case !s.Type.Is("string"):
			return nil
		}
		if err := s.VisitJSON(v, openapi3.SetSchemaRegexCompiler(asMeant)); err != nil {
			return err
		}
	}
	return nil
}

// pathValuesOf takes the values of a template's whole segments.
func pathValuesOf(template, path string) map[string][]string {
	out := map[string][]string{}
	segments := strings.Split(path, "/")
	for i, s := range strings.Split(template, "/") {
		if name, ok := strings.CutPrefix(s, "{"); ok && strings.HasSuffix(name, "}") && i < len(segments) {
			if text, err := url.PathUnescape(segments[i]); err == nil {
				out[strings.TrimSuffix(name, "}")] = []string{text}
			}
		}
	}
	return out
}

// changed is a request with a change made to its path, query or JSON body.
func changed(r sample.Request, ch sample.Change) (sample.Request, error) {
	if ch.Path != "" {
		r.Path = ch.Path
	}
	if ch.Query != "" {
		r.Query = ch.Query
	}
	if ch.ContentType != "" {
		r.ContentType, r.Body = ch.ContentType, ""
	}
	if ch.Body != "" {
		r.Body = ch.Body
	}
	if ch.At == "" && !ch.Reversed || r.Body == "" {
		return r, nil
	}
	body, err := edited(json.RawMessage(r.Body), ch.At, ch)
	r.Body = string(body)
	return r, err
}

func edited(v json.RawMessage, pointer string, ch sample.Change) (json.RawMessage, error) {
	if pointer == "" {
		if ch.Reversed {
			var items []json.RawMessage
			err := json.Unmarshal(v, &items)
			for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
				items[i], items[j] = items[j], items[i]
			}
			out, _ := json.Marshal(items)
			return out, err
		}
		if ch.Value == "" {
			return nil, nil
		}
		return json.RawMessage(ch.Value), nil
	}
	name, rest, deeper := strings.Cut(pointer[1:], "/")
	if deeper {
		rest = "/" + rest
	}
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	if bytes.HasPrefix(bytes.TrimSpace(v), []byte("[")) {
		var items []json.RawMessage
		if err := json.Unmarshal(v, &items); err != nil {
			return nil, err
		}
		i, err := strconv.Atoi(name)
		if err != nil || i >= len(items) {
			return nil, fmt.Errorf("no item %s", name)
		}
		items[i], err = edited(items[i], rest, ch)
		if items[i] == nil {
			items = append(items[:i], items[i+1:]...)
		}
		out, _ := json.Marshal(items)
		return out, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(v, &members); err != nil {
		return nil, err
	}
	old, known := members[name]
	if !known && (rest != "" || ch.Value == "") {
		return nil, fmt.Errorf("no member %s", name)
	}
	value, err := edited(old, rest, ch)
	if members[name] = value; value == nil {
		delete(members, name)
	}
	out, _ := json.Marshal(members)
	return out, err
}
