package scaffold

import (
	"go/format"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

func TestFilesAreFormattedAndOwnedByTheUser(t *testing.T) {
	t.Parallel()
	docs := map[string]*ir.Document{
		"plain": {},
		"with everything": {Operations: []*ir.Operation{
			{Scope: []string{"region", "role"}},
			{Scope: []string{"role"}, Policy: ir.Policy{OnUnknown: "reconcile"}},
		}},
	}
	for name, doc := range docs {
		files, err := Files("ledgeridem", doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			formatted, err := format.Source(f.Data)
			if err != nil {
				t.Fatalf("%s: %s: %v\n%s", name, f.Name, err, f.Data)
			}
			if string(formatted) != string(f.Data) {
				t.Errorf("%s: %s is not formatted:\n%s", name, f.Name, f.Data)
			}
			if !strings.HasPrefix(string(f.Data), "package ledgeridem\n") {
				t.Errorf("%s: %s does not open with its package clause, so it may look like a generated file:\n%s", name, f.Name, f.Data)
			}
		}
	}
}

func TestFactsAreNamedOnce(t *testing.T) {
	t.Parallel()
	files, err := Files("p", &ir.Document{Operations: []*ir.Operation{{Scope: []string{"b"}}, {Scope: []string{"a", "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := `map[string]string{"a": "test", "b": "test"}`; !strings.Contains(string(files[0].Data), want) {
		t.Errorf("no %s in\n%s", want, files[0].Data)
	}
}
