package idem

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

var formOperation = &Operation{
	Endpoint: "claims.create", Method: "POST", Path: "/claims",
	Bodies: []Body{{formType, Fields}, {"multipart/form-data", Multipart}, {"multipart/mixed", Multipart}},
	Identity: Identity{Body: []BodyRules{
		{formType, formRules}, {"multipart/form-data", formRules},
	}},
}

// The trace is no part of the identity, nor are the members of meta; tags are a set.
var formRules = canon.Rules{{Ignore: []string{"meta[", "trace"}, Members: []canon.Member{{Name: "tags", Rule: 1}}}, {Unordered: true}}

func posted(contentType, body string) *http.Request {
	r := httptest.NewRequest("POST", "/claims", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	return r
}

// piece is a part as a test writes it: header lines, and what it holds.
type piece struct{ header, data string }

func field(name, data string) piece { return piece{disposition(name), data} }

func file(name, fileName, mediaType, data string) piece {
	return piece{disposition(name) + `; filename="` + fileName + `"` + "\nContent-Type: " + mediaType, data}
}

func disposition(name string) string { return `Content-Disposition: form-data; name="` + name + `"` }

func message(boundary string, pieces ...piece) string {
	var b strings.Builder
	for _, p := range pieces {
		fmt.Fprintf(&b, "--%s\r\n%s\r\n\r\n%s\r\n", boundary, strings.ReplaceAll(p.header, "\n", "\r\n"), p.data)
	}
	return b.String() + "--" + boundary + "--\r\n"
}

func multipartOf(pieces ...piece) *http.Request {
	return posted("multipart/form-data; boundary=b", message("b", pieces...))
}

func canonicalOf(t *testing.T, op *Operation, r *http.Request) (string, error) {
	t.Helper()
	rq, problem := readRequest(op, r, nil)
	if problem != nil {
		return "", problem
	}
	form, err := appendCanonical(nil, &op.Identity, rq)
	return string(form), err
}

func TestFormsEnterByTheirFields(t *testing.T) {
	t.Parallel()
	sum := func(s string) string { d := sha256.Sum256([]byte(s)); return hex.EncodeToString(d[:]) }
	const isForm, isMultipart = `,"type":"application/x-www-form-urlencoded"}`, `,"type":"multipart/form-data"}`
	for _, c := range []struct {
		name string
		r    *http.Request
		want string
	}{
		{"fields by name, values in order", posted(formType, "b=2&a=1&a=0&c"), `{"body":{"a":["1","0"],"b":["2"],"c":[""]}` + isForm},
		{"decoded once", posted(formType, "a=x+y%2B%2520&%61=2"), `{"body":{"a":["x y+%20","2"]}` + isForm},
		{"letter case and charset of the type", posted("Application/X-WWW-Form-UrlEncoded; charset=UTF-8", "a=1"), `{"body":{"a":["1"]}` + isForm},
		{"ignored, with what begins so", posted(formType, "trace=1&meta[a]=1&meta[b][c]=2&meta=3&tracer=4"), `{"body":{"meta":["3"],"tracer":["4"]}` + isForm},
		{"a set", posted(formType, "tags=b&tags=a&list=b&list=a"), `{"body":{"list":["b","a"],"tags":["a","b"]}` + isForm},
		{"nothing but an ampersand is no body", posted(formType, "&"), `{}`},
		{"plain parts are fields", multipartOf(field("b", "2"), field("a", "1"), field("a", "0")), `{"body":{"a":["1","0"],"b":["2"]}` + isMultipart},
		{"also where they say so", multipartOf(piece{disposition("a") + "\nContent-Type: Text/Plain; charset=UTF-8\nContent-Length: 1\nContent-Transfer-Encoding: binary", "1"}),
			`{"body":{"a":["1"]}` + isMultipart},
		{"or in ASCII", multipartOf(piece{disposition("a") + "\nContent-Type: text/plain; charset=US-ASCII", "1"}), `{"body":{"a":["1"]}` + isMultipart},
		{"quoted-printable is decoded", multipartOf(piece{disposition("a") + "\nContent-Transfer-Encoding: quoted-printable", "=31"}), `{"body":{"a":["1"]}` + isMultipart},
		{"a file by its digest", multipartOf(file("f", "a.png", "Image/PNG", "\x00\xff")),
			`{"body":{"f":[{"name":"a.png","sha256":"` + sum("\x00\xff") + `","type":"image/png"}]}` + isMultipart},
		{"a file's name beyond ASCII", multipartOf(piece{disposition("f") + "; filename*=UTF-8''%c3%a4", "x"}),
			`{"body":{"f":[{"name":"ä","sha256":"` + sum("x") + `"}]}` + isMultipart},
		{"another charset is no plain text", multipartOf(piece{disposition("a") + "\nContent-Type: text/plain; charset=latin1", "1"}),
			`{"body":{"a":[{"sha256":"` + sum("1") + `","type":"text/plain; charset=latin1"}]}` + isMultipart},
		{"other headers count", multipartOf(piece{disposition("a") + "; x=1\nX-Part: y", "1"}),
			`{"body":{"a":[{"header":{"Content-Disposition":["form-data; x=1"],"X-Part":["y"]},"sha256":"` + sum("1") + `"}]}` + isMultipart},
		{"a disposition of which not all is read counts as it is", posted("multipart/mixed; boundary=b", message("b", piece{"Content-Disposition: attachment; filename=an invoice.pdf", "1"})),
			`{"body":{"":[{"header":{"Content-Disposition":["attachment; filename=an invoice.pdf"]},"sha256":"` + sum("1") + `"}]},"type":"multipart/mixed"}`},
		{"as does a file's name in another charset", multipartOf(piece{disposition("f") + "; filename*=ISO-8859-1''%e4", "1"}),
			`{"body":{"f":[{"header":{"Content-Disposition":["form-data; name=\"f\"; filename*=ISO-8859-1''%e4"]},"sha256":"` + sum("1") + `"}]}` + isMultipart},
		{"beside another in UTF-8 too", multipartOf(piece{disposition("f") + "; filename*=ISO-8859-1''%e4; x*=UTF-8''y", "1"}),
			`{"body":{"f":[{"header":{"Content-Disposition":["form-data; name=\"f\"; filename*=ISO-8859-1''%e4; x*=UTF-8''y"]},"sha256":"` + sum("1") + `"}]}` + isMultipart},
		{"and a disposition that has no name", posted("multipart/mixed; boundary=b", message("b", piece{"Content-Disposition: form-data", "1"})),
			`{"body":{"":[{"header":{"Content-Disposition":["form-data"]},"sha256":"` + sum("1") + `"}]},"type":"multipart/mixed"}`},
		{"a second encoding", multipartOf(piece{disposition("a") + "\nContent-Transfer-Encoding: binary\nContent-Transfer-Encoding: x", "1"}),
			`{"body":{"a":[{"header":{"Content-Transfer-Encoding":["binary","x"]},"sha256":"` + sum("1") + `"}]}` + isMultipart},
		{"a set of parts, and what is ignored", multipartOf(field("tags", "b"), field("trace", "1"), field("tags", "a"), file("meta[x]", "f", "text/csv", "1")),
			`{"body":{"tags":["a","b"]}` + isMultipart},
		{"further parameters of form-data", posted("multipart/form-data; boundary=b; charset=latin1; x=y", message("b", field("a", "1"))), `{"body":{"a":["1"]}` + isMultipart},
		{"no parts", multipartOf(), `{"body":{}` + isMultipart},
		{"parts without names keep their order", posted("multipart/mixed; boundary=b; start=x", message("b", piece{"Content-Type: application/json", "{}"}, piece{"Content-Type: text/plain", "x"})),
			`{"body":{"":[{"sha256":"` + sum("{}") + `","type":"application/json"},"x"]},"type":"multipart/mixed; start=x"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := canonicalOf(t, formOperation, c.r)
			if err != nil || got != c.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestTwoSpellingsOfAMultipartBodyAreOneRequest(t *testing.T) {
	t.Parallel()
	a, err := canonicalOf(t, formOperation, posted("multipart/form-data; boundary=one", message("one", field("a", "1"), file("f", "n", "text/csv", "x,y"), field("a", "2"))))
	if err != nil {
		t.Fatal(err)
	}
	b, err := canonicalOf(t, formOperation, posted(`multipart/form-data; boundary="t w o"`, "preamble\r\n"+message("t w o", file("f", "n", "Text/CSV", "x,y"), field("a", "1"), field("a", "2"))+"epilogue"))
	if err != nil || a != b {
		t.Errorf("%v\n%s\n%s", err, a, b)
	}
	c, err := canonicalOf(t, formOperation, posted("multipart/form-data; boundary=one", message("one", field("a", "2"), file("f", "n", "text/csv", "x,y"), field("a", "1"))))
	if err != nil || a == c {
		t.Errorf("%v: the order of one name's parts is lost in %s", err, c)
	}
}

func TestMalformedFormsAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		r      *http.Request
		status int
		want   string
	}{
		{"escape", posted(formType, "a=%zz"), 400, "form has a malformed escape"},
		{"semicolon", posted(formType, "a=1;b=2"), 400, "form must not contain a raw semicolon"},
		{"not UTF-8", posted(formType, "a=%ff"), 400, "form is not valid UTF-8"},
		{"charset", posted(formType+"; charset=latin1", "a=1"), 415, "charset must be utf-8"},
		{"no boundary", posted("multipart/form-data", message("b")), 400, "content type has no boundary"},
		{"another boundary", posted("multipart/form-data; boundary=c", message("b")), 400, "body: not a well-formed multipart message"},
		{"cut off", posted("multipart/form-data; boundary=b", "--b\r\n"+disposition("a")+"\r\n\r\n1\r\n"), 400, "body: not a well-formed multipart message"},
		{"cut off in a header", posted("multipart/form-data; boundary=b", "--b\r\nContent-Dis"), 400, "body: not a well-formed multipart message"},
		{"a part without a name", multipartOf(piece{"Content-Type: text/plain", "1"}), 400, "body: a part has no Content-Disposition of form-data with a name"},
		{"not of form-data", multipartOf(piece{`Content-Disposition: attachment; name="a"`, "1"}), 400, "body: a part has no Content-Disposition of form-data with a name"},
		{"a header twice", multipartOf(piece{disposition("a") + "\n" + disposition("b"), "1"}), 400, "body: a part has the header Content-Disposition twice"},
		{"a name that is not UTF-8", multipartOf(field("\xff", "1")), 400, "form is not valid UTF-8"},
		{"a file name that is not UTF-8", multipartOf(file("f", "\xff", "text/csv", "1")), 400, "file name is not valid UTF-8"},
		{"too many parts", multipartOf(make1001()...), 400, "body: more than 1000 parts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := canonicalOf(t, formOperation, c.r)
			problem, ok := err.(*Problem)
			if !ok || problem.Status != c.status || problem.Detail != c.want {
				t.Errorf("got %s, %v, want %d %s", got, err, c.status, c.want)
			}
		})
	}
}

// What a client announces costs nothing until it is sent.
func TestAnAnnouncedLengthTakesNoMemory(t *testing.T) {
	t.Parallel()
	r := posted(formType, "a=1")
	r.ContentLength = 1 << 60
	if body, problem := readBody(nil, r, math.MaxInt64, math.MaxInt64); problem != nil || string(body.data) != "a=1" {
		t.Errorf("got %q, %v", body.data, problem)
	}
	op := *formOperation
	op.Policy.MaxBody = math.MaxInt64
	if got, err := canonicalOf(t, &op, posted(formType, "a=1")); err != nil || !strings.Contains(got, `"a":["1"]`) {
		t.Errorf("without a limit: got %s, %v", got, err)
	}
}

// What is kept of a body in memory is bounded, however its parts are made.
func TestPartsOfLargeHeadersAreRefused(t *testing.T) {
	t.Parallel()
	op := *formOperation
	op.Policy.MaxBody = 64 << 20
	for name, header := range map[string]string{"one long": "\nX-A: " + strings.Repeat("a", 1<<20), "many": strings.Repeat("\nX-A: a", 9000)} {
		pieces := make([]piece, 12)
		for i := range pieces {
			pieces[i] = piece{disposition("f") + header, ""}
		}
		if _, err := canonicalOf(t, &op, multipartOf(pieces[:2]...)); err != nil {
			t.Errorf("%s, two: %v", name, err)
		}
		_, err := canonicalOf(t, &op, multipartOf(pieces...))
		if problem, ok := err.(*Problem); !ok || problem.Status != 413 {
			t.Errorf("%s: got %v, want 413", name, err)
		}
	}
}

func make1001() []piece {
	pieces := make([]piece, maxParts+1)
	for i := range pieces {
		pieces[i] = field("a", "")
	}
	return pieces
}

type claimForm struct {
	Amount canon.Optional[canon.Number] `json:"amount,omitzero"`
	Kind   string                       `json:"kind"`
	Lines  []int64                      `json:"lines,omitzero"`
	Extra  Values                       `json:"-"`
}

type claimParts struct {
	Copies []Part                 `json:"copies,omitzero"`
	Cover  canon.Optional[Part]   `json:"cover,omitzero"`
	Kind   string                 `json:"kind"`
	Paper  Part                   `json:"paper"`
	Urgent canon.Optional[bool]   `json:"urgent,omitzero"`
	Notes  canon.Optional[string] `json:"notes,omitzero"`
	Extra  Parts                  `json:"-"`
}

type claimPayload struct {
	Query Query                      `json:"query,omitzero"`
	Type  string                     `json:"type,omitzero"`
	Form  canon.Optional[claimForm]  `json:"form,omitzero"`
	Parts canon.Optional[claimParts] `json:"parts,omitzero"`
}

func TestAFormIsDecodedWithoutLoss(t *testing.T) {
	t.Parallel()
	rq, problem := readRequest(formOperation, posted(formType, "kind=damage&amount=1.10&lines=3&lines=2&deep[a]=1"), nil)
	if problem != nil {
		t.Fatal(problem)
	}
	var p claimPayload
	if problem := decodePayload(&p, rq); problem != nil {
		t.Fatal(problem)
	}
	want := claimForm{Amount: canon.Some(canon.Number("1.10")), Kind: "damage", Lines: []int64{3, 2}, Extra: Values{"deep[a]": {"1"}}}
	if got, ok := p.Form.Get(); !ok || !reflect.DeepEqual(got, want) || !p.Parts.IsZero() {
		t.Errorf("got %+v, want %+v", got, want)
	}
	sameFingerprint(t, formOperation, rq, p)

	rq, problem = readRequest(formOperation, multipartOf(field("kind", "damage"), file("paper", "p.pdf", "application/pdf", "%PDF"), file("copies", "1", "text/csv", "1"),
		file("copies", "2", "text/csv", "2"), field("urgent", "true"), file("more", "m", "text/csv", "m"), field("more", "n")), nil)
	if problem != nil {
		t.Fatal(problem)
	}
	p = claimPayload{}
	if problem := decodePayload(&p, rq); problem != nil {
		t.Fatal(problem)
	}
	got, ok := p.Parts.Get()
	if !ok || len(got.Copies) != 2 || got.Paper.FileName != "p.pdf" || got.Paper.MediaType != "application/pdf" || !canon.Or(got.Urgent, false) || len(got.Extra["more"]) != 2 {
		t.Errorf("got %+v", got)
	}
	if text, err := got.Paper.Bytes(); err != nil || string(text) != "%PDF" || got.Paper.Size() != 4 {
		t.Errorf("got %s, %v", text, err)
	}
	sameFingerprint(t, formOperation, rq, p)

	byHand := claimPayload{Type: "multipart/form-data", Parts: canon.Some(claimParts{
		Kind: "damage", Paper: NewPart("p.pdf", "application/pdf", []byte("%PDF")), Urgent: canon.Some(true),
		Copies: []Part{NewPart("1", "text/csv", []byte("1")), NewPart("2", "text/csv", []byte("2"))},
		Extra:  Parts{"more": {NewPart("m", "text/csv", []byte("m")), TextPart("n")}},
	})}
	sameFingerprint(t, formOperation, rq, byHand)
}

func TestAFormThatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	paper := file("paper", "p", "text/csv", "1")
	for _, c := range []struct {
		name string
		r    *http.Request
		want string
	}{
		{"missing", posted(formType, "amount=1"), `form field "kind": is required`},
		{"twice", posted(formType, "kind=a&kind=b"), `form field "kind": must be sent once`},
		{"not canonical", posted(formType, "kind=a&lines=07"), `form field "lines": must be an integer in range, in canonical spelling`},
		{"a file where a text is", multipartOf(paper, file("kind", "k", "text/csv", "1")), `form field "kind": must be a plain text in UTF-8, without a file name or headers of its own`},
		{"a text where a boolean is", multipartOf(paper, field("kind", "a"), field("urgent", "yes")), `form field "urgent": must be true or false`},
		{"a missing file", multipartOf(field("kind", "a")), `form field "paper": is required`},
		{"a file twice", multipartOf(field("kind", "a"), paper, paper), `form field "paper": must be sent once`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := DecodeRequest[claimPayload](formOperation, c.r, nil)
			problem, ok := err.(*Problem)
			if !ok || problem.Status != 400 || problem.Detail != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	type closed struct {
		Query Query `json:"query,omitzero"`
		Form  struct {
			Kind string `json:"kind"`
		} `json:"form"`
	}
	op := &Operation{Method: "POST", Path: "/claims", Bodies: []Body{{formType, Fields}}}
	if _, err := DecodeRequest[closed](op, posted(formType, ""), nil); err == nil || err.Error() != `form field "kind": is required` {
		t.Errorf("got %v", err)
	}
	if _, err := DecodeRequest[closed](op, posted(formType, "kind=a&other=1"), nil); err == nil || err.Error() != `form field "other": is not declared` {
		t.Errorf("got %v", err)
	}
}

// A form whose fields are all optional may have none, and is then no body.
func TestAnEmptyFormIsNoBody(t *testing.T) {
	t.Parallel()
	type payload struct {
		Query Query `json:"query,omitzero"`
		Form  struct {
			Kind  canon.Optional[string] `json:"kind,omitzero"`
			Extra Values                 `json:"-"`
		} `json:"form"`
	}
	op := &Operation{Method: "POST", Path: "/claims", Bodies: []Body{{formType, Fields}}}
	for _, body := range []string{"", "&"} {
		rq, problem := readRequest(op, posted(formType, body), nil)
		if problem != nil {
			t.Fatal(problem)
		}
		var p payload
		if problem := decodePayload(&p, rq); problem != nil || len(p.Form.Extra) > 0 {
			t.Fatalf("%q: %+v, %v", body, p, problem)
		}
		sameFingerprint(t, op, rq, p)
	}
}

// Whatever is sent as a form is refused, or its payload has the request's fingerprint.
func FuzzForms(f *testing.F) {
	for _, body := range []string{
		"a=1&b=%C3%A4&a=+", "meta[a]=1&trace=2&tags=b&tags=a", "&", "%zz", "a;b",
		message("b", field("a", "1"), file("f", "n.png", "Image/PNG", "\x00\xff"), field("tags", "b"), field("tags", "a")),
		message("b", piece{disposition("a") + "\nContent-Type: text/plain; charset=latin1\nX-Part: y", "\xff"}),
		message("b", piece{disposition("f") + "; filename*=UTF-8''%c3%a4; x=y\nContent-Transfer-Encoding: quoted-printable", "=31=\r\n2"}),
		"--b\r\n\r\n\r\n--b--", "preamble--b\r\n" + disposition("a") + "\r\n\r\n1\r\n--b",
	} {
		f.Add("multipart/form-data; boundary=b", body)
		f.Add("multipart/mixed; boundary=b", body)
		f.Add(formType, body)
	}
	type payload struct {
		Query Query                      `json:"query,omitzero"`
		Type  string                     `json:"type,omitzero"`
		Form  canon.Optional[FormFields] `json:"form,omitzero"`
		Parts canon.Optional[FormParts]  `json:"parts,omitzero"`
	}
	f.Fuzz(func(t *testing.T, contentType, body string) {
		r := httptest.NewRequest("POST", "/claims", strings.NewReader(body))
		r.Header["Content-Type"] = []string{contentType}
		rq, problem := readRequest(formOperation, r, nil)
		if problem != nil {
			return
		}
		want, err := fingerprint(&formOperation.Identity, rq)
		if err != nil {
			return
		}
		var p payload
		if problem := decodePayload(&p, rq); problem != nil {
			t.Fatalf("%v: has a fingerprint, and no payload", problem)
		}
		if got, err := FingerprintOf(formOperation, p); err != nil || got != want {
			t.Fatalf("got %v, %v, want %v\n%+v", got, err, want, p)
		}
	})
}
