package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/idemgen/idemgen/gen"
)

// baseline are findings that a team knows, and mends when it comes to them.
type baseline struct {
	Version  int     `json:"version"`
	Findings []known `json:"findings"`
	dir      string  // of the file
}

// known are so many findings of a rule in a part of a document.
type known struct {
	knownAt
	Count int `json:"count"`
}

// knownAt has no line: entries stay when other lines move.
type knownAt struct {
	Spec string `json:"spec"` // relative to the baseline's folder, with slashes
	Rule string `json:"rule"`
	At   string `json:"at"`
}

func readBaseline(name string) (*baseline, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the baseline %s: %w: make it with --write-baseline", name, withoutPath(err))
	}
	b := &baseline{dir: filepath.Dir(name)}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(b); err != nil {
		return nil, fmt.Errorf("read the baseline %s: %w: make it anew with --write-baseline", name, err)
	}
	if b.Version != 1 {
		return nil, fmt.Errorf("the baseline %s has version %d, and this program knows version 1: make it anew with --write-baseline", name, b.Version)
	}
	return b, nil
}

// counts says how often findings occur. What makes a document unusable is never known.
func (b *baseline) counts(found []finding) map[knownAt]int {
	n := map[knownAt]int{}
	for _, f := range found {
		if f.Rule != gen.Unusable {
			n[b.at(f)]++
		}
	}
	return n
}

func (b *baseline) at(f finding) knownAt { return knownAt{b.spec(f.spec), f.Rule, f.At} }

// spec is a document as the baseline calls it, wherever the command runs.
func (b *baseline) spec(name string) string {
	dir, err := filepath.Abs(b.dir)
	file, err2 := filepath.Abs(name)
	if err == nil && err2 == nil {
		if rel, err := filepath.Rel(dir, file); err == nil {
			name = rel
		}
	}
	return filepath.ToSlash(name)
}

// without leaves out the findings that are known, and says what is known and occurs no longer in these documents.
func (b *baseline) without(found []finding, specs, disabled []string) (rest []finding, gone []string) {
	count, most := b.counts(found), map[knownAt]int{}
	for _, k := range b.Findings {
		most[k.knownAt] += k.Count
	}
	for _, f := range found {
		if n := count[b.at(f)]; n == 0 || n > most[b.at(f)] {
			rest = append(rest, f)
		}
	}
	linted := func(spec string) bool {
		return slices.ContainsFunc(specs, func(s string) bool { return b.spec(s) == spec })
	}
	for _, k := range b.Findings {
		if n := count[k.knownAt]; n < k.Count && linted(k.Spec) && !slices.Contains(disabled, k.Rule) {
			gone = append(gone, fmt.Sprintf("%s at %s of %s: %d listed, %d found", k.Rule, cmp.Or(k.At, "the top"), k.Spec, k.Count, n))
		}
	}
	return rest, gone
}

// writeBaseline lists findings in a file.
func writeBaseline(name string, found []finding) (*baseline, error) {
	b := &baseline{Version: 1, Findings: []known{}, dir: filepath.Dir(name)}
	for at, n := range b.counts(found) {
		b.Findings = append(b.Findings, known{at, n})
	}
	slices.SortFunc(b.Findings, func(x, y known) int {
		return cmp.Or(cmp.Compare(x.Spec, y.Spec), cmp.Compare(x.At, y.At), cmp.Compare(x.Rule, y.Rule))
	})
	var text bytes.Buffer
	if err := indented(&text, b); err != nil {
		return nil, err
	}
	if err := os.WriteFile(name, text.Bytes(), 0o666); err != nil {
		return nil, fmt.Errorf("write the baseline %s: %w", name, withoutPath(err))
	}
	return b, nil
}
