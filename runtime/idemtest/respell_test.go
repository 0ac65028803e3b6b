package idemtest

import (
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

func TestRespell(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{"a":1,"b":[true,null,"x"]}`: ` { "\u0062" : [  true ,  null ,  "\u0078"  ] , "\u0061" : 1.0  } `,
		`1.5`:                         ` 1.50 `,
		`-0`:                          ` -0.0 `,
		`1e400`:                       ` 1e400 `,
		`""`:                          ` "" `,
		`"é\n"`:                       ` "é\n" `,
		`"\""`:                        ` "\"" `,
		`{}`:                          ` {  } `,
	} {
		if got, err := respell(given); err != nil || got != want {
			t.Errorf("%s:\n got %q, %v\nwant %q", given, got, err, want)
		}
	}
	for _, given := range []string{``, `{`, `1 2`, `[1}`} {
		if got, err := respell(given); err == nil {
			t.Errorf("%s is taken for JSON: %q", given, got)
		}
	}
}

// Another spelling is the same value.
func FuzzRespell(f *testing.F) {
	for _, seed := range []string{`{"a":{"b":[1,2.50,-3e2]},"":"<&>"}`, `["\u00e9","\\",{}]`, `9007199254740993`, `"\ud83d\ude00"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		want, err := canon.Append(nil, []byte(data), nil)
		if err != nil {
			return
		}
		spelt, err := respell(data)
		if err != nil {
			t.Skip(err) // deeper than encoding/json reads
		}
		got, err := canon.Append(nil, []byte(spelt), nil)
		if err != nil || string(got) != string(want) {
			t.Errorf("%q became %q:\n got %s, %v\nwant %s", data, spelt, got, err, want)
		}
	})
}
