// Package scaffold writes the files that the user owns, from the templates of package templates.
package scaffold

import (
	"bytes"
	"fmt"
	"slices"
	"text/template"

	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/templates"
)

// A File is one scaffolded file.
type File struct {
	Name string
	Data []byte
}

// names are the files that a package starts with.
var names = []string{"idempotency_test.go"}

var parsed = template.Must(template.New("").Option("missingkey=error").ParseFS(templates.FS, "*.tmpl"))

// blanks are what the templates fill in.
type blanks struct {
	Package   string
	Facts     []string // about the actor, that some operation compares; sorted
	Reconcile bool     // some operation asks the service whether the work was done
}

// Files renders the files that package pkg starts with.
func Files(pkg string, doc *ir.Document) ([]File, error) {
	b := blanks{Package: pkg}
	for _, op := range doc.Operations {
		b.Facts = append(b.Facts, op.Scope...)
		b.Reconcile = b.Reconcile || op.Policy.OnUnknown == "reconcile"
	}
	slices.Sort(b.Facts)
	b.Facts = slices.Compact(b.Facts)

	files := make([]File, 0, len(names))
	for _, name := range names {
		var data bytes.Buffer
		if err := parsed.ExecuteTemplate(&data, name+".tmpl", b); err != nil {
			return nil, fmt.Errorf("scaffold %s: %w", name, err)
		}
		files = append(files, File{name, data.Bytes()})
	}
	return files, nil
}
