package canon

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error says what is wrong with a document, and where. Its text is fit to be shown to whoever sent
// the document. A fault of the program (a type that no JSON fits, a broken rule table) is another
// kind of error.
type Error struct {
	Offset int    // in bytes; -1 where there is no text yet, as in Marshal
	Path   string // JSON pointer (RFC 6901) to the value; "" is the whole document
	Reason string
}

// Error returns, for example, "duplicate member name at /lines/3/sku (byte 120)".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Reason)
	if e.Path != "" {
		b.WriteString(" at ")
		b.WriteString(printable(e.Path))
	}
	if e.Offset >= 0 {
		b.WriteString(" (byte ")
		b.WriteString(strconv.Itoa(e.Offset))
		b.WriteByte(')')
	}
	return b.String()
}

// printable cuts a path short and quotes it where it would garble a log: its names are the sender's.
func printable(path string) string {
	const limit = 200
	if len(path) > limit {
		cut := limit
		for !utf8.RuneStart(path[cut]) {
			cut--
		}
		path = path[:cut] + "…"
	}
	for _, r := range path {
		if !unicode.IsPrint(r) {
			return strconv.Quote(path)
		}
	}
	return path
}

// failure makes the error for src[offset:]. src is well formed up to there.
func failure(src []byte, offset int, reason string) *Error {
	return &Error{Offset: offset, Path: pointer(src, offset), Reason: reason}
}

// step is where in an open container we are.
type step struct {
	array bool
	named bool   // the object's current member has been named
	name  string // unescaped
	item  int
}

// pointer returns the JSON pointer of the value or member name at this offset. It runs only where
// there is an error to report, so the way to a value costs nothing as long as all is well.
func pointer(src []byte, offset int) string {
	var steps []step
walk:
	for i := 0; i < len(src) && i < offset+1; i++ {
		last := len(steps) - 1
		switch c := src[i]; {
		case c == '"':
			end := i + 1
			for end < len(src) && src[end] != '"' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			if last >= 0 && !steps[last].array && !steps[last].named && end < len(src) {
				if name, err := unquote(src[i : end+1]); err == nil {
					steps[last].named, steps[last].name = true, name
				}
			}
			i = end
		case i == offset:
			break walk
		case c == '{' || c == '[':
			steps = append(steps, step{array: c == '['})
		case (c == '}' || c == ']') && last >= 0:
			steps = steps[:last]
		case c == ',' && last >= 0:
			steps[last].named = false
			steps[last].item++
		}
	}
	var b strings.Builder
	for _, s := range steps {
		switch {
		case s.array:
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(s.item))
		case s.named:
			b.WriteByte('/')
			b.WriteString(token(s.name))
		}
	}
	return b.String()
}

// token escapes a member name for a JSON pointer.
func token(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// unquote decodes one string literal that nothing is known about yet.
func unquote(literal []byte) (string, error) {
	s := scanner{src: literal}
	end, _ := s.text(0)
	if end != len(literal) {
		return "", &Error{Reason: s.reason}
	}
	return string(appendUnescaped(nil, literal[1:end-1])), nil
}
