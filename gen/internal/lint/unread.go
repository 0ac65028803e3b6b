package lint

import (
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// named are members that hold names: what stands below such a name is no extension, even if it begins like one.
var named = []string{
	"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependentRequired", "dependencies", "headers", "content", "encoding", "mapping",
	"variables", "callbacks", "links", "schemas", "responses", "parameters", "requestBodies", "securitySchemes", "pathItems", "mediaTypes",
	"scopes", "paths", "webhooks",
}

// values are members that hold what clients send, not what the document says.
var values = []string{"example", "examples", "default", "enum", "const", "value"}

// unread reports extensions that no operation reads: in the responses, in operations without a key and their
// schemas, below callbacks.
func (l *linter) unread(heeds func(document.Node) bool) {
	if heeds == nil {
		return
	}
	reported := map[ir.Pos]bool{}
	for _, p := range l.problems {
		reported[p.Pos] = true
	}
	var walk func(n document.Node, names bool)
	walk = func(n document.Node, names bool) {
		for _, item := range n.Items() {
			walk(item, false)
		}
		for key, value := range n.Members() {
			name := key.Spelt()
			extension := !names && strings.HasPrefix(name, "x-")
			switch {
			case !names && slices.Contains(values, name):
			case extension && strings.HasPrefix(name, "x-idempotency") && !heeds(n) && !reported[key.Pos()] && !reported[value.Pos()]:
				reported[key.Pos()] = true
				l.report(ir.LintPlace, key.Pos(), name+" has no effect here: no request of a keyed operation reads it", "move it to where it is read, or remove it")
			case extension:
			default:
				walk(value, !names && slices.Contains(named, name))
			}
		}
	}
	for _, root := range l.lib.Roots() {
		walk(root, false)
	}
}
