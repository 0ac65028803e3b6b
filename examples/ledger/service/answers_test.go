package service_test

import (
	"net/http"
	"strings"
	"testing"
)

// request is one line of a conversation with a fresh ledger.
type request struct {
	why     string
	as, key string
	request string // method, path and query
	header  string // "Name: value"
	body    string
	status  int
	replay  bool
	code    string
}

// TestConversations sends requests in their order. What each shows is its why.
func TestConversations(t *testing.T) {
	t.Parallel()
	for name, requests := range map[string][]request{
		"domain errors are answers": {
			{why: "a version is published", key: "1", request: "POST /evaluations/ev-1/versions/1/publish", body: `{"audience":"public"}`, status: 200},
			{why: "it cannot be published again", key: "2", request: "POST /evaluations/ev-1/versions/1/publish", body: `{"audience":"public"}`, status: 422, code: "refused"},
			{why: "the refusal is stored", key: "2", request: "POST /evaluations/ev-1/versions/1/publish", body: `{"audience":"public"}`, status: 422, code: "refused", replay: true},
			{why: "and belongs to its payload", key: "2", request: "POST /evaluations/ev-1/versions/1/publish", body: `{"audience":"partners"}`, status: 409, code: "idempotency_conflict"},
		},
		"what is missing stays missing under its key": {
			{why: "no such programme", key: "1", request: "POST /programmes/pr-9/archive", status: 404, code: "not_found"},
			{why: "the same answer", key: "1", request: "POST /programmes/pr-9/archive", status: 404, code: "not_found", replay: true},
		},
		"half a write is no write": {
			{why: "the second subject is unknown", key: "1", request: "POST /assignments", body: `{"evaluation":"ev-1","version":1,"subjects":["su-1","su-9"]}`, status: 404, code: "not_found"},
			{why: "a batch of the wrong size", key: "2", request: "POST /remediation/batches/ba-1/apply", body: `{"expected":7}`, status: 422, code: "refused"},
			{why: "so the batch is still to be applied", key: "3", request: "POST /remediation/batches/ba-1/apply", body: `{"expected":1}`, status: 200},
		},
		"rows that cannot both be": {
			{why: "an import", key: "1", request: "POST /imports/im-1/commit", body: `{"mode":"skip","rows":[{"externalId":"P-7","kind":"site"}]}`, status: 201},
			{why: "the same import under another key is not the same request", key: "2", request: "POST /imports/im-1/commit", body: `{"mode":"skip","rows":[{"externalId":"P-7","kind":"site"}]}`, status: 422, code: "duplicate"},
			{why: "which is stored as well", key: "2", request: "POST /imports/im-1/commit", body: `{"mode":"skip","rows":[{"externalId":"P-7","kind":"site"}]}`, status: 422, code: "duplicate", replay: true},
		},
		"sets and clocks": {
			{why: "two subjects", key: "1", request: "POST /assignments", body: `{"evaluation":"ev-1","version":1,"subjects":["su-1","su-2"]}`, status: 201},
			{why: "a set has no order", key: "1", request: "POST /assignments", body: `{"evaluation":"ev-1","version":1,"subjects":["su-2","su-1"]}`, status: 201, replay: true},
			{why: "a session", key: "2", request: "POST /sessions", body: `{"assignment":"as-1","clientTime":"2026-03-01T08:00:00Z"}`, status: 201},
			{why: "the client's clock is ignored", key: "2", request: "POST /sessions", body: `{"assignment":"as-1","clientTime":"2026-03-01T08:00:05Z"}`, status: 201, replay: true},
			{why: "a trace is ignored", key: "3", request: "POST /submissions/sb-1/claims?trace=a", body: `{"kind":"score","statement":"s","share":1,"parties":[]}`, status: 201},
			{why: "whatever it is", key: "3", request: "POST /submissions/sb-1/claims?trace=b", body: `{"kind":"score","statement":"s","share":1.0,"parties":[]}`, status: 201, replay: true},
		},
		"headers that count": {
			{why: "from March", key: "1", request: "PATCH /programmes/pr-1/enrolments/en-1", header: "X-Effective-Date: 2026-03-01", body: `{"cohort":"a"}`, status: 200},
			{why: "from April is another request", key: "1", request: "PATCH /programmes/pr-1/enrolments/en-1", header: "X-Effective-Date: 2026-04-01", body: `{"cohort":"a"}`, status: 409, code: "idempotency_conflict"},
			{why: "so is a picture of the same bytes", key: "2", request: "PUT /submissions/sb-1/evidence/ed-1/content", header: "Content-Type: application/pdf", body: "bytes", status: 200},
			{why: "media types count", key: "2", request: "PUT /submissions/sb-1/evidence/ed-1/content", header: "Content-Type: image/png", body: "bytes", status: 409, code: "idempotency_conflict"},
			{why: "an undeclared one is refused", key: "3", request: "PUT /submissions/sb-1/evidence/ed-1/content", header: "Content-Type: text/plain", body: "bytes", status: 415},
		},
		"optional bodies": {
			{why: "none", key: "1", request: "POST /sessions/se-1/submit", status: 200},
			{why: "none again", key: "1", request: "POST /sessions/se-1/submit", status: 200, replay: true},
			{why: "an empty object is not none", key: "1", request: "POST /sessions/se-1/submit", body: `{}`, status: 409, code: "idempotency_conflict"},
		},
		"what does not fit reserves nothing": {
			{why: "a text for a number", key: "1", request: "POST /submissions/sb-1/claims", body: `{"kind":"score","statement":"s","share":"1","parties":[]}`, status: 400, code: "validation_error"},
			{why: "an unknown kind", key: "1", request: "POST /submissions/sb-1/claims", body: `{"kind":"theft","statement":"s","share":1,"parties":[]}`, status: 400, code: "validation_error"},
			{why: "money with a stray member", key: "1", request: "POST /submissions/sb-1/claims", body: `{"kind":"score","statement":"s","share":1,"parties":[],"amount":{"amount":"1","currency":"EUR","vat":"0"}}`, status: 400, code: "validation_error"},
			{why: "the key is free", key: "1", request: "POST /submissions/sb-1/claims", body: `{"kind":"score","statement":"s","share":1,"parties":[]}`, status: 201},
		},
		"callers": {
			{why: "nobody", as: "acme.mallory", key: "1", request: "POST /programmes/pr-1/archive", status: 401, code: "unauthenticated"},
			{why: "a viewer", as: "acme.vera", key: "1", request: "POST /programmes/pr-1/archive", status: 403, code: "forbidden"},
			{why: "alice", key: "1", request: "POST /engagements/eg-1/ratify", body: `{"decision":"ratify"}`, status: 200},
			{why: "bob's key is his own, and the engagement ratified", as: "acme.bob", key: "1", request: "POST /engagements/eg-1/ratify", body: `{"decision":"ratify"}`, status: 422, code: "refused"},
			{why: "globex has its own", as: "globex.alice", key: "1", request: "POST /engagements/eg-1/ratify", body: `{"decision":"ratify"}`, status: 200},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLedger(t)
			for _, q := range requests {
				method, path, _ := strings.Cut(q.request, " ")
				header := http.Header{"Authorization": {"Bearer acme.alice"}, "Idempotency-Key": {q.key}}
				if q.as != "" {
					header.Set("Authorization", "Bearer "+q.as)
				}
				if q.body != "" {
					header.Set("Content-Type", "application/json")
				}
				if name, value, ok := strings.Cut(q.header, ": "); ok {
					header.Set(name, value)
				}
				a := l.do(method, path, q.body, header)
				if a.status != q.status || (a.replayed == "true") != q.replay || !strings.Contains(a.body, q.code) {
					t.Errorf("%s: %d, replayed %q, want %d %s, replayed %t: %s", q.why, a.status, a.replayed, q.status, q.code, q.replay, a.body)
				}
			}
		})
	}
}
