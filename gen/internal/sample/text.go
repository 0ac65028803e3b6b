package sample

import (
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// longestText bounds texts: a minimum beyond it is not worth a test's bytes.
const longestText = 4096

// texts are n strings of the type, distinct where it has so many, and at least one. Where nothing is known that all of the
// type accepts, they are what most of it does.
func (s *source) texts(t *ir.Type, n int) []string {
	patterns := s.patternsOf(t)
	bad := func(text string) bool { return !s.fitsText(t, text) }
	f, known := formats[t.Format]
	if known && !slices.Contains(patterns, nil) {
		var all []string
		for _, text := range f.texts {
			all = append(all, stretched(t.Format, text, min(t.MinLength, longestText)))
		}
		if all = slices.DeleteFunc(all, bad); len(all) > 0 {
			return all
		}
	}
	var made []string
	for _, p := range patterns {
		if p != nil {
			made = append(made, s.made(p, t, n)...)
		}
	}
	if all := slices.DeleteFunc(slices.Clone(made), bad); len(all) > 0 {
		return all
	}
	if len(patterns) > 0 && !slices.Contains(patterns, nil) {
		all := slices.DeleteFunc(slices.Clone(common), bad)
		if all = append(all[:min(n, len(all))], made...); len(all) > 0 {
			return all
		}
	}
	if known && t.MinLength <= longestText && t.MaxLength == 0 {
		return f.texts[:]
	}
	return words(t, n)
}

// common are texts that patterns ask for which are too clever to be followed.
var common = []string{
	"one", "two", "three", "One1", "Two2", "Three3", "One-1-one", "1", "2", "3", "1.5", "2.5", "true", "false",
	"2026-01-02", "2026-01-03", "2026-01-02T03:04:05Z", "2026-01-03T03:04:05Z", "03:04", "03:04:05", "P1D", "P2D",
	"00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002",
	"one@example.com", "two@example.com", "https://example.com/one", "https://example.com/two", "one.example.com", "two.example.com",
	"192.0.2.1", "192.0.2.2", "+15005550001", "+15005550002", "USD", "EUR", "US", "DE", "en-US", "de-DE", "#000001", "#000002",
	"/one", "/two", "1.0.0", "2.0.0", "Sample!Password1", "Sample!Password2",
}

// words are n strings of the type's lengths.
func words(t *ir.Type, n int) []string {
	all := []string{"one", "two", "three", "four", "five", "six", "seven", "eight"}[:min(max(n, 1), 8)]
	if t.MaxLength > 0 && t.MaxLength < len("three") {
		all = []string{"a", "b", "c", "d", "e", "f", "g", "h"}[:len(all)]
	}
	for i, w := range all {
		for len(all[i]) < min(t.MinLength, longestText) {
			all[i] += w
		}
		if t.MaxLength > 0 && len(all[i]) > t.MaxLength {
			all[i] = all[i][:t.MaxLength]
		}
	}
	return all
}
