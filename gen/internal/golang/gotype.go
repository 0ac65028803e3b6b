package golang

import "github.com/dave/jennifer/jen"

// Import paths of what generated code imports.
const (
	canonPath    = "github.com/idemgen/idemgen/runtime/canon"
	idemPath     = "github.com/idemgen/idemgen/runtime/idem"
	idemtestPath = "github.com/idemgen/idemgen/runtime/idemtest"
)

// A goType is a Go type as it is written.
type goType struct {
	path string  // of its package; empty: the generated one, or predeclared
	name string  // "[]" is a slice, "map" a map with string keys
	elem *goType // of a slice or map, or the type argument
}

var canonValue = goType{path: canonPath, name: "Value"}

func plain(name string) goType    { return goType{name: name} }
func inCanon(name string) goType  { return goType{path: canonPath, name: name} }
func inIdem(name string) goType   { return goType{path: idemPath, name: name} }
func sliceOf(elem goType) goType  { return goType{name: "[]", elem: &elem} }
func mapOf(elem goType) goType    { return goType{name: "map", elem: &elem} }
func optional(elem goType) goType { return goType{path: canonPath, name: "Optional", elem: &elem} }
func nullable(elem goType) goType { return goType{path: canonPath, name: "Nullable", elem: &elem} }
func (t goType) code() *jen.Statement {
	switch {
	case t.name == "[]":
		return jen.Index().Add(t.elem.code())
	case t.name == "map":
		return jen.Map(jen.String()).Add(t.elem.code())
	case t.path == "":
		return jen.Id(t.name)
	case t.elem != nil:
		return jen.Qual(t.path, t.name).Types(t.elem.code())
	default:
		return jen.Qual(t.path, t.name)
	}
}
