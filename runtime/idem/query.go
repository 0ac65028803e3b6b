package idem

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// Values are decoded texts by name, in the order they were sent.
type Values map[string][]string

// Query is the query part of a payload whose operation declares no query parameters. What was sent
// nevertheless counts: the handler can see it.
type Query struct {
	Extra Values `json:"-"` // undeclared parameters
}

// parsePairs decodes a query or a form once, as [url.ParseQuery] does, and refuses what that leaves out in
// silence: a bad escape, a semicolon, and text that is not UTF-8. It returns nil when there is nothing.
func parsePairs(raw, where string) (Values, *Problem) {
	if raw == "" {
		return nil, nil
	}
	if strings.Contains(raw, ";") {
		return nil, invalid(where + " must not contain a raw semicolon")
	}
	var v Values
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair == "" {
			continue
		}
		escapedName, escapedText, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(escapedName)
		if err != nil {
			return nil, invalid(where + " has a malformed escape")
		}
		text, err := url.QueryUnescape(escapedText)
		if err != nil {
			return nil, invalid(where + " has a malformed escape")
		}
		if !utf8.ValidString(name) || !utf8.ValidString(text) {
			return nil, invalid(where + " is not valid UTF-8")
		}
		if v == nil {
			v = make(Values)
		}
		v[name] = append(v[name], text)
	}
	return v, nil
}
