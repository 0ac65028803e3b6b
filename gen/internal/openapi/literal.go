package openapi

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// notNormal says what literal text of a path template keeps every request in the normal form of RFC 3986,
// section 6.2.2, from having it, and what to write. Placeholders are {}.
func notNormal(path string) (what, remedy string) {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return "has the dot segment " + segment, "write the path without it"
		}
	}
	if strings.ContainsFunc(path, unicode.IsControl) {
		return "has a control character", "remove it"
	}
	if strings.ContainsFunc(path, unicode.IsSpace) {
		return "has a space", "write it as %20, or without"
	}
	for i := range len(path) {
		if path[i] != '%' {
			continue
		}
		escape := path[i:min(i+3, len(path))]
		decoded, err := url.PathUnescape(escape)
		switch {
		case err != nil:
			return "has the malformed escape " + escape, "write % as %25"
		case strings.Trim(decoded, unreserved) == "":
			return "has the escape " + escape + " of a character that needs none", "write " + decoded
		}
	}
	if decoded, _ := url.PathUnescape(path); !utf8.ValidString(decoded) {
		return "has escapes that are not UTF-8", "escape the bytes of UTF-8 text"
	}
	return "", ""
}

// unreserved are the characters that are never escaped: RFC 3986, section 2.3.
const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
