package idemtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

func claimsCreate() Case {
	return Case{
		Endpoint: "claims.create",
		Request: Request{
			Method: "POST", Path: "/submissions/s1/claims", Query: "notify=true", ContentType: "application/json",
			Body: `{"amount":1,"clientTime":"one"}`,
		},
		Changed: []Change{
			{Name: "path.submissionId", Path: "/submissions/s2/claims"},
			{Name: "query.notify", Query: "notify=false"},
			{Name: "body.amount", At: "/amount", Value: "2"},
		},
		Same: []Change{
			{Name: "body.clientTime", At: "/clientTime", Value: `"two"`},
			{Name: "body spelling", Body: `{ "clientTime": "one", "amount": 1 }`},
		},
	}
}

func TestRunAcceptsAGuardedHandler(t *testing.T) {
	t.Parallel()
	Run(t, func(testing.TB) http.Handler { return newGuard("") }, []Case{claimsCreate()})
}

// Each fault is found by the rules that are about it, and by no other, with a message that says what
// to do.
func TestRulesFindEachFault(t *testing.T) {
	t.Parallel()
	tests := []struct {
		fault string
		rules string // that fail
		want  string // in the first failure
	}{
		{"", "", ""},
		{"never replays",
			"replay, conflict/path.submissionId, conflict/query.notify, conflict/body.amount, same/body.clientTime, same/body spelling",
			`the same request under the same Idempotency-Key was answered 201 "{\"id\":\"stub-2\"}\n" without Idempotent-Replayed: true, so it ran again: wrap the operation's handler, or put Middleware round the router`},
		{"never conflicts",
			"conflict/path.submissionId, conflict/query.notify, conflict/body.amount",
			"path.submissionId differs under a key that was used, and the first result was replayed: want 409 idempotency_conflict; check that the field is part of the payload and not ignored"},
		{"wrong conflict code",
			"conflict/path.submissionId, conflict/query.notify, conflict/body.amount",
			`path.submissionId differs under a key that was used: answered 409 "{\"code\":\"already_exists\",\"message\":\"\"}\n", want 409 idempotency_conflict: wrap the operation's handler, and let a replaced WriteProblem keep code and message`},
		{"runs on conflict",
			"conflict/path.submissionId, conflict/query.notify, conflict/body.amount",
			"after the conflict, the first request again: the same request was refused with 409"},
		{"replays another status",
			"replay, conflict/path.submissionId, conflict/query.notify, conflict/body.amount, same/body.clientTime, same/body spelling",
			`a replay answered 200 "{\"id\":\"stub-1\"}\n", the first answer was 201 "{\"id\":\"stub-1\"}\n": a replay must send the stored status and body`},
		{"hashes bytes",
			"same/body.clientTime, same/body spelling",
			"the same request was refused with 409"},
		{"key not required", "missing key",
			`a request without Idempotency-Key: answered 201 "{\"id\":\"stub-1\"}\n", want 400 validation_error "idempotency key is required"`},
		{"key not bounded", "key too long",
			"a key of 201 bytes, one too many: answered 201"},
		{"5xx",
			"replay, conflict/path.submissionId, conflict/query.notify, conflict/body.amount, same/body.clientTime, same/body spelling, missing key, key too long",
			"the first request was answered 502, and a 5xx is never stored: let newHandler build a service that can answer the sample POST /submissions/s1/claims"},
	}
	for _, tt := range tests {
		t.Run("fault "+tt.fault, func(t *testing.T) {
			t.Parallel()
			failed, first := failures(t, func() http.Handler { return newGuard(tt.fault) }, claimsCreate())
			if got := strings.Join(failed, ", "); got != tt.rules {
				t.Errorf("rules that fail:\n got %s\nwant %s", got, tt.rules)
			}
			if !strings.HasPrefix(first, tt.want) {
				t.Errorf("message:\n got %s\nwant %s…", first, tt.want)
			}
		})
	}
}

func TestThePolicyOfTheOperationIsUsed(t *testing.T) {
	t.Parallel()
	c := claimsCreate()
	c.Policy = idem.Policy{Header: "X-Key", MaxLength: 10, ConflictStatus: 422}
	failed, first := failures(t, func() http.Handler { return newGuard("") }, c)
	if len(failed) != 7 || !strings.HasPrefix(first, "the same request under the same X-Key was answered 400") {
		t.Errorf("a handler with the default policy passes: failed %v, %s", failed, first)
	}
}

// failures runs every rule of a case, each against a handler of its own.
func failures(t *testing.T, newHandler func() http.Handler, c Case) (rules []string, first string) {
	t.Helper()
	for _, r := range rulesOf(c) {
		server := httptest.NewServer(newHandler())
		if err := r.check(newClient(server, c.header())); err != nil {
			rules = append(rules, r.name)
			if first == "" {
				first = err.Error()
			}
		}
		server.Close()
	}
	return rules, first
}
