package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// maxMarks bounds the characters that can start a node, so that a file of nothing but brackets is
// refused before it is millions of nodes in memory.
const maxMarks = 2 * maxNodes

// parseYAML parses the one YAML document of a file.
func (l *Library) parseYAML(f *file, text []byte) *yaml.Node {
	start := ir.Pos{File: f.name, Line: 1, Col: 1}
	marks := 0
	for _, c := range []byte(",:[{\n") {
		marks += bytes.Count(text, []byte{c})
	}
	if marks > maxMarks {
		l.Report(start, fmt.Sprintf("the file has more than %d values", maxNodes), "split the document")
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(withoutDirectives(text)))
	if err != nil {
		l.Report(start, fmt.Sprintf("not YAML: %v", err), "correct the YAML")
		return nil
	}
	var doc, second yaml.Node
	if err := loader.Load(&doc); err != nil {
		l.reportYAML(f, err)
		return nil
	}
	switch err := loader.Load(&second); {
	case err == nil:
		l.Report(ir.Pos{File: f.name, Line: max(second.Line, 1), Col: max(second.Column, 1)},
			"the file holds a second YAML document", "keep one document in a file")
		return nil
	case !errors.Is(err, io.EOF):
		l.reportYAML(f, err)
		return nil
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		l.Report(start, "the file is empty", "write an OpenAPI document into it")
		return nil
	}
	return doc.Content[0]
}

// withoutDirectives makes comments of the %YAML lines that may precede a document: the parser knows
// version 1.1 only, and 1.2 is what OpenAPI asks for.
func withoutDirectives(text []byte) []byte {
	rest, changed := text, false
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		line := bytes.TrimSpace(text[at : at+end])
		switch {
		case bytes.HasPrefix(line, []byte("%YAML")) && text[at] == '%':
			if !changed {
				rest, changed = bytes.Clone(text), true
			}
			rest[at] = '#'
		case len(line) > 0 && line[0] != '#':
			return rest
		}
		at += end + 1
	}
	return rest
}

// reportYAML reports a parser's error at the parser's place.
func (l *Library) reportYAML(f *file, err error) {
	pos, what := ir.Pos{File: f.name, Line: 1, Col: 1}, err.Error()
	if errors.Is(err, io.EOF) {
		l.Report(pos, "the file is empty", "write an OpenAPI document into it")
		return
	}
	var le *yaml.LoadError
	if errors.As(err, &le) {
		what = le.Message
		if le.Mark.Line > 0 {
			pos.Line, pos.Col = le.Mark.Line, max(le.Mark.Column, 1)
		}
	}
	l.Report(pos, "not YAML: "+what, "correct the YAML")
}
