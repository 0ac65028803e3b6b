package canon

import "cmp"

// The limits of a number. They are on its value, so that every spelling of it is treated alike.
const (
	maxDigits   = 1000 // significant digits
	maxExponent = 400  // of the scientific notation, either way
)

// far is where a written exponent stops being counted: beyond every limit, whatever the digits.
const far = 1 << 30

// scanNumber reads the number literal at i and returns where it ends, and whether it is canonical as
// it stands (false also where it is only hard to tell). Where it is malformed, end is the
// complement of the offending position.
func scanNumber[T string | []byte](s T, i int) (end int, canonical bool) {
	start := i
	negative := i < len(s) && s[i] == '-'
	if negative {
		i++
	}
	first := i
	if i < len(s) && s[i] == '0' {
		i++
	} else {
		i = skipDigits(s, i)
	}
	whole := i - first
	if whole == 0 {
		return ^i, false
	}
	if i == len(s) || s[i] != '.' && s[i]|0x20 != 'e' {
		return i, whole <= 21 && !(negative && s[first] == '0')
	}
	if s[i] == '.' {
		point := i
		i = skipDigits(s, i+1)
		if i == point+1 {
			return ^i, false
		}
		canonical = s[i-1] != '0' && whole <= 21 && i-start <= maxDigits &&
			(s[first] != '0' || skipZeros(s, point+1)-point <= 6)
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		digits := i
		if i = skipDigits(s, i); i == digits {
			return ^i, false
		}
		canonical = false
	}
	return i, canonical
}

func skipDigits[T string | []byte](s T, i int) int {
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	return i
}

func skipZeros[T string | []byte](s T, i int) int {
	for i < len(s) && s[i] == '0' {
		i++
	}
	return i
}

// decimal is an exact decimal number: 0.hilo * 10^point, negative or not. hi and lo are one sequence
// of digits (the literal's point may lie between them) that neither begins nor ends with 0. There
// are none where the number is 0.
type decimal[T string | []byte] struct {
	negative bool
	hi, lo   T
	point    int
}

// parseDecimal reads a well-formed number literal.
func parseDecimal[T string | []byte](s T) decimal[T] {
	var d decimal[T]
	if s[0] == '-' {
		d.negative = true
		s = s[1:]
	}
	i := skipDigits(s, 0)
	d.hi, s = s[skipZeros(s[:i], 0):i], s[i:]
	if len(s) > 0 && s[0] == '.' {
		i = skipDigits(s, 1)
		d.lo, s = s[1:i], s[i:]
	}
	d.point = len(d.hi)
	if len(d.hi) == 0 {
		zeros := skipZeros(d.lo, 0)
		d.lo = d.lo[zeros:]
		d.point = -zeros
	}
	d.lo = trimZeros(d.lo)
	if len(d.lo) == 0 {
		d.hi = trimZeros(d.hi)
	}
	if d.zero() {
		return decimal[T]{}
	}
	if len(s) > 0 {
		d.point += parseExponent(s[1:])
	}
	return d
}

func trimZeros[T string | []byte](s T) T {
	for len(s) > 0 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	return s
}

func parseExponent[T string | []byte](s T) int {
	negative := s[0] == '-'
	if negative || s[0] == '+' {
		s = s[1:]
	}
	e := 0
	for i := 0; i < len(s) && e < far; i++ {
		e = min(e*10+int(s[i]-'0'), far)
	}
	if negative {
		return -e
	}
	return e
}

func (d *decimal[T]) zero() bool { return len(d.hi)+len(d.lo) == 0 }

// whole reports whether the number has no fraction.
func (d *decimal[T]) whole() bool { return d.zero() || len(d.hi)+len(d.lo) <= d.point }

// limit says which limit the number is beyond, "" where it is within them.
func (d *decimal[T]) limit() string {
	switch {
	case d.zero():
		return ""
	case len(d.hi)+len(d.lo) > maxDigits:
		return "number has more than 1000 significant digits"
	case d.point-1 > maxExponent || d.point-1 < -maxExponent:
		return "number has an exponent beyond 400"
	}
	return ""
}

// magnitude returns the whole number without its sign, where 64 bits hold it.
func (d *decimal[T]) magnitude() (uint64, bool) {
	if !d.whole() || d.point > 20 {
		return 0, false
	}
	var n uint64
	for i := range max(d.point, 0) {
		digit := uint64(d.digit(i) - '0')
		if n > (1<<64-1)/10 || n*10 > 1<<64-1-digit {
			return 0, false
		}
		n = n*10 + digit
	}
	return n, true
}

// digit returns the i-th significant digit; after the last one they are all 0.
func (d *decimal[T]) digit(i int) byte {
	if i < len(d.hi) {
		return d.hi[i]
	}
	if i -= len(d.hi); i < len(d.lo) {
		return d.lo[i]
	}
	return '0'
}

// append lays the number out as ECMAScript's Number::toString (ECMA-262, 6.1.6.1.20) lays out the
// digits and the exponent of a float64, which is what RFC 8785 asks for.
func (d *decimal[T]) append(dst []byte) []byte {
	if d.zero() {
		return append(dst, '0')
	}
	if d.negative {
		dst = append(dst, '-')
	}
	k := len(d.hi) + len(d.lo)
	switch {
	case k <= d.point && d.point <= 21: // 1200
		dst = d.digits(dst, 0, k)
		return append(dst, "00000000000000000000"[:d.point-k]...)
	case 0 < d.point && d.point <= 21: // 12.34
		dst = append(d.digits(dst, 0, d.point), '.')
		return d.digits(dst, d.point, k)
	case -6 < d.point && d.point <= 0: // 0.0012
		dst = append(append(dst, "0."...), "00000"[:-d.point]...)
		return d.digits(dst, 0, k)
	}
	dst = d.digits(dst, 0, 1) // 1.234e+21
	if k > 1 {
		dst = d.digits(append(dst, '.'), 1, k)
	}
	return appendExponent(dst, d.point-1)
}

func (d *decimal[T]) digits(dst []byte, from, to int) []byte {
	if from < len(d.hi) {
		dst = append(dst, d.hi[from:min(to, len(d.hi))]...)
	}
	from, to = max(from-len(d.hi), 0), to-len(d.hi)
	if from < to {
		dst = append(dst, d.lo[from:to]...)
	}
	return dst
}

// appendExponent appends an exponent of at most three digits.
func appendExponent(dst []byte, e int) []byte {
	sign := byte('+')
	if e < 0 {
		sign, e = '-', -e
	}
	dst = append(dst, 'e', sign)
	if e >= 100 {
		dst = append(dst, '0'+byte(e/100))
	}
	if e >= 10 {
		dst = append(dst, '0'+byte(e/10%10))
	}
	return append(dst, '0'+byte(e%10))
}

// compareDecimals orders two numbers by value.
func compareDecimals[T string | []byte](a, b decimal[T]) int {
	sign := a.sign()
	if sign != b.sign() || sign == 0 {
		return cmp.Compare(sign, b.sign())
	}
	if a.point != b.point {
		if a.point > b.point {
			return sign
		}
		return -sign
	}
	for i := range max(len(a.hi)+len(a.lo), len(b.hi)+len(b.lo)) {
		if x, y := a.digit(i), b.digit(i); x != y {
			if x > y {
				return sign
			}
			return -sign
		}
	}
	return 0
}

func (d *decimal[T]) sign() int {
	switch {
	case d.zero():
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// int64 returns the whole number, where an int64 holds it.
func (d *decimal[T]) int64() (int64, bool) {
	n, ok := d.magnitude()
	switch {
	case !ok:
		return 0, false
	case d.negative && n <= 1<<63:
		return int64(-n), true
	case !d.negative && n < 1<<63:
		return int64(n), true
	}
	return 0, false
}
