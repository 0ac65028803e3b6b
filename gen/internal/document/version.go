package document

import (
	"fmt"
	"regexp"
)

var versions = regexp.MustCompile(`^3\.[012](\.[0-9]+)?$`)

// IsOpenAPI checks what kind of document this is, and reports one that is not read.
func (l *Library) IsOpenAPI() bool {
	root := l.Root()
	if !root.IsMapping() {
		l.Report(root.Pos(), "the file is no OpenAPI document but holds "+root.What(), "give an OpenAPI 3 document")
		return false
	}
	if key, v := root.Member("swagger"); !key.IsZero() {
		l.Report(key.Pos(), fmt.Sprintf("the document is Swagger %s", v.Spelt()), "convert it to OpenAPI 3")
		return false
	}
	v := root.Get("openapi")
	switch {
	case v.IsZero():
		l.Report(root.Pos(), "the file is no OpenAPI document: it does not say "+root.Spell("openapi: 3.1.0", `"openapi": "3.1.0"`), "give an OpenAPI 3 document")
		return false
	case !versions.MatchString(v.Spelt()):
		l.Report(v.Pos(), fmt.Sprintf("OpenAPI version %q is not known", v.Spelt()), "use 3.0, 3.1 or 3.2")
		return false
	}
	return true
}
