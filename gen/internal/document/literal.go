package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// isNumber tells whether s is a JSON number.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := digits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := digits(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return s == ""
}

// isInteger tells whether s is a JSON number without fraction and exponent.
func isInteger(s string) bool { return isNumber(s) && !strings.ContainsAny(s, ".eE") }

// digits is how many decimal digits s starts with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// number is the JSON number that a YAML number is, digit for digit. Octal, hexadecimal, and digits in
// groups are refused: YAML 1.1 and 1.2 disagree about them.
func number(s string) (string, bool) {
	s = strings.TrimPrefix(s, "+")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	if n := digits(s); n < len(s) && s[n] == '.' && digits(s[n+1:]) == 0 {
		s = s[:n] + s[n+1:] // "5." and "5.e3"
	}
	return sign + s, isNumber(s)
}

// Quote is s as a JSON string literal.
func Quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil { // a string always encodes
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// quote shows a text of the document in a message, cut to a length that reads.
func quote(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
