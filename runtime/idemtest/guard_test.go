package idemtest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// guard is the policy in thirty lines, with faults to switch on: what the harness must accept, and
// what it must find.
type guard struct {
	next  http.Handler
	fault string

	mu      sync.Mutex
	records map[string]record
}

type record struct {
	request string
	status  int
	body    string
}

func newGuard(fault string) http.Handler {
	return &guard{next: Stub(), fault: fault, records: map[string]record{}}
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	if g.fault == "5xx" {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	if key == "" && g.fault != "key not required" {
		problem(w, 400, "validation_error", "idempotency key is required")
		return
	}
	if len(key) > 200 && g.fault != "key not bounded" {
		problem(w, 400, "validation_error", "idempotency key too long")
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	request := g.identity(r)
	rec, ok := g.records[key]
	switch {
	case !ok, g.fault == "never replays":
		g.records[key] = g.run(w, r, request)
	case rec.request == request, g.fault == "never conflicts":
		w.Header().Set("Idempotent-Replayed", "true")
		if g.fault == "replays another status" {
			rec.status = 200
		}
		w.WriteHeader(rec.status)
		io.WriteString(w, rec.body)
	case g.fault == "runs on conflict":
		g.records[key] = g.run(httpDiscard{http.Header{}}, r, request)
		problem(w, 409, "idempotency_conflict", "")
	case g.fault == "wrong conflict code":
		problem(w, 409, "already_exists", "")
	default:
		problem(w, 409, "idempotency_conflict", "")
	}
}

func (g *guard) run(w http.ResponseWriter, r *http.Request, request string) record {
	var rec recorder
	g.next.ServeHTTP(&rec, r)
	w.WriteHeader(rec.status)
	io.WriteString(w, rec.body.String())
	return record{request, rec.status, rec.body.String()}
}

// identity is the request without its member clientTime, in one spelling.
func (g *guard) identity(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	var members map[string]any
	if json.Unmarshal(body, &members) == nil && g.fault != "hashes bytes" {
		delete(members, "clientTime")
		body, _ = json.Marshal(members)
	}
	return r.URL.String() + string(body)
}

func problem(w http.ResponseWriter, status int, code, message string) {
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"code": code, "message": message})
}

type recorder struct {
	header http.Header
	status int
	body   strings.Builder
}

func (r *recorder) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

type httpDiscard struct{ header http.Header }

func (d httpDiscard) Header() http.Header         { return d.header }
func (d httpDiscard) WriteHeader(int)             {}
func (d httpDiscard) Write(b []byte) (int, error) { return len(b), nil }
