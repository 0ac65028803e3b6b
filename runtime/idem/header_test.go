package idem

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestStoredHeadersAreTheAllowedAndTheDeclaredOnes(t *testing.T) {
	t.Parallel()
	always := []string{"Content-Type", "Content-Language", "Content-Encoding", "Content-Disposition", "Content-Location",
		"Location", "ETag", "Last-Modified", "Link", "Cache-Control", "Vary"}
	never := []string{"Set-Cookie", "Authorization", "WWW-Authenticate", "Proxy-Authenticate", "Custom-Authenticate",
		"Proxy-Anything", "Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Date",
		"Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "RateLimit", "RateLimit-Policy",
		"X-RateLimit-Remaining", "X-Request-Id", "traceparent", "tracestate", "Content-Length", "Idempotent-Replayed",
		"X-Hop"}
	h := http.Header{}
	for _, name := range slices.Concat(always, never, []string{"X-Claim-Number", "X-Not-Declared"}) {
		h.Set(name, "v")
	}
	h.Set("Connection", "close, x-hop")
	kept := storedHeader(h, append([]string{"x-claim-number"}, never...))
	want := append([]string{"X-Claim-Number"}, always...)
	for i, name := range want {
		want[i] = http.CanonicalHeaderKey(name)
	}
	got := slices.Sorted(maps.Keys(kept))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestStoredHeaderIsADeepCopyOfWhatNetHTTPWrites(t *testing.T) {
	t.Parallel()
	h := http.Header{
		"Link":         {"<a>; rel=x", "<b>; rel=y, z"},
		"Content-Type": {" text/plain\r\nSet-Cookie: x\t"},
		"X-Empty":      {""},
		"x-raw":        {"caf\xe9"},
		"Bad Name":     {"v"},
		"Location":     nil,
	}
	kept := storedHeader(h, []string{"X-Empty", "X-Raw", "Bad Name"})
	want := http.Header{
		"Link":         {"<a>; rel=x", "<b>; rel=y, z"},
		"Content-Type": {"text/plain  Set-Cookie: x"},
		"X-Empty":      {""},
		"X-Raw":        {"caf\xe9"},
	}
	if !reflect.DeepEqual(kept, want) {
		t.Errorf("got  %q\nwant %q", kept, want)
	}
	h["Link"][0] = "changed"
	if kept["Link"][0] != "<a>; rel=x" {
		t.Error("the stored header shares its values with the response")
	}
	if kept := storedHeader(nil, nil); kept == nil || len(kept) != 0 {
		t.Errorf("no header: %v", kept)
	}
}

func TestHeaderLinesSurviveByteForByte(t *testing.T) {
	t.Parallel()
	h := http.Header{
		"Link":    {"<b>", "<a>", "<b>"},
		"X-Empty": {""},
		"X-Odd":   {"caf\xe9 \x00\x7f: x", "  padded  "},
		"x-raw":   {"a, b"},
	}
	text := EncodeHeader(h)
	want := "Link: <b>\r\nLink: <a>\r\nLink: <b>\r\nX-Empty: \r\nX-Odd: caf\xe9 \x00\x7f: x\r\nX-Odd:   padded  \r\nx-raw: a, b\r\n"
	if string(text) != want {
		t.Fatalf("got  %q\nwant %q", text, want)
	}
	back, err := DecodeHeader(text)
	if err != nil || !reflect.DeepEqual(back, h) {
		t.Errorf("got  %q, %v\nwant %q", back, err, h)
	}
}

func TestHeaderLinesOfNothingAreEmptyNotNil(t *testing.T) {
	t.Parallel()
	if text := EncodeHeader(nil); text == nil || len(text) != 0 {
		t.Errorf("encoded: %#v", text)
	}
	if h, err := DecodeHeader(nil); err != nil || h == nil || len(h) != 0 {
		t.Errorf("decoded: %#v, %v", h, err)
	}
}

func TestHeaderLinesCannotBeSplit(t *testing.T) {
	t.Parallel()
	text := EncodeHeader(http.Header{"X-A": {"1\r\nX-B: 2\n3\r"}, "X-C\r\nX-D": {"4"}, "": {"5"}})
	if want := "X-A: 1  X-B: 2 3 \r\n"; string(text) != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

func TestDecodeHeaderRefusesWhatEncodeHeaderDoesNotWrite(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"X", "X: 1", "X: 1\n", "X 1\r\n", "X:1\r\n", ": 1\r\n", "X: 1\r\n\r\n", "X: a\rb\r\n", "X: a\nb\r\n", "X Y: 1\r\n"} {
		if h, err := DecodeHeader([]byte(text)); err == nil {
			t.Errorf("%q: read as %q", text, h)
		}
	}
}

func FuzzHeaderLines(f *testing.F) {
	f.Add("X-A", "1", "X-B", "caf\xe9", "")
	f.Add("Link", "<a>", "Link", "<b>\r\n", " ")
	f.Add("bad name", ":", "", "\x00", "\n\n")
	f.Fuzz(func(t *testing.T, name1, value1, name2, value2, value3 string) {
		h := http.Header{}
		h[name1] = append(h[name1], value1)
		h[name2] = append(h[name2], value2, value3)
		text := EncodeHeader(h)
		back, err := DecodeHeader(text)
		if err != nil {
			t.Fatalf("does not read back: %v: %q", err, text)
		}
		if again := EncodeHeader(back); string(again) != string(text) {
			t.Fatalf("not deterministic: %q, then %q", text, again)
		}
		for name, values := range h {
			if !validFieldName(name) {
				continue
			}
			if len(back[name]) != len(values) {
				t.Fatalf("%q: %q became %q", name, values, back[name])
			}
			for i, value := range values {
				if !strings.ContainsAny(value, "\r\n") && back[name][i] != value {
					t.Fatalf("%q: %q became %q", name, value, back[name][i])
				}
			}
		}
	})
}

func TestReplayNeverOverwritesWhatAnOuterLayerSet(t *testing.T) {
	t.Parallel()
	dst := http.Header{
		"Cache-Control":               {"no-store"},
		"Access-Control-Allow-Origin": {"https://second.example"},
		"Vary":                        {"Origin"},
		"Content-Type":                {"application/json"}, // an outer layer's default
	}
	stored := http.Header{
		"Cache-Control": {"max-age=60"},
		"Vary":          {"Accept", "Origin"},
		"Content-Type":  {"application/pdf"},
		"Location":      {"/claims/1"},
		"Link":          {"<a>", "<b>"},
	}
	replayHeader(dst, stored)
	want := http.Header{
		"Cache-Control":               {"no-store"},
		"Access-Control-Allow-Origin": {"https://second.example"},
		"Vary":                        {"Origin", "Accept"},
		"Content-Type":                {"application/pdf"}, // it says what the stored bytes are
		"Location":                    {"/claims/1"},
		"Link":                        {"<a>", "<b>"},
		"Idempotent-Replayed":         {"true"},
	}
	if !reflect.DeepEqual(dst, want) {
		t.Errorf("got  %v\nwant %v", dst, want)
	}
	dst["Link"][0] = "changed"
	if stored["Link"][0] != "<a>" {
		t.Error("the replay shares its values with the record")
	}
}
