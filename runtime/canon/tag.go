package canon

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseTag reads a json tag.
func parseTag(tag, def string) (name string, omitZero bool, err error) {
	name, options, _ := strings.Cut(tag, ",")
	if strings.HasPrefix(tag, "'") {
		if name, options, err = cutQuoted(tag); err != nil {
			return "", false, err
		}
		options = strings.TrimPrefix(options, ",")
	} else if name == "" {
		name = def
	}
	switch options {
	case "":
		return name, false, nil
	case "omitzero":
		return name, true, nil
	}
	return "", false, fmt.Errorf("option %q is not known", options)
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
