package splice_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// writer writes YAML in every layout that people use, as its choices say.
type writer struct {
	choices []byte
	b       strings.Builder
	nl      string
	depth   int
	anchors int
	flow    int
}

// choose is a number below n; 0 when there are no more choices.
func (w *writer) choose(n int) int {
	if len(w.choices) == 0 {
		return 0
	}
	c := int(w.choices[0])
	w.choices = w.choices[1:]
	return c % n
}

func (w *writer) pick(texts ...string) string { return texts[w.choose(len(texts))] }

// document is a whole file: a block mapping, so that every other layout is inside one.
func (w *writer) document() string {
	w.nl = w.pick("\n", "\r\n")
	w.b.WriteString(w.pick("", "\uFEFF", "# top"+w.nl, "---"+w.nl, "--- # start"+w.nl, w.nl))
	w.mapping(0)
	if w.choose(4) == 0 {
		w.b.WriteString(w.pick("# end", "# end"+w.nl, w.nl+w.nl, "..."+w.nl))
		return w.b.String()
	}
	return strings.TrimRight(w.b.String(), "\r\n") + w.pick(w.nl, "")
}

// line ends a line, perhaps with a comment, and perhaps with comments and blank lines behind it.
func (w *writer) line(indent int) {
	w.b.WriteString(w.pick("", "", " ", " # c") + w.nl)
	w.b.WriteString(w.pick("", "", "", w.nl, strings.Repeat(" ", indent)+"# c: [d"+w.nl, "# e"+w.nl, "  "+w.nl))
}

func (w *writer) mapping(indent int) {
	for i := range 1 + w.choose(3) {
		w.b.WriteString(strings.Repeat(" ", indent))
		w.member(i, indent)
	}
}

// member is the rest of a line with a key and all that belongs to it.
func (w *writer) member(i, indent int) {
	key := w.pick("k%d", "'k%d'", "\"k%d\"", "%d", "ключ%d", "a b%d", "/p/{%d}:x", "\"q\\\"%d\"", "&n k%d")
	if strings.HasPrefix(key, "&") {
		w.anchors++
		key = fmt.Sprintf("&a%d ", w.anchors) + strings.TrimPrefix(key, "&n ")
	}
	key = fmt.Sprintf(key, i)
	if w.choose(8) == 0 {
		w.b.WriteString("? " + key + w.nl + strings.Repeat(" ", indent) + ":")
	} else {
		w.b.WriteString(key + w.pick("", " ") + ":")
	}
	w.value(indent)
}

// properties are an anchor, a tag, or both.
func (w *writer) properties(tag string) string {
	w.anchors++
	return w.pick("", "", "", "", fmt.Sprintf(" &a%d", w.anchors), " "+tag, fmt.Sprintf(" &a%d %s", w.anchors, tag))
}

// value is what stands behind a colon or a dash.
func (w *writer) value(indent int) {
	w.depth++
	defer func() { w.depth-- }()
	kinds := 10
	if w.depth > 4 {
		kinds = 7
	}
	switch w.choose(kinds) {
	case 0:
		w.b.WriteString(w.pick("", " &e"+fmt.Sprint(w.depth*100+w.anchors), " !!null"))
		w.line(indent)
	case 1:
		w.b.WriteString(w.properties("!!str") + " " + w.pick("plain", "a:b", "x#y", "1.50", "~", "true", "http://x/y?z", "é — 🙂"))
		w.line(indent)
	case 2:
		next := w.nl + strings.Repeat(" ", indent+1)
		w.b.WriteString(w.properties("!!str") + " " + w.pick("one"+next+"two", "one"+w.nl+next+"  two", "'it''s'", "'a"+next+"b'", "\"a \\\" # b"+next+"c\"", "'# no'", "\"\\"+next+"x\""))
		w.line(indent)
	case 3:
		w.block(indent)
	case 4, 5:
		w.b.WriteString(w.pick("", "", fmt.Sprintf(" &f%d", w.anchors+w.depth*1000)))
		w.b.WriteString(w.pick(" ", " ", w.nl+strings.Repeat(" ", indent+1)))
		w.collection(indent + 1)
		w.line(indent)
	case 6:
		w.b.WriteString(" " + w.pick("{}", "[]", "{ }", "[ ]", "{"+w.nl+strings.Repeat(" ", indent+1)+"}"))
		w.line(indent)
	case 7, 8:
		w.b.WriteString(w.properties("!!map"))
		w.line(indent + 2)
		w.mapping(indent + 1 + w.choose(4))
	default:
		w.b.WriteString(w.properties("!!seq"))
		w.line(indent + 2)
		w.list(indent + w.choose(3))
	}
}

func (w *writer) list(indent int) {
	for range 1 + w.choose(3) {
		w.b.WriteString(strings.Repeat(" ", indent) + "-")
		gap := 1 + w.choose(3)
		switch w.choose(3) {
		case 0:
			w.b.WriteString(strings.Repeat(" ", gap))
			in := indent + 1 + gap
			for i := range 1 + w.choose(2) {
				if i > 0 {
					w.b.WriteString(strings.Repeat(" ", in))
				}
				w.member(i, in)
			}
		default:
			w.value(indent)
		}
	}
}

// block is a literal or a folded text.
func (w *writer) block(indent int) {
	in := strings.Repeat(" ", indent+1+w.choose(3))
	w.b.WriteString(" " + w.pick("|", ">") + w.pick("", "-", "+") + w.pick("", " # c") + w.nl)
	for range 1 + w.choose(3) {
		w.b.WriteString(in + w.pick("text", "# text", "a: b", "  more", "- x") + w.nl)
		w.b.WriteString(w.pick("", "", w.nl, in+"  "+w.nl))
	}
	w.b.WriteString(w.pick("", w.nl))
}

// collection is a mapping or a list in brackets, in one line or in several.
func (w *writer) collection(indent int) {
	w.flow++
	defer func() { w.flow-- }()
	next := w.pick("", "", " ", w.nl+strings.Repeat(" ", indent+2))
	list := w.choose(2) == 0
	open, end := "{", "}"
	if list {
		open, end = "[", "]"
	}
	w.b.WriteString(open + next)
	n := w.choose(4)
	for i := range n {
		if !list {
			w.b.WriteString(fmt.Sprintf(w.pick("k%d: ", "'k%d': ", "\"k%d\":", "? k%d : "), i))
		}
		if w.flow < 4 && w.choose(3) == 0 {
			w.collection(indent + 2)
		} else {
			w.b.WriteString(w.pick("1", "x y", "'a, b'", "\"]\"", "[]", "{}", "http://x"))
		}
		if i < n-1 {
			w.b.WriteString(w.pick(", ", ",", ","+w.nl+strings.Repeat(" ", indent+2), ", # c"+w.nl+strings.Repeat(" ", indent+3)))
		}
	}
	w.b.WriteString(w.pick("", " ", w.nl+strings.Repeat(" ", indent)) + end)
}

// editAll makes edits of every collection of a text, each by itself and all together, and they can be made.
func editAll(t *testing.T, text string) (made int) {
	lib := document.Open(fstest.MapFS{"d.yaml": {Data: []byte(text)}}, "d.yaml")
	if len(lib.Problems()) > 0 {
		return 0
	}
	s, problems := splice.Open("d.yaml", []byte(text))
	if len(problems) > 0 {
		t.Fatalf("%+v", problems)
	}
	endsInText := false
	var all []splice.Edit
	for _, e := range edits(lib.Root(), map[any]bool{}) {
		if p := s.Check(e); p != nil {
			if endsInText = p.What == "the file ends inside a text, without a newline"; !endsInText {
				t.Fatalf("%+v\n%+v\n%s\n%q", *p, e, text, text)
			}
			continue
		}
		all = append(all, e)
		out, p := s.Apply([]splice.Edit{e})
		if p != nil || !subsequence(text, string(out)) {
			t.Fatalf("%+v\n%+v\n%s\n%q", p, e, text, text)
		}
	}
	out, p := s.Apply(all)
	if p != nil || !subsequence(text, string(out)) {
		t.Fatalf("all: %+v\n%s\n%q", p, text, text)
	}
	return len(all)
}

// In every layout that people use, every edit can be made.
func TestLayouts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	texts, made := 0, 0
	for range 1000 {
		choices := make([]byte, 20+r.IntN(150))
		for i := range choices {
			choices[i] = byte(r.Uint32())
		}
		if n := editAll(t, (&writer{choices: choices}).document()); n > 0 {
			texts++
			made += n
		}
	}
	if texts < 800 {
		t.Errorf("only %d texts were YAML", texts)
	}
	t.Logf("%d edits in %d texts", made, texts)
}

func FuzzLayouts(f *testing.F) {
	f.Add([]byte("some choices"))
	f.Fuzz(func(t *testing.T, choices []byte) { editAll(t, (&writer{choices: choices}).document()) })
}
