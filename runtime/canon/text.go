package canon

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// special marks the bytes of x that end a run of plain text: quote, backslash and control
// characters. Only the lowest mark is sure to be right.
func special(x uint64) uint64 {
	quote := x ^ ones*'"'
	slash := x ^ ones*'\\'
	return ((x-ones*0x20)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & tops
}

// plainText returns the end of the plain text at i, and a word that has a top bit set where any of it
// is not ASCII.
func plainText(src []byte, i int) (int, uint64) {
	var seen uint64
	for i+8 <= len(src) {
		x := binary.LittleEndian.Uint64(src[i:])
		if m := special(x); m != 0 {
			n := bits.TrailingZeros64(m) &^ 7
			return i + n/8, seen | x&(1<<n-1)
		}
		seen |= x
		i += 8
	}
	for i < len(src) && src[i] >= 0x20 && src[i] != '"' && src[i] != '\\' {
		seen |= uint64(src[i])
		i++
	}
	return i, seen
}

// shape says what a string is made of, as far as it matters for the order of names.
type shape uint8

const (
	escaped shape = 1 << iota // its canonical form has escapes
	wide                      // it is not ASCII only
	changed                   // its canonical form is not the text as sent
)

// text reads the string at p and returns where it ends: -1 where it is malformed.
func (s *scanner) text(p int) (int, shape) {
	var sh shape
	i, seen := plainText(s.src, p+1)
	for i < len(s.src) && s.src[i] == '\\' {
		var sub shape
		if i, sub = s.escape(i); i < 0 {
			return -1, 0
		}
		sh |= sub
		var more uint64
		i, more = plainText(s.src, i)
		seen |= more
	}
	if seen&tops != 0 {
		sh |= wide
		if !utf8.Valid(s.src[p+1 : i]) {
			return s.fail(p+1+validPrefix(s.src[p+1:i]), "invalid UTF-8"), 0
		}
	}
	if i == len(s.src) {
		return s.fail(i, "unexpected end of the document in a string"), 0
	}
	if s.src[i] != '"' {
		return s.fail(i, "control character in a string"), 0
	}
	return i + 1, sh
}

func validPrefix(b []byte) int {
	n := 0
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// escape reads the escape at p and returns where it ends.
func (s *scanner) escape(p int) (int, shape) {
	if p+1 == len(s.src) {
		return s.fail(p+1, "unexpected end of the document in a string"), 0
	}
	switch s.src[p+1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return p + 2, escaped // canonical as it stands
	case '/':
		s.drop(p, p+1)
		return p + 2, changed
	case 'u':
		return s.unicode(p)
	}
	return s.fail(p, "invalid escape"), 0
}

// unicode reads the \u escape at p, with the second half of a surrogate pair.
func (s *scanner) unicode(p int) (int, shape) {
	r, ok := hex4(s.src[p:])
	if !ok {
		return s.fail(p, `\u without four hexadecimal digits`), 0
	}
	end := p + 6
	sh := changed
	if utf16.IsSurrogate(r) {
		low, ok := hex4(s.src[end:])
		if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
			return s.fail(p, "lone surrogate"), 0
		}
		end += 6
	}
	var room [8]byte
	text := appendRune(room[:0], r)
	if text[0] == '\\' {
		sh |= escaped
		if string(text) == string(s.src[p:end]) {
			return end, escaped
		}
	}
	if r >= utf8.RuneSelf {
		sh |= wide
	}
	s.drop(p, end)
	s.buf = append(s.buf, text...)
	return end, sh
}

// hex4 reads \uXXXX at the start of b.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20-'a' <= 5:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// short is the letter of the two-character escape of a control character, quote or backslash.
var short = [...]byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r', '"': '"', '\\': '\\'}

// appendRune appends a character as RFC 8785 (3.2.2.2) writes it.
func appendRune(dst []byte, r rune) []byte {
	if r >= 0x20 && r != '"' && r != '\\' {
		return utf8.AppendRune(dst, r)
	}
	if c := short[r]; c != 0 {
		return append(dst, '\\', c)
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
}

// appendText appends s as a canonical string; it is not one where s is not UTF-8.
func appendText(dst []byte, s string) ([]byte, bool) {
	dst = append(dst, '"')
	from := 0
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			dst = append(dst, s[from:i]...)
			dst = appendRune(dst, rune(c))
			from = i + 1
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"'), utf8.ValidString(s)
}

// appendUnescaped appends what the inside of a well-formed string stands for.
func appendUnescaped(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		end, _ := plainText(text, i)
		dst = append(dst, text[i:end]...)
		if end == len(text) {
			break
		}
		i = end + 2
		c := text[end+1]
		if c != 'u' {
			dst = append(dst, unescaped(c))
			continue
		}
		r, _ := hex4(text[end:])
		i = end + 6
		if utf16.IsSurrogate(r) {
			low, _ := hex4(text[i:])
			r = utf16.DecodeRune(r, low)
			i += 6
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// unescaped returns what a two-character escape with this letter stands for.
func unescaped(letter byte) byte {
	switch letter {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return letter // a quote, a backslash or a slash
}
