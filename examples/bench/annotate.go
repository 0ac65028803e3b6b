package main

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A writer is a mutating operation of a document: where its first member stands, and its endpoint key.
type writer struct {
	line, column int
	flow         bool // within braces
	key          string
}

// annotated is a document with an endpoint key at each of its mutating operations, or at the first so many of them. It
// stands in for a person: the keys are made of paths and say little.
func annotated(text []byte, most int) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	found := writers(&doc)
	found = found[:min(most, len(found))]
	lines := bytes.Split(text, []byte("\n"))
	slices.SortFunc(found, func(a, b writer) int { return cmp.Or(b.line-a.line, b.column-a.column) })
	for _, w := range found { // the last first, so that no place moves
		line := []rune(string(lines[w.line-1]))
		mark := fmt.Sprintf("x-idempotency-endpoint: %s\n%s", w.key, string(line[:w.column-1]))
		if w.flow {
			mark = fmt.Sprintf("%q: %q, ", "x-idempotency-endpoint", w.key)
		}
		lines[w.line-1] = []byte(string(line[:w.column-1]) + mark + string(line[w.column-1:]))
	}
	return bytes.Join(lines, []byte("\n")), nil
}

// writers are the mutating operations of a document, in its order.
func writers(doc *yaml.Node) []writer {
	var out []writer
	taken := map[string]bool{}
	for path, item := range members(member(doc.Content[0], "paths")) {
		for method, op := range members(item) {
			if !slices.Contains([]string{"post", "put", "patch", "delete"}, method) || len(op.Content) == 0 {
				continue
			}
			first := op.Content[0]
			w := writer{first.Line, first.Column, op.Style&yaml.FlowStyle != 0, endpointKey(path, method)}
			for taken[w.key] {
				w.key += ".again"
			}
			taken[w.key] = true
			out = append(out, w)
		}
	}
	return out
}

var (
	version = regexp.MustCompile(`^/(api/|rest/)?v?\d+(\.\d+)?(/|$)`)
	words   = regexp.MustCompile(`[a-z0-9]+`)
)

// endpointKey is the words of a path without a leading version, and the method.
func endpointKey(path, method string) string {
	path = version.ReplaceAllString(strings.ToLower(path), "/")
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		if ws := words.FindAllString(part, -1); len(ws) > 0 {
			parts = append(parts, strings.Join(ws, "-"))
		}
	}
	if key := strings.Join(append(parts, method), "."); len(key) <= 120 {
		return key
	}
	return strings.Join(append(parts[:1], parts[len(parts)-2:]...), ".") + "." + method
}

// members are the members of a mapping in their order.
func members(n *yaml.Node) func(yield func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i].Value, n.Content[i+1]) {
				return
			}
		}
	}
}

func member(n *yaml.Node, name string) *yaml.Node {
	for key, value := range members(n) {
		if key == name {
			return value
		}
	}
	return nil
}
