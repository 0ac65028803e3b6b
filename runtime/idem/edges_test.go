package idem_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Each rule of the HTTP edges, by its name, over a real server that speaks HTTP/1.1 and one that
// speaks HTTP/2.
func edges(t *testing.T, rule func(t *testing.T, e *edge)) {
	t.Parallel()
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			rule(t, &edge{bench: newBench(t), t: t, protocol: protocol})
		})
	}
}

type edge struct {
	*bench
	t        *testing.T
	protocol string
	srv      *httptest.Server
}

// start serves h itself, without a router before it.
func (e *edge) start(h http.Handler) {
	e.t.Helper()
	e.srv = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Proto != e.protocol {
			e.t.Errorf("the request came as %s", r.Proto)
		}
		h.ServeHTTP(w, r)
	}))
	e.srv.Config.ErrorLog = quietLog()
	if e.protocol == "HTTP/2.0" {
		e.srv.EnableHTTP2 = true
		e.srv.StartTLS()
	} else {
		e.srv.Start()
	}
	e.t.Cleanup(e.srv.Close)
}

// guard serves op by h under WrapOne.
func (e *edge) guard(h http.HandlerFunc, change ...func(*idem.Operation)) {
	e.start(idem.WrapOne(e.svc, transferOperation(change...), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.runs.Add(1)
		h(w, r)
	})))
}

// request sends the usual request, changed.
func (e *edge) request(change ...func(*http.Request)) answer {
	e.t.Helper()
	req, err := http.NewRequestWithContext(e.t.Context(), "POST", e.srv.URL+"/v1/transfers/42", strings.NewReader(payload))
	if err != nil {
		e.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", "k1")
	for _, c := range change {
		c(req)
	}
	resp, err := e.srv.Client().Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	a := answer{status: resp.StatusCode, header: resp.Header, body: string(text), err: err,
		replayed: resp.Header.Get("Idempotent-Replayed") == "true"}
	var problem struct{ Code string }
	if json.Unmarshal(text, &problem) == nil {
		a.code = problem.Code
	}
	return a
}

func key(values ...string) func(*http.Request) {
	return func(r *http.Request) { r.Header["Idempotency-Key"] = values }
}

func header(name string, values ...string) func(*http.Request) {
	return func(r *http.Request) { r.Header[name] = values }
}

func body(text string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
	}
}

func route(method, path string) func(*http.Request) {
	return func(r *http.Request) {
		r.Method = method
		r.URL.Path, r.URL.RawPath, _ = strings.Cut(path, "|") // decoded|escaped
		if r.URL.RawPath == "" {
			r.URL.RawPath = path
		}
	}
}

func created201(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(201)
	_, _ = io.WriteString(w, `{"id":"t1"}`)
}

func TestKeyRawAndQuotedAreOneKey(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201)
		e.request(key(`a "b\ c`)).want(t, "raw", 201, "", false)
		e.request(key(`"a \"b\\ c"`)).want(t, "quoted", 201, "", true)
		e.request(key(`"a";p=1`)).want(t, "parameters", 400, "validation_error", false)
		e.wantRuns(1)
	})
}

func TestKeyLengthCountsDecodedBytes(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201)
		e.request(key(strings.Repeat("k", 200))).want(t, "200", 201, "", false)
		e.request(key(`"`+strings.Repeat(`\"`, 200)+`"`)).want(t, "200 escaped", 201, "", false)
		a := e.request(key(strings.Repeat("k", 201))).want(t, "201", 400, "validation_error", false)
		if !strings.Contains(a.body, `"message":"idempotency key too long"`) {
			t.Error(a.body)
		}
	})
}

func TestKeyEmptyIsMissing(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201)
		for _, values := range [][]string{nil, {""}, {" "}, {`""`}} {
			a := e.request(key(values...)).want(t, "empty", 400, "validation_error", false)
			if !strings.Contains(a.body, `"message":"idempotency key is required"`) {
				t.Error(a.body)
			}
		}
		e.wantRuns(0)
	})
}

func TestKeyMustBeSentOnce(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201)
		a := e.request(key("k1", "k1")).want(t, "twice", 400, "validation_error", false)
		if !strings.Contains(a.body, "idempotency key must be sent once") {
			t.Error(a.body)
		}
		e.request(key("k1, k1")).want(t, "a list", 400, "validation_error", false)
		e.wantRuns(0)
	})
}

func TestKeyOtherBytesAreRefused(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201)
		e.request(key("schl\u00fcssel")).want(t, "UTF-8", 400, "validation_error", false)
		e.request(key("k\xff")).want(t, "a byte", 400, "validation_error", false)
	})
}

func TestKeyIsNeverShown(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		var heard strings.Builder
		e.svc.Observer = func(_ context.Context, ev idem.Event) { fmt.Fprintf(&heard, "%+v", ev) }
		e.guard(created201)
		secret := key("secret-key")
		for _, a := range []answer{e.request(secret), e.request(secret, body(`{}`)), e.request(secret), e.request(key("secret-key,"))} {
			if strings.Contains(a.body, "secret-key") || strings.Contains(heard.String(), "secret-key") {
				t.Errorf("the key is in %s or %s", a.body, heard.String())
			}
		}
	})
}

func TestOrderOfTheChecks(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		var scopeOK, authorized atomic.Bool
		svc := idem.New(e.store, func(*http.Request) (idem.Scope, error) {
			if !scopeOK.Load() {
				return idem.Scope{}, errors.New("nobody")
			}
			return aliceScope, nil
		})
		svc.Authorize = func(context.Context, idem.Endpoint, *http.Request) error {
			if !authorized.Load() {
				return errors.New("no")
			}
			return nil
		}
		op := transferOperation(func(op *idem.Operation) { op.Policy.MaxBody = 64 })
		e.start(idem.Wrap(svc, idem.Operations{Keyed: []*idem.Operation{op}}, idem.Handle(svc, op, created)))
		// Everything is wrong at first, and is mended in the order in which it is found.
		wrong := map[string]func(*http.Request){
			"route": route("POST", "/elsewhere"), "key": key(), "size": body(strings.Repeat(" ", 65)),
			"media": header("Content-Type", "text/csv"), "decode": body(`{"amount":true}`),
		}
		for _, step := range []struct {
			mend   string
			status int
			code   string
		}{
			{"", 404, "idempotency_unknown_route"},
			{"route", 500, "idempotency_scope_missing"},
			{"scope", 400, "validation_error"},
			{"key", 413, "payload_too_large"},
			{"size", 415, "unsupported_media_type"},
		} {
			delete(wrong, step.mend)
			scopeOK.Store(scopeOK.Load() || step.mend == "scope")
			var changes []func(*http.Request)
			for _, name := range []string{"route", "key", "decode", "size", "media"} {
				if c := wrong[name]; c != nil {
					changes = append(changes, c)
				}
			}
			e.request(changes...).want(t, "after "+step.mend, step.status, step.code, false)
		}
		if e.store.count("begin") != 0 {
			t.Error("the store was asked")
		}
		e.request().want(t, "not authorized", 403, "forbidden", false)
		if e.store.count("begin") != 0 {
			t.Error("the store was asked before Authorize")
		}
		authorized.Store(true)
		e.request(body(`{"amount":true}`)).want(t, "decode, inside Wrap", 400, "validation_error", false)
		e.request().want(t, "all is well", 201, "", false)
	})
}

func TestDecodeComesBeforeAuthorize(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		asked := 0
		e.svc.Authorize = func(_ context.Context, _ idem.Endpoint, r *http.Request) error {
			asked++
			text, err := io.ReadAll(r.Body)
			if err != nil || string(text) != payload {
				t.Errorf("Authorize reads %q, %v", text, err)
			}
			return nil
		}
		e.start(idem.Handle(e.svc, transferOperation(), created))
		e.request(body(`{"amount":true}`)).want(t, "wrong type", 400, "validation_error", false)
		if asked != 0 || e.store.count("begin") != 0 {
			t.Errorf("Authorize was asked %d times, the store %d", asked, e.store.count("begin"))
		}
		e.request().want(t, "right", 201, "", false)
	})
}

func TestAuthorizeRunsBeforeEveryReplay(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		var revoked atomic.Bool
		e.svc.Authorize = func(_ context.Context, endpoint idem.Endpoint, _ *http.Request) error {
			if revoked.Load() {
				return &idem.Problem{Status: 404, Code: "not_found", Detail: "no such account"}
			}
			return nil
		}
		e.guard(created201)
		e.request().want(t, "first", 201, "", false)
		revoked.Store(true)
		e.request().want(t, "revoked", 404, "not_found", false)
		revoked.Store(false)
		e.request().want(t, "granted again", 201, "", true)
	})
}

func TestScopeIsRequired(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		for _, scope := range []idem.Scope{{}, {Tenant: "acme"}, {Actor: "alice"}, {Tenant: strings.Repeat("a", 256), Actor: "a"}} {
			svc := idem.New(e.store, func(*http.Request) (idem.Scope, error) { return scope, nil })
			e.start(idem.WrapOne(svc, transferOperation(), http.HandlerFunc(created201)))
			e.request().want(t, "scope", 500, "idempotency_scope_missing", false)
		}
		for _, scope := range []idem.Scope{{Tenant: idem.SingleTenant, Actor: idem.Anonymous}, {Tenant: strings.Repeat("a", 255), Actor: "a"}} {
			svc := idem.New(e.store, func(*http.Request) (idem.Scope, error) { return scope, nil })
			e.start(idem.WrapOne(svc, transferOperation(), http.HandlerFunc(created201)))
			e.request().want(t, "scope", 201, "", false)
		}
	})
}

func TestScopeFunctionCannotBeForgotten(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(){
		"scope": func() { idem.New(newFaultStore(t), nil) },
		"store": func() { idem.New(nil, alice) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New took a nil %s", name)
				}
			}()
			make()
		}()
	}
}

func TestAnotherScopesKeyIsAnotherKey(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		svc := idem.New(e.store, func(r *http.Request) (idem.Scope, error) {
			tenant, actor, _ := strings.Cut(r.Header.Get("Authorization"), ".")
			return idem.Scope{Tenant: tenant, Actor: actor}, nil
		})
		e.start(idem.WrapOne(svc, transferOperation(), http.HandlerFunc(created201)))
		for _, who := range []string{"acme.alice", "acme.bob", "initech.alice", "acm.ealice"} {
			e.request(header("Authorization", who)).want(t, who, 201, "", false)
			e.request(header("Authorization", who)).want(t, who+" again", 201, "", true)
		}
	})
}

func TestStoredHeaders(t *testing.T) {
	stored := []string{"Content-Type", "Content-Language", "Content-Encoding", "Content-Disposition", "Content-Location",
		"Location", "Etag", "Last-Modified", "Link", "Cache-Control", "Vary", "X-Transfer-Number"}
	denied := []string{"Set-Cookie", "Www-Authenticate", "Proxy-Authenticate", "X-Request-Id", "Traceparent", "Ratelimit-Limit",
		"X-Ratelimit-Remaining", "Access-Control-Allow-Origin", "Authorization", "X-Undeclared"}
	edges(t, func(t *testing.T, e *edge) {
		e.guard(func(w http.ResponseWriter, r *http.Request) {
			for _, name := range slices.Concat(stored, denied) {
				w.Header()[name] = []string{"one", "two"}
			}
			created201(w, r)
		}, func(op *idem.Operation) { op.Stored = slices.Concat([]string{"X-Transfer-Number"}, denied[:9]) }) // the deny list wins over the document
		first := e.request().want(t, "first", 201, "", false)
		for _, name := range slices.Concat(stored[1:], denied) {
			if !slices.Equal(first.header[name], []string{"one", "two"}) {
				t.Errorf("the first response has %s: %q", name, first.header[name])
			}
		}
		again := e.request().want(t, "replay", 201, "", true)
		for _, name := range stored {
			if !slices.Equal(again.header[name], first.header[name]) {
				t.Errorf("the replay has %s: %q", name, again.header[name])
			}
		}
		for _, name := range denied {
			if len(again.header[name]) != 0 {
				t.Errorf("the replay has %s: %q", name, again.header[name])
			}
		}
	})
}

func TestReplayNeverOverwritesAnOuterHeader(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		n := 0
		inner := idem.WrapOne(e.svc, transferOperation(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Vary", "Accept")
			created201(w, r)
		}))
		e.start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n++
			w.Header().Set("X-Transfer-Number", fmt.Sprint(n))
			if n > 1 {
				w.Header().Set("Vary", "Origin")
			}
			inner.ServeHTTP(w, r)
		}))
		if a := e.request().want(t, "first", 201, "", false); a.header.Get("X-Transfer-Number") != "1" || a.header.Get("Vary") != "Accept" {
			t.Errorf("first: %v", a.header)
		}
		if a := e.request().want(t, "replay", 201, "", true); a.header.Get("X-Transfer-Number") != "2" || a.header.Get("Vary") != "Origin" {
			t.Errorf("replay: %v", a.header)
		}
	})
}

func TestErrorsAreProblemDetails(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201)
		e.request()
		a := e.request(body(`{"amount":1}`)).want(t, "conflict", 409, "idempotency_conflict", false)
		var p map[string]any
		if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.header.Get("Content-Type") != "application/problem+json" {
			t.Fatalf("%v, %s", err, a.header)
		}
		if p["status"] != 409.0 || p["title"] != "Conflict" || p["type"] != "about:blank" || p["detail"] != p["message"] || p["detail"] == "" {
			t.Errorf("%v", p)
		}
	})
}

func TestTheProblemWriterCanBeReplaced(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.svc.WriteProblem = func(w http.ResponseWriter, r *http.Request, p *idem.Problem) {
			w.WriteHeader(418)
			fmt.Fprintf(w, "%s: %s", r.Method, p.Code)
		}
		e.guard(created201)
		if a := e.request(key()); a.status != 418 || a.body != "POST: validation_error" {
			t.Errorf("%+v", a)
		}
	})
}

func TestTheResponseIsStoredBeforeItIsSent(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		release := make(chan struct{})
		e.store.after["finalize"] = func() error { <-release; return nil }
		e.guard(created201)
		got := make(chan answer)
		go func() { got <- e.request() }()
		eventually(t, "finalize", func() bool { return e.store.count("finalize") == 1 })
		select {
		case a := <-got:
			t.Errorf("answered before Finalize was: %+v", a)
		case <-time.After(50 * time.Millisecond):
		}
		close(release)
		(<-got).want(t, "first", 201, "", false)
	})
}

func TestInformationalResponsesPassAndAreNotRecorded(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Link", "</style.css>; rel=preload")
			w.WriteHeader(http.StatusEarlyHints)
			w.Header().Del("Link")
			created201(w, r)
		})
		hints := 0
		trace := func(r *http.Request) {
			*r = *r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
				Got1xxResponse: func(code int, _ textproto.MIMEHeader) error { hints += code; return nil }}))
		}
		e.request(trace).want(t, "first", 201, "", false)
		if hints != http.StatusEarlyHints {
			t.Errorf("informational statuses: %d", hints)
		}
		e.request().want(t, "replay", 201, "", true)
	})
}

func TestTheFirstFinalStatusWins(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(201)
			w.WriteHeader(500)
			w.Header().Set("Location", "/late")
		})
		first := e.request().want(t, "first", 201, "", false)
		again := e.request().want(t, "replay", 201, "", true)
		if first.header.Get("Location") != "" || again.header.Get("Location") != "" {
			t.Error("a header set after the status was sent")
		}
	})
}

func TestNoWriteIs200AndEmptyBodiesReplay(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		for status, h := range map[int]http.HandlerFunc{
			200: func(http.ResponseWriter, *http.Request) {},
			204: func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(204)
				if _, err := w.Write([]byte("x")); err != http.ErrBodyNotAllowed {
					t.Errorf("a body after 204: %v", err)
				}
			},
			201: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201) },
		} {
			e.guard(h)
			k := key(fmt.Sprint(status))
			for _, replayed := range []bool{false, true, true} { // the connection stays usable
				if a := e.request(k).want(t, "empty", status, "", replayed); a.body != "" {
					t.Errorf("%d: body %q", status, a.body)
				}
			}
		}
	})
}

func TestFlushAndHijackAreRefusedAndDeadlinesPass(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(func(w http.ResponseWriter, r *http.Request) {
			control := http.NewResponseController(w)
			if err := control.Flush(); !errors.Is(err, http.ErrNotSupported) {
				t.Errorf("Flush: %v", err)
			}
			if _, _, err := control.Hijack(); !errors.Is(err, http.ErrNotSupported) {
				t.Errorf("Hijack: %v", err)
			}
			if err := control.EnableFullDuplex(); !errors.Is(err, http.ErrNotSupported) {
				t.Errorf("EnableFullDuplex: %v", err)
			}
			if err := errors.Join(control.SetReadDeadline(time.Now().Add(time.Minute)), control.SetWriteDeadline(time.Now().Add(time.Minute))); err != nil {
				t.Errorf("deadlines: %v", err)
			}
			if _, is := w.(http.Flusher); is {
				t.Error("the writer says that it flushes")
			}
			if _, is := w.(interface{ Unwrap() http.ResponseWriter }); is {
				t.Error("the writer can be taken off")
			}
			created201(w, r)
		})
		e.request().want(t, "first", 201, "", false)
	})
}

func TestOverMaxResponseIsStreamedAndLeavesATombstone(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		read := make(chan struct{})
		e.guard(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, 60))
			_, _ = w.Write(make([]byte, 16<<10)) // more than net/http holds back
			select {                             // what is over the limit is streamed: the client reads before the handler ends
			case <-read:
			case <-time.After(10 * time.Second):
				t.Error("the client got nothing before the handler ended")
			}
			_, _ = w.Write(make([]byte, 80<<10))
		}, func(op *idem.Operation) { op.Policy.MaxResponse = 100 })
		req, _ := http.NewRequestWithContext(t.Context(), "POST", e.srv.URL+"/v1/transfers/42", strings.NewReader(payload))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", "k1")
		resp, err := e.srv.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if _, err := io.ReadFull(resp.Body, make([]byte, 8<<10)); err != nil {
			t.Fatal(err)
		}
		close(read)
		rest, err := io.ReadAll(resp.Body)
		if err != nil || len(rest) != 60+(16+80-8)<<10 {
			t.Errorf("read %d, %v", len(rest), err)
		}
		eventually(t, "the tombstone", func() bool {
			out, _ := e.store.Store.Lookup(context.Background(), recordKey("k1"))
			return out.State == idem.Tombstone
		})
		e.request().want(t, "retry", 409, "idempotency_response_unavailable", false)
	})
}

// A handler that goes on writing after it has returned writes into nothing that another request has.
func TestBuffersThatReachTheHandlerAreNotPooled(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		type leaked struct {
			w    http.ResponseWriter
			body io.Reader
		}
		leaks := make(chan leaked, 1)
		e.guard(func(w http.ResponseWriter, r *http.Request) {
			leaks <- leaked{w, r.Body}
			created201(w, r)
		})
		e.request().want(t, "first", 201, "", false)
		old := <-leaks
		for i := range 20 {
			e.request(key(fmt.Sprint("other", i)), body(`{"amount":999999,"note":"another's"}`))
			<-leaks
		}
		if _, err := old.w.Write([]byte("late")); err == nil {
			t.Error("a late write succeeded")
		}
		if text, _ := io.ReadAll(old.body); string(text) != payload {
			t.Errorf("the first request's body reads %q now", text)
		}
		if a := e.request(); strings.Contains(a.body, "late") || !a.replayed {
			t.Errorf("%+v", a)
		}
	})
}

func TestTheContentEncodingMustBeDecodedOutside(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201)
		e.request(header("Content-Encoding", "gzip")).want(t, "gzip", 415, "unsupported_media_type", false)
		e.request(header("Content-Type", "application/xml")).want(t, "undeclared", 415, "unsupported_media_type", false)
		e.request(header("Content-Type")).want(t, "the only declared one", 201, "", false)
		e.request(header("Content-Type", "Application/JSON; charset=UTF-8")).want(t, "another spelling", 201, "", true)
	})
}

func TestABodyOverTheLimitIsRefused(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201, func(op *idem.Operation) { op.Policy.MaxBody = 100 })
		long := `{"amount":1,"note":"` + strings.Repeat("x", 100) + `"}`
		e.request(body(long)).want(t, "declared length", 413, "payload_too_large", false)
		e.request(func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader(long)), -1 }).
			want(t, "no length", 413, "payload_too_large", false)
		e.wantRuns(0)
	})
}

func TestMalformedBodiesReserveNothing(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.guard(created201)
		for _, text := range []string{`{"amount":1,"amount":2}`, `{"amount":01}`, "{\"note\":\"\xff\"}", `{"note":"\ud800"}`, `{}{}`, `{`,
			strings.Repeat("[", 1001) + strings.Repeat("]", 1001), `{"amount":1e401}`} {
			e.request(body(text)).want(t, text, 400, "validation_error", false)
		}
		if e.store.count("begin") != 0 {
			t.Error("the store was asked")
		}
	})
}

// Wrap decides by method and escaped path, and fails closed.
func TestWrapDecidesByItself(t *testing.T) {
	edges(t, func(t *testing.T, e *edge) {
		e.svc.BasePath = "/api"
		e.svc.PassThrough = []string{"POST /hooks/{name}"}
		operation := func(endpoint idem.Endpoint, method, path string) *idem.Operation {
			return &idem.Operation{Endpoint: endpoint, Method: method, Path: path, Bodies: []idem.Body{{MediaType: "application/json"}}}
		}
		ops := idem.Operations{
			Keyed: []*idem.Operation{
				operation("bins.cancel", "POST", "/bins/{id}:cancel"),
				operation("bins.part", "POST", "/parts/{a}.{b}"),
				operation("bins.mine", "POST", "/bins/mine"),
				operation("bins.update", "POST", "/bins/{id}"),
				operation("bins.drop", "DELETE", "/bins/{id}"),
			},
			Other: []idem.Route{{Method: "POST", Path: "/login"}},
		}
		e.start(idem.Wrap(e.svc, ops, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			a, ok := idem.FromContext(r.Context())
			if !ok {
				_, _ = io.WriteString(w, "passed")
				return
			}
			_, _ = io.WriteString(w, string(a.Endpoint()))
		})))
		for i, tc := range []struct {
			method, path string
			status       int
			want         string
		}{
			{"POST", "/api/bins/7:cancel", 200, "bins.cancel"},
			{"POST", "/api/parts/7.8", 200, "bins.part"},
			{"POST", "/api/bins/mine", 200, "bins.mine"},
			{"POST", "/api/bins/7", 200, "bins.update"},
			{"DELETE", "/api/bins/7", 200, "bins.drop"},
			{"POST", "/api/bins/a/b|/api/bins/a%2Fb", 200, "bins.update"},
			{"GET", "/api/bins/7", 200, "passed"},
			{"GET", "/api/nothing", 200, "passed"},
			{"POST", "/api/login", 200, "passed"},
			{"POST", "/api/hooks/git", 200, "passed"},
			{"POST", "/elsewhere", 200, "passed"}, // not below the base path
			{"POST", "/api/elsewhere", 404, "idempotency_unknown_route"},
			{"PUT", "/api/bins/7", 404, "idempotency_unknown_route"},
			{"POST", "/api/bins/7/", 400, "validation_error"},
			{"POST", "/api/bins/x/../7", 400, "validation_error"},
			{"POST", "/api/bins//7", 400, "validation_error"},
			{"POST", "/api/bins/./7|/api/bins/%2e/7", 400, "validation_error"},
			{"POST", "/api/bins/A|/api/bins/%41", 400, "validation_error"},
			{"PATCH", "/api/bins/7", 404, "idempotency_unknown_route"},
		} {
			a := e.request(route(tc.method, tc.path), key(fmt.Sprint("route", i)))
			if a.status != tc.status || !strings.Contains(a.body, tc.want) {
				t.Errorf("%s %s: %d %s, want %d %s", tc.method, tc.path, a.status, a.body, tc.status, tc.want)
			}
		}
	})
}

// A key that is missing is found out before the client is told to send its body.
func TestAMissingKeyIsAnsweredBeforeTheBodyIsAskedFor(t *testing.T) {
	t.Parallel()
	e := &edge{bench: newBench(t), t: t, protocol: "HTTP/1.1"}
	e.guard(created201)
	conn, err := net.Dial("tcp", strings.TrimPrefix(e.srv.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(conn, "POST /v1/transfers/42 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "400") {
		t.Errorf("%q, %v", line, err)
	}
}
