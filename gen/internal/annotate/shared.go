package annotate

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/contract"
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
	s.parameter = a.component("parameters", "IdempotencyKey", a.IsHeader)
	if !s.parameter.there {
		if name, ok := a.headerComponent(); ok {
			s.parameter = component{section: "parameters", name: name, there: true}
		}
	}
	s.parameter.value = splice.Map{
		{Key: "name", Value: a.Header()}, {Key: "in", Value: "header"}, {Key: "required", Value: true},
		{Key: "description", Value: "Made by the client, once for each thing it wants done, and sent again with each retry."},
		{Key: "schema", Value: splice.Map{{Key: "type", Value: "string"}, {Key: "minLength", Value: 1}, {Key: "maxLength", Value: a.MaxLength()}}},
	}
	s.problem = a.component("schemas", "IdempotencyProblem", contract.DeclaresCode)
	s.problem.value = problemSchema
	s.invalid = a.component("responses", "IdempotencyKeyInvalid", a.isProblem)
	s.conflict = a.component("responses", "IdempotencyConflict", a.isProblem)
	s.mismatch = a.component("responses", "IdempotencyMismatch", a.isProblem)
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
	all := a.Section(section)
	for n := 2; ; n++ {
		v := all.Get(c.name)
		if v.IsZero() {
			return c
		}
		if ours(a.Peek(v)) {
			c.there = true
			return c
		}
		c.name = fmt.Sprintf("%s%d", name, n)
	}
}

// headerComponent is the first component, by name, that is the header in force.
func (a *annotator) headerComponent() (string, bool) {
	var names []string
	for key, v := range a.Section("parameters").Members() {
		if a.IsHeader(a.Peek(v)) {
			names = append(names, key.Spelt())
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return slices.Min(names), true
}

func (a *annotator) isProblem(n document.Node) bool {
	return contract.DeclaresCode(a.Peek(n.Get("content").Get("application/problem+json").Get("schema")))
}

// reference is a $ref to a component, as it is spelt in a file. Something needs the component from now on.
func (a *annotator) reference(file string, c *component) splice.Value {
	c.used = true
	to := ""
	if file != a.root.File() {
		to = relative(path.Dir(file), a.root.File())
	}
	pointer := strings.NewReplacer("~", "~0", "/", "~1").Replace(c.name)
	return splice.Map{{Key: "$ref", Value: to + "#/components/" + c.section + "/" + (&url.URL{Path: pointer}).EscapedPath()}}
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
	home := a.root
	if c := a.Peek(a.root.Get("components")); c.IsMapping() {
		home = c
	}
	responses := home
	if r := a.Section("responses"); r.IsMapping() {
		responses = r
	}
	for c, what := range map[*component]string{&s.invalid: invalidText, &s.conflict: conflictText, &s.mismatch: mismatchText} {
		if c.used && !c.there {
			c.value = a.response(what, responses.File())
		}
	}
	var missing splice.Map // sections that are not there
	for _, group := range [][]*component{{&s.parameter}, {&s.invalid, &s.conflict, &s.mismatch}, {&s.problem}} {
		var members splice.Map
		for _, c := range group {
			if c.used && !c.there {
				members = append(members, splice.Member{Key: c.name, Value: c.value})
			}
		}
		section := a.Section(group[0].section)
		switch {
		case len(members) == 0:
		case section.IsMapping():
			a.addTo(section, members)
		default:
			missing = append(missing, splice.Member{Key: group[0].section, Value: members})
		}
	}
	if len(missing) > 0 && home.Same(a.root) {
		missing = splice.Map{{Key: "components", Value: missing}}
	}
	a.addTo(home, missing)
}

// What the shared responses say.
const (
	invalidText  = "`validation_error`: the request is malformed, or its idempotency key is missing or too long."
	conflictText = "`idempotency_conflict`: the key was used with a different payload. `idempotency_in_progress`: the first request is still running. `idempotency_outcome_unknown`: an earlier one ended without a result."
	mismatchText = "`idempotency_conflict`: the key was used with a different payload."
)

// response is a problem response in a file.
func (a *annotator) response(what, file string) splice.Value {
	return splice.Map{
		{Key: "description", Value: what},
		{Key: "content", Value: splice.Map{{Key: "application/problem+json", Value: splice.Map{
			{Key: "schema", Value: a.reference(file, &a.shared.problem)},
		}}}},
	}
}

// addTo adds members at the end of a mapping of the document's components.
func (a *annotator) addTo(n document.Node, members splice.Map) {
	for _, m := range members {
		e := splice.Edit{At: n.Pos(), Key: m.Key, Value: m.Value, After: predecessor(n, document.Node{})}
		text, problems := a.text(e.At.File)
		if len(problems) == 0 {
			p := text.Check(e)
			if p == nil {
				a.edits[e.At.File] = append(a.edits[e.At.File], e)
				continue
			}
			problems = []ir.Problem{*p}
		}
		a.lib.Report(problems[0].Pos, "the document is not annotated: "+m.Key+" cannot be added here: "+problems[0].What, problems[0].Remedy)
		a.broken = true
	}
}
