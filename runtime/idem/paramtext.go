package idem

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/idemgen/idemgen/runtime/canon"
)

// textForm is how the text of a parameter becomes a Go value.
type textForm uint8

const (
	plainText   textForm = iota // a string: the text as sent
	enumText                    // one of several strings
	boolText                    // true, false
	integerText                 // digits, without leading zeros
	numberText                  // a JSON number, its text kept
	mixedText                   // one of several values that are not all strings
)

// wants says what a text of the form must be.
func (f textForm) wants() string {
	return [...]string{"text", "one of the allowed values", "true or false",
		"an integer in range, in canonical spelling", "a number", "one of the allowed values"}[f]
}

var enumType = reflect.TypeFor[interface{ Enum() []canon.Value }]()

// textFormOf returns the form of a scalar type. It is an error where no parameter has the type.
func textFormOf(t reflect.Type) (textForm, error) {
	switch t.Kind() {
	case reflect.Bool:
		return boolText, nil
	case reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64:
		return integerText, nil
	case reflect.String:
	default:
		return 0, fmt.Errorf("%s is no type of a parameter", t)
	}
	switch {
	case t == reflect.TypeFor[canon.Integer]():
		return integerText, nil
	case t == reflect.TypeFor[canon.Number]():
		return numberText, nil
	case t.Implements(enumType):
		return textFormOfEnum(reflect.Zero(t).Interface().(interface{ Enum() []canon.Value }).Enum()), nil
	}
	return plainText, nil
}

// textFormOfEnum tells an enum of strings from one of other values: the Go type is a string in either
// case.
func textFormOfEnum(values []canon.Value) textForm {
	for _, v := range values {
		if !strings.HasPrefix(string(v), `"`) {
			return mixedText
		}
	}
	return enumText
}

// decode reads text into dst, of the form's type or an Optional of it, and says what is wrong with it.
func (f textForm) decode(dst reflect.Value, text string) (reason string) {
	if !utf8.ValidString(text) {
		return "is not valid UTF-8"
	}
	if f == plainText && dst.Kind() == reflect.String {
		dst.SetString(text)
		return ""
	}
	for _, literal := range f.literals(text) {
		if canon.Unmarshal(literal, dst.Addr().Interface()) == nil {
			return ""
		}
	}
	return "must be " + f.wants()
}

// literals are the JSON values that text may spell, none where it is not their canonical spelling.
func (f textForm) literals(text string) [][]byte {
	quoted, bare := appendText(nil, text), []byte(text)
	switch {
	case !f.canonical(text):
		return nil
	case f == plainText, f == enumText, f == mixedText && (padded(text) || strings.HasPrefix(text, `"`)):
		return [][]byte{quoted}
	case f == mixedText:
		return [][]byte{quoted, bare}
	}
	return [][]byte{bare}
}

// canonical says whether text may be the one spelling that its value has. The value itself, and that
// it is in range, are for canon.
func (f textForm) canonical(text string) bool {
	switch f {
	case integerText:
		digits := strings.TrimPrefix(text, "-")
		return text == "0" || digits != "" && digits[0] != '0' && strings.Trim(digits, "0123456789") == ""
	case boolText, numberText:
		return !padded(text)
	}
	return true
}

// padded says whether text has the blanks round it that JSON allows and a parameter does not.
func padded(text string) bool { return strings.Trim(text, " \t\r\n") != text }

// encode returns the text of src, of the form's type or an Optional of it that is present.
func (f textForm) encode(src reflect.Value) (string, error) {
	literal, err := canon.Marshal(src.Interface())
	if err != nil {
		return "", err
	}
	text := string(literal)
	if literal[0] == '"' {
		if err := canon.Unmarshal(literal, &text); err != nil {
			return "", err
		}
	}
	if !f.canonical(text) {
		return "", errors.New("must be " + f.wants())
	}
	return text, nil
}
