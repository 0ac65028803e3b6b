package openapi

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

const corpusFolder = "../../../../shared/corpus"

// clean are public documents of which every mutating operation loads when it is marked.
var clean = []string{
	"adyen-CheckoutService-v71.yaml", "adyen-TransferService-v4.yaml", "coinbase-cdp.yaml", "conekta-api.yaml",
	"formance-ledger.yaml", "github-api.github.com.yaml", "kubernetes-v3_api.v1.json", "moov-paygate-client.yaml",
	"obbrasil-payments-4.0.0.yml", "obuk-payment-initiation.yaml", "paypal-checkout_orders_v2.json",
	"sumup-openapi.json", "svix-lib-openapi.json", "temporal-openapiv3.yaml",
}

// Public documents as they are found, with every mutating operation marked in memory. They are not
// part of the module. What some of them have wrong is theirs; nothing else may be reported.
func TestPublicDocuments(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(corpusFolder)
	if err != nil {
		t.Skip("no public documents here")
	}
	for _, e := range entries {
		name := e.Name()
		if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" && ext != ".json" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(corpusFolder, name))
			if err != nil {
				t.Fatal(err)
			}
			marked, count := mark(t, name, text)
			start := time.Now()
			doc, problems := Load(fstest.MapFS{name: {Data: marked}}, name)
			if spent := time.Since(start); spent > 20*time.Second {
				t.Errorf("took %v", spent)
			}
			if doc != nil && len(doc.Operations) != count {
				t.Errorf("%d operations, want %d", len(doc.Operations), count)
			}
			for _, p := range problems {
				if slices.Contains(clean, name) || strings.Contains(p.What, "fault of the generator") || strings.Contains(p.What, "kin-openapi") {
					t.Error(show(p))
				}
			}
		})
	}
}

// A document in many files: each is read once, and references between them lead to one type each.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	folder := corpusFolder + "/multi/conekta"
	text, err := os.ReadFile(folder + "/api.yaml")
	if err != nil {
		t.Skip("no public documents here")
	}
	fsys := overlay{os.DirFS(folder), fstest.MapFS{"api.yaml": {Data: text}}}
	lib := document.Open(fsys, "api.yaml")
	for key, item := range lib.Root().Get("paths").Members() {
		if target := lib.Resolve(item, "pathItems", "a path item"); target.File() != "api.yaml" {
			name := target.File()
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			fsys.over[name] = &fstest.MapFile{Data: insert(t, name, data, operations(target), strings.Trim(strings.NewReplacer("/", ".", "{", "", "}", "", "_", "-").Replace(key.Spelt()), "."))}
		}
	}
	doc, problems := Load(fsys, "api.yaml")
	for _, p := range problems {
		t.Error(show(p))
	}
	if doc != nil && (len(doc.Operations) < 60 || len(doc.Types) > 300) {
		t.Errorf("%d operations, %d types", len(doc.Operations), len(doc.Types))
	}
}

// overlay reads over first.
type overlay struct {
	fs.FS
	over fstest.MapFS
}

func (o overlay) Open(name string) (fs.File, error) {
	if _, ok := o.over[name]; ok {
		return o.over.Open(name)
	}
	return o.FS.Open(name)
}

// mark gives every mutating operation of a single file an endpoint key.
func mark(t *testing.T, name string, text []byte) ([]byte, int) {
	t.Helper()
	lib := document.Open(fstest.MapFS{name: {Data: text}}, name)
	var ops []document.Node
	for _, item := range lib.Root().Get("paths").Members() {
		ops = append(ops, operations(item)...)
	}
	return insert(t, name, text, ops, "op"), len(ops)
}

// operations are the mutating operations of a path item that have a first key to insert before.
func operations(item document.Node) []document.Node {
	var ops []document.Node
	for key, op := range item.Members() {
		if slices.Contains([]string{"post", "put", "patch", "delete"}, key.Spelt()) && op.Len() > 0 {
			ops = append(ops, op)
		}
	}
	return ops
}

// insert writes an endpoint key before the first member of each of ops.
func insert(t *testing.T, name string, text []byte, ops []document.Node, prefix string) []byte {
	t.Helper()
	var at []ir.Pos
	for _, op := range ops {
		for key := range op.Members() {
			at = append(at, key.Pos())
			break
		}
	}
	slices.SortFunc(at, func(a, b ir.Pos) int { return cmp.Or(b.Line-a.Line, b.Col-a.Col) })
	lines := bytes.Split(text, []byte("\n"))
	for i, p := range at {
		line := []rune(string(lines[p.Line-1]))
		mark := fmt.Sprintf("x-idempotency-endpoint: %s.n%d\n%s", prefix, i, strings.Repeat(" ", p.Col-1))
		if filepath.Ext(name) == ".json" {
			mark = fmt.Sprintf("%q: %q, ", "x-idempotency-endpoint", fmt.Sprintf("%s.n%d", prefix, i))
		}
		lines[p.Line-1] = []byte(string(line[:p.Col-1]) + mark + string(line[p.Col-1:]))
	}
	return bytes.Join(lines, []byte("\n"))
}
