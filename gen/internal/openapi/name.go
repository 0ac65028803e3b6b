package openapi

import (
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// name names a type that references lead to.
func (c *converter) name(t *ir.Type, n document.Node) {
	target, ok := c.prune.Pointer(n)
	if !ok {
		return
	}
	t.Ref = target.Pointer
	t.Name = typeName(target, n.File())
}

// structural are the parts of a pointer that do not name anything.
var structural = []string{
	"components", "schemas", "properties", "paths", "requestBody", "requestBodies", "content", "schema",
	"items", "additionalProperties", "parameters", "$defs", "definitions", "allOf", "oneOf", "anyOf", "responses",
}

// typeName is a name for the target of a reference: the component's, or else what the pointer has of
// words, or else the file's.
func typeName(t document.Target, file string) string {
	if t.Section() == "schemas" {
		return t.Path[2]
	}
	var words []string
	for _, p := range t.Path {
		if !slices.Contains(structural, p) && !strings.Contains(p, "+json") && p != "application/json" {
			words = append(words, strings.Trim(p, "/"))
		}
	}
	if len(words) > 0 {
		return strings.Join(words, " ")
	}
	base := file[strings.LastIndex(file, "/")+1:]
	base, _, _ = strings.Cut(base, ".")
	return base
}
