package service

import (
	"context"
	"database/sql"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createSession(ctx context.Context, tx *sql.Tx, p ledger.SessionsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSessionsCreate, p.Body)
	e.need("assignments", p.Body.Assignment)
	id := e.add("sessions", "se", row{"assignment": p.Body.Assignment, "device": p.Body.Device, "state": "open"})
	return e.created(id, "/sessions/"+id)
}

// answerItem keeps every answer: a changed mind is a new row, the last one counts.
func answerItem(ctx context.Context, tx *sql.Tx, p ledger.SessionsAnswerPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSessionsAnswer, p.Body)
	e.need("sessions", p.Path.SessionID, "open")
	e.need("items", p.Path.ItemID)
	id := e.add("answers", "an", row{"session": p.Path.SessionID, "item": p.Path.ItemID, "value": p.Body.Value, "state": "given"})
	return e.changed(id)
}

func submitSession(ctx context.Context, tx *sql.Tx, p ledger.SessionsSubmitPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSessionsSubmit, p.Body)
	e.need("sessions", p.Path.SessionID, "open")
	e.update("sessions", p.Path.SessionID, row{"state": "submitted"})
	return e.changed(p.Path.SessionID)
}
