package golang

import (
	"flag"
	"go/format"
	"os"
	"path/filepath"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// documents are those that golden files exist for.
var documents = map[string]func() *ir.Document{
	"empty":  func() *ir.Document { return &ir.Document{} }, // keyed operations come later
	"ledger": ledger,
	"forms":  forms,
	"traps":  traps,
}

// formatted prints a document, with one test case for each operation, and formats the files. Package gen parts the imports, too.
func formatted(t *testing.T, doc *ir.Document) []File {
	t.Helper()
	return formattedParts(t, doc, mostLines)
}

// formattedParts is formatted, with files of at most so many lines where they can be parted.
func formattedParts(t *testing.T, doc *ir.Document, most int) []File {
	t.Helper()
	plan, problems := NewPlan(doc)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	plan.most = most
	files, err := plan.Files("ledgeridem", casesOf(doc))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		files[i].Data = gofmt(t, f)
	}
	return files
}

func gofmt(t *testing.T, f File) []byte {
	t.Helper()
	data, err := format.Source(f.Data)
	if err != nil {
		t.Fatalf("%s: %v\n%s", f.Name, err, f.Data)
	}
	if again, err := format.Source(data); string(again) != string(data) || err != nil {
		t.Fatalf("%s is laid out otherwise the second time: %v\n%s", f.Name, err, again)
	}
	return data
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, document := range documents {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, f := range formatted(t, document()) {
				golden(t, filepath.Join("testdata", name, f.Name+".golden"), f.Data)
			}
		})
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs; run go test -update and read the diff. Got:\n%s", path, got)
	}
}
