package idemtest

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Run checks every case against the handler that newHandler builds. Each case is a subtest named
// after its endpoint, with a handler and a server of its own, and below it each rule is a subtest:
// "replay", "conflict/body.amount", "same/body.clientTime", "missing key", "key too long".
//
// Every rule uses fresh random keys, so the store may be shared between cases and between runs. The
// handler must let the sample requests through to the operation: authentication, a base path and the rows that a
// sample refers to are for newHandler to arrange. An operation that answers a sample with an error of
// its own (404, say) still passes: such an answer is stored and replayed like any other. A 5xx fails.
func Run(t *testing.T, newHandler func(t testing.TB) http.Handler, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(string(c.Endpoint), func(t *testing.T) {
			server := httptest.NewServer(newHandler(t))
			t.Cleanup(server.Close)
			for _, r := range rulesOf(c) {
				t.Run(r.name, func(t *testing.T) {
					if err := r.check(newClient(server, c.header())); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}
