package canon_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/idemgen/idemgen/runtime/canon"
)

// tree is a document that tests take apart and put together: the slow and obvious way.
type tree struct {
	leaf    string // JSON text, where it is neither an array nor an object
	array   bool
	names   []string // of an object's members
	parts   []*tree
	isOther bool // an array or object
}

// parse reads a document that encoding/json takes.
func parse(t testing.TB, src []byte) *tree {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	var value func() *tree
	value = func() *tree {
		tok, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		d, ok := tok.(json.Delim)
		if !ok {
			b, err := json.Marshal(tok)
			if err != nil {
				t.Fatal(err)
			}
			return &tree{leaf: string(b)}
		}
		n := &tree{isOther: true, array: d == '['}
		for dec.More() {
			if !n.array {
				name, err := dec.Token()
				if err != nil {
					t.Fatal(err)
				}
				n.names = append(n.names, name.(string))
			}
			n.parts = append(n.parts, value())
		}
		if _, err := dec.Token(); err != nil {
			t.Fatal(err)
		}
		return n
	}
	return value()
}

// write spells the document another way each time: blanks, escapes, member order, and the order of arrays
// that the rules say is free.
func (n *tree) write(b *strings.Builder, rng *rand.Rand, rules canon.Rules, rule int) {
	blank := func() { b.WriteString([]string{"", "", "", " ", "\n\t"}[rng.IntN(5)]) }
	if !n.isOther {
		if strings.HasPrefix(n.leaf, `"`) {
			writeText(b, rng, n.leaf)
		} else {
			b.WriteString(n.leaf)
		}
		return
	}
	order := make([]int, len(n.parts))
	for i := range order {
		order[i] = i
	}
	if !n.array || rule >= 0 && rules[rule].Unordered {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	b.WriteByte("{["[btoi(n.array)])
	blank()
	for at, i := range order {
		if at > 0 {
			b.WriteByte(',')
			blank()
		}
		child := -1
		if n.array {
			child = childRule(rules, rule, "", true)
		} else {
			child = childRule(rules, rule, n.names[i], false)
			name, _ := json.Marshal(n.names[i])
			writeText(b, rng, string(name))
			blank()
			b.WriteByte(':')
			blank()
		}
		n.parts[i].write(b, rng, rules, child)
		blank()
	}
	b.WriteByte("}]"[btoi(n.array)])
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func writeText(b *strings.Builder, rng *rand.Rand, literal string) {
	var s string
	if err := json.Unmarshal([]byte(literal), &s); err != nil {
		panic(err)
	}
	b.WriteByte('"')
	for _, r := range s {
		if r >= 0x20 && r != '"' && r != '\\' && rng.IntN(4) > 0 {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(b, []string{`\u%04x`, `\u%04X`}[rng.IntN(2)], u)
		}
	}
	b.WriteByte('"')
}

func childRule(rules canon.Rules, rule int, name string, item bool) int {
	child := 0
	switch {
	case rule < 0:
	case item:
		child = rules[rule].Items
	default:
		child = rules[rule].Rest
		for _, m := range rules[rule].Members {
			if m.Name == name {
				child = m.Rule
			}
		}
	}
	if child == 0 {
		return -1
	}
	return child
}

// form is the canonical form, as its definition reads.
func (n *tree) form(t testing.TB, rules canon.Rules, rule int) string {
	if !n.isOther {
		return canonical(t, n.leaf, nil) // numbers and strings have tests of their own
	}
	var parts []string
	if n.array {
		for _, p := range n.parts {
			parts = append(parts, p.form(t, rules, childRule(rules, rule, "", true)))
		}
		if rule >= 0 && rules[rule].Unordered {
			sort.Strings(parts)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	order := make([]int, len(n.names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return slices.Compare(utf16.Encode([]rune(n.names[i])), utf16.Encode([]rune(n.names[j])))
	})
	for _, i := range order {
		if rule >= 0 && slices.Contains(rules[rule].Ignore, n.names[i]) {
			continue
		}
		name, _ := json.Marshal(n.names[i])
		parts = append(parts, canonical(t, string(name), nil)+":"+n.parts[i].form(t, rules, childRule(rules, rule, n.names[i], false)))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// leaves calls fn with each value that has no parts.
func (n *tree) leaves(fn func(*tree)) {
	if len(n.parts) == 0 {
		fn(n)
	}
	for _, p := range n.parts {
		p.leaves(fn)
	}
}

// grow makes a random document.
func grow(rng *rand.Rand, depth int) *tree {
	names := []string{"a", "b", "c", "", "\n", `"`, `\`, "é", "日本", "😀", "\ufb33", "same start 1", "same start 2", "same start"}
	kind := rng.IntN(10)
	if depth == 0 || kind < 4 {
		leaf := []string{"null", "true", "false", "0", "1", "-2", "1.5", "1e21", `"x"`, `"\n\u0001"`, `"é😀"`, `""`, "9007199254740993"}
		return &tree{leaf: leaf[rng.IntN(len(leaf))]}
	}
	n := &tree{isOther: true, array: kind < 7}
	size := rng.IntN(6)
	if rng.IntN(20) == 0 {
		size = 40
	}
	taken := map[string]bool{}
	for i := range size {
		if !n.array {
			name := names[rng.IntN(len(names))]
			if size > 10 {
				name += strconv.Itoa(i)
			}
			if taken[name] {
				continue
			}
			taken[name] = true
			n.names = append(n.names, name)
		}
		n.parts = append(n.parts, grow(rng, depth-1))
	}
	return n
}

// growRules makes a random table.
func growRules(rng *rand.Rand) canon.Rules {
	rules := make(canon.Rules, 2+rng.IntN(4))
	for i := range rules {
		r := &rules[i]
		r.Unordered = rng.IntN(2) == 0
		r.Items, r.Rest = rng.IntN(len(rules)), rng.IntN(len(rules))
		for _, name := range []string{"", "\n", `"`, "a", "b", "é", "😀"} { // in byte order, as they must be
			switch rng.IntN(4) {
			case 0:
				r.Members = append(r.Members, canon.Member{Name: name, Rule: 1 + rng.IntN(len(rules)-1)})
			case 1:
				r.Ignore = append(r.Ignore, name)
			}
		}
	}
	return rules
}

// Append agrees with the definition on random documents, spelt at random, under random rules.
func TestAppendAgreesWithDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		doc := grow(rng, 1+rng.IntN(7))
		var rules canon.Rules
		root := -1
		if rng.IntN(3) > 0 {
			rules, root = growRules(rng), 0
		}
		want := doc.form(t, rules, root)
		for range 3 {
			var b strings.Builder
			doc.write(&b, rng, rules, root)
			if got := canonical(t, b.String(), rules); got != want {
				t.Fatalf("rules %+v\n  of %s\n got %s\nwant %s", rules, b.String(), got, want)
			}
		}
		if got := canonical(t, want, rules); got != want {
			t.Fatalf("not a fixed point: %s\n under %+v becomes %s", want, rules, got)
		}
	}
}
