package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"github.com/idemgen/idemgen/gen"
)

// annotate gives the mutating operations of a document their endpoint keys, as idemgen annotate does. It returns the files
// that it changes and what it refuses.
func annotate(fsys fs.FS, spec string) (files, gen.Problems, error) {
	out, err := gen.Annotate(fsys, gen.AnnotateConfig{Spec: spec})
	if err != nil {
		return nil, nil, err
	}
	changed := files{}
	for _, f := range out.Files {
		changed[f.Name] = f.New
	}
	again, err := gen.Annotate(overlay{fsys, changed}, gen.AnnotateConfig{Spec: spec})
	if err != nil || len(again.Files) > 0 {
		return nil, nil, fmt.Errorf("a second annotate changes %d files, %w", len(again.Files), err)
	}
	return changed, out.Refused, nil
}

// edit puts text in the place of length characters.
type edit struct {
	line, col, length int
	text              string
}

// apply makes edits to a text, the last one first, so that the places of the others stay.
func apply(text []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(b.line-a.line, b.col-a.col) })
	lines := bytes.SplitAfter(text, []byte("\n"))
	for _, e := range edits {
		line := []rune(string(lines[e.line-1]))
		lines[e.line-1] = []byte(string(line[:e.col-1]) + e.text + string(line[e.col-1+e.length:]))
	}
	return bytes.Join(lines, nil)
}

// drop makes the operations exempt whose code is refused: the endpoint key is the reason then.
func drop(text []byte, ops []operation) []byte {
	var edits []edit
	for _, op := range ops {
		for key := range pairs(op.node) {
			if key.Value == "x-idempotency-endpoint" {
				e := edit{key.Line, key.Column, len("x-idempotency-endpoint"), "x-idempotency-exempt"}
				if key.Style != 0 {
					e.col++ // behind the quote
				}
				edits = append(edits, e)
			}
		}
	}
	return apply(text, edits)
}
