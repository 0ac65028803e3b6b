package ledgeridem_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"testing"

	"github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/examples/ledger/service"
	"github.com/idemgen/idemgen/examples/ledger/service/servicetest"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/idemtest"
)

// idempotency says how the service is built and who calls it, for the tests in idempotency.gen_test.go.
var idempotency = idemtest.Suite{
	NewServer:  newServer,
	As:         as,
	Callers:    []idem.Scope{{Tenant: "acme", Actor: "alice"}, {Tenant: "globex", Actor: "alice"}, {Tenant: "acme", Actor: "bob"}},
	Operations: ledgeridem.Operations,
	// What the document's examples do not say: which rows there are.
	Requests: map[idem.Endpoint]idemtest.Request{
		ledgeridem.EndpointAssignmentsCreate: send("POST", "/assignments",
			`{"evaluation":"ev-1","version":1,"subjects":["su-1","su-2"],"window":{"from":"2026-03-01","to":"2026-04-01"}}`),
		ledgeridem.EndpointEvaluationsSectionsReorder: send("PUT", "/evaluations/ev-1/sections/order", `["sec-2","sec-1"]`),
		ledgeridem.EndpointRemediationBatchesApply:    send("POST", "/remediation/batches/ba-1/apply", `{"expected":1,"notify":false}`),
		ledgeridem.EndpointRemediationBatchesRevert:   send("POST", "/remediation/batches/ba-2/revert", `{"reason":"wrong item"}`),
	},
}

func send(method, path, body string) idemtest.Request {
	return idemtest.Request{Method: method, Path: path, ContentType: "application/json", Body: body}
}

// newServer is the whole ledger over a database of its own.
func newServer(t testing.TB, env *idemtest.Env) http.Handler {
	db := servicetest.Open(t)
	env.Seed = func(t testing.TB, c idemtest.Case) idemtest.Request {
		if err := service.Reset(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		return c.Request
	}
	env.Effects = func(t testing.TB) string { // each write appends an event
		var n int
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM events`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(n, " events")
	}
	return service.New(db, service.Options{
		Observer: env.Observer,
		Store:    func(s idem.TxStore[*sql.Tx]) idem.TxStore[*sql.Tx] { return idemtest.WrapTx(env, s) },
	})
}

// as signs the request with the token of one who is known to the service.
func as(r *http.Request, tenant, actor string) {
	r.Header.Set("Authorization", "Bearer "+tenant+"."+actor)
}
