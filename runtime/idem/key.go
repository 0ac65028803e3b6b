package idem

import (
	"net/http"
	"strings"
)

// The policy's words, and their kin. None of them holds the key.
const (
	keyRequired = "idempotency key is required"
	keyTooLong  = "idempotency key too long"
	keyOnce     = "idempotency key must be sent once"
	keyComma    = "idempotency key must not contain a comma outside quotes"
	keyBytes    = "idempotency key must be printable ASCII"
	keyQuotes   = "idempotency key must be a valid string in quotes"
	keyParams   = "idempotency key must have no parameters"
)

// parseKey reads the idempotency key from the field called name: printable ASCII without a comma, or a
// string of RFC 8941, section 3.3.3, without parameters. The two spellings of a key are one key. It has
// at most limit bytes once decoded.
//
// A comma in a raw key is refused because a proxy may join two field lines with one.
func parseKey(h http.Header, name string, limit int) (string, *Problem) {
	lines := h.Values(name)
	if len(lines) == 0 {
		return "", invalid(keyRequired)
	}
	if len(lines) > 1 {
		return "", invalid(keyOnce)
	}
	text := strings.Trim(lines[0], " \t")
	key, reason := text, ""
	if strings.HasPrefix(text, `"`) {
		key, reason = unquoteKey(text)
	} else {
		reason = checkRawKey(text)
	}
	if reason != "" {
		return "", invalid(reason)
	}
	if problem := checkKey(key, limit); problem != nil {
		return "", problem
	}
	return key, nil
}

// checkKey says what is wrong with a decoded key. A key that came without a header must be one that
// can come with one.
func checkKey(key string, limit int) *Problem {
	switch {
	case key == "":
		return invalid(keyRequired)
	case len(key) > limit:
		return invalid(keyTooLong)
	}
	for i := range len(key) {
		if !printable(key[i]) {
			return invalid(keyBytes)
		}
	}
	return nil
}

func checkRawKey(text string) (reason string) {
	for i := range len(text) {
		switch c := text[i]; {
		case c == ',':
			return keyComma
		case !printable(c):
			return keyBytes
		}
	}
	return ""
}

// unquoteKey decodes text, which begins with a quote.
func unquoteKey(text string) (key, reason string) {
	escaped := false
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case !printable(c):
			return "", keyBytes
		case c == '\\':
			i++
			if i == len(text) || text[i] != '"' && text[i] != '\\' {
				return "", keyQuotes
			}
			escaped = true
		case c == '"':
			if reason := checkAfterKey(text[i+1:]); reason != "" {
				return "", reason
			}
			if key = text[1:i]; escaped {
				key = unescapeKey(key)
			}
			return key, ""
		}
	}
	return "", keyQuotes
}

// checkAfterKey says what is wrong with the text behind the closing quote: there must be none.
func checkAfterKey(rest string) (reason string) {
	if rest = strings.TrimLeft(rest, " \t"); rest == "" {
		return ""
	}
	switch rest[0] {
	case ';':
		return keyParams
	case ',':
		return keyOnce
	}
	return keyQuotes
}

// unescapeKey drops each backslash that escapes the byte behind it. The escapes are known to be whole.
func unescapeKey(text string) string {
	key := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		}
		key = append(key, text[i])
	}
	return string(key)
}

func printable(c byte) bool { return ' ' <= c && c <= '~' }
