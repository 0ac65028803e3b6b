package splice_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// add is an edit of the mapping or the list at a path: keys and indexes with slashes.
type add struct {
	at, key string
	value   splice.Value
	after   string
}

var (
	ref  = splice.Map{{Key: "$ref", Value: "#/a/b"}}
	deep = splice.Map{
		{Key: "name", Value: "Idempotency-Key"}, {Key: "required", Value: true}, {Key: "400", Value: 1},
		{Key: "list", Value: splice.List{"a", "b"}}, {Key: "refs", Value: splice.List{ref, splice.Map{{Key: "x", Value: splice.Map{{Key: "w", Value: "it's: #1"}}}, {Key: "z", Value: "yes"}}}},
		{Key: "none", Value: splice.Map{}},
	}
)

// Each case is a whole text before and after. The name of the file says what it is.
var cases = []struct {
	name, file, before string
	edits              []add
	after              string
}{
	{"block mapping", "d.yaml", "a:\n  b: 1\n  c: 2\nd: 3\n", []add{
		{"a", "first", "x", ""}, {"a", "mid", "w", "b"}, {"a", "last", ref, "c"}, {"", "end", ref, "d"},
	}, "a:\n  first: x\n  b: 1\n  mid: w\n  c: 2\n  last:\n    $ref: '#/a/b'\nd: 3\nend:\n  $ref: '#/a/b'\n"},
	{"everything that can be written", "d.yaml", "a:\n    b: 1\n", []add{{"a", "new", deep, "b"}},
		"a:\n    b: 1\n    new:\n        name: Idempotency-Key\n        required: true\n        '400': 1\n        list: [a, b]\n        refs:\n            - $ref: '#/a/b'\n            - x:\n                  w: 'it''s: #1'\n              z: 'yes'\n        none: {}\n"},
	{"the same in JSON", "d.json", "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n", []add{{"a", "new", deep, "b"}},
		"{\n\t\"a\": {\n\t\t\"b\": 1,\n\t\t\"new\": {\n\t\t\t\"name\": \"Idempotency-Key\",\n\t\t\t\"required\": true,\n\t\t\t\"400\": 1,\n\t\t\t\"list\": [\n\t\t\t\t\"a\",\n\t\t\t\t\"b\"\n\t\t\t],\n\t\t\t\"refs\": [\n\t\t\t\t{\n\t\t\t\t\t\"$ref\": \"#/a/b\"\n\t\t\t\t},\n\t\t\t\t{\n\t\t\t\t\t\"x\": {\n\t\t\t\t\t\t\"w\": \"it's: #1\"\n\t\t\t\t\t},\n\t\t\t\t\t\"z\": \"yes\"\n\t\t\t\t}\n\t\t\t],\n\t\t\t\"none\": {}\n\t\t}\n\t}\n}\n"},
	{"comments stay with what they are about", "d.yaml", "# top\na: # of a\n  # of b\n  b: 1 # after b\n  # of c\n  c: 2 # after c\n\n# of d\nd: 3\n", []add{
		{"a", "first", "x", ""}, {"a", "mid", "w", "b"}, {"a", "last", "z", "c"},
	}, "# top\na: # of a\n  first: x\n  # of b\n  b: 1 # after b\n  mid: w\n  # of c\n  c: 2 # after c\n  last: z\n\n# of d\nd: 3\n"},
	{"the first member of the file", "d.yaml", "# of a\na: 1\n", []add{{"", "x", "w", ""}}, "# of a\nx: w\na: 1\n"},
	{"the first member of a document with a start", "d.yaml", "%YAML 1.2\n---\na: 1\n", []add{{"", "x", "w", ""}}, "%YAML 1.2\n---\nx: w\na: 1\n"},
	{"the end of a file without a newline", "d.yaml", "a:\n  b: 1\n  c: [x]", []add{{"a", "d", ref, "c"}, {"", "e", "f", "a"}}, "a:\n  b: 1\n  c: [x]\n  d:\n    $ref: '#/a/b'\ne: f"},
	{"carriage returns and a byte order mark", "d.yaml", "\uFEFFa:\r\n  b: 1\r\n  l:\r\n  - 1\r\n", []add{{"a", "c", ref, "b"}, {"a/l", "", ref, ""}}, "\uFEFFa:\r\n  b: 1\r\n  c:\r\n    $ref: '#/a/b'\r\n  l:\r\n  - 1\r\n  - $ref: '#/a/b'\r\n"},
	{"lists below their key, or not", "d.yaml", "a:\n- 1\nb:\n  - 2\nc:\n    -   x: 3\n", []add{{"a", "", ref, ""}, {"b", "", "s", ""}, {"c", "", ref, ""}, {"", "d", splice.List{ref}, "c"}},
		"a:\n- 1\n- $ref: '#/a/b'\nb:\n  - 2\n  - s\nc:\n    -   x: 3\n    - $ref: '#/a/b'\nd:\n- $ref: '#/a/b'\n"},
	{"a mapping in a list", "d.yaml", "a:\n  - b: 1\n    c: 2\n  -\n    d: 3\n", []add{{"a/0", "first", "x", ""}, {"a/0", "last", "w", "c"}, {"a/1", "first", "z", ""}},
		"a:\n  - first: x\n    b: 1\n    c: 2\n    last: w\n  -\n    first: z\n    d: 3\n"},
	{"flow in one line", "d.yaml", "a: {b: 1, c: [1, 2], d: {}}\n", []add{{"a", "first", "x", ""}, {"a", "mid", ref, "b"}, {"a", "last", "w", "d"}, {"a/c", "", ref, ""}, {"a/d", "e", ref, ""}},
		"a: {first: x, b: 1, mid: {$ref: '#/a/b'}, c: [1, 2, {$ref: '#/a/b'}], d: {e: {$ref: '#/a/b'}}, last: w}\n"},
	{"flow in one line, with blanks inside", "d.yaml", "a: { b: 1 }\nl: [ { x: 1 } ]\n", []add{{"a", "c", ref, "b"}, {"l", "", ref, ""}}, "a: { b: 1, c: { $ref: '#/a/b' } }\nl: [ { x: 1 }, { $ref: '#/a/b' } ]\n"},
	{"flow over several lines", "d.yaml", "a: {\n  b: 1, # of b\n  c: [\n    1\n  ],\n}\n", []add{{"a", "first", "x", ""}, {"a", "last", ref, "c"}, {"a/c", "", 2, ""}},
		"a: {\n  first: x,\n  b: 1, # of b\n  c: [\n    1,\n    2\n  ],\n  last: {\n    $ref: '#/a/b'\n  },\n}\n"},
	{"beside a mapping in one line", "d.yaml", "r:\n  '200': {$ref: '#/x'}\n  '500': {$ref: '#/w'}\nl:\n  - {$ref: '#/x'}\n", []add{{"r", "400", ref, "200"}, {"r", "409", ref, "200"}, {"l", "", ref, ""}},
		"r:\n  '200': {$ref: '#/x'}\n  '400': {$ref: '#/a/b'}\n  '409': {$ref: '#/a/b'}\n  '500': {$ref: '#/w'}\nl:\n  - {$ref: '#/x'}\n  - {$ref: '#/a/b'}\n"},
	{"keys look like their neighbours", "d.yaml", "a:\n  \"200\": x\nb:\n  '200': x\nc:\n  200: x\nd:\n  default: x\n", []add{{"a", "400", "w", "200"}, {"b", "400", "w", "200"}, {"c", "400", "w", "200"}, {"d", "400", "w", ""}},
		"a:\n  \"200\": x\n  \"400\": w\nb:\n  '200': x\n  '400': w\nc:\n  200: x\n  400: w\nd:\n  '400': w\n  default: x\n"},
	{"quotes as most of the file has them", "d.yaml", "a: \"x\"\nb: \"w\"\nc: 'z'\n", []add{{"", "d", ref, "c"}}, "a: \"x\"\nb: \"w\"\nc: 'z'\nd:\n  $ref: \"#/a/b\"\n"},
	{"empty", "d.yaml", "a: {}\nb: []\nc:\nd: # of d\ne: {\n}\nf:\n  g:\n", []add{
		{"a", "x", ref, ""}, {"b", "", ref, ""}, {"", "c", ref, ""}, {"", "d", splice.List{ref}, ""}, {"e", "x", "w", ""}, {"f", "g", "h", ""},
	}, "a: {x: {$ref: '#/a/b'}}\nb: [{$ref: '#/a/b'}]\nc:\n  $ref: '#/a/b'\nd: # of d\n  - $ref: '#/a/b'\ne: {\n  x: w\n}\nf:\n  g: h\n"},
	{"empty, and much to write", "d.yaml", "c: {}\n", []add{{"c", "x", splice.Map{{Key: "long", Value: strings.Repeat("a", 90)}, {Key: "l", Value: splice.List{ref}}}, ""}},
		"c: {\n  x: {\n    long: " + strings.Repeat("a", 90) + ",\n    l: [\n      {\n        $ref: '#/a/b'\n      }\n    ]\n  }\n}\n"},
	{"JSON in one line", "d.json", `{"a":{"b":[1],"c":{}},"d":"é"}`, []add{{"a", "x", ref, ""}, {"a", "w", true, "c"}, {"a/b", "", ref, ""}, {"a/c", "e", "f", ""}, {"", "z", 1, "d"}},
		`{"a":{"x":{"$ref":"#/a/b"},"b":[1,{"$ref":"#/a/b"}],"c":{"e":"f"},"w":true},"d":"é","z":1}`},
	{"JSON in one line, with blanks", "d.json", `{ "a" : {"b": [1, 2]} }`, []add{{"a/b", "", ref, ""}, {"a", "c", 1, "b"}}, `{ "a" : {"b": [1, 2, { "$ref" : "#/a/b" }], "c" : 1} }`},
	{"JSON over several lines", "d.json", "{\r\n    \"a\": {},\r\n    \"b\": [],\r\n    \"c\": {\"d\": 1}\r\n}", []add{{"a", "x", ref, ""}, {"b", "", ref, ""}, {"c", "e", 2, "d"}, {"", "f", ref, "c"}},
		"{\r\n    \"a\": {\r\n        \"x\": {\r\n            \"$ref\": \"#/a/b\"\r\n        }\r\n    },\r\n    \"b\": [\r\n        {\r\n            \"$ref\": \"#/a/b\"\r\n        }\r\n    ],\r\n    \"c\": {\"d\": 1, \"e\": 2},\r\n    \"f\": {\"$ref\": \"#/a/b\"}\r\n}"},
	{"JSON with escapes beyond the first plane", "d.json", `{"a": "\ud83d\ude00", "b": {}}`, []add{{"b", "c", "<&>", ""}}, `{"a": "\ud83d\ude00", "b": {"c": "<&>"}}`},
	{"JSON in a YAML file", "d.yaml", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", []add{{"a", "c", ref, "b"}}, "{\n  \"a\": {\n    \"b\": 1,\n    \"c\": {\n      \"$ref\": \"#/a/b\"\n    }\n  }\n}\n"},
	{"texts in blocks", "d.yaml", "a:\n  b: |\n    one\n\n    # two\n\n  # of c\n  c: >-\n    three\n     four\n  d: |+\n    five\n\ne: |2\n   six\n", []add{{"a", "x", "1", "b"}, {"a", "w", "2", "c"}, {"a", "z", "3", "d"}, {"", "end", "4", "e"}},
		"a:\n  b: |\n    one\n\n    # two\n  x: '1'\n\n  # of c\n  c: >-\n    three\n     four\n  w: '2'\n  d: |+\n    five\n\n  z: '3'\ne: |2\n   six\nend: '4'\n"},
	{"texts over several lines", "d.yaml", "a:\n  b: one\n    two\n\n    three # of b\n  c: \"x \\\"\n\n    w\" # of c\n  d: 'it''s\n    so'\n", []add{{"a", "x", "1", "b"}, {"a", "w", "2", "c"}, {"a", "z", "3", "d"}},
		"a:\n  b: one\n    two\n\n    three # of b\n  x: '1'\n  c: \"x \\\"\n\n    w\" # of c\n  w: '2'\n  d: 'it''s\n    so'\n  z: '3'\n"},
	{"values on the next line", "d.yaml", "a:\n  b:\n    plain\n  c:\n    'x'\n  d:\n    {e: 1}\n", []add{{"a", "x", "1", "b"}, {"a", "w", "2", "c"}, {"a/d", "f", "g", "e"}, {"a", "z", "3", "d"}},
		"a:\n  b:\n    plain\n  x: '1'\n  c:\n    'x'\n  w: '2'\n  d:\n    {e: 1, f: g}\n  z: '3'\n"},
	{"keys with a question mark", "d.yaml", "a:\n  ? b\n  : c: 1\n    d: 2\n  ? e\n", []add{{"a", "first", "x", ""}, {"a/b", "f", "w", "d"}, {"a", "mid", "z", "b"}, {"a", "last", "z", "e"}},
		"a:\n  first: x\n  ? b\n  : c: 1\n    d: 2\n    f: w\n  mid: z\n  ? e\n  last: z\n"},
	{"anchors, aliases and tags that have nothing to do with it", "d.yaml", "x: &x {k: 1}\na: &unused\n  b: *x\n  c: !!str 1\n  l: !!seq\n  - &w one\n  - *w\n  n: &none\n", []add{{"a", "d", ref, "b"}, {"a", "e", ref, "c"}, {"a/l", "", ref, ""}, {"a", "f", "g", "n"}},
		"x: &x {k: 1}\na: &unused\n  b: *x\n  d:\n    $ref: '#/a/b'\n  c: !!str 1\n  e:\n    $ref: '#/a/b'\n  l: !!seq\n  - &w one\n  - *w\n  - $ref: '#/a/b'\n  n: &none\n  f: g\n"},
	{"a mapping that merges another", "d.yaml", "x: &x\n  k: 1\na:\n  <<: *x\n  b: 2\n", []add{{"a", "c", "3", "k"}, {"a", "d", "4", "b"}}, "x: &x\n  k: 1\na:\n  <<: *x\n  b: 2\n  c: '3'\n  d: '4'\n"},
	{"what is deeper ends first", "d.yaml", "a:\n  b:\n    c:\n      - 1\n", []add{{"", "x", "1", "a"}, {"a", "w", "2", "b"}, {"a/b", "z", "3", "c"}, {"a/b/c", "", 2, ""}},
		"a:\n  b:\n    c:\n      - 1\n      - 2\n    z: '3'\n  w: '2'\nx: '1'\n"},
	{"a reason in quotes", "d.yaml", "a: 1\n", []add{{"", "b", "it's \"so\": #1", "a"}, {"", "c", "two\nlines", "a"}, {"", "d", "ж — 'x'", "a"}, {"", "e", "no", "a"}, {"", "f", "Plain, with (few) marks.", "a"}},
		"a: 1\nb: 'it''s \"so\": #1'\nc: \"two\\nlines\"\nd: 'ж — ''x'''\ne: 'no'\nf: Plain, with (few) marks.\n"},
	{"the end of a document", "d.yaml", "a:\n  b: 1\n...\n", []add{{"a", "c", "d", "b"}}, "a:\n  b: 1\n  c: d\n...\n"},
	{"a list of lists", "d.yaml", "a:\n- - 1\n  - 2\n- - 3\n", []add{{"a/0", "", 4, ""}, {"a", "", 5, ""}}, "a:\n- - 1\n  - 2\n  - 4\n- - 3\n- 5\n"},
	{"a column behind wide characters", "d.yaml", "a: {ключ: {b: 1}, \"🙂\": [1]}\n", []add{{"a/ключ", "c", 2, "b"}, {"a/🙂", "", 2, ""}}, "a: {ключ: {b: 1, c: 2}, \"🙂\": [1, 2]}\n"},
}

func TestApply(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, p := apply(t, c.file, c.before, c.edits)
			if p != nil {
				t.Fatalf("%+v", *p)
			}
			if got != c.after {
				t.Errorf("got:\n%s\nwant:\n%s\n%q", got, c.after, got)
			}
			if !subsequence(c.before, got) {
				t.Errorf("bytes are gone or changed:\n%s", got)
			}
		})
	}
}

// What cannot be edited says so, and what to do.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, before string
		edit         add
		want         string
	}{
		{"an alias elsewhere", "a: &a\n  b: 1\nc: *a\n", add{"a", "x", "y", "b"}, "d.yaml:1:4: what stands here has the anchor &a, and an edit would change what the aliases of it name as well: write it out in place of each alias"},
		{"through an alias", "a: &a {b: 1}\nc: *a\n", add{"c", "x", "y", "b"}, "d.yaml:1:4: what stands here has the anchor &a"},
		{"inside what is shared", "a: &a\n  b:\n    l: [1]\nc:\n  <<: *a\n", add{"c/b/l", "", "y", ""}, "d.yaml:3:8: what stands here has the anchor &a"},
		{"there already", "a: {b: 1}\n", add{"a", "b", "y", ""}, `d.yaml:1:4: "b" is there already`},
		{"null in words", "a: {b: null}\n", add{"a", "b", ref, ""}, `d.yaml:1:4: "b" is there already`},
		{"a pair in a list", "a: [b: 1]\n", add{"a/0", "c", "y", ""}, "d.yaml:1:5: the layout here is not understood"},
		{"a block text at the end of the file, without a newline", "a: |\n  x", add{"", "b", "y", "a"}, "d.yaml:1:1: the file ends inside a text, without a newline: end it with one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, p := apply(t, "d.yaml", c.before, []add{c.edit})
			if p == nil {
				t.Fatalf("edited:\n%s", got)
			}
			text := fmt.Sprintf("%s:%d:%d: %s: %s", p.Pos.File, p.Pos.Line, p.Pos.Col, p.What, p.Remedy)
			if !strings.HasPrefix(text, c.want) {
				t.Errorf("got %s\nwant %s", text, c.want)
			}
		})
	}
}

func apply(t *testing.T, file, text string, adds []add) (string, *ir.Problem) {
	t.Helper()
	lib := document.Open(fstest.MapFS{file: {Data: []byte(text)}}, file)
	s, problems := splice.Open(file, []byte(text))
	for _, p := range append(lib.Problems(), problems...) {
		t.Fatalf("%+v", p)
	}
	var edits []splice.Edit
	for _, a := range adds {
		n := lib.Root()
		for part := range strings.SplitSeq(a.at, "/") {
			var i int
			if _, err := fmt.Sscan(part, &i); err == nil && n.IsList() {
				n = n.Items()[i]
			} else if part != "" {
				n = n.Get(part)
			}
		}
		if n.IsZero() {
			t.Fatalf("there is no %s", a.at)
		}
		e := splice.Edit{At: n.Pos(), Key: a.key, Value: a.value, After: a.after}
		if p := s.Check(e); p != nil {
			return "", p
		}
		edits = append(edits, e)
	}
	out, p := s.Apply(edits)
	return string(out), p
}

// subsequence tells whether nothing of a text is gone.
func subsequence(old, new string) bool {
	i := 0
	for j := 0; i < len(old) && j < len(new); j++ {
		if old[i] == new[j] {
			i++
		}
	}
	return i == len(old)
}
