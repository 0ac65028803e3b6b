package document

import (
	"slices"
	"strconv"
	"strings"
)

// fixed are the members of an OpenAPI document that hold no schema themselves. Others, such as x-types
// or $defs, may hold what they like.
var fixed = []string{
	"openapi", "$self", "info", "jsonSchemaDialect", "servers", "paths", "webhooks", "components", "security", "tags", "externalDocs",
}

// Keywords of a schema that hold schemas: one, by name, or in a list. items is a list in old schemas.
var (
	holdOne   = []string{"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema", "additionalItems"}
	holdNamed = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
	holdList  = []string{"allOf", "oneOf", "anyOf", "prefixItems", "items"}
)

// mayBeSchema tells from a target's place whether a schema can be there. In a file that is no OpenAPI
// document, and below extensions, one can be anywhere.
func (t Target) mayBeSchema() bool {
	if root := (Node{t.file, t.file.tree}); root.Get("openapi").IsZero() {
		return true
	}
	if len(t.Path) == 0 {
		return false
	}
	if !slices.Contains(fixed, t.Path[0]) {
		return true
	}
	rest := t.Path
	switch at := slices.Index(rest, "schema"); {
	case len(rest) >= 3 && rest[0] == "components" && rest[1] == "schemas":
		rest = rest[3:]
	case at >= 0:
		rest = rest[at+1:]
	default:
		return slices.ContainsFunc(rest, isExtension)
	}
	return inSchema(rest)
}

// inSchema tells whether the parts of a pointer lead from a schema to a schema.
func inSchema(parts []string) bool {
	for len(parts) > 0 {
		part, next := parts[0], ""
		if len(parts) > 1 {
			next = parts[1]
		}
		_, err := strconv.Atoi(next)
		switch {
		case isExtension(part):
			return true
		case slices.Contains(holdNamed, part) && len(parts) > 1, slices.Contains(holdList, part) && err == nil:
			parts = parts[2:]
		case slices.Contains(holdOne, part):
			parts = parts[1:]
		default:
			return false
		}
	}
	return true
}

func isExtension(part string) bool { return strings.HasPrefix(part, "x-") }
