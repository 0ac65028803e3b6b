// Package scaffold writes the files that the user owns, from the templates of package templates.
package scaffold

import (
	"bytes"
	"fmt"
	"go/format"
	"path"
	"slices"
	"strconv"
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

// imported are the packages that the templates import.
var imported = []string{"context", "http", "idem", "idemtest", "testing"}

var parsed = template.Must(template.New("").Option("missingkey=error").ParseFS(templates.FS, "*.tmpl"))

// blanks are what the templates fill in.
type blanks struct {
	Package   string
	Name      string   // what the test calls the package
	Import    string   // the package's import declaration
	Facts     []string // about the actor, that some operation compares; sorted
	Reconcile bool     // some operation asks the service whether the work was done
}

// Files renders the files that package pkg, which is imported by importPath, starts with.
func Files(pkg, importPath string, doc *ir.Document) ([]File, error) {
	b := blanks{Package: pkg, Name: pkg, Import: strconv.Quote(importPath)}
	if slices.Contains(imported, pkg) {
		b.Name = "generated"
	}
	if path.Base(importPath) != b.Name {
		b.Import = b.Name + " " + b.Import
	}
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
		formatted, err := format.Source(data.Bytes()) // sorts the imports
		if err != nil {
			return nil, fmt.Errorf("scaffold %s: %w", name, err)
		}
		files = append(files, File{name, formatted})
	}
	return files, nil
}
