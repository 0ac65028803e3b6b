package canon_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

// corpus is where fuzzing starts from.
var corpus = []string{
	`{"b":[1.0,{"d":1e1,"c":-0}],"a":"\u0041\/\n"}`,
	` [ true , false , null , [ ] , { } ] `,
	`{"a":1,"\u0061":2}`, `{"t":1,"s":[3,2,[1]],"a":{"t":2}}`,
	`"\ud83d\ude00\ud800"`, "\"\xff\"", `{"\ufb33":1,"😀":2,"é":3}`,
	`1e400`, `1e401`, `123456789012345678901234567890`, `0.0000001`, `-1.50e-3`, `01`, `1.`, `[1,]`, `{"a":1,}`,
	`[[[[[[]]]]]]`, `{"name":"x","size":1e1,"ratio":1.10,"next":{"name":"y"},"kind":"big","note":null}`,
	`{"name":"x","more":{"z":[1, 2]},"flags":{"a":true},"list":[{"name":""}],"when":[null,"x"]}`,
	`{"same start b":[{"b":1,"a":2},{"b":1,"a":1}],"same start a":0}`,
}

func seed(f *testing.F) {
	for _, s := range corpus {
		f.Add([]byte(s))
	}
}

// beyondGrammar are the reasons to refuse what RFC 8259 allows.
var beyondGrammar = []string{
	"duplicate member name", "invalid UTF-8", "lone surrogate", "nested deeper than 1000",
	"number has an exponent beyond 400", "number has more than 1000 significant digits",
}

// Append does not panic; it takes what is JSON and what its limits allow, and nothing else; what it makes
// is a fixed point, and decodes to what the document decodes to.
func FuzzAppend(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		before := bytes.Clone(src)
		out, err := canon.Append(nil, src, nil)
		if !bytes.Equal(src, before) {
			t.Fatal("src changed")
		}
		if err != nil {
			var e *canon.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(src) {
				t.Fatalf("error %v of %d bytes", err, len(src))
			}
			if json.Valid(src) && !slices.Contains(beyondGrammar, e.Reason) {
				t.Fatalf("%q is JSON, and refused: %v", src, err)
			}
			return
		}
		if !json.Valid(src) || !json.Valid(out) {
			t.Fatalf("%q became %q", src, out)
		}
		if again := canonical(t, string(out), nil); again != string(out) {
			t.Fatalf("not a fixed point: %q becomes %q", out, again)
		}
		if got, want := parse(t, out).form(t, nil, -1), parse(t, src).form(t, nil, -1); got != want || got != string(out) {
			t.Fatalf("%q became %q, which means %q instead of %q", src, out, got, want)
		}
	})
}

// How a document is written is no difference: blanks, escapes, the order of members, and of items where
// the rules say so.
func FuzzSpelling(f *testing.F) {
	for i, s := range corpus {
		f.Add([]byte(s), uint64(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 0))
		rules, root := canon.Rules(nil), -1
		if seed%3 > 0 {
			rules, root = growRules(rng), 0
		}
		want, err := canon.Append(nil, src, rules)
		if err != nil {
			return
		}
		var b strings.Builder
		parse(t, src).write(&b, rng, rules, root)
		if got := canonical(t, b.String(), rules); got != string(want) {
			t.Fatalf("under %+v\n     %s\nis   %s\nbut  %s\nis   %s", rules, src, want, b.String(), got)
		}
		if again := canonical(t, string(want), rules); again != string(want) {
			t.Fatalf("not a fixed point under %+v: %s becomes %s", rules, want, again)
		}
	})
}

// Every leaf matters: a document in which one is another is another.
func FuzzLeaf(f *testing.F) {
	for i, s := range corpus {
		f.Add([]byte(s), uint(i))
	}
	f.Fuzz(func(t *testing.T, src []byte, at uint) {
		before, err := canon.Append(nil, src, nil)
		if err != nil {
			return
		}
		doc := parse(t, src)
		var leaves []*tree
		doc.leaves(func(n *tree) { leaves = append(leaves, n) })
		old := *leaves[at%uint(len(leaves))]
		for _, other := range []string{"null", "false", "0", "1e-400", `""`, `"0"`, "9007199254740993", "9007199254740992"} {
			if !old.isOther && canonical(t, old.leaf, nil) == canonical(t, other, nil) {
				continue
			}
			*leaves[at%uint(len(leaves))] = tree{leaf: other}
			var b strings.Builder
			doc.write(&b, rand.New(rand.NewPCG(0, 0)), nil, -1)
			if got := canonical(t, b.String(), nil); got == string(before) {
				t.Fatalf("%s and %s are one document", src, b.String())
			}
		}
	})
}

// A number keeps its exact value, and equal values have one form.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-0.0", "1e400", "1e-400", "100000000000000000000000", "0.00000012", "1.50", "12345678901234567890.5e-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		out, err := canon.Append(nil, []byte(literal), nil)
		if err != nil || canon.Value(out).Kind() != canon.KindNumber {
			return
		}
		literal = strings.Trim(literal, " \t\r\n")
		if len(literal) > 2000 || len(literal)-strings.IndexAny(literal+"e", "eE") > 5 {
			return // big.Rat writes such exponents out
		}
		want, ok := new(big.Rat).SetString(literal)
		got, ok2 := new(big.Rat).SetString(string(out))
		if !ok || !ok2 || want.Cmp(got) != 0 {
			t.Fatalf("%s became %s", literal, out)
		}
		if canon.Number(literal).Cmp(canon.Number(out)) != 0 {
			t.Fatalf("Cmp tells %s from %s", literal, out)
		}
	})
}

// Decoding loses nothing: what is encoded again is the same document.
func FuzzCodec(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, v := range []any{new(everything), new(canon.Value), new(map[string]canon.Value), new([]canon.Number)} {
			if canon.Unmarshal(src, v) != nil {
				continue
			}
			out, err := canon.Marshal(v)
			if err != nil {
				t.Fatalf("%T of %q does not encode: %v", v, src, err)
			}
			if got, want := canonical(t, string(out), nil), canonical(t, string(src), nil); got != want {
				t.Fatalf("%T: %q became %q", v, src, out)
			}
		}
	})
}
