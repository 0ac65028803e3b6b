package sample

import (
	"unicode/utf8"

	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// formats gives three values for each format that a service is likely to check.
var formats = map[string][3]string{
	"date":          {"2026-01-02", "2026-01-03", "2026-01-04"},
	"date-time":     {"2026-01-02T03:04:05Z", "2026-01-03T03:04:05Z", "2026-01-04T03:04:05Z"},
	"time":          {"03:04:05Z", "03:04:06Z", "03:04:07Z"},
	"duration":      {"PT1S", "PT2S", "PT3S"},
	"uuid":          {"00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000003"},
	"email":         {"one@example.com", "two@example.com", "three@example.com"},
	"hostname":      {"one.example.com", "two.example.com", "three.example.com"},
	"ipv4":          {"192.0.2.1", "192.0.2.2", "192.0.2.3"},
	"ipv6":          {"2001:db8::1", "2001:db8::2", "2001:db8::3"},
	"uri":           {"https://example.com/one", "https://example.com/two", "https://example.com/three"},
	"url":           {"https://example.com/one", "https://example.com/two", "https://example.com/three"},
	"uri-reference": {"/one", "/two", "/three"},
	"byte":          {"b25l", "dHdv", "dGhyZWU="},
	"decimal":       {"1", "2", "3"},
}

// texts are three strings of the type, distinct where its lengths allow that.
func texts(t *ir.Type) []string {
	if t.Pattern != "" {
		if all := matching(t); len(all) > 0 {
			return all
		}
	}
	if f, ok := formats[t.Format]; ok {
		return f[:]
	}
	words := []string{"one", "two", "three"}
	if t.MaxLength > 0 && t.MaxLength < len("three") {
		words = []string{"a", "b", "c"}
	}
	const longest = 4096 // a minimum beyond it is not worth a test's bytes
	for i, w := range words {
		for len(words[i]) < min(t.MinLength, longest) {
			words[i] += w
		}
		if t.MaxLength > 0 && len(words[i]) > t.MaxLength {
			words[i] = words[i][:t.MaxLength]
		}
	}
	return words
}

// fitsText reports whether lengths and pattern accept a text, as far as they can be read.
func fitsText(t *ir.Type, text string) bool {
	n := utf8.RuneCountInString(text)
	if n < t.MinLength || t.MaxLength > 0 && n > t.MaxLength {
		return false
	}
	accepts, ok := accepting(t.Pattern)
	return !ok || accepts(text)
}

// impossible reports whether nothing is known that a text's pattern accepts: such a member is left out where it can be.
func impossible(t *ir.Type) bool {
	return t != nil && t.Kind == ir.String && t.Pattern != "" && len(t.Enum) == 0 && !fits(t, t.Example) && len(matching(t)) == 0
}

// matching are strings that the type's pattern and lengths accept.
func matching(t *ir.Type) []string {
	var all []string
	for variant := range 6 {
		s, ok := match(t.Pattern, variant, t.MinLength)
		if ok && len(s) >= t.MinLength && (t.MaxLength == 0 || len(s) <= t.MaxLength) && !strings.ContainsRune(s, 0) {
			all = append(all, s)
		}
	}
	return distinct(all)
}
