// Package idem makes a write operation safe to retry: the same logical request has one durable
// outcome, a replay of its key returns the same response, and the key with another payload is
// refused.
//
// A [Service] holds a [Store] and the function that names the caller. Generated code gives each
// operation a typed wrapper over [Handle] (work that the store cannot see) or [HandleTx] (work inside
// one database transaction, where effect and result commit together). [Wrap] guards handlers that
// exist already, and [Begin] is for work that does not come over HTTP.
//
// A [Store] decides each race in one atomic call; see its documentation for the rules.
package idem
