package idem

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestQueryIsDecodedOnceAndStrictly(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]Values{
		"":                {},
		"&&":              {},
		"a=1&b=2&a=3":     {"a": {"1", "3"}, "b": {"2"}},
		"a&b=":            {"a": {""}, "b": {""}},
		"a=1&":            {"a": {"1"}},
		"=x":              {"": {"x"}},
		"a=b=c":           {"a": {"b=c"}},
		"q=a+b%20c%2Bd":   {"q": {"a b c+d"}},
		"q=%2525":         {"q": {"%25"}},
		"%61=%00":         {"a": {"\x00"}},
		"tags%5B%5D=x%3B": {"tags[]": {"x;"}},
		"n=%C3%A9":        {"n": {"é"}},
	} {
		got, problem := parsePairs(raw, "query")
		if problem != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %q, %v, want %q", raw, got, problem, want)
		}
	}
	for raw, want := range map[string]string{
		"a=1;b=2": "query must not contain a raw semicolon",
		"a=%":     "query has a malformed escape",
		"a=%4":    "query has a malformed escape",
		"a%zz=1":  "query has a malformed escape",
		"a=%ff":   "query is not valid UTF-8",
		"%C3=1":   "query is not valid UTF-8",
		"a=\xff":  "query is not valid UTF-8",
	} {
		if got, problem := parsePairs(raw, "query"); problem == nil || *problem != *invalid(want) {
			t.Errorf("%q: got %q, %+v, want %s", raw, got, problem, want)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, seed := range []string{"a=1&a=2", "a;b", "a=%ff", "+=+", "%", "a=%00&&b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, problem := parsePairs(raw, "query")
		std, err := url.ParseQuery(raw)
		if problem != nil {
			if err == nil && !strings.Contains(raw, ";") && validValues(std) {
				t.Fatalf("net/url reads %q as %q and we refuse it: %v", raw, std, problem)
			}
			return
		}
		if err != nil {
			t.Fatalf("net/url refuses %q (%v) and we read %q", raw, err, got)
		}
		if len(got)+len(std) > 0 && !reflect.DeepEqual(map[string][]string(got), map[string][]string(std)) {
			t.Fatalf("the handler sees %q, the identity has %q", std, got)
		}
	})
}

func validValues(v url.Values) bool {
	for name, texts := range v {
		if !utf8.ValidString(name) || !utf8.ValidString(strings.Join(texts, "")) {
			return false
		}
	}
	return true
}
