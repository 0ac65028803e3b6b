package idem

import (
	"net/http"
	"net/textproto"
	"strings"
	"testing"
)

func TestKeyIsRawOrQuoted(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("k", 200)
	tests := []struct {
		name  string
		lines []string
		key   string
		want  string // the problem's detail
	}{
		{"raw", []string{"8e03978e-40d5"}, "8e03978e-40d5", ""},
		{"quoted is the same key", []string{`"8e03978e-40d5"`}, "8e03978e-40d5", ""},
		{"blanks around it are not part of it", []string{" \tk1 "}, "k1", ""},
		{"blanks inside are", []string{"a b"}, "a b", ""},
		{"blanks inside quotes are", []string{`" a "`}, " a ", ""},
		{"quote and backslash escaped", []string{`"a\"b\\c"`}, `a"b\c`, ""},
		{"and raw", []string{`a"b\c`}, `a"b\c`, ""},
		{"a comma inside quotes", []string{`"a,b"`}, "a,b", ""},
		{"raw text like parameters is text", []string{"a;v=1"}, "a;v=1", ""},
		{"every printable byte", []string{`!"#$%&'()*+-./09:;<=>?@AZ[\]^_` + "`az{|}~"}, `!"#$%&'()*+-./09:;<=>?@AZ[\]^_` + "`az{|}~", ""},
		{"as long as may be", []string{full}, full, ""},
		{"the decoded bytes count, not the sent ones", []string{`"` + strings.Repeat(`\\`, 200) + `"`}, strings.Repeat(`\`, 200), ""},

		{"missing", nil, "", "idempotency key is required"},
		{"empty is missing", []string{""}, "", "idempotency key is required"},
		{"blank is missing", []string{" \t "}, "", "idempotency key is required"},
		{"empty quotes are missing", []string{`""`}, "", "idempotency key is required"},
		{"too long", []string{full + "k"}, "", "idempotency key too long"},
		{"too long in quotes", []string{`"` + full + `k"`}, "", "idempotency key too long"},
		{"two lines", []string{"k1", "k2"}, "", "idempotency key must be sent once"},
		{"two equal lines", []string{"k1", "k1"}, "", "idempotency key must be sent once"},
		{"two lines, one empty", []string{"k1", ""}, "", "idempotency key must be sent once"},
		{"two quoted lines that a proxy joined", []string{`"a", "b"`}, "", "idempotency key must be sent once"},
		{"two raw lines that a proxy joined", []string{`k1, k2`}, "", "idempotency key must not contain a comma outside quotes"},
		{"parameters", []string{`"k1";v=1`}, "", "idempotency key must have no parameters"},
		{"parameters behind a blank", []string{`"k1" ; v`}, "", "idempotency key must have no parameters"},
		{"text behind the quotes", []string{`"k1"x`}, "", "idempotency key must be a valid string in quotes"},
		{"quotes not closed", []string{`"k1`}, "", "idempotency key must be a valid string in quotes"},
		{"one quote", []string{`"`}, "", "idempotency key must be a valid string in quotes"},
		{"an escaped last quote", []string{`"k1\"`}, "", "idempotency key must be a valid string in quotes"},
		{"an escape that is none", []string{`"k\1"`}, "", "idempotency key must be a valid string in quotes"},
		{"an escape cut off", []string{`"k1\`}, "", "idempotency key must be a valid string in quotes"},
		{"UTF-8", []string{"clé"}, "", "idempotency key must be printable ASCII"},
		{"UTF-8 in quotes", []string{`"clé"`}, "", "idempotency key must be printable ASCII"},
		{"Latin-1", []string{"cl\xe9"}, "", "idempotency key must be printable ASCII"},
		{"NUL", []string{"k\x00"}, "", "idempotency key must be printable ASCII"},
		{"DEL", []string{"k\x7f"}, "", "idempotency key must be printable ASCII"},
		{"a tab inside", []string{"a\tb"}, "", "idempotency key must be printable ASCII"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			for _, line := range tt.lines {
				h.Add("Idempotency-Key", line)
			}
			key, problem := parseKey(h, "idempotency-key", 200)
			if tt.want == "" {
				if problem != nil || key != tt.key {
					t.Fatalf("got %q, %v, want %q", key, problem, tt.key)
				}
				return
			}
			want := Problem{Status: 400, Code: "validation_error", Detail: tt.want}
			if problem == nil || *problem != want || key != "" {
				t.Fatalf("got %q, %+v, want %+v", key, problem, want)
			}
		})
	}
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"k1", `"k1"`, `"a\"b"`, `"a", "b"`, "a,b", `"`, `"\`, "", "\x00", `"k";p`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		key, problem := parseKey(http.Header{"Idempotency-Key": {line}}, "Idempotency-Key", 200)
		if (problem == nil) != (key != "") {
			t.Fatalf("a key or a problem, not both or neither: %q, %v", key, problem)
		}
		if problem != nil {
			switch problem.Detail {
			case keyRequired, keyTooLong, keyOnce, keyComma, keyBytes, keyQuotes, keyParams:
			default:
				t.Fatalf("a message that is none of ours, so it may hold the key: %q", problem.Detail)
			}
			return
		}
		if len(key) > 200 {
			t.Fatalf("longer than the limit: %d", len(key))
		}
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if again, problem := parseKey(http.Header{"Idempotency-Key": {quoted}}, "Idempotency-Key", 200); problem != nil || again != key {
			t.Fatalf("quoting changes the key: %q, then %q, %v", key, again, problem)
		}
		if strings.HasPrefix(key, `"`) || strings.Contains(key, ",") || textproto.TrimString(key) != key {
			return // only quotes can spell it
		}
		if again, problem := parseKey(http.Header{"Idempotency-Key": {key}}, "Idempotency-Key", 200); problem != nil || again != key {
			t.Fatalf("the raw spelling is another key: %q, then %q, %v", key, again, problem)
		}
	})
}
