package idem

// compareNames orders names by their UTF-16 code units, as RFC 8785, section 3.2.3, asks. In UTF-8
// that is the order of the bytes, but that what UTF-16 writes as surrogates (lead bytes F0 to F4)
// comes before U+E000 to U+FFFF (lead bytes EE and EF).
func compareNames(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return int(nameUnit(a[i])) - int(nameUnit(b[i]))
		}
	}
	return len(a) - len(b)
}

func nameUnit(c byte) byte {
	if c == 0xEE || c == 0xEF {
		return c + 0x10
	}
	return c
}

// appendText appends text as RFC 8785, section 3.2.2.2, spells a string.
func appendText(dst []byte, text string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0 // text before it is written
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[plain:i]...)
		plain = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	dst = append(dst, text[plain:]...)
	return append(dst, '"')
}
