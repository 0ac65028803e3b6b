package idem

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// answer is what a client of a real server got.
type answer struct {
	Status  int
	Header  http.Header
	Body    string
	Trailer http.Header
	Early   []string // "103 </style.css>"
}

// onServers runs a test against a real server over HTTP/1.1 and HTTP/2: httptest.ResponseRecorder takes
// what a server does not. The test fails where the server logs anything.
func onServers(t *testing.T, handler http.Handler, test func(t *testing.T, get func() answer)) {
	t.Helper()
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			var logged lockedBuffer
			srv := httptest.NewUnstartedServer(handler)
			srv.EnableHTTP2 = protocol == "HTTP/2.0"
			srv.Config.ErrorLog = log.New(&logged, "", 0)
			srv.StartTLS()
			defer func() {
				srv.Close()
				if text := logged.String(); text != "" {
					t.Errorf("the server logs: %s", text)
				}
			}()
			test(t, func() answer { return send(t, srv, protocol) })
		})
	}
}

func send(t *testing.T, srv *httptest.Server, protocol string) answer {
	t.Helper()
	var got answer
	trace := &httptrace.ClientTrace{Got1xxResponse: func(code int, h textproto.MIMEHeader) error {
		got.Early = append(got.Early, fmt.Sprintf("%d %s", code, h.Get("Link")))
		return nil
	}}
	req, err := http.NewRequest("POST", srv.URL, strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := srv.Client().Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("read body: %v", err)
	}
	if resp.Proto != protocol {
		t.Fatalf("spoke %s", resp.Proto)
	}
	got.Status, got.Header, got.Body, got.Trailer = resp.StatusCode, resp.Header, string(body), resp.Trailer
	return got
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// onceThenReplay records handler's response to the first request of each connection protocol and
// replays it, through the store's form, to the others.
func onceThenReplay(limit int64, declared []string, handler http.HandlerFunc) http.Handler {
	var mu sync.Mutex
	stored := make(map[string]Response)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if resp, done := stored[r.Proto]; done {
			_ = writeReplay(w, resp)
			return
		}
		rec := newRecorder(w, limit)
		handler(rec, r)
		resp := rec.response(declared)
		resp.Header, _ = DecodeHeader(EncodeHeader(resp.Header))
		stored[r.Proto] = resp
		_ = rec.send()
	})
}

func TestReplayIsTheFirstResponse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    answer // of the first response; Header: the ones to look at, "" for absent
		replay  http.Header
	}{
		{"no write is 200", func(http.ResponseWriter, *http.Request) {},
			answer{Status: 200, Header: http.Header{"Content-Length": {"0"}, "Content-Type": nil}}, nil},
		{"write without a status is 200", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") },
			answer{Status: 200, Body: "hello", Header: http.Header{"Content-Length": {"5"}, "Content-Type": {"text/plain; charset=utf-8"}}}, nil},
		{"201 with a body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Location", "/claims/1")
			w.WriteHeader(201)
			_, _ = w.Write([]byte(`{"n":1}`))
		}, answer{Status: 201, Body: `{"n":1}`, Header: http.Header{"Content-Type": {"application/json"}, "Location": {"/claims/1"}}}, nil},
		{"201 with Content-Length 0", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "0")
			w.WriteHeader(201)
		}, answer{Status: 201, Header: http.Header{"Content-Length": {"0"}}}, nil},
		{"a Content-Length that is not the body's", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99")
			_, _ = io.WriteString(w, "four")
		}, answer{Status: 200, Body: "four", Header: http.Header{"Content-Length": {"4"}}}, nil},
		{"204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
			answer{Status: 204, Header: http.Header{"Content-Length": nil}}, nil},
		{"204 and a body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1")
			w.WriteHeader(204)
			if n, err := w.Write([]byte("x")); n != 0 || !errors.Is(err, http.ErrBodyNotAllowed) {
				panic(err)
			}
		}, answer{Status: 204, Header: http.Header{"Content-Length": nil, "Content-Type": nil}}, nil},
		{"304 and a body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Etag", `"v1"`)
			w.WriteHeader(304)
			if _, err := io.WriteString(w, "x"); !errors.Is(err, http.ErrBodyNotAllowed) {
				panic(err)
			}
		}, answer{Status: 304, Header: http.Header{"Etag": {`"v1"`}, "Content-Type": nil}}, nil},
		{"205", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(205) },
			answer{Status: 205, Header: http.Header{"Content-Length": {"0"}}}, nil},
		{"the first status wins", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(201)
			w.WriteHeader(500)
		}, answer{Status: 201}, nil},
		{"also the implied one", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "x")
			w.WriteHeader(500)
		}, answer{Status: 200, Body: "x"}, nil},
		{"an empty write implies it too", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(nil)
			w.WriteHeader(500)
		}, answer{Status: 200}, nil},
		{"late headers are neither sent nor stored", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/early")
			w.WriteHeader(201)
			w.Header().Set("Location", "/late")
			w.Header().Set("Link", "<late>")
		}, answer{Status: 201, Header: http.Header{"Location": {"/early"}, "Link": nil}}, nil},
		{"trailers are dropped", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Trailer", "X-Sum, Link")
			w.Header().Set("X-Sum", "too early")
			w.Header().Set(http.TrailerPrefix+"Etag", "early")
			_, _ = io.WriteString(w, "x")
			w.Header().Set("X-Sum", "1")
			w.Header().Set("Link", "<late>")
			w.Header().Set(http.TrailerPrefix+"Vary", "late")
		}, answer{Status: 200, Body: "x", Header: http.Header{"X-Sum": nil, "Trailer": nil, "Link": nil, "Etag": nil, "Vary": nil}}, nil},
		{"a transfer encoding is the server's", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Transfer-Encoding", "chunked")
			_, _ = io.WriteString(w, "x")
		}, answer{Status: 200, Body: "x", Header: http.Header{"Content-Length": {"1"}}}, nil},
		{"a Content-Type that is not to be sniffed", func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			_, _ = io.WriteString(w, "x")
		}, answer{Status: 200, Body: "x", Header: http.Header{"Content-Type": nil}}, nil},
		{"nor of an encoded body", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			_, _ = io.WriteString(w, "x")
		}, answer{Status: 200, Body: "x", Header: http.Header{"Content-Type": nil, "Content-Encoding": {"br"}}}, nil},
		{"values stay apart and as they are", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Add("Link", "<a>; rel=x")
			w.Header().Add("Link", "<b>; rel=y")
			w.Header().Set("Content-Disposition", `attachment; filename="a,b.txt"`)
			w.Header().Set("X-Empty", "")
			w.Header()["x-raw"] = []string{"caf\xc3\xa9"}
		}, answer{Status: 200, Header: http.Header{"Link": {"<a>; rel=x", "<b>; rel=y"}, "X-Raw": {"caf\xc3\xa9"},
			"Content-Disposition": {`attachment; filename="a,b.txt"`}, "X-Empty": {""}}}, nil},
		{"the first response has all, the replay what may be stored", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Set-Cookie", "session=secret")
			w.Header().Set("Www-Authenticate", "Basic")
			w.Header().Set("X-Other", "1")
			w.Header().Set("Location", "/1")
		}, answer{Status: 200, Header: http.Header{"Set-Cookie": {"session=secret"}, "Www-Authenticate": {"Basic"}, "X-Other": {"1"}, "Location": {"/1"}}},
			http.Header{"Set-Cookie": nil, "Www-Authenticate": nil, "X-Other": nil, "Location": {"/1"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			handler := onceThenReplay(1<<20, []string{"X-Sum", "X-Empty", "X-Raw"}, tt.handler)
			onServers(t, handler, func(t *testing.T, get func() answer) {
				replay := tt.replay
				if replay == nil {
					replay = tt.want.Header
				}
				check(t, "first", get(), tt.want, tt.want.Header)
				for range 2 { // the connection stays usable
					got := get()
					check(t, "replay", got, tt.want, replay)
					if got.Header.Get("Idempotent-Replayed") != "true" {
						t.Errorf("replay: not marked: %v", got.Header)
					}
				}
			})
		})
	}
}

func check(t *testing.T, which string, got, want answer, header http.Header) {
	t.Helper()
	if got.Status != want.Status || got.Body != want.Body || len(got.Trailer) > 0 {
		t.Errorf("%s: got %d %q, trailer %v, want %d %q", which, got.Status, got.Body, got.Trailer, want.Status, want.Body)
	}
	for name, values := range header {
		if !reflect.DeepEqual(got.Header[name], values) && len(got.Header[name])+len(values) > 0 {
			t.Errorf("%s: %s: got %q, want %q", which, name, got.Header[name], values)
		}
	}
}

func TestInformationalStatusesPassAndAreNotRecorded(t *testing.T) {
	t.Parallel()
	early := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Outer", "1")
		rec := newRecorder(w, 1<<20)
		rec.Header().Set("Link", "</style.css>")
		rec.WriteHeader(103)
		if w.Header().Get("Link") != "" {
			panic("the real header keeps what was sent early")
		}
		<-early
		rec.Header().Del("Link")
		rec.WriteHeader(100)
		rec.WriteHeader(201)
		rec.WriteHeader(103) // too late: nothing happens
		_, _ = rec.Write([]byte("made"))
		if resp := rec.response(nil); resp.Status != 201 || string(resp.Body) != "made" || resp.Header.Get("Link") != "" {
			panic(fmt.Sprint(resp))
		}
		_ = rec.send()
	})
	srv := httptest.NewServer(handler)
	defer srv.Close()
	seen := 0
	trace := &httptrace.ClientTrace{Got1xxResponse: func(code int, h textproto.MIMEHeader) error {
		if code == 103 && h.Get("Link") == "</style.css>" && h.Get("X-Outer") == "1" {
			seen++
			close(early) // the handler goes on only when the client has it
		}
		return nil
	}}
	req, _ := http.NewRequest("POST", srv.URL, nil)
	resp, err := http.DefaultClient.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 201 || string(body) != "made" || seen != 1 {
		t.Errorf("got %d %q, 103 seen %d times", resp.StatusCode, body, seen)
	}
	if resp.Header.Get("Link") != "" || resp.Header.Get("X-Outer") != "1" {
		t.Errorf("final header: %v", resp.Header)
	}
}

func TestEarlyHintsPassOnHTTP2(t *testing.T) {
	t.Parallel()
	handler := onceThenReplay(1<<20, nil, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Link", "</style.css>")
		w.WriteHeader(103)
		w.WriteHeader(201)
	})
	onServers(t, handler, func(t *testing.T, get func() answer) {
		first := get()
		if first.Status != 201 || !reflect.DeepEqual(first.Early, []string{"103 </style.css>"}) {
			t.Errorf("first: %+v", first)
		}
		if again := get(); again.Status != 201 || again.Early != nil || again.Header.Get("Link") != "</style.css>" {
			t.Errorf("replay: %+v", again)
		}
	})
}

func TestSwitchingProtocolsIsRefused(t *testing.T) {
	t.Parallel()
	for _, status := range []int{101, 0, 99, 1000, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d is taken", status)
				}
			}()
			newRecorder(httptest.NewRecorder(), 10).WriteHeader(status)
		}()
	}
}

func TestFlushHijackAndUnwrapAreRefusedAndDeadlinesPass(t *testing.T) {
	t.Parallel()
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		rec := newRecorder(w, 10)
		var asWriter http.ResponseWriter = rec
		if _, flusher := asWriter.(http.Flusher); flusher {
			t.Error("is a Flusher")
		}
		if _, unwraps := asWriter.(interface{ Unwrap() http.ResponseWriter }); unwraps {
			t.Error("unwraps")
		}
		c := http.NewResponseController(rec)
		if err := c.Flush(); !errors.Is(err, http.ErrNotSupported) {
			t.Errorf("Flush: %v", err)
		}
		if _, _, err := c.Hijack(); !errors.Is(err, http.ErrNotSupported) {
			t.Errorf("Hijack: %v", err)
		}
		if err := c.EnableFullDuplex(); !errors.Is(err, http.ErrNotSupported) {
			t.Errorf("EnableFullDuplex: %v", err)
		}
		if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Errorf("SetReadDeadline: %v", err)
		}
		if err := c.SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Errorf("SetWriteDeadline: %v", err)
		}
		_ = rec.send()
	})
	onServers(t, handler, func(t *testing.T, get func() answer) {
		if got := get(); got.Status != 200 {
			t.Errorf("got %+v", got)
		}
	})
}

func TestBodyOverTheLimitIsStreamedAndLeavesATombstone(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<html>", 2000)
	for _, tt := range []struct {
		name  string
		write func(w io.Writer)
	}{
		{"in one write", func(w io.Writer) { _, _ = io.WriteString(w, long) }},
		{"in many", func(w io.Writer) {
			for i := range 2000 {
				if n, err := w.Write([]byte(long[6*i : 6*i+6])); n != 6 || err != nil {
					panic(err)
				}
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				rec := newRecorder(w, 20)
				rec.Header().Set("X-A", "1")
				rec.WriteHeader(201)
				tt.write(rec)
				rec.Header().Set("X-Late", "1")
				if resp := rec.response(nil); !rec.overflowed || !reflect.DeepEqual(resp, Response{Status: 201, Tombstone: true}) {
					panic(fmt.Sprint(resp))
				}
				_ = rec.send()
			})
			onServers(t, handler, func(t *testing.T, get func() answer) {
				got := get()
				if got.Status != 201 || got.Body != long || got.Header.Get("X-A") != "1" || got.Header.Get("X-Late") != "" {
					t.Errorf("got %d, %d bytes, %v", got.Status, len(got.Body), got.Header)
				}
				if got.Header.Get("Content-Type") != "text/html; charset=utf-8" {
					t.Errorf("sniffed %q", got.Header.Get("Content-Type"))
				}
			})
		})
	}
}

func TestBodyOfTheLimitIsStored(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	rec := newRecorder(w, 4)
	_, _ = io.WriteString(rec, "ab")
	_, _ = io.WriteString(rec, "cd")
	if resp := rec.response(nil); resp.Tombstone || string(resp.Body) != "abcd" || w.Body.Len() > 0 {
		t.Errorf("got %+v, sent %q", resp, w.Body)
	}
}

func TestOnlyHeadersThatTheHandlerSetAreStored(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	for name, value := range map[string]string{"Cache-Control": "no-store", "Vary": "Origin", "Etag": "outer",
		"Content-Language": "en", "X-Frame-Options": "DENY", "Last-Modified": "outer"} {
		w.Header().Set(name, value)
	}
	rec := newRecorder(w, 100)
	if rec.Header().Get("Cache-Control") != "no-store" {
		t.Error("the handler does not see what outer layers set")
	}
	rec.Header().Add("Vary", "Accept")
	rec.Header().Set("Etag", "handler")
	rec.Header().Del("Last-Modified")
	rec.Header().Set("Location", "/1")
	resp := rec.response(nil)
	if want := (http.Header{"Vary": {"Accept"}, "Etag": {"handler"}, "Location": {"/1"}}); !reflect.DeepEqual(resp.Header, want) {
		t.Errorf("stored %v, want %v", resp.Header, want)
	}
	if w.Header().Get("Location") != "" {
		t.Error("the real header changed before the response is sent")
	}
	_ = rec.send()
	want := http.Header{"Cache-Control": {"no-store"}, "Vary": {"Origin", "Accept"}, "Etag": {"handler"}, "Content-Language": {"en"},
		"X-Frame-Options": {"DENY"}, "Location": {"/1"}, "Content-Length": {"0"}}
	if !reflect.DeepEqual(w.Header(), want) {
		t.Errorf("sent %v, want %v", w.Header(), want)
	}
}

func TestWriteAfterTheHandlerReturnedFails(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	rec := newRecorder(w, 1<<40)
	rec.WriteHeader(201) // from here on the header map is not read again
	var late sync.WaitGroup
	for range 4 {
		late.Add(1)
		go func() {
			defer late.Done()
			for {
				if _, err := io.WriteString(rec, "x"); err != nil {
					if !errors.Is(err, errClosed) {
						t.Errorf("late write: %v", err)
					}
					return
				}
			}
		}()
	}
	resp := rec.response(nil)
	stored := string(resp.Body)
	_ = rec.send()
	late.Wait()
	rec.WriteHeader(500)
	rec.WriteHeader(103)
	rec.Header().Set("X-Late", "1")
	if string(resp.Body) != stored || w.Body.String() != stored || w.Code != 201 || w.Header().Get("X-Late") != "" {
		t.Errorf("stored %d bytes, then %d, sent %d %d", len(stored), len(resp.Body), w.Code, w.Body.Len())
	}
}
