package document

import (
	"bytes"
	"unicode/utf8"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// plain returns text without a byte order mark, or reports why it is no UTF-8 text.
func (l *Library) plain(f *file, text []byte) ([]byte, bool) {
	start := ir.Pos{File: f.name, Line: 1, Col: 1}
	for _, bom := range [][]byte{{0xFF, 0xFE}, {0xFE, 0xFF}} {
		if bytes.HasPrefix(text, bom) {
			l.Report(start, "the file is not UTF-8 text but UTF-16", "save it as UTF-8")
			return nil, false
		}
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if at, ok := invalidUTF8(text); ok {
		l.Report(posAt(f.name, text, at), "the file is not UTF-8 text", "save it as UTF-8")
		return nil, false
	}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		l.Report(posAt(f.name, text, at), "the file holds a NUL byte", "save it as UTF-8 text")
		return nil, false
	}
	if len(bytes.TrimSpace(text)) == 0 {
		l.Report(start, "the file is empty", "write an OpenAPI document into it")
		return nil, false
	}
	return text, true
}

// invalidUTF8 is the offset of the first byte that is not UTF-8.
func invalidUTF8(text []byte) (int, bool) {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i, true
		}
		i += n
	}
	return 0, false
}

// posAt is the place of an offset.
func posAt(name string, text []byte, at int) ir.Pos {
	line := 1 + bytes.Count(text[:at], []byte("\n"))
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	return ir.Pos{File: name, Line: line, Col: 1 + utf8.RuneCount(text[start:at])}
}
