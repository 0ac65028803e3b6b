// Package idemtest proves on a running service what the policy promises of each keyed operation: the same request under
// the same key gets the first result again, another request under that key is refused, a key is required, and neither
// a race nor a failure has the work done twice. It is what generated tests call; handlers that are written by hand are
// proven the same way (see the example).
//
// A [Suite] says how the service is built and who calls it. Each of its methods is a rule, and runs a subtest for each
// operation:
//
//	var idempotency = idemtest.Suite{NewServer: newServer, As: as, Operations: ledgeridem.Operations}
//
//	func TestIdempotencyReplay(t *testing.T) { idempotency.Replay(t, idempotencyCases) }
//
// The [Case]s are generated from the document: a valid request, and what to change of it ([Change]), one line each. The
// service is built over an [Env], whose store and observer let the harness see what is done, hold a request at a chosen
// point, and stage failures there: nothing is left to chance, and nothing sleeps.
//
// Requests go through net/http's own server and client, on connections within the process.
package idemtest
