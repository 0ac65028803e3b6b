//go:build !race

package idem

import (
	"net/http"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

// The race detector makes pools forget at random, so this is no test under it.
func TestFingerprintAllocatesNothing(t *testing.T) {
	rq := document(`{"amount":{"cents":1250,"currency":"EUR"},"lines":[{"sku":"a","n":1},{"sku":"b","n":2}],"note":"caf\u00e9"}`)
	rq.path = Values{"id": {"7"}, "line": {"2"}}
	rq.query = Values{"notify": {"true"}, "trace": {"t"}, "tags": {"a", "b"}}
	rq.header = Values(http.Header{"X-Mode": {"m"}, "Accept": {"*/*"}})
	rq.scope = map[string]string{"role": "admin"}
	id := &Identity{IgnoredQuery: []string{"trace"}, IncludedHeaders: []string{"X-Mode"}, Scope: []string{"role"},
		Body: []BodyRules{{jsonType, canon.Rules{{Members: []canon.Member{{Name: "lines", Rule: 1}}}, {Unordered: true}}}}}
	opaque := &request{hasBody: true, declared: "text/csv", mediaType: "text/csv", form: Digest, body: inMemory([]byte("a,b"))}
	for name, rq := range map[string]*request{"JSON": rq, "digest": opaque} {
		rq.scope = map[string]string{"role": "admin"}
		allocs := testing.AllocsPerRun(200, func() {
			if _, err := fingerprint(id, rq); err != nil {
				t.Fatal(err)
			}
		})
		if allocs >= 1 { // a garbage collection may empty the pool
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
