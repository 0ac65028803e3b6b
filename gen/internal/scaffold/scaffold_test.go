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
		files, err := Files("ledgeridem", "example.com/app/ledgeridem", doc)
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
			if !strings.HasPrefix(string(f.Data), "package ledgeridem_test\n") {
				t.Errorf("%s: %s does not open with its package clause, so it may look like a generated file:\n%s", name, f.Name, f.Data)
			}
		}
	}
}

func TestFactsAreNamedOnce(t *testing.T) {
	t.Parallel()
	files, err := Files("p", "example.com/p", &ir.Document{Operations: []*ir.Operation{{Scope: []string{"b"}}, {Scope: []string{"a", "b"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := `map[string]string{"a": "test", "b": "test"}`; !strings.Contains(string(files[0].Data), want) {
		t.Errorf("no %s in\n%s", want, files[0].Data)
	}
}

// The test stands outside the package, because the service that takes the stub's place imports it.
func TestThePackageIsImported(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ pkg, path, declaration, call string }{
		{"p", "example.com/p", `"example.com/p"`, "p.Middleware("},
		{"p", "example.com/go-p", `p "example.com/go-p"`, "p.Middleware("},
		{"idem", "example.com/idem", `generated "example.com/idem"`, "generated.Middleware("},
	} {
		files, err := Files(tc.pkg, tc.path, &ir.Document{})
		if err != nil {
			t.Fatal(err)
		}
		text := string(files[0].Data)
		if !strings.Contains(text, "\n\t"+tc.declaration+"\n") || !strings.Contains(text, tc.call) {
			t.Errorf("%s in %s: no %s or %s in\n%s", tc.pkg, tc.path, tc.declaration, tc.call, text)
		}
	}
}
