package samples_test

import (
	"net/http"
	"testing"

	"example.com/golden/samples"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/idemtest"
)

// This file is yours: idemgen wrote it once and does not touch it again.

// idempotency says how the service is built and who calls it, for the tests in idempotency.gen_test.go. Its other
// fields replace the sample of an operation that the service refuses, or skip what it cannot run yet.
var idempotency = idemtest.Suite{
	NewServer:  newServer,
	As:         as,
	Operations: samples.Operations,
}

// newServer builds what is tested. The stub proves the generated code alone: put your own service in its place, with
// its router, its authentication, and its store (env.Wrap or idemtest.WrapTx of it).
func newServer(t testing.TB, env *idemtest.Env) http.Handler {
	svc := idem.New(env.Store, func(r *http.Request) (idem.Scope, error) {
		return idem.Scope{Tenant: r.Header.Get("Test-Tenant"), Actor: r.Header.Get("Test-Actor")}, nil
	})
	svc.Observer = env.Observer
	return samples.Middleware(svc, idemtest.Stub())
}

// as makes a request one of this actor of this tenant. Send what your authentication knows them by.
func as(r *http.Request, tenant, actor string) {
	r.Header.Set("Test-Tenant", tenant)
	r.Header.Set("Test-Actor", actor)
}
