package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// annotate gives every mutating operation of a document an endpoint key. It is the one line to change when
// the generator does that itself.
var annotate = mark

// mark writes an endpoint key before the first member of each mutating operation, and returns the files
// that it changes.
func mark(fsys fs.FS, spec string) (files, error) {
	ops, texts, err := operations(fsys, spec)
	if err != nil {
		return nil, err
	}
	edits := map[string][]edit{}
	taken := map[string]bool{}
	for _, op := range ops {
		key := endpoint(op, taken)
		if len(op.node.Content) == 0 {
			continue // {} has no member to write before
		}
		first := op.node.Content[0]
		text := fmt.Sprintf("x-idempotency-endpoint: %s\n%s", key, strings.Repeat(" ", first.Column-1))
		if path.Ext(op.file) == ".json" {
			text = fmt.Sprintf("%q: %q, ", "x-idempotency-endpoint", key)
		}
		edits[op.file] = append(edits[op.file], edit{first.Line, first.Column, 0, text})
	}
	changed := files{}
	for name, e := range edits {
		changed[name] = apply(texts[name], e)
	}
	return changed, nil
}

var word = regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z0-9]+`)

// endpoint is a key that no other operation has, nor one that gives the same Go name.
func endpoint(op operation, taken map[string]bool) string {
	var words []string
	for _, segment := range strings.Split(op.path, "/") {
		if w := word.FindAllString(segment, -1); len(w) > 0 {
			words = append(words, strings.ToLower(strings.Join(w, "-")))
		}
	}
	stem := strings.Join(append(words, strings.ToLower(op.method)), ".")
	if len(stem) > 110 {
		stem = strings.Trim(stem[len(stem)-110:], ".-")
	}
	key := stem
	for n := 2; taken[strings.NewReplacer(".", "", "-", "").Replace(key)]; n++ {
		key = fmt.Sprintf("%s-n%d", stem, n)
	}
	taken[strings.NewReplacer(".", "", "-", "").Replace(key)] = true
	return key
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
