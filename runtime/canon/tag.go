package canon

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseTag reads the json tag of a field: the member's name, which stands in single quotes where a tag cannot spell it
// otherwise, and whether a zero value is left out. It is for whoever reads generated structs without this package's codec.
// The name is "" and named is false where the tag has none.
func ParseTag(tag string) (name string, named, omitZero bool, err error) {
	name, options, _ := strings.Cut(tag, ",")
	named = name != ""
	if strings.HasPrefix(tag, "'") {
		if name, options, err = cutQuoted(tag); err != nil {
			return "", false, false, err
		}
		named, options = true, strings.TrimPrefix(options, ",")
	}
	switch options {
	case "":
		return name, named, false, nil
	case "omitzero":
		return name, named, true, nil
	}
	return "", false, false, fmt.Errorf("option %q is not known", options)
}

// cutQuoted cuts a name in single quotes off a tag. As in encoding/json/v2 it is a Go string otherwise.
func cutQuoted(tag string) (name, rest string, err error) {
	double := []byte{'"'}
	for i := 1; i < len(tag); i++ {
		switch c := tag[i]; {
		case c == '\'':
			name, err = strconv.Unquote(string(append(double, '"')))
			if err != nil {
				err = fmt.Errorf("name %s: %w", tag[:i+1], err)
			}
			return name, tag[i+1:], err
		case c == '"':
			double = append(double, '\\', '"')
		case c == '\\' && i+1 < len(tag):
			i++
			if tag[i] != '\'' {
				double = append(double, '\\')
			}
			double = append(double, tag[i])
		default:
			double = append(double, c)
		}
	}
	return "", "", errors.New("name without a closing quote")
}
