package gen

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// odd are documents of ours that nothing can be said of: schemas that no value satisfies, and names with brackets of their
// own, which another reader of forms takes apart.
var odd = []string{"recursive", "formnames", "routes"}

// TestSamplesAreValid holds the sample requests of documents to their schemas, as another library reads them: all of ours,
// and at least 98 of 100 of public ones, of the requests and of what is changed in them. What is not valid is listed by
// reason.
func TestSamplesAreValid(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		what, files string
		least       float64
	}{
		{"our documents", filepath.Join(goldenDir, "*", "openapi.yaml"), 100},
		{"public documents", filepath.Join("..", "..", "shared", "corpus", "*.[jy]*"), 98},
	} {
		t.Run(of.what, func(t *testing.T) {
			t.Parallel()
			names, err := filepath.Glob(of.files)
			if err != nil || len(names) == 0 {
				t.Skip("there are no " + of.what + ": " + of.files)
			}
			samplesIn(t, names, of.least)
		})
	}
}

func samplesIn(t *testing.T, names []string, least float64) {
	var base, changes validity
	for _, name := range names {
		if slices.Contains(odd, filepath.Base(filepath.Dir(name))) {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		short := strings.TrimPrefix(filepath.ToSlash(name), filepath.ToSlash(filepath.Dir(filepath.Dir(name)))+"/")
		b, c := samplesOf(t, short, data)
		t.Logf("%-48s %5d requests, %5.1f %% valid; %6d changes, %5.1f %% valid", short, b.all, b.percent(), c.all, c.percent())
		merge(&base, b)
		merge(&changes, c)
	}
	for _, of := range []struct {
		what string
		v    *validity
	}{{"requests", &base}, {"changes", &changes}} {
		t.Logf("%s: %d of %d valid, %.2f %%", of.what, of.v.valid, of.v.all, of.v.percent())
		for _, r := range slices.SortedFunc(maps.Keys(of.v.wrong), func(a, b string) int { return cmp.Or(of.v.wrong[b]-of.v.wrong[a], strings.Compare(a, b)) }) {
			t.Logf("  %4d %s: %.300s", of.v.wrong[r], r, of.v.examples[r])
		}
		if of.v.percent() < least {
			t.Errorf("only %.2f %% of the %s are valid", of.v.percent(), of.what)
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
		for _, ch := range slices.Concat(c.Changed, c.Same) {
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
