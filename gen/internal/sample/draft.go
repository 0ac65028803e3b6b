package sample

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// draft is a request in parts that can be changed one by one.
type draft struct {
	op            *ir.Operation
	path          []*value
	query, header []*value
	body          *ir.Body // nil: none
	mediaType     string
	json          *node    // the body, where it has a schema
	fields        []*value // the body, where it is a form
	opaque        string   // the body, where it has none
}

// value is a parameter with what it may be changed to.
type value struct {
	param  *ir.Parameter
	texts  []string // more than one where the parameter is repeated
	others []string
}

func (m maker) newDraft(op *ir.Operation) *draft {
	d := &draft{op: op}
	for _, p := range op.PathParams {
		d.path = append(d.path, newValue(p, m.segments(m.parameterTexts(p))))
	}
	for _, p := range byName(op.QueryParams) {
		d.query = append(d.query, newValue(p, m.parameterTexts(p)))
	}
	for _, p := range byName(op.Headers) {
		d.header = append(d.header, newValue(p, m.parameterTexts(p)))
	}
	if b := mainBody(op); b != nil {
		m.useBody(d, b)
	}
	return d
}

// sendable are the bodies that a request can have: a form without fields is no body.
func sendable(op *ir.Operation) []*ir.Body {
	return slices.DeleteFunc(slices.Clone(op.Bodies), func(b *ir.Body) bool {
		return b.Form == ir.Fields && b.Closed && len(b.Fields) == 0
	})
}

// byName sorts parameters, so that moving one in the document changes nothing.
func byName(params []*ir.Parameter) []*ir.Parameter {
	return slices.SortedStableFunc(slices.Values(params), func(a, b *ir.Parameter) int { return cmp.Compare(a.Name, b.Name) })
}

// useBody gives the draft a body of a declared media type.
func (m maker) useBody(d *draft, b *ir.Body) {
	d.body, d.json, d.fields, d.opaque = b, nil, nil, ""
	d.mediaType = concrete(d.op, b)[0]
	switch b.Form {
	case ir.JSON:
		d.json = m.body(b.Type, b.Example, m.most)
	case ir.Fields, ir.Multipart:
		d.fields = m.form(b)
	default:
		d.opaque = "one"
	}
}

// form gives the fields of a form their values: all that it requires, and others while there is room. One that
// declares none has one nevertheless, so that there is a body.
func (m maker) form(b *ir.Body) []*value {
	var fields []*value
	all := byName(b.Fields)
	given := membersOf(b.Example)
	for _, p := range m.sent(all) {
		v := newValue(p, m.fieldTexts(p, given[p.Name]))
		if p.Type != nil && p.Type.Unordered && len(v.others) > 1 {
			v.texts, v.others = append(v.texts, v.others[0]), v.others[1:] // their order is to be shown not to count
		}
		fields = append(fields, v)
	}
	for _, p := range byName(b.Undeclared) {
		if p.Required || len(fields) == 0 {
			fields = append(fields, newValue(p, m.parameterTexts(p)))
		}
	}
	if len(fields) == 0 && !b.Closed {
		fields = append(fields, newValue(&ir.Parameter{Name: "field"}, []string{"one", "two"}))
	}
	return fields
}

// sent are the fields of a form that a sample has. Of a group, as address[city] and address[zip] are one, all are sent that
// the group requires, or none of it.
func (m maker) sent(all []*ir.Parameter) []*ir.Parameter {
	needs := needed(all)
	room := m.most
	for _, p := range all {
		if p.Required {
			room--
		}
	}
	var out []*ir.Parameter
	begun := map[string]bool{}
	for _, p := range all {
		if g := group(p); !p.Required {
			switch {
			case !begun[g] && room > needs[g]:
				begun[g] = true
				room -= needs[g]
			case !begun[g], !p.Kept && room <= 0:
				continue
			}
			if !p.Kept {
				room--
			}
		}
		out = append(out, p)
	}
	return out
}

// group is what a field is a part of: address, of address[city].
func group(p *ir.Parameter) string {
	name, _, _ := strings.Cut(p.Name, "[")
	return name
}

// needed is how many fields each group requires that may be left out as a whole.
func needed(all []*ir.Parameter) map[string]int {
	needs := map[string]int{}
	for _, p := range all {
		if p.Kept && !p.Required {
			needs[group(p)]++
		}
	}
	return needs
}

// fieldTexts are a form field's possible texts; example is what the document gives for it, or empty.
func (m maker) fieldTexts(p *ir.Parameter, example string) []string {
	if p.JSON == nil || m.sizes.of(p.JSON) > mostWanted {
		if example == "" {
			return m.parameterTexts(p)
		}
		with := *p
		with.Example = example
		return m.parameterTexts(&with)
	}
	v := m.body(p.JSON, example, mostWanted)
	all := []string{v.json()}
	if l, ok := changeable(spotOf(v)); ok {
		l.node.with(l.node.others[0], func() { all = append(all, v.json()) })
	}
	return all
}

// pairs are values as they are sent, encoded.
func pairs(values []*value) string {
	var all []string
	for _, v := range values {
		for _, text := range v.texts {
			all = append(all, pair(v.param, text))
		}
	}
	return strings.Join(all, "&")
}

func pair(p *ir.Parameter, text string) string {
	return url.QueryEscape(p.Name) + "=" + url.QueryEscape(text)
}

// files are the fields that are sent as files.
func (d *draft) files() (files, texts []*value) {
	for _, v := range d.fields {
		if v.param.Part {
			files = append(files, v)
		} else {
			texts = append(texts, v)
		}
	}
	return files, texts
}

// mainBody is the first JSON body, else the first form, else the first; nil where there is none.
func mainBody(op *ir.Operation) *ir.Body {
	bodies := sendable(op)
	for _, isBest := range []func(ir.Form) bool{
		func(f ir.Form) bool { return f == ir.JSON },
		func(f ir.Form) bool { return f != ir.Digest },
	} {
		if i := slices.IndexFunc(bodies, func(b *ir.Body) bool { return isBest(b.Form) }); i >= 0 {
			return bodies[i]
		}
	}
	if len(bodies) == 0 {
		return nil
	}
	return bodies[0]
}

// newValue gives a parameter as many texts as it must have, and the rest of all to be changed to.
func newValue(p *ir.Parameter, all []string) *value {
	v := &value{param: p, texts: all[:1:1], others: all[1:]}
	if p.Type != nil && p.Type.Kind == ir.Array {
		for len(v.texts) < min(p.Type.MinItems, mostRepeated) {
			v.texts = append(v.texts, all[len(v.texts)%len(all)])
		}
	}
	return v
}

// mostRepeated bounds how often a parameter is repeated.
const mostRepeated = 20

// parameterTexts are a parameter's possible texts in canonical spelling, the best first.
func (s *source) parameterTexts(p *ir.Parameter) []string {
	t := p.Type
	if p.Text != nil {
		t = p.Text
	} else if t != nil && t.Kind == ir.Array {
		t = t.Items
	}
	if t == nil {
		t = &ir.Type{Kind: ir.String}
	}
	hint := p.Example
	if given := itemsOf(hint); len(given) > 0 {
		hint = given[0]
	}
	var all []string
	for _, l := range s.candidates(t, hint) {
		switch {
		case l == "null":
		case l[0] == '"':
			all = append(all, unquote(l))
		case (t.Kind == ir.Int || t.Kind == ir.Integer) && !integerLiteral(l):
		default:
			all = append(all, l)
		}
	}
	if len(all) == 0 {
		all = []string{"one"}
	}
	return all
}

// segments puts the texts first that stand in a path without trouble.
func (m maker) segments(all []string) []string {
	var good, rest []string
	for _, s := range all {
		switch {
		case s == "", s == ".", s == "..": // never a segment
		case m.reserved[s], strings.Trim(s, unreserved) != "":
			rest = append(rest, s)
		default:
			good = append(good, s)
		}
	}
	if all = append(good, rest...); len(all) == 0 {
		return []string{"one"}
	}
	return all
}

// unreserved are the characters of a path that nothing escapes, and no template has for a border.
const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// request assembles the draft.
func (d *draft) request() Request { return d.requestWith(d.text()) }

// text is the body.
func (d *draft) text() string {
	if d.json != nil {
		return d.json.json()
	}
	return d.opaque
}

func (d *draft) escapedPath() string {
	var pairs []string
	for _, v := range d.path {
		pairs = append(pairs, "{"+v.param.Name+"}", url.PathEscape(v.texts[0]))
	}
	return literalEscape(strings.NewReplacer(pairs...).Replace(d.op.Path))
}

// literalEscape escapes what a URL cannot have and a template may. Its escapes stay: they are part of the literal.
func literalEscape(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if c >= utf8.RuneSelf || strings.IndexByte("\"<>\\^`|", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// changed is the value with its first text changed, to one that it does not have where there is such.
func (v *value) changed() []*value {
	i := slices.IndexFunc(v.others, func(text string) bool { return !slices.Contains(v.texts, text) })
	text := v.others[max(i, 0)]
	return []*value{{param: v.param, texts: slices.Concat([]string{text}, v.texts[1:])}}
}

// reversed is the value with its texts the other way round; nil where that is no difference.
func (v *value) reversed() []*value {
	texts := slices.Clone(v.texts)
	if slices.Reverse(texts); len(texts) < 2 || slices.Equal(texts, v.texts) {
		return nil
	}
	return []*value{{param: v.param, texts: texts}}
}

func (d *draft) requestWith(body string) Request {
	r := Request{Method: d.op.Method, Path: d.escapedPath(), Body: body}
	r.Query = pairs(d.query)
	for _, v := range d.header {
		for _, text := range v.texts {
			r.Header = append(r.Header, headerLine(v.param, text))
		}
	}
	if d.body != nil {
		r.ContentType = d.mediaType
	}
	files, texts := d.files()
	r.Files, r.Form = pairs(files), pairs(texts)
	return r
}

// concrete are media types that the declared one matches; itself unless it is a range.
func concrete(op *ir.Operation, b *ir.Body) []string {
	declared := b.MediaType
	major, minor, _ := strings.Cut(declared, "/")
	suffix, isRange := strings.CutPrefix(minor, "*")
	switch {
	case !isRange:
		return []string{declared}
	case suffix != "": // application/*+json
		major = strings.Replace(major, "*", "application", 1)
		return []string{major + "/x-sample" + suffix, major + "/x-other" + suffix}
	}
	types := []string{"application/octet-stream", "image/png", "image/jpeg", "text/plain", "text/csv",
		"application/x-sample", major + "/x-sample", major + "/x-other"}
	switch b.Form {
	case ir.JSON:
		types = append([]string{"application/json"}, types...)
	case ir.Multipart:
		types = append([]string{"multipart/form-data", "multipart/mixed"}, types...)
	}
	var all []string
	for _, c := range types {
		of, _, _ := strings.Cut(c, "/")
		taken := slices.ContainsFunc(op.Bodies, func(o *ir.Body) bool {
			return o != b && (o.MediaType == c || o.MediaType == of+"/*")
		})
		if (major == "*" || of == major) && of != "*" && !taken {
			all = append(all, c)
		}
	}
	return append(all, "x-sample/x-sample")[:max(1, min(2, len(all)))]
}

func unquote(l string) string {
	var s string
	if json.Unmarshal([]byte(l), &s) != nil {
		return "one" // no literal of ours
	}
	return s
}
