package annotate

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// component is a component that operations refer to. One that is not there yet is added when something needs it.
type component struct {
	section, name string
	value         splice.Value
	there, used   bool
}

// shared are the components that this package adds, each once.
type shared struct {
	parameter, invalid, conflict, mismatch, problem component
}

// findShared finds the shared components, or names for them that are free.
func (a *annotator) findShared() {
	s := &a.shared
	s.parameter = a.component("parameters", "IdempotencyKey", a.isHeader)
	if !s.parameter.there {
		if name, ok := a.headerComponent(); ok {
			s.parameter = component{section: "parameters", name: name, there: true}
		}
	}
	s.parameter.value = splice.Map{
		{Key: "name", Value: a.header()}, {Key: "in", Value: "header"}, {Key: "required", Value: true},
		{Key: "description", Value: "Made by the client, once for each thing it wants done, and sent again with each retry."},
		{Key: "schema", Value: splice.Map{{Key: "type", Value: "string"}, {Key: "minLength", Value: 1}, {Key: "maxLength", Value: a.maxLength()}}},
	}
	s.problem = a.component("schemas", "IdempotencyProblem", declaresCode)
	s.problem.value = problemSchema
	s.invalid = a.component("responses", "IdempotencyKeyInvalid", a.isProblem)
	s.conflict = a.component("responses", "IdempotencyConflict", a.isProblem)
	s.mismatch = a.component("responses", "IdempotencyMismatch", a.isProblem)
}

// maxLength is how long a key may be.
func (a *annotator) maxLength() int {
	n := 0
	if _, err := fmt.Sscan(a.root.Get("x-idempotency").Get("max-length").Spelt(), &n); err == nil && n > 0 {
		return n
	}
	return 200
}

// problemSchema is RFC 9457 as the runtime writes it.
var problemSchema = splice.Map{
	{Key: "description", Value: "RFC 9457 problem details."},
	{Key: "type", Value: "object"},
	{Key: "required", Value: splice.List{"type", "title", "status", "code", "detail", "message"}},
	{Key: "properties", Value: splice.Map{
		{Key: "type", Value: splice.Map{{Key: "type", Value: "string"}}},
		{Key: "title", Value: splice.Map{{Key: "type", Value: "string"}}},
		{Key: "status", Value: splice.Map{{Key: "type", Value: "integer"}}},
		{Key: "code", Value: splice.Map{{Key: "type", Value: "string"}, {Key: "description", Value: "What a program decides by."}}},
		{Key: "detail", Value: splice.Map{{Key: "type", Value: "string"}}},
		{Key: "message", Value: splice.Map{{Key: "type", Value: "string"}}},
	}},
}

// component is the component of this name that is ours, or a name that is free.
func (a *annotator) component(section, name string, ours func(document.Node) bool) component {
	c := component{section: section, name: name}
	all := a.section(section)
	for n := 2; ; n++ {
		v := all.Get(c.name)
		if v.IsZero() {
			return c
		}
		if ours(a.peek(v)) {
			c.there = true
			return c
		}
		c.name = fmt.Sprintf("%s%d", name, n)
	}
}

// section is a part of the components, through a $ref where it is one.
func (a *annotator) section(name string) document.Node {
	return a.peek(a.peek(a.root.Get("components")).Get(name))
}

// peek follows references, and reports nothing where they lead nowhere.
func (a *annotator) peek(n document.Node) document.Node {
	for range 64 {
		_, ref, ok := n.Ref()
		if !ok {
			return n
		}
		t, fault := a.lib.Follow(n, ref)
		if fault != nil {
			return document.Node{}
		}
		n = t.Node
	}
	return document.Node{}
}

func (a *annotator) isHeader(n document.Node) bool {
	return n.Get("in").Spelt() == "header" && strings.EqualFold(n.Get("name").Spelt(), a.header())
}

// headerComponent is the first component, by name, that is the header in force.
func (a *annotator) headerComponent() (string, bool) {
	var names []string
	for key, v := range a.section("parameters").Members() {
		if a.isHeader(a.peek(v)) {
			names = append(names, key.Spelt())
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return slices.Min(names), true
}

func declaresCode(n document.Node) bool { return !n.Get("properties").Get("code").IsZero() }

func (a *annotator) isProblem(n document.Node) bool {
	return declaresCode(a.peek(n.Get("content").Get("application/problem+json").Get("schema")))
}

// reference is a $ref to a component, as it is spelt in the file of an operation.
func (a *annotator) reference(op *operation, c *component) splice.Value {
	c.used = true
	file := ""
	if op.node.File() != a.root.File() {
		file = relative(path.Dir(op.node.File()), a.root.File())
	}
	pointer := strings.NewReplacer("~", "~0", "/", "~1").Replace(c.name)
	return splice.Map{{Key: "$ref", Value: file + "#/components/" + c.section + "/" + (&url.URL{Path: pointer}).EscapedPath()}}
}

// relative is the way from a folder to a file, as a URL.
func relative(from, to string) string {
	f, t := strings.Split(from, "/"), strings.Split(to, "/")
	if from == "." {
		f = nil
	}
	for len(f) > 0 && len(t) > 1 && f[0] == t[0] {
		f, t = f[1:], t[1:]
	}
	u := url.URL{Path: strings.Repeat("../", len(f)) + strings.Join(t, "/")}
	return u.EscapedPath()
}

// addShared adds the components that something refers to.
func (a *annotator) addShared() {
	s := &a.shared
	for _, r := range []struct {
		c    *component
		what string
	}{
		{&s.invalid, "`validation_error`: the request is malformed, `idempotency key is required`, or `idempotency key too long`."},
		{&s.conflict, "`idempotency_conflict`: the key was used with a different payload. `idempotency_in_progress`: a request with this key is still running. `idempotency_outcome_unknown`: an earlier one ended without a result."},
		{&s.mismatch, "`idempotency_conflict`: the key was used with a different payload."},
	} {
		if !r.c.used || r.c.there {
			continue
		}
		s.problem.used = true
		r.c.value = splice.Map{
			{Key: "description", Value: r.what},
			{Key: "content", Value: splice.Map{{Key: "application/problem+json", Value: splice.Map{
				{Key: "schema", Value: splice.Map{{Key: "$ref", Value: "#/components/schemas/" + s.problem.name}}},
			}}}},
		}
	}
	var missing []splice.Member // sections that are not there
	components := a.peek(a.root.Get("components"))
	for _, group := range [][]*component{{&s.parameter}, {&s.invalid, &s.conflict, &s.mismatch}, {&s.problem}} {
		var members splice.Map
		for _, c := range group {
			if c.used && !c.there {
				members = append(members, splice.Member{Key: c.name, Value: c.value})
			}
		}
		if len(members) == 0 {
			continue
		}
		name := group[0].section
		section := a.section(name)
		if !section.IsMapping() {
			missing = append(missing, splice.Member{Key: name, Value: members})
			continue
		}
		for _, m := range members {
			a.addTo(section, m)
		}
	}
	if len(missing) == 0 {
		return
	}
	if !components.IsMapping() {
		a.addTo(a.root, splice.Member{Key: "components", Value: splice.Map(missing)})
		return
	}
	for _, m := range missing {
		a.addTo(components, m)
	}
}

// addTo adds a member at the end of a mapping of the document's components.
func (a *annotator) addTo(n document.Node, m splice.Member) {
	e := splice.Edit{At: n.Pos(), Key: m.Key, Value: m.Value, After: predecessor(n, document.Node{})}
	text, problems := a.text(e.At.File)
	if len(problems) == 0 {
		p := text.Check(e)
		if p == nil {
			a.edits[e.At.File] = append(a.edits[e.At.File], e)
			return
		}
		problems = []ir.Problem{*p}
	}
	a.lib.Report(problems[0].Pos, "the shared components cannot be added: "+problems[0].What, problems[0].Remedy)
	a.broken = true
}
