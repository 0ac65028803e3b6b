package golang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// endpoints prints endpoints.gen.go: the endpoint keys and what the runtime knows of each operation.
func (p *Plan) endpoints(pkg string) ([]File, error) {
	pieces := []piece{{print: func(f *jen.File) {
		f.PackageComment("// Package " + pkg + " makes the write operations of " + p.about() + " safe to retry.")
		f.Const().Id("_").Op("=").Qual(idemPath, "Contract1").
			Add(commentLine("if this does not compile, the runtime is older than the generator: update it"))
	}}}
	for _, op := range p.operations {
		pieces = append(pieces, piece{segment(op.Endpoint), op.printEndpoint})
	}
	return p.parted(pkg, "endpoints", append(pieces, piece{print: func(f *jen.File) {
		add(f, commentLine("Operations are the document's write operations. Nothing changes them."))
		f.Var().Id("Operations").Op("=").Qual(idemPath, "Operations").Add(p.tables())
	}}))
}

func (op *operation) printEndpoint(f *jen.File) {
	add(f, comments(op.summary()...)...)
	f.Const().Id("Endpoint"+op.name).Qual(idemPath, "Endpoint").Op("=").Add(text(op.Endpoint))
	add(f, jen.Var().Id(op.variable).Op("=").Qual(idemPath, "Operation").Add(lines(op.elements()...)))
}

// summary is the doc comment of an endpoint's constant.
func (op *operation) summary() []string {
	s := "Endpoint" + op.name + " is " + op.Method + " " + op.Path
	if about := unmarked(clean(op.Summary)); about != "" {
		s += ": " + lowerFirst(about)
	}
	return wrap(sentence(clean(s)), fieldLines)
}

// lowerFirst is text to stand behind a colon: "Open a claim" becomes "open a claim", "API keys" stays.
func lowerFirst(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[n:])
	if unicode.IsLower(second) || second == ' ' && first == 'A' {
		return string(unicode.ToLower(first)) + text[n:]
	}
	return text
}

// elements are the fields of an idem.Operation that are set.
func (op *operation) elements() []jen.Code {
	out := []jen.Code{
		keyed("Endpoint", jen.Id("Endpoint"+op.name)),
	}
	if op.Record != "" {
		out = append(out, keyed("Record", text(op.Record)))
	}
	out = append(out, keyed("Method", text(op.Method)), keyed("Path", text(op.Path)))
	if len(op.Bodies) > 0 {
		var bodies []jen.Code
		for _, b := range op.Bodies {
			form := [...]string{"Document", "Digest", "Fields", "Multipart"}[b.Form]
			bodies = append(bodies, jen.Values(keyed("MediaType", text(b.MediaType)), keyed("Form", jen.Qual(idemPath, form))))
		}
		out = append(out, keyed("Bodies", list(jen.Index().Qual(idemPath, "Body"), bodies)))
	}
	if !op.identity.Empty() {
		out = append(out, keyed("Identity", jen.Qual(idemPath, "Identity").Add(identityCode(op.identity))))
	}
	if len(op.PathNames) > 0 {
		var names []jen.Code
		for _, n := range op.PathNames {
			names = append(names, jen.Values(keyed("Name", text(n.Name)), keyed("First", text(n.First))))
		}
		out = append(out, keyed("PathNames", list(jen.Index().Qual(idemPath, "PathName"), names)))
	}
	if len(op.Former) > 0 {
		var former []jen.Code
		for _, id := range op.Former {
			former = append(former, identityCode(id))
		}
		out = append(out, keyed("Former", jen.Index().Qual(idemPath, "Identity").Add(lines(former...))))
	}
	if len(op.Stored) > 0 {
		out = append(out, keyed("Stored", texts(op.Stored)))
	}
	if policy := policyFields(op.Policy); len(policy) > 0 {
		out = append(out, keyed("Policy", shortOrLines(jen.Qual(idemPath, "Policy"), policy)))
	}
	return out
}

// shortOrLines is a struct literal: up to two fields in one line, more one below the other.
func shortOrLines(typ *jen.Statement, fields []jen.Code) *jen.Statement {
	if len(fields) <= 2 {
		return typ.Values(fields...)
	}
	return typ.Add(lines(fields...))
}

// list is a slice literal: one item in one line, several one below the other.
func list(typ *jen.Statement, items []jen.Code) *jen.Statement {
	if len(items) == 1 {
		return typ.Values(items...)
	}
	return typ.Add(lines(items...))
}

// identityCode prints an identity table without its type.
func identityCode(id ir.Identity) *jen.Statement {
	var out []jen.Code
	for _, l := range []struct {
		field string
		names []string
	}{{"IgnoredQuery", id.IgnoredQuery}, {"IncludedHeaders", id.IncludedHeaders}, {"Scope", id.Scope}} {
		if len(l.names) > 0 {
			out = append(out, keyed(l.field, texts(l.names)))
		}
	}
	if len(id.Body) > 0 {
		var bodies []jen.Code
		for _, b := range id.Body {
			var rules []jen.Code
			for _, r := range b.Rules {
				rules = append(rules, ruleCode(r))
			}
			bodies = append(bodies, jen.Values(
				keyed("MediaType", text(b.MediaType)), keyed("Rules", jen.Qual(canonPath, "Rules").Add(lines(rules...)))))
		}
		out = append(out, keyed("Body", list(jen.Index().Qual(idemPath, "BodyRules"), bodies)))
	}
	if len(out) == 0 {
		return jen.Values()
	}
	return lines(out...)
}

// ruleCode prints a rule.
func ruleCode(r ir.Rule) *jen.Statement {
	var out []jen.Code
	if len(r.Ignore) > 0 {
		out = append(out, keyed("Ignore", texts(r.Ignore)))
	}
	if r.Unordered {
		out = append(out, keyed("Unordered", jen.True()))
	}
	if len(r.Members) > 0 {
		var members []jen.Code
		for _, m := range r.Members {
			members = append(members, jen.Values(keyed("Name", text(m.Name)), keyed("Rule", jen.Lit(m.Rule))))
		}
		out = append(out, keyed("Members", jen.Index().Qual(canonPath, "Member").Values(members...)))
	}
	if r.Items > 0 {
		out = append(out, keyed("Items", jen.Lit(r.Items)))
	}
	if r.Rest > 0 {
		out = append(out, keyed("Rest", jen.Lit(r.Rest)))
	}
	return jen.Values(out...)
}

// tables prints the lists that Middleware needs.
func (p *Plan) tables() *jen.Statement {
	var out []jen.Code
	if len(p.operations) > 0 {
		var keys []jen.Code
		for _, op := range p.operations {
			keys = append(keys, jen.Op("&").Id(op.variable))
		}
		out = append(out, keyed("Keyed", jen.Index().Op("*").Qual(idemPath, "Operation").Add(lines(keys...))))
	}
	if len(p.other) > 0 {
		var routes []jen.Code
		for _, r := range p.other {
			routes = append(routes, jen.Values(keyed("Method", text(r.Method)), keyed("Path", text(r.Path))))
		}
		out = append(out, keyed("Other", jen.Index().Qual(idemPath, "Route").Add(lines(routes...))))
	}
	if len(out) == 0 {
		return jen.Values()
	}
	return lines(out...)
}

// policyFields are the fields of an idem.Policy that the document sets.
func policyFields(p ir.Policy) []jen.Code {
	var out []jen.Code
	set := func(is bool, field string, value func() *jen.Statement) {
		if is {
			out = append(out, keyed(field, value()))
		}
	}
	set(p.Lease != 0, "Lease", func() *jen.Statement { return duration(p.Lease) })
	set(p.Timeout != 0, "Timeout", func() *jen.Statement { return duration(p.Timeout) })
	set(p.Retention != 0, "Retention", func() *jen.Statement { return duration(p.Retention) })
	set(p.OnUnknown != "", "OnUnknown", func() *jen.Statement {
		return jen.Qual(idemPath, strings.ToUpper(p.OnUnknown[:1])+p.OnUnknown[1:])
	})
	set(p.MaxBody != 0, "MaxBody", func() *jen.Statement { return size(p.MaxBody) })
	set(p.MaxResponse != 0, "MaxResponse", func() *jen.Statement { return size(p.MaxResponse) })
	set(p.Header != "", "Header", func() *jen.Statement { return text(p.Header) })
	set(p.MaxLength != 0, "MaxLength", func() *jen.Statement { return jen.Lit(p.MaxLength) })
	set(p.ConflictStatus != 0, "ConflictStatus", func() *jen.Statement { return jen.Lit(p.ConflictStatus) })
	return out
}
