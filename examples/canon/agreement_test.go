package canon

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cyberphone/json-canonicalization/go/src/webpki.org/jsoncanonicalizer"
	"github.com/gowebpki/jcs"
	"github.com/idemgen/idemgen/runtime/canon"
)

// theirs are the other libraries.
var theirs = []struct {
	name      string
	transform func([]byte) ([]byte, error)
}{{"gowebpki/jcs", jcs.Transform}, {"cyberphone", jsoncanonicalizer.Transform}}

func ours(src []byte) ([]byte, error) { return canon.Append(nil, src, nil) }

// agree fails the test unless all three make the same bytes of a document.
func agree(t *testing.T, src string) {
	t.Helper()
	want, err := ours([]byte(src))
	if err != nil {
		t.Fatalf("canon: %v of %s", err, src)
	}
	for _, lib := range theirs {
		got, err := lib.transform([]byte(src))
		if err != nil || string(got) != string(want) {
			t.Fatalf("of %s\n%s makes %s, %v\ncanon makes %s", src, lib.name, got, err, want)
		}
	}
}

func TestAgreeOnFloats(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	edges := []float64{1e20, 1e21, 1e22, 1e-5, 1e-6, 1e-7, 1 << 53, math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1, 5e-324}
	for i := range 100_000 {
		f := math.Float64frombits(rng.Uint64())
		switch {
		case i < len(edges):
			f = edges[i]
		case i%3 == 0: // prices and the like
			f = float64(rng.IntN(1e9)) / math.Pow10(rng.IntN(8))
		}
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		// the document is an array: cyberphone takes no scalar
		agree(t, "["+strconv.FormatFloat(f, "eEfg"[rng.IntN(4)], -1, 64)+"]")
	}
}

// text is a random string literal, spelt at random.
func text(rng *rand.Rand) string {
	runes := []rune("ab01\"\\/\n\t\x00\x1f\x7fé\u0800\u2028\ud7ff\ue000\ufb33\uffff\U00010000😀\U0010ffff")
	var b strings.Builder
	b.WriteByte('"')
	for range rng.IntN(6) {
		r := runes[rng.IntN(len(runes))]
		if r >= 0x20 && r != '"' && r != '\\' && rng.IntN(3) > 0 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String() + `"`
}

func TestAgreeOnNames(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 2))
	for range 20_000 {
		a, b := text(rng), text(rng)
		var x, y string
		if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil || x == y {
			continue
		}
		agree(t, "{"+a+":1,"+b+":2}")
	}
}

// document is a random document without duplicate names.
func document(rng *rand.Rand, depth int) string {
	leaves := []string{"null", "true", "false", "-0", "1.50", "1e3", "-12", "4.5e-9", "9007199254740991"}
	kind := rng.IntN(8)
	if depth == 0 || kind < 3 {
		if rng.IntN(2) == 0 {
			return text(rng)
		}
		return leaves[rng.IntN(len(leaves))]
	}
	blank := func() string { return []string{"", "", " ", "\r\n\t"}[rng.IntN(4)] }
	var parts []string
	taken := map[string]bool{}
	for range rng.IntN(8) {
		part := document(rng, depth-1) + blank()
		if kind < 6 {
			literal := text(rng)
			var name string
			if json.Unmarshal([]byte(literal), &name) != nil || taken[name] {
				continue
			}
			taken[name] = true
			part = literal + blank() + ":" + blank() + part
		}
		parts = append(parts, part)
	}
	brackets := "[]"
	if kind < 6 {
		brackets = "{}"
	}
	return brackets[:1] + blank() + strings.Join(parts, ","+blank()) + brackets[1:]
}

func TestAgreeOnDocuments(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	for range 10_000 {
		agree(t, "["+document(rng, 6)+"]")
	}
}

// Where they round, two numbers become one; the exact form keeps them apart.
func TestTheyRound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ number, exact, rounded string }{
		{"9007199254740993", "9007199254740993", "9007199254740992"},
		{"-9223372036854775808", "-9223372036854775808", "-9223372036854776000"},
		{"18446744073709551615", "18446744073709551615", "18446744073709552000"},
		{"123456789012345678901234567890", "1.2345678901234567890123456789e+29", "1.2345678901234568e+29"},
		{"0.1234567890123456789012345678901234", "0.1234567890123456789012345678901234", "0.12345678901234568"},
		{"1e-400", "1e-400", "0"},
		{"1e400", "1e+400", ""}, // refused
	} {
		if got, err := ours([]byte("[" + c.number + "]")); err != nil || string(got) != "["+c.exact+"]" {
			t.Errorf("canon makes %s, %v of %s", got, err, c.number)
		}
		for _, lib := range theirs {
			got, err := lib.transform([]byte("[" + c.number + "]"))
			if c.rounded == "" {
				if err == nil {
					t.Errorf("%s makes %s of %s", lib.name, got, c.number)
				}
			} else if err != nil || string(got) != "["+c.rounded+"]" {
				t.Errorf("%s makes %s, %v of %s, not %s", lib.name, got, err, c.number, c.rounded)
			}
		}
	}
}

// A shop's order, as its client writes it.
func order(lines int) []byte {
	var b strings.Builder
	b.WriteString(`{"reference":"PO-2026-001977","customer":{"name":"Zoë Müller","id":77},"lines":[`)
	for i := range lines {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"sku":"AB-%05d","quantity":%d,"unitPrice":%d.5,"description":"A thing of some sort","tags":["new","sale"]}`, i, i%9+1, i)
	}
	b.WriteString(`],"notes":"leave at the door\nring twice"}`)
	return []byte(b.String())
}

func BenchmarkCanonicalForm(b *testing.B) {
	for _, lines := range []int{2, 30, 1000} {
		src := order(lines)
		run := func(name string, transform func([]byte) ([]byte, error)) {
			b.Run(fmt.Sprintf("%dB/%s", len(src), name), func(b *testing.B) {
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := transform(src); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("canon", ours)
		for _, lib := range theirs {
			run(lib.name, lib.transform)
		}
	}
}
