package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// What a description says stays in comments and literals (case G32).
func TestNothingEscapesFromADescription(t *testing.T) {
	t.Parallel()
	for _, f := range formatted(t, traps()) {
		file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if !ast.IsGenerated(file) {
			t.Errorf("%s is not marked as generated", f.Name)
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && !strings.Contains(f.Name, "handlers") && !strings.HasPrefix(fn.Name.Name, "TestIdempotency") {
				t.Errorf("%s declares the function %s", f.Name, fn.Name)
			}
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if c.Text != "//" && !strings.HasPrefix(c.Text, "// ") || strings.HasPrefix(c.Text, "// +build") {
					t.Errorf("%s has the comment %q", f.Name, c.Text)
				}
			}
		}
		if i := strings.IndexAny(string(f.Data), "\r\u0085\u2028\u202e\ufeff"); i >= 0 {
			t.Errorf("%s has a character that cannot be seen: %q", f.Name, f.Data[max(0, i-40):i+4])
		}
	}
}

// A new operation is lines that are added, wherever its key stands: none of the old ones moves, in files that are
// parted either.
func TestANewOperationOnlyAddsLines(t *testing.T) {
	t.Parallel()
	for _, most := range []int{mostLines, 0} {
		for _, key := range []string{"a.first", "claims.zap", "zebras.last"} {
			doc := ledger()
			shared := component("Middle", object(may("m", enum(`"1"`))))
			op := taking(post(key, "/new"), object(may("x", object(may("y", enum(`"1"`)), may("z", shared)))))
			op.Policy = ir.Policy{Lease: time.Second} // a first import of time, perhaps
			doc.Operations = append([]*ir.Operation{op}, doc.Operations...)
			doc.Types = append(doc.Types, shared)
			after := make(map[string]string)
			for _, f := range formattedParts(t, doc, most) {
				after[f.Name] = string(f.Data)
			}
			for _, before := range formattedParts(t, ledger(), most) {
				if line, ok := lost(string(before.Data), after[before.Name]); ok {
					t.Errorf("%s: %s loses or moves the line %q", key, before.Name, line)
				}
			}
		}
	}
}

// lost is the first line of before that is not in after, below the one before it.
func lost(before, after string) (string, bool) {
	rest := strings.SplitAfter(after, "\n")
	for line := range strings.Lines(before) {
		at := slices.Index(rest, line)
		if at < 0 {
			return line, true
		}
		rest = rest[at+1:]
	}
	return "", false
}

func TestWhatCannotBePrinted(t *testing.T) {
	t.Parallel()
	plan, problems := NewPlan(ledger())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, pkg := range []string{"", "_", "my-pkg", "func", "a b", "x\nfunc init() {}"} {
		if _, err := plan.Files(pkg, nil); err == nil {
			t.Errorf("package %q is printed", pkg)
		}
	}
	if _, err := plan.Files("p", []TestCase{{Endpoint: "claims.close"}}); err == nil {
		t.Error("a test of an operation that is not there is printed")
	}
}
