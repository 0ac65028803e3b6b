package canon_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
)

// within fails the test where slow takes more than factor times what fast takes. What else the machine
// does can only make a run longer, so the best of some runs counts, and of those a few tries.
func within(t *testing.T, name string, factor time.Duration, fast, slow func() error) {
	t.Helper()
	took := func(fn func() error) time.Duration {
		best := time.Hour
		for range 5 {
			start := time.Now()
			if err := fn(); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	var f, s time.Duration
	for range 5 {
		if f, s = took(fast), took(slow); s <= factor*f {
			return
		}
	}
	t.Errorf("%s: %v, more than %d times %v", name, s, factor, f)
}

// skipTiming skips a test that measures time where that means nothing.
func skipTiming(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector changes what takes time")
	}
}

// unsorted is a document of about n bytes with all that makes work: members and items to sort, escapes.
func unsorted(n int) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `{"s":"\u0041%d","b":[%d,1.0],"a":{"y":1,"x":2}},`, i, i*7919%10007)
	}
	return b.String() + "0]"
}

// rulesDeep makes a set of every array, on every level.
var rulesDeep = canon.Rules{{Unordered: true, Items: 1, Rest: 1}, {Unordered: true, Items: 1, Rest: 1}}

// Depth costs nothing: what 900 levels add to a document is about their own bytes, not one pass over the
// content each. A copy per level would be 900 times as much.
func TestDepthIsFree(t *testing.T) {
	skipTiming(t)
	content := unsorted(100_000)
	for name, level := range map[string][2]string{
		"objects, unsorted":       {`{"b":`, `,"a":0}`},
		"objects, sorted":         {`{"a":`, `,"b":0}`},
		"arrays":                  {`[`, `]`},
		"arrays of two":           {`[`, `,0]`},
		"objects, escaped names":  {`{"\u0062":`, `,"a":0}`},
		"objects and arrays":      {`[{"b":`, `,"a":[1]}]`},
		"indented":                {"{\n\"b\" : ", " , \"a\" : 0 }"},
		"items with equal starts": {`[[[`, `],0],[[0]]]`},
	} {
		n := 900 / strings.Count(level[0]+"[", "[")
		deep := []byte(strings.Repeat(level[0], n) + content + strings.Repeat(level[1], n))
		flat := []byte("[" + strings.Repeat(level[0]+"0"+level[1]+",", n) + content + "]")
		for _, rules := range []canon.Rules{nil, rulesDeep} {
			run := func(doc []byte) func() error {
				return func() error { _, err := canon.Append(nil, doc, rules); return err }
			}
			within(t, fmt.Sprintf("%s, %d rules", name, len(rules)), 6, run(flat), run(deep))
		}
		run := func(doc []byte) func() error {
			return func() error { var v canon.Value; return canon.Unmarshal(doc, &v) }
		}
		within(t, name+", Unmarshal", 6, run(flat), run(deep))
	}
}

// A document of four times the size takes about four times as long, whatever its shape. Quadratic would
// be sixteen.
func TestTimeIsLinear(t *testing.T) {
	skipTiming(t)
	shapes := map[string]func(n int) string{
		"objects": unsorted,
		"members": func(n int) string {
			var b strings.Builder
			for i := range n / 12 {
				fmt.Fprintf(&b, `"%08d":0,`, i*7919%1_000_003)
			}
			return `{` + b.String() + `"":0}`
		},
		"names with one start": func(n int) string {
			var b strings.Builder
			for i := range n / 100 {
				fmt.Fprintf(&b, `"%s%08d":0,`, strings.Repeat("x", 90), i*7919%1_000_003)
			}
			return `{` + b.String() + `"":0}`
		},
		"names of escapes": func(n int) string {
			var b strings.Builder
			for i := range n / 200 {
				fmt.Fprintf(&b, `"%s%08d":0,`, strings.Repeat(`\n`, 90), i*7919%1_000_003)
			}
			return `{` + b.String() + `"":0}`
		},
		"one text":     func(n int) string { return `"` + strings.Repeat(`\u0041b`, n/7) + `"` },
		"long numbers": func(n int) string { return "1." + strings.Repeat("0", n) },
		"small items":  func(n int) string { return "[" + strings.Repeat("1,", n/2) + "1]" },
		"empty items":  func(n int) string { return "[" + strings.Repeat("[],{},", n/6) + "1]" },
		"blanks":       func(n int) string { return strings.Repeat(" ", n) + "1" },
		"a tree":       func(n int) string { return binary(n / 20) },
	}
	const size = 50_000
	for name, shape := range shapes {
		one, four := []byte(shape(size)), []byte(shape(4*size))
		for _, rules := range []canon.Rules{nil, rulesDeep} {
			run := func(doc []byte) func() error {
				return func() error { _, err := canon.Append(nil, doc, rules); return err }
			}
			within(t, fmt.Sprintf("%s, %d rules", name, len(rules)), 10, run(one), run(four))
		}
	}
}

// binary is a tree whose halves are equal up to their very ends, so that comparing them reads them whole.
func binary(leaves int) string {
	if leaves < 2 {
		return `{"b":1,"a":1}`
	}
	half := binary(leaves / 2)
	return "[" + half + "," + half[:strings.LastIndex(half, "1")] + "0" + half[strings.LastIndex(half, "1")+1:] + "]"
}

// An error deep inside is as cheap as the document before it.
func TestErrorsAreLinear(t *testing.T) {
	skipTiming(t)
	content := []byte(unsorted(100_000))
	deep := strings.Repeat(`{"b":1,"a":`, 900)
	for _, doc := range []string{deep + "x", deep + unsorted(100_000) + "x", strings.Repeat("[", 1_000_000), strings.Repeat(`{"a":`, 300_000)} {
		fails := func() error {
			if _, err := canon.Append(nil, []byte(doc), nil); err == nil {
				t.Error("no error")
			}
			return nil
		}
		within(t, doc[:10], 20, func() error { _, err := canon.Append(nil, content, nil); return err }, fails)
	}
}

// The codec calls no MarshalJSON or UnmarshalJSON of what is inside, so depth is free there too.
func TestCodecDepthIsFree(t *testing.T) {
	skipTiming(t)
	const levels = 450
	pad := strings.Repeat("x", 100_000)
	deep := []byte(strings.Repeat(`{"name":"n","next":`, levels) + `{"name":"` + pad + `"}` + strings.Repeat(`}`, levels))
	flat := []byte(`{"name":"n","list":[` + strings.Repeat(`{"name":"n"},`, levels) + `{"name":"` + pad + `"}]}`)
	decode := func(doc []byte) func() error {
		return func() error { var n chain; return canon.Unmarshal(doc, &n) }
	}
	within(t, "Unmarshal", 8, decode(flat), decode(deep))
	encode := func(doc []byte) func() error {
		var n chain
		if err := canon.Unmarshal(doc, &n); err != nil {
			t.Fatal(err)
		}
		return func() error {
			b, err := canon.Marshal(n)
			if !bytes.Equal(b, doc) {
				t.Error("the document changed")
			}
			return err
		}
	}
	within(t, "Marshal", 8, encode(flat), encode(deep))
}

type chain struct {
	Name string                  `json:"name"`
	Next canon.Optional[chain]   `json:"next,omitzero"`
	List canon.Optional[[]chain] `json:"list,omitzero"`
}

func (v chain) MarshalJSON() ([]byte, error)     { return canon.Marshal(v) }
func (v *chain) UnmarshalJSON(data []byte) error { return canon.Unmarshal(data, v) }
