// Package service is a small ledger of evaluations: every write operation of ../openapi.yaml as a typed
// handler over SQLite, wrapped by the package that idemgen generated from that document.
//
// Handlers know nothing of keys, replays or conflicts. They get a typed payload and a transaction, write
// their rows and return a response; the runtime stores the response in that same transaction. Where the
// work could not be in one transaction (imports, compliance jobs, percentiles), they run under a lease.
//
// Start reading at [New], then claims.go.
package service
