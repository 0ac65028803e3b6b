package golang

import (
	"go/build"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// names of files that are printed.
func fileNames(files []File) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

func TestFilesThatGetTooLongAreParted(t *testing.T) {
	t.Parallel()
	whole := []string{"endpoints.gen.go", "payloads.gen.go", "handlers.gen.go", "idempotency.gen_test.go"}
	if got := fileNames(formattedParts(t, ledger(), 150)); !slices.Equal(got, whole) {
		t.Errorf("not too long, but parted into %v", got)
	}
	want := []string{
		"endpoints.gen.go", "endpoints.claims.gen.go", "endpoints.evidence.gen.go", "endpoints.submissions.gen.go",
		"payloads.claims.gen.go", "payloads.evidence.gen.go", "payloads.submissions.gen.go",
		"schemas.c.gen.go", "schemas.e.gen.go", "schemas.n.gen.go",
		"handlers.gen.go", "handlers.claims.gen.go", "handlers.evidence.gen.go", "handlers.submissions.gen.go",
		"idempotency.gen_test.go", "idempotency.claims.gen_test.go", "idempotency.evidence.gen_test.go", "idempotency.submissions.gen_test.go",
	}
	if got := fileNames(formattedParts(t, ledger(), 0)); !slices.Equal(got, want) {
		t.Errorf("parted into %v\nwant %v", got, want)
	}
	// Each kind of file by itself: the handlers are too long, and the payloads only together with the schemas.
	want = []string{
		"endpoints.gen.go", "payloads.gen.go", "schemas.gen.go",
		"handlers.gen.go", "handlers.claims.gen.go", "handlers.evidence.gen.go", "handlers.submissions.gen.go", "idempotency.gen_test.go",
	}
	if got := fileNames(formattedParts(t, ledger(), 90)); !slices.Equal(got, want) {
		t.Errorf("parted into %v\nwant %v", got, want)
	}
}

// Parts are one package, on every system, whatever the segments say; and no file takes another's place, where a
// file system folds letters either.
func TestNamesOfPartsMeanNothing(t *testing.T) {
	t.Parallel()
	doc := &ir.Document{}
	keys := []string{"linux", "windows.amd64", "amd64.x", "js-wasm.x", "a_linux_arm64.x", "test.x", "a_test.x", "a.b", "ab.c", "a-b.c", "a_b.d",
		"con.x", "nul.x", "3d.x", "gen.x", "one-word", "one_more"}
	for _, key := range keys {
		doc.Operations = append(doc.Operations, taking(post(key, "/"+key), component("S"+key, object())))
	}
	dir := t.TempDir()
	folded := make(map[string]string)
	elsewhere := build.Context{GOOS: "plan9", GOARCH: "mips", Compiler: "gc"}
	files := formattedParts(t, doc, 0)
	for _, f := range files {
		write(t, filepath.Join(dir, f.Name), f.Data)
		if ok, err := elsewhere.MatchFile(dir, f.Name); !ok || err != nil {
			t.Errorf("%s is not built everywhere: %v", f.Name, err)
		}
		if test := strings.HasPrefix(f.Name, "idempotency."); test != strings.HasSuffix(f.Name, "_test.go") {
			t.Errorf("%s is taken for a test: %v", f.Name, !test)
		}
		if f.Name != filepath.Base(f.Name) || strings.Trim(f.Name, "._") != f.Name {
			t.Errorf("%s is not the name of a Go file", f.Name)
		}
		if other, taken := folded[strings.ToLower(f.Name)]; taken {
			t.Errorf("%s and %s are one name", f.Name, other)
		}
		folded[strings.ToLower(f.Name)] = f.Name
	}
	if len(files) < 4*14 {
		t.Errorf("parted into %d files", len(files))
	}
}

func TestSegment(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"claims.create": "claims", "claims": "claims", "payment-links.create": "payment-links", "claims-create": "claims", "claims_create-x": "claims", "a-b.c.d": "a-b",
	} {
		if got := segment(key); got != want {
			t.Errorf("segment(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestLetter(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Claim": "c", "Zulu": "z", "X3D": "x", "Ärger": "x", "Ωmega": "x"} {
		if got := letter(name); got != want {
			t.Errorf("letter(%q) = %q, want %q", name, got, want)
		}
	}
}
