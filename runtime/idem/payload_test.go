package idem

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

// The types that follow are what generated code looks like.
type (
	colour  string
	level   int32
	mixed   string // an enum of text and numbers
	testRow struct {
		SKU   string                 `json:"sku"`
		Count int64                  `json:"count"`
		Note  canon.Optional[string] `json:"note,omitzero"`
		Extra canon.Extra            `json:"-"`
	}
	testPath struct {
		ID   string `json:"id"`
		Line int32  `json:"line"`
	}
	testQuery struct {
		Notify  canon.Optional[bool]   `json:"notify,omitzero"`
		Limit   canon.Optional[int64]  `json:"limit,omitzero"`
		Big     canon.Optional[uint64] `json:"big,omitzero"`
		Whole   canon.Integer          `json:"whole"`
		Ratio   canon.Number           `json:"ratio"`
		Colour  colour                 `json:"colour"`
		Level   canon.Optional[level]  `json:"level,omitzero"`
		Mixed   canon.Optional[mixed]  `json:"mixed,omitzero"`
		Tags    []string               `json:"tags"`
		Levels  []level                `json:"levels,omitzero"`
		Odd     string                 `json:"'a,b'"`
		Colours canon.Optional[colour] `json:"colours[],omitzero"`
		Free    canon.Optional[string] `json:"free,omitzero"`
		Extra   Values                 `json:"-"`
	}
	testHeader struct {
		Mode canon.Optional[string] `json:"X-Mode,omitzero"`
	}
	testScope struct {
		Role string `json:"role"`
	}
	testPayload struct {
		Path   testPath                `json:"path"`
		Query  testQuery               `json:"query,omitzero"`
		Header testHeader              `json:"header,omitzero"`
		Scope  testScope               `json:"scope"`
		Type   string                  `json:"type,omitzero"`
		Body   canon.Optional[testRow] `json:"body,omitzero"`
	}
)

func (colour) Enum() []canon.Value { return []canon.Value{`"red"`, `"dark blue"`, `""`} }
func (level) Enum() []canon.Value  { return []canon.Value{"1", "2"} }
func (mixed) Enum() []canon.Value  { return []canon.Value{`"on"`, "1", "true", `" 1"`} }

var testOperation = &Operation{
	Endpoint: "rows.create", Method: "POST", Path: "/rows/{id}/{line}",
	Bodies:   []Body{{jsonType, Document}, {"application/merge-patch+json", Document}},
	Identity: Identity{IgnoredQuery: []string{"free"}, IncludedHeaders: []string{"X-Mode"}, Scope: []string{"role"}},
}

const goodQuery = "whole=12&ratio=1.50&colour=red&tags=b&tags=a&a%2Cb=x"

// sent returns the request of a path and query, with a header and perhaps a body.
func sent(t *testing.T, op *Operation, target, contentType, body string) *request {
	t.Helper()
	r, err := http.NewRequest(op.Method, "http://test"+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Mode", "slow")
	r.Header.Set("X-Other", "not compared")
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	path, problem := pathValues("", op.Path, r.URL.EscapedPath())
	if problem != nil {
		t.Fatal(problem)
	}
	rq, problem := newRequest(op, r, path, map[string]string{"role": "admin", "other": "x"}, matchBody(op, r), inMemory([]byte(body)))
	if problem != nil {
		t.Fatal(problem)
	}
	return rq
}

func TestPayloadIsTheTypedViewOfTheRequest(t *testing.T) {
	t.Parallel()
	target := "/rows/a%2Fb/-7?" + goodQuery + "&notify=false&limit=-3&big=18446744073709551615&level=2&mixed=1&levels=2&levels=1" +
		"&colours%5B%5D=dark+blue&free=&more=1&more="
	rq := sent(t, testOperation, target, jsonType, `{"sku":"s","count":1e1,"x":null}`)
	var got testPayload
	if problem := decodePayload(&got, rq); problem != nil {
		t.Fatal(problem)
	}
	want := testPayload{
		Path: testPath{"a/b", -7},
		Query: testQuery{Notify: canon.Some(false), Limit: canon.Some(int64(-3)), Big: canon.Some(uint64(18446744073709551615)),
			Whole: "12", Ratio: "1.50", Colour: "red", Level: canon.Some(level(2)), Mixed: canon.Some(mixed("1")), Tags: []string{"b", "a"},
			Levels: []level{2, 1}, Odd: "x", Colours: canon.Some(colour("dark blue")), Free: canon.Some(""),
			Extra: Values{"more": {"1", ""}}},
		Header: testHeader{canon.Some("slow")},
		Scope:  testScope{"admin"},
		Type:   jsonType,
		Body:   canon.Some(testRow{SKU: "s", Count: 10, Extra: canon.Extra{"x": "null"}}),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestFingerprintOfPayloadIsFingerprintOfRequest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ target, contentType, body string }{
		{"/rows/1/2?" + goodQuery, "", ""},
		{"/rows/a%2Fb/-7?" + goodQuery + "&notify=true&limit=0&big=0&level=1&mixed=true&levels=1&colours%5B%5D=&free=f&more=1&more=", jsonType, `{"sku":"","count":1.0}`},
		{"/rows/1/2?" + goodQuery + "&mixed=on", "application/merge-patch+json", `{"count":-0,"sku":"\u00e9","note":"n","z":[1,{}],"A":1.10}`},
		{"/rows/1/2?" + goodQuery + "&mixed=+1&=&%00=%00", jsonType + ";charset=utf-8", `{"count":1e2,"sku":"x"}`},
	} {
		rq := sent(t, testOperation, tt.target, tt.contentType, tt.body)
		want, err := fingerprint(&testOperation.Identity, rq)
		if err != nil {
			t.Fatal(err)
		}
		var p testPayload
		if problem := decodePayload(&p, rq); problem != nil {
			t.Errorf("%s: %v", tt.target, problem)
			continue
		}
		back, err := encodePayload(p, testOperation)
		if err != nil {
			t.Errorf("%s: %v", tt.target, err)
			continue
		}
		got, err := fingerprint(&testOperation.Identity, back)
		if err != nil || got != want {
			a, _ := appendCanonical(nil, &testOperation.Identity, rq)
			b, _ := appendCanonical(nil, &testOperation.Identity, back)
			t.Errorf("%v\nrequest %s\npayload %s", err, a, b)
		}
	}
}

func FuzzPayloadAgreesWithRequest(f *testing.F) {
	f.Add("1", "whole=12&ratio=1.50&colour=red&tags=b&a%2Cb=x&mixed=1", `{"sku":"s","count":1}`)
	f.Add("07", goodQuery+"&limit=%2B7&notify=True&level=3", "")
	f.Add("-0", goodQuery+"&mixed=%221%22&mixed=+1", `{"count":1.0,"sku":""}`)
	f.Fuzz(func(t *testing.T, line, query, body string) {
		values, problem := parsePairs(query, "query")
		if problem != nil {
			return
		}
		rq := &request{path: Values{"id": {"x"}, "line": {line}}, query: values, header: Values{}, scope: map[string]string{"role": "r"}}
		if body != "" {
			rq.setBody(medium{declared: jsonType, text: jsonType}, inMemory([]byte(body)))
		}
		want, err := fingerprint(&testOperation.Identity, rq)
		if err != nil {
			return
		}
		var p testPayload
		if problem := decodePayload(&p, rq); problem != nil {
			if problem.Status != 400 {
				t.Fatalf("not the client's fault: %+v", problem)
			}
			return
		}
		back, err := encodePayload(p, testOperation)
		if err != nil {
			t.Fatalf("decoded and not encoded: %v", err)
		}
		if got, err := fingerprint(&testOperation.Identity, back); err != nil || got != want {
			t.Fatalf("payload and request disagree: %v", err)
		}
	})
}

func TestParameterNotInItsCanonicalSpellingIsRefused(t *testing.T) {
	t.Parallel()
	integer := "must be an integer in range, in canonical spelling"
	for query, want := range map[string]string{
		"limit=07":                  `"limit": ` + integer,
		"limit=%2B7":                `"limit": ` + integer,
		"limit=-0":                  `"limit": ` + integer,
		"limit=+7":                  `"limit": ` + integer,
		"limit=1e1":                 `"limit": ` + integer,
		"limit=7.0":                 `"limit": ` + integer,
		"limit=":                    `"limit": ` + integer,
		"limit=-":                   `"limit": ` + integer,
		"limit=0x1":                 `"limit": ` + integer,
		"limit=1_000":               `"limit": ` + integer,
		"limit=9223372036854775808": `"limit": ` + integer,
		"big=-1":                    `"big": ` + integer,
		"limit=1&limit=1":           `"limit": must be sent once`,
		"notify=True":               `"notify": must be true or false`,
		"notify=1":                  `"notify": must be true or false`,
		"notify=+true":              `"notify": must be true or false`,
		"notify=":                   `"notify": must be true or false`,
		"level=3":                   `"level": ` + integer,
		"level=01":                  `"level": ` + integer,
		"levels=1&levels=x":         `"levels": ` + integer,
		"mixed=off":                 `"mixed": must be one of the allowed values`,
		"mixed=%22on%22":            `"mixed": must be one of the allowed values`,
		"mixed=1+":                  `"mixed": must be one of the allowed values`,
		"colours%5B%5D=Red":         `"colours[]": must be one of the allowed values`,
		"whole=1":                   `"whole": must be sent once`,
	} {
		checkRefused(t, goodQuery+"&"+query, want)
	}
	for query, want := range map[string]string{
		"":                                        `"whole": is required`,
		"whole=1e1":                               `"whole": ` + integer,
		"whole=1&ratio=.5":                        `"ratio": must be a number`,
		"whole=1&ratio=%2B1":                      `"ratio": must be a number`,
		"whole=1&ratio=1+":                        `"ratio": must be a number`,
		"whole=1&ratio=%221%22":                   `"ratio": must be a number`,
		"whole=1&ratio=1":                         `"colour": is required`,
		"whole=1&ratio=1&colour=green":            `"colour": must be one of the allowed values`,
		"whole=1&ratio=1&colour=red":              `"tags": is required`,
		"whole=1&ratio=1&colour=red&tags=a":       `"a,b": is required`,
		"whole=1&ratio=1&colour=red&tags=a&a=&b=": `"a,b": is required`,
	} {
		checkRefused(t, query, want)
	}
}

func checkRefused(t *testing.T, query, want string) {
	t.Helper()
	var p testPayload
	problem := decodePayload(&p, sent(t, testOperation, "/rows/1/2?"+query, "", ""))
	if problem == nil || *problem != *invalid("query parameter " + want) {
		t.Errorf("%s: got %+v, want %s", query, problem, want)
	}
}

func TestBodyThatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"sku":"s"}`, `{"sku":1,"count":1}`, `{"sku":"s","count":1.5}`, `{"sku":"s","count":"1"}`, `null`, `[]`} {
		var p testPayload
		problem := decodePayload(&p, sent(t, testOperation, "/rows/1/2?"+goodQuery, jsonType, body))
		if problem == nil || problem.Status != 400 || !strings.HasPrefix(problem.Detail, "body: ") {
			t.Errorf("%s: got %+v", body, problem)
		}
	}
	type required struct {
		Query Query   `json:"query,omitzero"`
		Body  testRow `json:"body"`
	}
	var p required
	if problem := decodePayload(&p, &request{}); problem == nil || *problem != *invalid("body is required") {
		t.Errorf("no body: got %+v", problem)
	}
}

func TestOpaqueBodyIsTheBytesAsSent(t *testing.T) {
	t.Parallel()
	type plain struct {
		Query Query  `json:"query,omitzero"`
		Body  Opaque `json:"body"`
	}
	type optional struct {
		Query Query                  `json:"query,omitzero"`
		Type  string                 `json:"type,omitzero"`
		Body  canon.Optional[Opaque] `json:"body,omitzero"`
	}
	csv := &Operation{Method: "PUT", Path: "/f", Bodies: []Body{{"text/csv", Digest}}}
	several := &Operation{Method: "PUT", Path: "/f", Bodies: []Body{{jsonType, Document}, {"image/*", Digest}, {"text/csv", Digest}}}

	body := []byte("\x00\xff,1\n")
	rq := sent(t, csv, "/f?x=1", "text/csv", string(body))
	rq.body = inMemory(body)
	var p plain
	if problem := decodePayload(&p, rq); problem != nil || string(p.Body) != string(body) || !reflect.DeepEqual(p.Query.Extra, Values{"x": {"1"}}) {
		t.Fatalf("got %+v, %v", p, problem)
	}
	sameFingerprint(t, csv, rq, p)
	p.Body[0] = 'x'
	if body[0] != 0 {
		t.Error("the payload shares its bytes with a buffer")
	}
	if problem := decodePayload(&p, sent(t, csv, "/f", "text/csv; charset=latin1", "x")); problem == nil || *problem != *unsupportedMedia("content type must have no parameters but a charset of utf-8") {
		t.Errorf("a charset that the payload cannot show: %+v", problem)
	}
	if _, err := encodePayload(plain{}, csv); err == nil || err.Error() != "body is required" {
		t.Errorf("no bytes: %v", err)
	}

	for contentType, text := range map[string]string{jsonType: ` {"b":1, "a":2}`, "Image/PNG": "\x89PNG", "text/csv;charset=Latin1": "\xe9"} {
		rq := sent(t, several, "/f", contentType, text)
		var p optional
		if problem := decodePayload(&p, rq); problem != nil || string(canon.Or(p.Body, nil)) != text || p.Type != rq.mediaType {
			t.Fatalf("%s: got %+v, %v", contentType, p, problem)
		}
		sameFingerprint(t, several, rq, p)
	}
	sameFingerprint(t, several, sent(t, several, "/f", "", ""), optional{})
	if _, err := encodePayload(optional{Type: "text/html", Body: canon.Some(Opaque("x"))}, several); err == nil || err.Error() != "type: the operation does not take this content type" {
		t.Errorf("undeclared type: %v", err)
	}
}

func sameFingerprint(t *testing.T, op *Operation, rq *request, p any) {
	t.Helper()
	want, err := fingerprint(&op.Identity, rq)
	if err != nil {
		t.Fatal(err)
	}
	back, err := encodePayload(p, op)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fingerprint(&op.Identity, back); err != nil || got != want {
		t.Errorf("payload %+v and request disagree: %v", p, err)
	}
}

func TestPayloadByHandThatNoRequestGivesIsAnError(t *testing.T) {
	t.Parallel()
	good := func() testPayload {
		return testPayload{Path: testPath{ID: "1"}, Query: testQuery{Whole: "1", Ratio: "1", Colour: "red", Tags: []string{"a"}},
			Scope: testScope{Role: "r"}, Body: canon.Some(testRow{}), Type: jsonType}
	}
	if _, err := encodePayload(good(), testOperation); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*testPayload){
		`query parameter "whole": must be an integer in range, in canonical spelling`: func(p *testPayload) { p.Query.Whole = "1e1" },
		`query parameter "tags": is required`:                                         func(p *testPayload) { p.Query.Tags = nil },
		`query parameter "limit": is declared, so it is no extra`:                     func(p *testPayload) { p.Query.Extra = Values{"limit": {"1"}} },
		`type: content type is required: the operation takes several`:                 func(p *testPayload) { p.Type = "" },
		`type: content type is malformed`:                                             func(p *testPayload) { p.Type = "json" },
	} {
		p := good()
		spoil(&p)
		if _, err := encodePayload(p, testOperation); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for name, spoil := range map[string]func(*testPayload){
		"an enum's value": func(p *testPayload) { p.Query.Colour = "green" },
		"a number":        func(p *testPayload) { p.Query.Ratio = "x" },
		"UTF-8":           func(p *testPayload) { p.Path.ID = "\xff" },
		"UTF-8 in Extra":  func(p *testPayload) { p.Query.Extra = Values{"x": {"\xff"}} },
	} {
		p := good()
		spoil(&p)
		rq, err := encodePayload(p, testOperation)
		if err == nil {
			_, err = fingerprint(&testOperation.Identity, rq)
		}
		if err == nil {
			t.Errorf("not %s, and no error", name)
		}
	}
}

func TestPayloadTypesThatNoGeneratedCodeHasAreErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		payload any
		want    string
	}{
		{1, "payload type int: not a struct"},
		{struct {
			Other string `json:"other"`
		}{}, `payload type struct { Other string "json:\"other\"" }: field Other: "other" is no part of a payload, or one too many`},
		{struct{ Body string }{}, `payload type struct { Body string }: field Body: json tag "": must be a name, or a name with omitzero`},
		{struct {
			Path string `json:"path"`
		}{}, `payload type struct { Path string "json:\"path\"" }: field Path: string is not a struct`},
		{struct {
			Type int `json:"type"`
		}{}, `payload type struct { Type int "json:\"type\"" }: field Type: not a string`},
		{struct {
			Path struct {
				A float64 `json:"a"`
			} `json:"path"`
		}{}, `payload type struct { Path struct { A float64 "json:\"a\"" } "json:\"path\"" }: field Path: field struct { A float64 "json:\"a\"" }.A: float64 is no type of a parameter`},
	} {
		if _, err := payloadPlan(reflect.TypeOf(tt.payload)); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
		if _, err := encodePayload(tt.payload, testOperation); err == nil || err.Error() != tt.want {
			t.Errorf("encode: got %v", err)
		}
	}
	if _, err := encodePayload(nil, testOperation); err == nil {
		t.Error("nil has a fingerprint")
	}
}

func TestQueryOfNoParametersHoldsWhatWasSent(t *testing.T) {
	t.Parallel()
	type payload struct {
		Query Query `json:"query,omitzero"`
	}
	op := &Operation{Method: "POST", Path: "/x"}
	rq := &request{query: Values{"a": {"1", "2"}, "b": nil}}
	var p payload
	if problem := decodePayload(&p, rq); problem != nil || !reflect.DeepEqual(p.Query.Extra, Values{"a": {"1", "2"}}) {
		t.Fatalf("got %+v, %v", p, problem)
	}
	sameFingerprint(t, op, rq, p)
	if v, _ := url.ParseQuery("a=1&a=2"); !reflect.DeepEqual(map[string][]string(v), map[string][]string(p.Query.Extra)) {
		t.Error("not what net/url reads")
	}
}
