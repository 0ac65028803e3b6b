package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	gotoken "go/token"

	"github.com/idemgen/idemgen/gen"
)

// structsOf is a generated file as somebody writes it who wants no more than to decode: its types, with pointers for what is
// optional, and nothing of the runtime.
func structsOf(f gen.File) ([]byte, error) {
	files := gotoken.NewFileSet()
	file, err := parser.ParseFile(files, f.Name, f.Data, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("package bench\n\nimport \"encoding/json\"\n\nvar _ json.RawMessage\n")
	for _, d := range file.Decls {
		types, ok := d.(*ast.GenDecl)
		if !ok || types.Tok != gotoken.TYPE {
			continue
		}
		for _, s := range types.Specs {
			spec := s.(*ast.TypeSpec)
			spec.Type = plain(spec.Type)
		}
		b.WriteString("\n")
		if err := format.Node(&b, files, types); err != nil {
			return nil, err
		}
		b.WriteString("\n")
	}
	return b.Bytes(), nil
}

// plain is a type without the runtime's.
func plain(t ast.Expr) ast.Expr {
	switch t := t.(type) {
	case *ast.StructType:
		for _, f := range t.Fields.List {
			f.Type = plain(f.Type)
		}
	case *ast.ArrayType:
		t.Elt = plain(t.Elt)
	case *ast.MapType:
		t.Value = plain(t.Value)
	case *ast.IndexExpr: // Optional[T], Nullable[T]
		return &ast.StarExpr{X: plain(t.Index)}
	case *ast.SelectorExpr:
		return ast.NewIdent(known[t.Sel.Name])
	}
	return t
}

// known is what stands for a type of the runtime.
var known = map[string]string{
	"Value": "json.RawMessage", "Number": "json.Number", "Integer": "json.Number", "Extra": "map[string]json.RawMessage",
	"Query": "map[string][]string", "Values": "map[string][]string", "Opaque": "[]byte",
	"FormFields": "map[string][]string", "Part": "[]byte", "Parts": "map[string][][]byte", "FormParts": "map[string][][]byte",
}
