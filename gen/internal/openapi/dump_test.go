package openapi

import (
	"fmt"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// dump shows a document as text, for golden files. A type that was shown before is named by its number.
func dump(doc *ir.Document) string {
	d := &dumper{seen: map[*ir.Type]int{}}
	d.line(0, "document %s %q", doc.File, doc.Title)
	for _, op := range doc.Operations {
		d.line(0, "operation %s %s %s at %s, key at %s", op.Endpoint, op.Method, op.Path, at(op.Pos), at(op.EndpointPos))
		if op.Summary != "" {
			d.line(1, "summary %q", op.Summary)
		}
		if p := fmt.Sprintf("%+v", op.Policy); p != fmt.Sprintf("%+v", ir.Policy{}) {
			d.line(1, "policy %s", p)
		}
		d.parameters("path", op.PathParams)
		d.parameters("query", op.QueryParams)
		d.parameters("header", op.Headers)
		for _, b := range op.Bodies {
			d.line(1, "body %s at %s required=%t", b.MediaType, at(b.Pos), op.Required)
			switch b.Form {
			case ir.JSON:
				d.typ(2, "", b.Type)
			case ir.Digest:
				d.line(2, "opaque")
			default:
				d.line(2, "%s%s", map[ir.Form]string{ir.Fields: "fields", ir.Multipart: "parts"}[b.Form], flags("closed", b.Closed))
				d.parameters("  field", b.Fields)
				d.parameters("  undeclared", b.Undeclared)
			}
			if b.Example != "" {
				d.line(2, "example %s", b.Example)
			}
			for i, r := range b.Rules() {
				d.line(2, "rule %d %+v", i, r)
			}
		}
		if len(op.Ignored) > 0 {
			d.line(1, "ignored %q", op.Ignored)
		}
		if len(op.Scope) > 0 {
			d.line(1, "scope %v", op.Scope)
		}
		if len(op.Stored) > 0 {
			d.line(1, "stored %v", op.Stored)
		}
	}
	for _, t := range doc.Types {
		d.line(0, "type %s %q%s", t.Ref, t.Name, flags("nullable", t.Nullable))
	}
	for _, e := range doc.Exempt {
		d.line(0, "exempt %s %s at %s: %q", e.Method, e.Path, at(e.Pos), e.Reason)
	}
	for _, r := range doc.Unkeyed {
		d.line(0, "unkeyed %s %s at %s", r.Method, r.Path, at(r.Pos))
	}
	return d.out.String()
}

type dumper struct {
	out  strings.Builder
	seen map[*ir.Type]int
}

func at(p ir.Pos) string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

func (d *dumper) line(depth int, format string, args ...any) {
	d.out.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&d.out, format, args...)
	d.out.WriteByte('\n')
}

func (d *dumper) parameters(where string, params []*ir.Parameter) {
	for _, p := range params {
		d.line(1, "%s %q at %s%s", where, p.Name, at(p.Pos), flags("required", p.Required, "ignored", p.Ignore, "part", p.Part, "kept", p.Kept))
		if p.Example != "" {
			d.line(2, "example %s", p.Example)
		}
		d.typ(2, "", p.Type)
	}
}

func (d *dumper) typ(depth int, label string, t *ir.Type) {
	if n, ok := d.seen[t]; ok {
		d.line(depth, "%s-> #%d", label, n)
		return
	}
	d.seen[t] = len(d.seen) + 1
	kind := []string{"any", "string", "bool", "int", "integer", "number", "array", "map", "object"}[t.Kind]
	if t.Kind == ir.Int {
		kind = fmt.Sprintf("int%d", t.Bits)
		if t.Unsigned {
			kind = "u" + kind
		}
	}
	text := fmt.Sprintf("%s#%d %s at %s", label, d.seen[t], kind, at(t.Pos))
	for _, f := range []struct {
		name string
		show bool
		v    any
	}{
		{"ref", t.Ref != "", t.Ref}, {"name", t.Name != "", t.Name}, {"doc", t.Doc != "", t.Doc},
		{"enum", len(t.Enum) > 0, t.Enum}, {"example", t.Example != "", t.Example}, {"format", t.Format != "", t.Format},
		{"pattern", t.Pattern != "", t.Pattern}, {"minLength", t.MinLength > 0, t.MinLength}, {"maxLength", t.MaxLength > 0, t.MaxLength},
		{"minItems", t.MinItems > 0, t.MinItems}, {"maxItems", t.MaxItems > 0, t.MaxItems}, {"minMembers", t.MinMembers > 0, t.MinMembers},
		{"maxMembers", t.MaxMembers > 0, t.MaxMembers}, {"minimum", t.Minimum != "", t.Minimum}, {"maximum", t.Maximum != "", t.Maximum},
		{"multipleOf", t.MultipleOf != "", t.MultipleOf}, {"examples", len(t.MoreExamples) > 0, t.MoreExamples},
		{"patterns", len(t.MorePatterns) > 0, t.MorePatterns}, {"wanted", len(t.Wanted) > 0, t.Wanted}, {"unwanted", len(t.Unwanted) > 0, t.Unwanted},
		{"tag", t.Tag != "", t.Tag}, {"tags", len(t.Tags) > 0, t.Tags},
	} {
		if f.show {
			text += fmt.Sprintf(" %s=%v", f.name, f.v)
		}
	}
	d.line(depth, "%s%s", text, flags("nullable", t.Nullable, "closed", t.Closed, "unordered", t.Unordered, "unique", t.Unique, "above", t.AboveMinimum, "below", t.BelowMaximum))
	for _, f := range t.Fields {
		label := fmt.Sprintf("%q%s at %s ", f.Name, flags("required", f.Required, "ignored", f.Ignore, "read-only", f.ReadOnly), at(f.Pos))
		if f.Doc != "" {
			label += fmt.Sprintf("doc=%q ", f.Doc)
		}
		d.typ(depth+1, label, f.Type)
	}
	for _, part := range []struct {
		label string
		t     *ir.Type
	}{{"items ", t.Items}, {"rest ", t.Rest}} {
		if part.t != nil {
			d.typ(depth+1, part.label, part.t)
		}
	}
	for _, b := range t.Branches {
		d.typ(depth+1, "branch ", b)
	}
}

func flags(pairs ...any) string {
	out := ""
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			out += " " + pairs[i].(string)
		}
	}
	return out
}
