package splice

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/document"
)

// mostInline is how wide a value in brackets may be to stand in one line.
const mostInline = 100

// pen writes values in the manner of the text.
type pen struct {
	manner
	json    bool
	newline string
	// beside: the neighbour is a collection in one line, and the new value, if short, is written like it.
	beside bool
}

func (t *Text) pen(beside bool) pen {
	return pen{manner: t.manner, json: t.json, newline: "\n", beside: beside}
}

// block is a value behind the colon of a key at a column.
func (p pen) block(v Value, column int) string {
	nl := p.newline + strings.Repeat(" ", column)
	switch v := v.(type) {
	case Map:
		if len(v) == 0 || p.short(v) {
			break
		}
		var b strings.Builder
		for _, m := range v {
			b.WriteString(nl + strings.Repeat(" ", p.step) + p.key(m.Key, nil) + ":" + p.block(m.Value, column+p.step))
		}
		return b.String()
	case List:
		if len(v) == 0 || flat(v) {
			break
		}
		var b strings.Builder
		for _, item := range v {
			b.WriteString(nl + strings.Repeat(" ", p.dash) + "-" + p.item(item, column+p.dash+2))
		}
		return b.String()
	}
	return " " + p.inlineIn(v, false)
}

// flat tells whether a list holds words only: such a list reads best in one line.
func flat(l List) bool {
	return !slices.ContainsFunc(l, func(v Value) bool { s, ok := v.(string); return !ok || !plain.MatchString(s) })
}

// item is a value behind a dash; column is that of its text.
func (p pen) item(v Value, column int) string {
	m, ok := v.(Map)
	if !ok || len(m) == 0 || p.short(v) {
		return " " + p.inlineIn(v, false)
	}
	var b strings.Builder
	for i, member := range m {
		if i > 0 {
			b.WriteString(p.newline + strings.Repeat(" ", column))
		} else {
			b.WriteString(" ")
		}
		b.WriteString(p.key(member.Key, nil) + ":" + p.block(member.Value, column))
	}
	return b.String()
}

// short tells whether a mapping goes in one line, since its neighbour does.
func (p pen) short(v Value) bool {
	_, ok := v.(Map)
	return ok && p.beside && len(p.inline(v)) <= mostInline
}

// flow is a value in brackets over several lines. indent is that of the line that the value starts in.
func (p pen) flow(v Value, indent, unit string) string {
	if p.short(v) {
		return p.inline(v)
	}
	nl := p.newline + indent
	var parts []string
	switch v := v.(type) {
	case Map:
		for _, m := range v {
			parts = append(parts, p.key(m.Key, nil)+p.colon+p.flow(m.Value, indent+unit, unit))
		}
	case List:
		for _, item := range v {
			parts = append(parts, p.flow(item, indent+unit, unit))
		}
	}
	if len(parts) == 0 {
		return p.inline(v)
	}
	text := nl + unit + strings.Join(parts, ","+nl+unit) + nl
	if _, ok := v.(Map); ok {
		return "{" + text + "}"
	}
	return "[" + text + "]"
}

// inline is a value in one line, inside brackets.
func (p pen) inline(v Value) string { return p.inlineIn(v, true) }

func (p pen) inlineIn(v Value, flow bool) string {
	switch v := v.(type) {
	case Map:
		var parts []string
		for _, m := range v {
			parts = append(parts, p.key(m.Key, nil)+p.colon+p.inline(m.Value))
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{" + p.pad + strings.Join(parts, p.comma) + p.pad + "}"
	case List:
		var parts []string
		for _, item := range v {
			parts = append(parts, p.inline(item))
		}
		return "[" + strings.Join(parts, p.comma) + "]"
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return p.scalar(v, flow)
	}
	panic("splice: a Value is a string, an int, a bool, a Map or a List")
}

var (
	plain    = regexp.MustCompile(`^[A-Za-z$]([A-Za-z0-9_./+ -]*[A-Za-z0-9])?$`)
	sentence = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_./+ ,;()'-]*[A-Za-z0-9.)])?$`)
	number   = regexp.MustCompile(`^[1-9][0-9]*$`)
)

// words are read as something else than text by one reader or another.
var words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// scalar is a text, in quotes where some reader of YAML needs them.
func (p pen) scalar(s string, flow bool) string {
	free := sentence
	if flow {
		free = plain
	}
	switch {
	case p.json:
		return document.Quote(s)
	case free.MatchString(s) && !slices.Contains(words, strings.ToLower(s)):
		return s
	}
	return quoted(s, p.quote)
}

func quoted(s string, quote byte) string {
	double := strconv.Quote(s)
	if quote == '"' || strings.Contains(strings.ReplaceAll(strings.ReplaceAll(double, `\"`, ""), `\\`, ""), `\`) {
		return double
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// key is a key that looks like the one beside it.
func (p pen) key(s string, like *yaml.Node) string {
	switch {
	case p.json:
		return document.Quote(s)
	case like != nil && like.Style&yaml.DoubleQuotedStyle != 0:
		return quoted(s, '"')
	case like != nil && like.Style&yaml.SingleQuotedStyle != 0:
		return quoted(s, '\'')
	case like != nil && number.MatchString(like.Value) && number.MatchString(s):
		return s
	}
	return p.scalar(s, true)
}
