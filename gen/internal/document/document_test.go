package document

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"
)

func open(t *testing.T, name, text string) *Library {
	t.Helper()
	lib := Open(fstest.MapFS{name: {Data: []byte(text)}}, name)
	for _, p := range lib.Problems() {
		t.Fatalf("%+v", p)
	}
	return lib
}

// walk lists a tree: places, what the values are, and their JSON.
func walk(n Node, out *[]string) {
	p := n.Pos()
	text, err := n.JSON()
	*out = append(*out, fmt.Sprintf("%d:%d %s %s %v", p.Line, p.Col, n.What(), text, err))
	for key, value := range n.Members() {
		walk(key, out)
		walk(value, out)
	}
	for _, item := range n.Items() {
		walk(item, out)
	}
}

// The builder for JSON gives the tree that YAML's parser gives, to the place.
func TestJSONIsReadAsYAMLIs(t *testing.T) {
	t.Parallel()
	const text = "{\"a\": [1, -2.50e3, true, null, \"x\\u00e9\\n\\\"\"],\n  \"é\": {\"\": false, \"b\":{}},\r\n\t\"c\" :  [ ] , \"d\": 0}\n"
	var fromJSON, fromYAML []string
	walk(open(t, "d.json", text).Root(), &fromJSON)
	lib := Open(fstest.MapFS{}, "d.yaml")
	lib.problems = nil
	f := &file{name: "d.yaml"}
	tree := lib.parseYAML(f, []byte(text))
	lib.guard(f, tree)
	walk(Node{f, tree}, &fromYAML)
	if len(fromJSON) != 18 || len(fromYAML) != 18 {
		t.Fatalf("%d values of JSON %q\n%d of YAML %q", len(fromJSON), fromJSON, len(fromYAML), fromYAML)
	}
	for i := range fromJSON {
		if fromJSON[i] != fromYAML[i] {
			t.Errorf("JSON %s, YAML %s", fromJSON[i], fromYAML[i])
		}
	}
}

func TestLiterals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"9007199254740993": "9007199254740993", "1.50": "1.50", "-0": "-0", "+7": "7", ".5": "0.5", "5.": "5",
		"on": `"on"`, "NO": `"NO"`, "1:30": `"1:30"`, "2024-05-01": `"2024-05-01"`, "True": "true", "~": "null", "'007'": `"007"`,
		"!!str 7": `"7"`, "!Local x": `"x"`, "!Local 5": `"5"`, "\"<&>\"": `"<&>"`, "{a: [1], 2: b}": `{"a":[1],"2":"b"}`,
		"010": "", "0x1F": "", "0o17": "", "1_000": "", ".inf": "", ".nan": "", "08": "",
	} {
		got, err := open(t, "d.yaml", "v: "+text).Root().Get("v").JSON()
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %s, %v; want %s", text, got, err, want)
		}
		if err == nil && !json.Valid([]byte(got)) {
			t.Errorf("%s: %s is not JSON", text, got)
		}
	}
}

func TestMerges(t *testing.T) {
	t.Parallel()
	root := open(t, "d.yaml", "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {<<: [*a, *b], x: 0}\nd: {<<: *a}\ne: {\"<<\": 5}\n").Root()
	got, err := root.JSON()
	want := `{"a":{"x":1,"y":2},"b":{"y":3,"z":4},"c":{"x":0,"y":2,"z":4},"d":{"x":1,"y":2},"e":{"<<":5}}`
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}

// A byte order mark and carriage returns move no place and get into no text.
func TestWindowsText(t *testing.T) {
	t.Parallel()
	lib := open(t, "d.yaml", "\uFEFFa: x\r\nb: |\r\n  one\r\n  two\r\nc: \"\\uFEFF\"\r\n")
	got, _ := lib.Root().JSON()
	if want := `{"a":"x","b":"one\ntwo\n","c":"` + "\uFEFF" + `"}`; got != want {
		t.Errorf("got %q", got)
	}
	if p := lib.Root().Get("a").Pos(); p.Line != 1 || p.Col != 4 {
		t.Errorf("place %v", p)
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{
		"api/d.yaml":       {Data: []byte("a/b: {~c: [x, y]}\nr: {$ref: '#/a~1b'}\n\"p q\": 1\n")},
		"api/parts/e.yaml": {Data: []byte("up: ../d.yaml#/r\nhere: 2\n")},
		"top.yaml":         {Data: []byte("t: 3\n")},
	}
	opened := opens{fsys, map[string]int{}}
	lib := Open(opened, "api/d.yaml")
	for ref, want := range map[string]string{
		"#/a~1b/~0c/1": `"y"`, "#/p%20q": "1", "#/r/~0c/0": `"x"`, "parts/e.yaml#/here": "2",
		"./parts/../parts/e.yaml#/here": "2", "../top.yaml#/t": "3", "d.yaml#/p q": "1",
		"#/a~1b/~0c/01": "", "#/a~1b/~0c/2": "", "#/none": "", "../../top.yaml": "", "https://x/y": "", "file:///etc/x": "",
		"#anchor": "", "none.yaml": "", "%2e%2e/%2e%2e/top.yaml": "",
	} {
		target, fault := lib.Follow(lib.Root(), ref)
		got, _ := target.JSON()
		if got != want || (fault == nil) != (want != "") {
			t.Errorf("%s: got %s, %v; want %s", ref, got, fault, want)
		}
	}
	e, _ := lib.Follow(lib.Root(), "parts/e.yaml")
	if back, fault := lib.Follow(e.Node, "../d.yaml#/p q"); fault != nil || back.Pointer != "#/p q" {
		t.Errorf("back: %v, %v", back.Pointer, fault)
	}
	for name := range fsys {
		if opened.count[name] != 1 {
			t.Errorf("%s was opened %d times", name, opened.count[name])
		}
	}
}

// opens counts how often files are opened.
type opens struct {
	fs.StatFS
	count map[string]int
}

func (o opens) Open(name string) (fs.File, error) {
	o.count[name]++
	return o.StatFS.Open(name)
}

func ExampleOpen() {
	fsys := fstest.MapFS{"d.yaml": {Data: []byte("openapi: 3.1.0\ninfo:\n  version: 1.10\n")}}
	lib := Open(fsys, "d.yaml")
	version := lib.Root().Get("info").Get("version")
	fmt.Println(version.Pos().Line, version.What())
	// Output: 3 the number 1.10
}
