package idemtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// respell writes the same JSON value in other words: members the other way round, blanks, escapes, and numbers with
// another zero.
func respell(data string) (string, error) {
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	var b bytes.Buffer
	if err := respellNext(d, &b); err != nil {
		return "", fmt.Errorf("spell the body differently: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("spell the body differently: there is more than one value")
	}
	return b.String(), nil
}

// respellNext reads a value and writes it.
func respellNext(d *json.Decoder, b *bytes.Buffer) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	b.WriteByte(' ')
	switch v := token.(type) {
	case json.Delim:
		return respellAll(d, b, v)
	case string:
		respellText(b, v)
	case json.Number:
		b.WriteString(respellNumber(v.String()))
	case bool:
		fmt.Fprint(b, v)
	default:
		b.WriteString("null")
	}
	b.WriteByte(' ')
	return nil
}

// respellAll reads the members of an object, or the items of an array, and the end of it.
func respellAll(d *json.Decoder, b *bytes.Buffer, open json.Delim) error {
	var parts []string
	for d.More() {
		var part bytes.Buffer
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			text, _ := name.(string)
			respellText(&part, text)
			part.WriteString(" :")
		}
		if err := respellNext(d, &part); err != nil {
			return err
		}
		parts = append(parts, part.String())
	}
	if open == '{' {
		slices.Reverse(parts)
	}
	end, err := d.Token()
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "%v %s %v ", open, strings.Join(parts, ", "), end)
	return nil
}

// respellText escapes the first character of a text.
func respellText(b *bytes.Buffer, text string) {
	quoted, err := json.Marshal(text)
	if err != nil { // no string fails
		panic(err)
	}
	if len(text) > 0 && text[0] < 0x80 && quoted[1] != '\\' {
		fmt.Fprintf(b, `"\u%04x%s`, text[0], quoted[2:])
		return
	}
	b.Write(quoted)
}

// respellNumber adds a zero that does not count.
func respellNumber(n string) string {
	switch {
	case strings.ContainsAny(n, "eE"):
		return n
	case strings.Contains(n, "."):
		return n + "0"
	default:
		return n + ".0"
	}
}
