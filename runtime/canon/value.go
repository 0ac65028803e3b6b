package canon

import (
	"errors"
	"strconv"
	"strings"
)

// Value is any JSON value, as the text that was sent. It is how a payload holds what has no type of
// its own: undeclared members, oneOf, anyOf, an untyped schema. The zero Value is no JSON value.
type Value string

// Extra holds the undeclared members of an object by name.
type Extra map[string]Value

// ValueOf returns v, of a type that [Marshal] takes, as a Value.
func ValueOf(v any) (Value, error) {
	b, err := Marshal(v)
	return Value(b), err
}

// Decode is [Unmarshal] of the value: for instance into one branch of a oneOf.
func (v Value) Decode(into any) error { return Unmarshal([]byte(v), into) }

// Kind tells what kind of value a [Value] is.
type Kind byte

// The kinds of JSON values.
const (
	KindInvalid Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// Kind returns the kind of the value, by its first character.
func (v Value) Kind() Kind {
	text := strings.TrimLeft(string(v), " \n\t\r")
	if text == "" {
		return KindInvalid
	}
	switch c := text[0]; {
	case c == 'n':
		return KindNull
	case c == 't' || c == 'f':
		return KindBool
	case c == '-' || c-'0' <= 9:
		return KindNumber
	case c == '"':
		return KindString
	case c == '[':
		return KindArray
	case c == '{':
		return KindObject
	}
	return KindInvalid
}

// MarshalJSON is [Marshal].
func (v Value) MarshalJSON() ([]byte, error) { return Marshal(v) }

// UnmarshalJSON is [Unmarshal].
func (v *Value) UnmarshalJSON(data []byte) error { return Unmarshal(data, v) }

// Number is a JSON number, as the literal that was sent: 1.10 stays 1.10. The zero Number is no JSON
// number.
type Number string

// Int64 returns the exact value of a whole number: 10, 10.0 and 1e1 are 10. It is an error where the
// number has a fraction or does not fit.
func (n Number) Int64() (int64, error) { return int64Of(string(n)) }

// Float64 returns the nearest float64. It is an error where the number is too large for one.
func (n Number) Float64() (float64, error) {
	if err := checkNumber(string(n)); err != nil {
		return 0, err
	}
	return strconv.ParseFloat(string(n), 64)
}

// Cmp compares by exact value, and returns -1, 0 or 1. Text that is no number comes before every
// number, and all such text is equal.
func (n Number) Cmp(m Number) int {
	a, b := checkNumber(string(n)) == nil, checkNumber(string(m)) == nil
	switch {
	case a && b:
		return compareDecimals(parseDecimal(string(n)), parseDecimal(string(m)))
	case a:
		return 1
	case b:
		return -1
	}
	return 0
}

// MarshalJSON is [Marshal].
func (n Number) MarshalJSON() ([]byte, error) { return Marshal(n) }

// UnmarshalJSON is [Unmarshal].
func (n *Number) UnmarshalJSON(data []byte) error { return Unmarshal(data, n) }

// Integer is a JSON number whose value is whole, of any size, as the literal that was sent: 1e1 is an
// Integer. The zero Integer is no JSON number.
type Integer string

// Int64 returns the value, and whether it fits.
func (i Integer) Int64() (int64, bool) {
	n, err := int64Of(string(i))
	return n, err == nil
}

// Digits returns the value in decimal digits, with a minus sign where it is negative: what
// [math/big.Int.SetString] and a numeric column take. It is "" where i is not an Integer.
func (i Integer) Digits() string {
	if checkInteger(string(i)) != nil {
		return ""
	}
	d := parseDecimal(string(i))
	if d.zero() {
		return "0"
	}
	b := make([]byte, 0, d.point+1)
	if d.negative {
		b = append(b, '-')
	}
	for at := range d.point {
		b = append(b, d.digit(at))
	}
	return string(b)
}

// MarshalJSON is [Marshal].
func (i Integer) MarshalJSON() ([]byte, error) { return Marshal(i) }

// UnmarshalJSON is [Unmarshal].
func (i *Integer) UnmarshalJSON(data []byte) error { return Unmarshal(data, i) }

// checkNumber reports text that is no JSON number, or one beyond the limits.
func checkNumber(s string) error {
	if end, _ := scanNumber(s, 0); end != len(s) || s == "" {
		return errNotNumber
	}
	d := parseDecimal(s)
	if reason := d.limit(); reason != "" {
		return errors.New(reason)
	}
	return nil
}

func checkInteger(s string) error {
	if err := checkNumber(s); err != nil {
		return err
	}
	if d := parseDecimal(s); !d.whole() {
		return errNotWhole
	}
	return nil
}

var (
	errNotNumber = errors.New("not a number")
	errNotWhole  = errors.New("not a whole number")
	errTooLarge  = errors.New("number does not fit")
)

func int64Of(s string) (int64, error) {
	if err := checkInteger(s); err != nil {
		return 0, err
	}
	d := parseDecimal(s)
	if n, ok := d.int64(); ok {
		return n, nil
	}
	return 0, errTooLarge
}
