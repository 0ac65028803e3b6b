package canon_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

// order is an order of some lines as a client might send it: members in the order of someone's struct,
// no blanks.
func order(lines int) []byte {
	var b strings.Builder
	b.WriteString(`{"reference":"PO-2026-001977","customer":{"name":"Zoë Müller","id":9007199254740993,` +
		`"email":"zoe@example.com"},"currency":"EUR","lines":[`)
	for i := range lines {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"sku":"AB-%05d","quantity":%d,"unitPrice":%d.%02d,"description":"A thing of some sort, size %d",`+
			`"options":{"gift":%t,"colour":"blue"},"tags":["new","sale"]}`, i*7919%99991, i%9+1, i%500, i%100, i%60, i%2 == 0)
	}
	b.WriteString(`],"notes":"leave at the door\nring twice","priority":false}`)
	return []byte(b.String())
}

var sizes = []struct {
	name  string
	lines int
}{{"300B", 1}, {"3KB", 18}, {"100KB", 620}}

// BenchmarkSHA256 is the floor: hashing the body without looking at it.
func BenchmarkSHA256(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			src := order(size.lines)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				sha256.Sum256(src)
			}
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, size := range sizes {
		src := order(size.lines)
		pretty, err := json.MarshalIndent(json.RawMessage(src), "", "  ")
		if err != nil {
			b.Fatal(err)
		}
		sorted, err := canon.Append(nil, src, nil)
		if err != nil {
			b.Fatal(err)
		}
		rules := canon.Rules{
			{Ignore: []string{"notes"}, Members: []canon.Member{{Name: "lines", Rule: 1}}},
			{Items: 2, Unordered: true},
			{Members: []canon.Member{{Name: "tags", Rule: 3}}},
			{Unordered: true},
		}
		run := func(name string, src []byte, rules canon.Rules) {
			b.Run(size.name+"/"+name, func(b *testing.B) {
				dst := make([]byte, 0, 2*len(src))
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := canon.Append(dst, src, rules); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("unsorted", src, nil)
		run("canonical", sorted, nil)
		run("indented", pretty, nil)
		run("rules", src, rules)
	}
}

// BenchmarkFingerprint is what a request costs: canonical form and SHA-256.
func BenchmarkFingerprint(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			src := order(size.lines)
			dst := make([]byte, 0, 2*len(src))
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				out, err := canon.Append(dst, src, nil)
				if err != nil {
					b.Fatal(err)
				}
				sha256.Sum256(out)
			}
		})
	}
}

type shopOrder struct {
	Reference string       `json:"reference"`
	Customer  shopCustomer `json:"customer"`
	Currency  string       `json:"currency"`
	Lines     []shopLine   `json:"lines"`
	Notes     canon.Value  `json:"notes"`
	Priority  bool         `json:"priority"`
}

type shopCustomer struct {
	Name  string `json:"name"`
	ID    int64  `json:"id"`
	Email string `json:"email"`
}

type shopLine struct {
	SKU         string                 `json:"sku"`
	Quantity    int32                  `json:"quantity"`
	UnitPrice   canon.Number           `json:"unitPrice"`
	Description canon.Optional[string] `json:"description,omitzero"`
	Options     shopOptions            `json:"options"`
	Tags        []string               `json:"tags"`
}

type shopOptions struct {
	Gift   bool        `json:"gift"`
	Colour string      `json:"colour"`
	Extra  canon.Extra `json:"-"`
}

// BenchmarkCodec has encoding/json beside it, with the same types.
func BenchmarkCodec(b *testing.B) {
	for name, codec := range map[string]struct {
		unmarshal func([]byte, any) error
		marshal   func(any) ([]byte, error)
	}{"canon": {canon.Unmarshal, canon.Marshal}, "encoding-json": {json.Unmarshal, json.Marshal}} {
		src := order(18)
		b.Run("Unmarshal/3KB/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if err := codec.unmarshal(src, new(shopOrder)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("Marshal/3KB/"+name, func(b *testing.B) {
			var o shopOrder
			if err := canon.Unmarshal(src, &o); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := codec.marshal(o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
