package idemtest

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/internal/probe"
)

// trial is one operation on a server of its own.
type trial struct {
	t        testing.TB
	c        Case
	sample   Request     // that the case's changes were made for
	policy   idem.Policy // what holds for the operation, with no field left out that is used here
	stored   []string    // response headers that a record keeps
	own      bool        // the request is not the sample
	base     string      // stands before every path
	mayFail  bool
	callers  []idem.Scope
	as       func(r *http.Request, tenant, actor string)
	env      *Env
	client   http.Client
	arrived  atomic.Pointer[arrival] // what reached the server last
	handlers sync.WaitGroup
}

func (s *Suite) newTrial(t testing.TB, c Case) *trial {
	t.Helper()
	x := &trial{t: t, c: c, sample: c.Request, base: s.BasePath, as: s.As, callers: s.callers(), env: newEnv()}
	if own, ok := s.Requests[c.Endpoint]; ok {
		x.c.Request, x.own = own, true
	}
	_, x.mayFail = s.Refused[c.Endpoint]
	operation := c.Policy
	if i := slices.IndexFunc(s.Operations.Keyed, func(op *idem.Operation) bool { return op.Endpoint == c.Endpoint }); i >= 0 {
		operation, x.stored = s.Operations.Keyed[i].Policy, s.Operations.Keyed[i].Stored
	}
	x.policy = idem.Policy{ // policy: "Request contract"
		Header:         cmp.Or(operation.Header, s.Policy.Header, "Idempotency-Key"),
		MaxLength:      cmp.Or(operation.MaxLength, s.Policy.MaxLength, 200),
		ConflictStatus: cmp.Or(operation.ConflictStatus, s.Policy.ConflictStatus, http.StatusConflict),
		OnUnknown:      cmp.Or(operation.OnUnknown, s.Policy.OnUnknown, idem.Reject),
	}
	handler := s.NewServer(t, x.env)
	x.serve(func(w http.ResponseWriter, r *http.Request) {
		x.handlers.Add(1)
		defer x.handlers.Done()
		a := &arrival{hungUp: r.Context().Done(), served: make(chan struct{})}
		defer close(a.served)
		x.arrived.Store(a)
		handler.ServeHTTP(w, r.WithContext(probe.With(r.Context(), (&work{env: x.env}).do)))
	})
	return x
}

// serve starts the server and makes its client.
func (x *trial) serve(handler http.HandlerFunc) {
	l := newListener()
	server := &http.Server{
		Handler:  handler,
		ErrorLog: log.New(io.Discard, "", 0), // of panics that are staged
	}
	go server.Serve(l) // until it is closed
	x.t.Cleanup(func() {
		server.Close()
		if err := x.ended(patience); err != nil {
			x.t.Error(err)
		}
	})
	x.client = http.Client{
		// On a connection that was used before, net/http sends a request with an Idempotency-Key again by itself when the
		// connection breaks.
		Transport: &http.Transport{DialContext: l.dial, DisableKeepAlives: true},
		Timeout:   patience + 10*time.Second,
		// A redirect is the operation's answer, and must replay as one.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// ended waits until the service is at rest: some of its clients are gone.
func (x *trial) ended(within time.Duration) error {
	rest := make(chan struct{})
	go func() {
		x.handlers.Wait()
		x.env.script.end()
		close(rest)
	}()
	return awaitFor(within, rest, "a handler of the service that does not return, or its store")
}

// arrival is a request that the server was sent.
type arrival struct {
	hungUp <-chan struct{} // closed when its client is gone
	served chan struct{}   // closed when its handler has returned
}

// request is one that is to run.
func (x *trial) request() Request {
	if x.env.Seed != nil {
		return x.env.Seed(x.t, x.c)
	}
	return x.c.Request
}

func (x *trial) effects() string {
	if x.env.Effects == nil {
		return ""
	}
	return x.env.Effects(x.t)
}

// perform sends a request that nobody sent before under this key, so that it has to run, once.
func (x *trial) perform(r Request, key string) (*answer, error) {
	return x.runs(func() (*answer, error) { return x.send(r, key) })
}

// first performs a request, and then makes checks of what came of it.
func (x *trial) first(then func(r Request, key string, want *answer) []check) []check {
	r, key := x.request(), newKey()
	want, err := x.perform(r, key)
	if err != nil {
		return []check{{"first", func() error { return err }}}
	}
	return then(r, key, want)
}

// runs checks that what send sends was executed, once, and answered with a result that is stored.
func (x *trial) runs(send func() (*answer, error)) (*answer, error) {
	executions := x.env.executions()
	begins, _ := x.env.script.seen()
	got, err := send()
	if err != nil {
		return nil, err
	}
	after, _ := x.env.script.seen()
	return got, x.ran(got, x.env.executions()-executions, after-begins)
}

// ran says what is wrong with the answer to a request that was to run.
func (x *trial) ran(got *answer, executions, begins int) error {
	problem := func(what, remedy string) error {
		return fmt.Errorf("%s %s, sent under a fresh key, was answered %s: %s: %s", x.c.Request.Method, x.c.Request.Path, got, what, remedy)
	}
	switch {
	case got.replayed():
		return problem("a replay", "look for a layer that sets Idempotent-Replayed itself, or a store that does not tell keys apart")
	case executions > 1 || x.env.doneTwice():
		return problem("the work was done more than once", "guard the operation once, and repeat nothing inside")
	case executions == 0 && begins > 0:
		return problem("the store reserved the key, and env.Observer heard nothing", "svc.Observer = env.Observer")
	case executions == 1 && begins == 0:
		return problem("its record is in a store that the harness does not see", "keep records in env.Store, or in a store that env.Wrap or WrapTx made")
	case executions == 0 && (got.status == http.StatusUnauthorized || got.status == http.StatusForbidden):
		return problem("it was not let in", "let As make the request one of a caller who may perform the operation")
	case executions == 0 && bytes.Contains(got.body, []byte(idem.CodeValidation)):
		return problem("it was refused before anything was reserved", "give the suite's Requests one that fits")
	case executions == 0 && got.status == http.StatusNotFound:
		return problem("the service has no such route", "register the operation, and give the suite the BasePath that stands before the document's paths")
	case executions == 0:
		return problem("no key was reserved for it", "wrap the operation's handler, and build the service with env's Store and Observer")
	case got.status >= 500:
		return problem("a 5xx is never stored", "let NewServer build a service that can answer it")
	case got.status >= 400 && !x.mayFail:
		return problem("an operation that fails proves little", "make what it needs in env.Seed, give the suite's Requests another one, or say in Refused why this will do")
	}
	return nil
}

// still checks that nothing is executed and nothing happens while do is done.
func (x *trial) still(do func() (*answer, error)) (*answer, error) {
	executions, effects := x.env.executions(), x.effects()
	got, err := do()
	if err != nil {
		return nil, err
	}
	if n := x.env.executions() - executions; n != 0 {
		return nil, fmt.Errorf("answered %s, and the work was begun again: an execution that nobody asked for", got)
	}
	if after := x.effects(); after != effects {
		return nil, fmt.Errorf("answered %s, and there are effects that there were not:\n%s\nbefore\n%s", got, after, effects)
	}
	return got, nil
}

// replays sends a request that must be answered with what want was, and nothing else may happen.
func (x *trial) replays(r Request, key string, want *answer) error {
	got, err := x.still(func() (*answer, error) { return x.send(r, key) })
	if err != nil {
		return err
	}
	return x.sameAnswer(want, got)
}

// sameAnswer says how a replay differs from the first answer.
func (x *trial) sameAnswer(want, got *answer) error {
	switch {
	case got.replayed() && (got.status != want.status || !bytes.Equal(got.body, want.body)):
		return fmt.Errorf("a replay answered %s, the first answer was %s: "+
			"a replay must send the stored status and body; look for a layer outside the wrapper that changes one of them", got, want)
	case got.replayed():
		return x.sameHeader(want, got)
	case got.status == x.policy.ConflictStatus || got.status == http.StatusConflict:
		return fmt.Errorf("the same request was refused with %s: it must be replayed; "+
			"where the document ignores the difference, generate again and look at the operation's Identity", got)
	default:
		return fmt.Errorf("the same request under the same %s was answered %s without Idempotent-Replayed: true: "+
			"wrap the operation's handler, or put Middleware round the router", x.policy.Header, got)
	}
}

// alwaysStored are the response headers that a record keeps though no document declares them.
var alwaysStored = []string{"Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Location",
	"Content-Type", "Etag", "Last-Modified", "Link", "Location"}

// neverStored says of a declared header whether a record leaves it out nevertheless: it is a secret, or about one
// exchange.
func neverStored(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range []string{"access-control-", "proxy-", "ratelimit", "x-ratelimit-", "set-cookie"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasSuffix(name, "-authenticate") || slices.Contains([]string{"authentication-info", "authorization", "connection",
		"content-length", "cookie", "date", "idempotency-key", "idempotent-replayed", "keep-alive", "te", "traceparent", "tracestate",
		"trailer", "transfer-encoding", "upgrade", "x-request-id"}, name)
}

func (x *trial) sameHeader(want, got *answer) error {
	for _, name := range slices.Concat(alwaysStored, x.stored) {
		if neverStored(name) {
			continue
		}
		if a, b := want.header.Values(name), got.header.Values(name); !slices.Equal(a, b) {
			return fmt.Errorf("a replay has %s %q, the first answer had %q: what the handler sets must be stored, "+
				"and a layer outside the wrapper must say the same each time", name, b, a)
		}
	}
	return nil
}

// refused says how an answer differs from the policy's. The writer of problems may be replaced, so the
// words are looked for anywhere in the body.
func refused(got *answer, status int, code, message string) error {
	if got.status == status && bytes.Contains(got.body, []byte(code)) && bytes.Contains(got.body, []byte(message)) {
		return nil
	}
	want := fmt.Sprintf("%d %s", status, code)
	if message != "" {
		want += fmt.Sprintf(" %q", message)
	}
	return fmt.Errorf("answered %s, want %s: wrap the operation's handler, and let a replaced WriteProblem keep code and message", got, want)
}

// refuses sends a request that must be refused, without anything happening.
func (x *trial) refuses(r Request, status int, code, message string, keys ...string) error {
	got, err := x.still(func() (*answer, error) { return x.send(r, keys...) })
	if err != nil {
		return err
	}
	return refused(got, status, code, message)
}

// conflicts sends a request under a key that was used with another payload.
func (x *trial) conflicts(r Request, key, what string) error {
	got, err := x.still(func() (*answer, error) { return x.send(r, key) })
	if err != nil {
		return err
	}
	if got.replayed() {
		return fmt.Errorf("%s differs under a key that was used, and the first result was replayed: "+
			"want %d %s; check that the field is part of the payload and not ignored", what, x.policy.ConflictStatus, idem.CodeConflict)
	}
	if err := refused(got, x.policy.ConflictStatus, idem.CodeConflict, ""); err != nil {
		return fmt.Errorf("%s differs under a key that was used: %w", what, err)
	}
	return nil
}
