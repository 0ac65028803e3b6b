package idemtest

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

// CheckRoutes proves on a handler itself, without its source, that every keyed operation is guarded. It sends each of
// ops without a key and demands the policy's 400, and then in the spellings that a lenient router runs nevertheless:
// doubled and trailing slashes, dot segments, escaped letters, capital letters. Those must come to nothing: 400, 404,
// 405, a redirect, or the policy's 400 again.
//
// as makes each request one of a caller who may perform the operation; nil where nobody is told apart. cases, where
// there are any, give paths and bodies that the operations take, the base path among it; else a path's parameters are
// tried as a number, a word and a UUID, and there is no body. Whatever runs all the same has its effect: give it a
// service whose effects do not matter.
func CheckRoutes(t *testing.T, handler http.Handler, ops idem.Operations, as func(*http.Request), cases ...Case) {
	t.Helper()
	checkRoutes(t, "", handler, ops, as, cases)
}

func checkRoutes(t *testing.T, base string, handler http.Handler, ops idem.Operations, as func(*http.Request), cases []Case) {
	t.Helper()
	for _, op := range ops.Keyed {
		t.Run(string(op.Endpoint), func(t *testing.T) {
			for _, err := range (prober{base, handler, op, as}).check(cases) {
				t.Error(err)
			}
		})
	}
}

// Routes is [CheckRoutes] for the suite's server.
func (s *Suite) Routes(t *testing.T, cases []Case) {
	t.Helper()
	if s.NewServer == nil {
		t.Fatal("idemtest: the suite has no NewServer")
	}
	s.checkNames(t)
	ops := s.Operations
	ops.Keyed = slices.DeleteFunc(slices.Clone(ops.Keyed), func(op *idem.Operation) bool {
		return s.Skip["Routes/"+string(op.Endpoint)] != "" || s.Skip[string(op.Endpoint)] != ""
	})
	if skipped := len(s.Operations.Keyed) - len(ops.Keyed); skipped > 0 {
		t.Logf("%d of %d operations are skipped", skipped, len(s.Operations.Keyed))
	}
	var as func(*http.Request)
	if s.As != nil {
		who := s.callers()[0]
		as = func(r *http.Request) { s.As(r, who.Tenant, who.Actor) }
	}
	own := slices.Clone(cases)
	for i, c := range own {
		if r, ok := s.Requests[c.Endpoint]; ok {
			own[i].Request = r
		}
	}
	env := newEnv()
	handler := s.NewServer(t, env)
	t.Cleanup(env.script.end)
	checkRoutes(t, s.BasePath, handler, ops, as, own)
}

// prober sends one operation's requests without a key.
type prober struct {
	base    string // stands before every path
	handler http.Handler
	op      *idem.Operation
	as      func(*http.Request)
}

// check sends the operation's request in every spelling.
func (p prober) check(cases []Case) []error {
	requests := samplesOf(p.op)
	if i := slices.IndexFunc(cases, func(c Case) bool { return c.Endpoint == p.op.Endpoint }); i >= 0 {
		requests = []Request{cases[i].Request}
	}
	r, err := p.guarded(requests)
	if err != nil {
		return []error{err}
	}
	var all []error
	paths := spellings(r.Path)
	for i := range paths {
		paths[i] = p.base + paths[i]
	}
	if p.base != "" {
		paths = append(paths, "/"+p.base+r.Path)
	}
	for _, path := range paths {
		if err := p.comesToNothing(r, path); err != nil {
			all = append(all, err)
		}
	}
	return all
}

var placeholder = regexp.MustCompile(`\{[^{}/]+\}`)

// samplesOf are requests to try for an operation of which nothing is known but its path.
func samplesOf(op *idem.Operation) []Request {
	var all []Request
	for _, value := range []string{"1", "one", "00000000-0000-4000-8000-000000000001"} {
		all = append(all, Request{Method: op.Method, Path: placeholder.ReplaceAllString(op.Path, value)})
		if op.Path == all[0].Path {
			break
		}
	}
	return all
}

// guarded finds the request that the operation's wrapper refuses for its missing key. Where none is, it says what the
// last one got.
func (p prober) guarded(requests []Request) (Request, error) {
	var got *answer
	for _, r := range requests {
		var err error
		if got, err = p.send(r, p.base+r.Path); err != nil {
			return r, err
		}
		if p.refusedForKey(got) {
			return r, nil
		}
	}
	last := requests[len(requests)-1]
	what := fmt.Sprintf("%s %s without a key was answered %s, want 400 %s", last.Method, p.base+last.Path, got, idem.CodeValidation)
	switch got.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return last, fmt.Errorf("%s: let as make it one of a caller who may perform the operation", what)
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return last, fmt.Errorf("%s: register the operation's wrapped handler; or give a case whose path it takes, or the base path", what)
	}
	return last, fmt.Errorf("%s: wrap the operation's handler", what)
}

func (p prober) refusedForKey(got *answer) bool {
	return got.status == http.StatusBadRequest && bytes.Contains(got.body, []byte(idem.CodeValidation)) &&
		bytes.Contains(got.body, []byte("idempotency key is required"))
}

// comesToNothing sends the request with its path in another spelling.
func (p prober) comesToNothing(r Request, path string) error {
	got, err := p.send(r, path)
	if err != nil {
		return err
	}
	if got.status >= 300 && got.status < 400 || got.status == http.StatusNotFound || got.status == http.StatusMethodNotAllowed ||
		got.status == http.StatusBadRequest {
		return nil
	}
	return fmt.Errorf("%s %s without a key was answered %s: the router takes it for %s, and no wrapper stands before it: "+
		"wrap the handler where it is registered, or put what rewrites paths outside of Middleware", r.Method, path, got, p.op.Path)
}

// send hands the request to the handler, with its path as it is spelt: a client might clean it.
func (p prober) send(r Request, path string) (*answer, error) {
	const base = "http://service.example"
	req, err := r.HTTP(base)
	if err != nil {
		return nil, err
	}
	decoded, err := url.PathUnescape(path)
	if err != nil {
		return nil, fmt.Errorf("the path %q: %w", path, err)
	}
	req.URL.Path, req.URL.RawPath = decoded, path
	req.RequestURI = path
	if r.Query != "" {
		req.RequestURI += "?" + r.Query
	}
	req.RemoteAddr = "192.0.2.1:1234" // RFC 5737
	if p.as != nil {
		p.as(req)
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, req)
	return &answer{w.Code, w.Header(), w.Body.Bytes()}, nil
}

// spellings are paths that a lenient router takes for path.
func spellings(path string) []string {
	all := []string{"/" + path, path + "/", "/." + path, "/x/.." + path}
	segments := strings.Split(path, "/") // the first is empty
	if n := len(segments); n > 2 {
		all = append(all, strings.Join(segments[:n-1], "/")+"//"+segments[n-1])
	}
	if first := segments[1]; first != "" && first[0] != '%' {
		rest := strings.TrimPrefix(path, "/"+first)
		all = append(all, fmt.Sprintf("/%%%02x%s%s", first[0], first[1:], rest))
		if upper := strings.ToUpper(first); upper != first {
			all = append(all, "/"+upper+rest)
		}
	}
	return all
}
