// Package idemtest is the harness that generated tests call. It sends each keyed operation of a
// document a sample request through the real HTTP stack and proves what the policy promises: the same
// request under the same key gets the first result again, another request under that key is refused,
// and a key is required and bounded.
//
// The samples ([Case]) are generated from the document: a valid request, and what to change of it
// ([Change]), one line each. The one thing to write is the function that builds the handler under test:
//
//	func TestIdempotency(t *testing.T) {
//		idemtest.Run(t, newHandler, idempotencyCases)
//	}
//
//	func newHandler(t testing.TB) http.Handler {
//		svc := idem.New(newStore(t), scope)
//		return ledgeridem.Middleware(svc, newService(t)) // or your router, with its wrapped handlers
//	}
//
// [Stub] stands in for a service that is not written yet.
package idemtest
