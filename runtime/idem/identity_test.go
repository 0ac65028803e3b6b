package idem

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

func document(body string) *request {
	return &request{hasBody: true, declared: jsonType, mediaType: jsonType, form: Document, body: inMemory([]byte(body))}
}

func TestCanonicalForm(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("a,b\n"))
	digest := hex.EncodeToString(sum[:])
	full := &Identity{
		IgnoredQuery:    []string{"trace"},
		IncludedHeaders: []string{"X-Mode"},
		Scope:           []string{"plan", "role"},
		Body: []BodyRules{{MediaType: jsonType, Rules: canon.Rules{
			{Ignore: []string{"at"}, Members: []canon.Member{{Name: "tags", Rule: 1}}}, {Unordered: true}}}},
	}
	for _, tt := range []struct {
		name string
		id   *Identity
		rq   *request
		want string
	}{
		{"nothing", &Identity{}, &request{}, `{}`},
		{"every part, names sorted", full, &request{
			path:    Values{"id": {"7"}, "a": {"x/y"}},
			query:   Values{"q": {"2", "1"}, "trace": {"t"}, "empty": {""}, "none": nil},
			header:  Values{"X-Mode": {"m"}, "X-Other": {"o"}},
			scope:   map[string]string{"role": "admin", "plan": "free", "other": "x"},
			hasBody: true, declared: jsonType, mediaType: jsonType, form: Document,
			body: inMemory([]byte(` {"tags" : ["b","a"], "at": 1, "n": 1e1}`)),
		}, `{"body":{"n":10,"tags":["a","b"]},"header":{"X-Mode":["m"]},"path":{"a":["x/y"],"id":["7"]},` +
			`"query":{"empty":[""],"q":["2","1"]},"scope":{"plan":"free","role":"admin"}}`},
		{"what is empty is left out", full, &request{path: Values{}, query: Values{"trace": {"t"}}, header: Values{"X-Other": {"o"}},
			scope: map[string]string{"role": "", "plan": ""}}, `{"scope":{"plan":"","role":""}}`},
		{"but never the body: null", &Identity{}, document("null"), `{"body":null}`},
		{"and {}", &Identity{}, document("{}"), `{"body":{}}`},
		{"another type than application/json", &Identity{}, &request{hasBody: true, declared: "application/merge-patch+json",
			mediaType: "application/merge-patch+json", form: Document, body: inMemory([]byte("{}"))},
			`{"body":{},"type":"application/merge-patch+json"}`},
		{"rules are those of the declared type", full, &request{hasBody: true, declared: "application/*", mediaType: "application/x", form: Document,
			body: inMemory([]byte(`{"at":1}`)), scope: map[string]string{"role": "r", "plan": "p"}},
			`{"body":{"at":1},"scope":{"plan":"p","role":"r"},"type":"application/x"}`},
		{"any other body as its SHA-256", &Identity{}, &request{hasBody: true, declared: "text/*", mediaType: "text/csv", form: Digest, body: inMemory([]byte("a,b\n"))},
			`{"body":{"sha256":"` + digest + `"},"type":"text/csv"}`},
		{"no body, no type", &Identity{}, &request{mediaType: "text/csv"}, `{}`},
		{"names in the order of their UTF-16 code units", &Identity{}, &request{query: Values{"\ufb33": {"3"}, "😀": {"2"}, "é": {"1"}, "": {"0"}}},
			`{"query":{"":["0"],"é":["1"],"😀":["2"],"` + "\ufb33" + `":["3"]}}`},
		{"texts escaped as RFC 8785 does", &Identity{}, &request{query: Values{"\"\\\b\t\n\f\r\x00\x1f\x7f\u2028<&>/": {"\x01"}}},
			`{"query":{"\"\\\b\t\n\f\r\u0000\u001f` + "\x7f\u2028" + `<&>/":["\u0001"]}}`},
	} {
		got, err := appendCanonical([]byte("x"), tt.id, tt.rq)
		if err != nil || string(got) != "x"+tt.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", tt.name, got, err, tt.want)
			continue
		}
		if tt.want == `{"body":{"sha256":"`+digest+`"},"type":"text/csv"}` {
			continue
		}
		if again, err := canon.Append(nil, got[1:], nil); err != nil || !bytes.Equal(again, got[1:]) {
			t.Errorf("%s: canon makes %s of it, %v", tt.name, again, err)
		}
	}
}

func TestMoreNamesThanUsualAreSortedToo(t *testing.T) {
	t.Parallel()
	rq := &request{query: Values{}}
	for c := 'a'; c <= 'z'; c++ {
		rq.query[string(c)] = []string{"1"}
	}
	form, err := appendCanonical(nil, &Identity{}, rq)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := canon.Append(nil, form, nil); err != nil || !bytes.Equal(again, form) {
		t.Errorf("got %s, canon %s, %v", form, again, err)
	}
}

func TestWhatCannotBeComparedIsRefused(t *testing.T) {
	t.Parallel()
	header := &Identity{IncludedHeaders: []string{"X-Mode"}, Scope: nil}
	for _, tt := range []struct {
		name   string
		id     *Identity
		rq     *request
		status int
		code   string
	}{
		{"malformed body", &Identity{}, document(`{"a":1`), 400, CodeValidation},
		{"duplicate members", &Identity{}, document(`{"a":1,"a":2}`), 400, CodeValidation},
		{"text behind the body", &Identity{}, document(`{}{}`), 400, CodeValidation},
		{"invalid UTF-8 in the body", &Identity{}, document("\"\xff\""), 400, CodeValidation},
		{"Latin-1 in an included header", header, &request{header: Values{"X-Mode": {"caf\xe9"}}}, 400, CodeValidation},
		{"invalid UTF-8 in a path value", &Identity{}, &request{path: Values{"id": {"\xff"}}}, 400, CodeValidation},
		{"a fact that is not given", &Identity{Scope: []string{"role"}}, &request{}, 500, CodeScopeMissing},
		{"a fact that is no text", &Identity{Scope: []string{"role"}}, &request{scope: map[string]string{"role": "\xff"}}, 500, CodeScopeMissing},
	} {
		f, err := fingerprint(tt.id, tt.rq)
		p, ok := err.(*Problem)
		if !ok || p.Status != tt.status || p.Code != tt.code || f != (Fingerprint{}) {
			t.Errorf("%s: got %v, %v", tt.name, f, err)
		}
	}
}

func TestFingerprintIsVersionRulesAndSum(t *testing.T) {
	t.Parallel()
	id := &Identity{IgnoredQuery: []string{"trace"}}
	f, err := fingerprint(id, document(` {"b":1,"a":2} `))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Fingerprint{Canon: canon.Version, Rules: identityDigest(id), Sum: sha256.Sum256([]byte(`{"body":{"a":2,"b":1}}`))}); f != want {
		t.Errorf("got %x, want %x", f.Bytes(), want.Bytes())
	}
}

// Records outlive programs: these digests are what old records hold.
func TestIdentityDigestNeverChanges(t *testing.T) {
	t.Parallel()
	rules := canon.Rules{
		{Ignore: []string{"at"}, Members: []canon.Member{{Name: "next", Rule: 1}, {Name: "tags", Rule: 2}}, Rest: 2},
		{Ignore: []string{"at"}, Members: []canon.Member{{Name: "next", Rule: 1}}},
		{Unordered: true, Items: 1},
	}
	renumbered := canon.Rules{rules[0], {}, {Unordered: true, Items: 3}, {Ignore: []string{"at"}, Members: []canon.Member{{Name: "next", Rule: 3}}}}
	renumbered[0].Members = []canon.Member{{Name: "next", Rule: 3}, {Name: "tags", Rule: 2}}
	for _, tt := range []struct {
		name   string
		id     *Identity
		text   string
		digest string
	}{
		{"zero", &Identity{}, `{"ignoredQuery":[],"includedHeaders":[],"scope":[],"body":[]}`, "d28ab1ea"},
		{"full", &Identity{IgnoredQuery: []string{"a", "b"}, IncludedHeaders: []string{"X-A"}, Scope: []string{"role"}, Body: []BodyRules{{jsonType, rules}}},
			`{"ignoredQuery":["a","b"],"includedHeaders":["X-A"],"scope":["role"],"body":[{"mediaType":"application/json","rules":[` +
				`{"ignore":["at"],"unordered":false,"members":[["next",1],["tags",2]],"items":0,"rest":2},` +
				`{"ignore":["at"],"unordered":false,"members":[["next",1]],"items":0,"rest":0},` +
				`{"ignore":[],"unordered":true,"members":[],"items":1,"rest":0}]}]}`, "eac27544"},
		{"numbers of rules do not matter", &Identity{IgnoredQuery: []string{"a", "b"}, IncludedHeaders: []string{"X-A"}, Scope: []string{"role"}, Body: []BodyRules{{jsonType, renumbered}}},
			`{"ignoredQuery":["a","b"],"includedHeaders":["X-A"],"scope":["role"],"body":[{"mediaType":"application/json","rules":[` +
				`{"ignore":["at"],"unordered":false,"members":[["next",1],["tags",2]],"items":0,"rest":2},` +
				`{"ignore":["at"],"unordered":false,"members":[["next",1]],"items":0,"rest":0},` +
				`{"ignore":[],"unordered":true,"members":[],"items":1,"rest":0}]}]}`, "eac27544"},
	} {
		if text := appendIdentity(nil, tt.id); string(text) != tt.text {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, text, tt.text)
		}
		for range 2 { // the second time it is known
			if digest := identityDigest(tt.id); hex.EncodeToString(digest[:]) != tt.digest {
				t.Errorf("%s: digest %x, want %s", tt.name, digest, tt.digest)
			}
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	rq := document(`{"amount":{"cents":1250,"currency":"EUR"},"lines":[{"sku":"a","n":1},{"sku":"b","n":2}],"note":"caf\u00e9"}`)
	rq.path, rq.query = Values{"id": {"7"}}, Values{"notify": {"true"}}
	id := new(Identity)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fingerprint(id, rq); err != nil {
			b.Fatal(err)
		}
	}
}
