package service

import (
	"database/sql"
	"fmt"
	"net/http"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

// Unsafe takes a guarantee away. The demo's test runs the demo's checks against such services, to see
// that they would notice.
type Unsafe string

// The ways to be unsafe.
const (
	NoWrapper Unsafe = "nowrapper" // claims.create and compliance.jobs.create run without keys
	NoTenant  Unsafe = "notenant"  // every tenant's keys are the same
)

// ParseUnsafe reads a flag's value.
func ParseUnsafe(s string) (Unsafe, error) {
	switch u := Unsafe(s); u {
	case "", NoWrapper, NoTenant:
		return u, nil
	default:
		return "", fmt.Errorf("%q: use nowrapper or notenant", s)
	}
}

func (u Unsafe) scope() idem.ScopeFunc {
	if u != NoTenant {
		return scope
	}
	return func(r *http.Request) (idem.Scope, error) {
		s, err := scope(r)
		s.Tenant = idem.SingleTenant
		return s, err
	}
}

// unwrap returns h, or the same business function without a key.
func (u Unsafe) unwrap(h *idem.Handler, db *sql.DB, gate *Gate) http.Handler {
	if u != NoWrapper {
		return h
	}
	switch op := h.Operation(); op.Endpoint {
	case ledger.EndpointClaimsCreate:
		return unguarded(op, db, gate, createClaim)
	case ledger.EndpointComplianceJobsCreate:
		return unguarded(op, db, gate, createComplianceJob)
	default:
		return h
	}
}

// unguarded is what a service without idempotency keys does: decode, run, commit, answer.
func unguarded[P any](op *idem.Operation, db *sql.DB, gate *Gate, fn idem.TxFunc[*sql.Tx, P]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := idem.DecodeRequest[P](op, r, nil)
		if err != nil {
			answerProblem(w, &idem.Problem{Status: http.StatusBadRequest, Code: idem.CodeValidation, Detail: err.Error()})
			return
		}
		tx, err := db.BeginTx(r.Context(), nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer tx.Rollback()
		response, err := fn(r.Context(), tx, p)
		if err == nil {
			gate.pass(BeforeCommit)
			err = tx.Commit()
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		gate.pass(AfterEffect)
		answer(w, response)
	})
}
