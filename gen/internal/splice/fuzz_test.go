package splice_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// Whatever a text is, its edits either cannot be made, or add what they say and take nothing away. Every mapping gets
// a first and a last member and every list an item, one at a time and all together.
func FuzzApply(f *testing.F) {
	for _, c := range cases {
		f.Add(c.file == "d.json", c.before)
	}
	for _, text := range []string{
		"a: \"x\u2028y\"\nb: {c: \"\u0085\"}\n", "? [a]\n: b\n", "a: |2-\n    x\n   \n", "- - - a: b\n", "a: &x !!map {b: c}\nd: *x\n",
		"a: # c\n  - # d\n    b\n", "a:\r  b: 1\rc: 2\r", "{a: {b: c}, ? d : [e, f: g], \"h\":i}", "a: >\n\n\n  x\n\n\nb:\n", "!!map\na: !!null\nb: !x\n",
		"&a a: &b\n  &c c: &d [*a, *b]\n", "{\"a\":[{\"b\":{}},[]],\"c\":\"\\\"}\"}", "a: 'x\n\n  y'\n...\n", "--- # x\na: 1\n", "--- {a: 1}\n", "a:\n\t\n  b: 1\n",
	} {
		f.Add(false, text)
	}
	f.Fuzz(func(t *testing.T, isJSON bool, text string) {
		name := "d.yaml"
		if isJSON {
			name = "d.json"
		}
		lib := document.Open(fstest.MapFS{name: {Data: []byte(text)}}, name)
		if len(lib.Problems()) > 0 || len(text) > 10_000 {
			return
		}
		s, problems := splice.Open(name, []byte(text))
		if len(problems) > 0 {
			t.Fatalf("%+v", problems)
		}
		var all []splice.Edit
		for _, e := range edits(lib.Root(), map[any]bool{}) {
			if s.Check(e) != nil {
				continue
			}
			if out, p := s.Apply([]splice.Edit{e}); p == nil {
				if !subsequence(text, string(out)) || len(out) == len(text) {
					t.Fatalf("%+v\n%q\n%q", e, text, out)
				}
				all = append(all, e)
			}
		}
		out, p := s.Apply(all)
		if p != nil {
			t.Logf("each by itself, but not all together: %+v", *p)
			return
		}
		if !subsequence(text, string(out)) {
			t.Fatalf("%q\n%q", text, out)
		}
		if again, _ := splice.Open(name, out); again == nil && !bytes.Equal(out, []byte(text)) {
			t.Fatalf("not read again: %q", out)
		}
	})
}

// edits are some of every collection below a node.
func edits(n document.Node, seen map[any]bool) []splice.Edit {
	if seen[n.ID()] {
		return nil
	}
	seen[n.ID()] = true
	var out []splice.Edit
	switch {
	case n.IsMapping():
		last := ""
		for key, value := range n.Members() {
			last = key.Spelt()
			out = append(out, edits(value, seen)...)
		}
		out = append(out, splice.Edit{At: n.Pos(), Key: "x-first", Value: ref}, splice.Edit{At: n.Pos(), Key: "x-last", Value: deep, After: last})
	case n.IsList():
		for _, item := range n.Items() {
			out = append(out, edits(item, seen)...)
		}
		out = append(out, splice.Edit{At: n.Pos(), Value: ref})
	}
	return out
}
