package gen

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A fleet is a document of a hundred resources with three operations each, in parts that can stand in any order.
type fleet struct{ paths, schemas []string }

func newFleet() *fleet {
	f := &fleet{schemas: []string{"    Money: {type: object, required: [amount], properties: {amount: {type: number}, currency: {type: string, enum: [SEK, NOK]}}}\n"}}
	for i := range 100 {
		f.add(fmt.Sprintf("r%02d", i), "")
	}
	return f
}

// add adds a resource with a schema of its own.
func (f *fleet) add(name, policy string) {
	f.paths = append(f.paths, strings.NewReplacer("NAME", name, "POLICY", policy).Replace(`
  /NAME:
    post:
      x-idempotency-endpoint: NAME.create
      POLICY
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NAME"}}}}
      responses: {"201": {description: made}}
  /NAME/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    patch:
      x-idempotency-endpoint: NAME.update
      parameters: [{name: dry, in: query, schema: {type: boolean}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {state: {type: string, enum: [on, off]}, at: {type: object, properties: {line: {type: string}}}, or: {oneOf: [{$ref: "#/components/schemas/NAME"}, {$ref: "#/components/schemas/Money"}]}}}}}}
      responses: {"200": {description: changed}}
    delete:
      x-idempotency-endpoint: NAME.delete
      responses: {"204": {description: gone}}
`))
	f.schemas = append(f.schemas, strings.ReplaceAll(`    NAME: {type: object, properties: {price: {$ref: "#/components/schemas/Money"}, next: {$ref: "#/components/schemas/NAME"}, kinds: {type: array, items: {type: string, enum: [a, b]}}}}
`, "NAME", name))
}

// files generates the document.
func (f *fleet) files(t *testing.T) map[string]string {
	t.Helper()
	text := head + strings.Join(f.paths, "") + "components:\n  schemas:\n" + strings.Join(f.schemas, "")
	out, err := Generate(document(text), Config{Spec: "openapi.yaml", Package: "fleet"})
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, file := range out.Files {
		files[file.Name] = string(file.Data)
	}
	if len(files) < 101 {
		t.Fatalf("%d files: the handlers are not parted", len(files))
	}
	return files
}

func (f *fleet) shuffle(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, seed))
	for _, parts := range [][]string{f.paths, f.schemas} {
		rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
}

// Where operations and schemas stand in the document makes no difference at all.
func TestOrderInTheDocumentLeavesNoTrace(t *testing.T) {
	t.Parallel()
	f := newFleet()
	want := f.files(t)
	for seed := range uint64(2) {
		f.shuffle(seed)
		got := f.files(t)
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s depends on the order", name)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d files, want %d", len(got), len(want))
		}
	}
}

// A new operation with a new schema adds lines, wherever it stands in the document and among the keys: no line of a
// file goes or moves.
func TestAnAdditionOnlyAddsLines(t *testing.T) {
	t.Parallel()
	before := newFleet().files(t)
	for _, name := range []string{"a0", "r50a", "z9"} {
		f := newFleet()
		f.add(name, "x-idempotency: {lease: 3s}")
		f.shuffle(1)
		after := f.files(t)
		for file, text := range before {
			rest := strings.SplitAfter(after[file], "\n")
			for line := range strings.Lines(text) {
				at := slices.Index(rest, line)
				if at < 0 {
					t.Errorf("with %s, %s loses or moves the line %q", name, file, line)
					break
				}
				rest = rest[at+1:]
			}
		}
	}
}
