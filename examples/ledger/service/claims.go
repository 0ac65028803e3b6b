package service

import (
	"context"
	"database/sql"
	"fmt"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createClaim(ctx context.Context, tx *sql.Tx, p ledger.ClaimsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointClaimsCreate, p.Body)
	e.need("submissions", p.Path.SubmissionID)
	var count int
	e.scan(`SELECT count(*) FROM claims WHERE tenant = ?`, []any{e.caller.Tenant}, &count)
	number := fmt.Sprintf("C-%06d", count+1)
	r := row{"number": number, "submission": p.Path.SubmissionID, "kind": p.Body.Kind, "share": p.Body.Share, "state": "open"}
	if money, ok := p.Body.Amount.Get(); ok {
		r["amount"], r["currency"] = money.Amount, money.Currency
	}
	put(r, "assignee", p.Body.Assignee)
	id := e.add("claims", "cl", r)
	resp, err := e.created(id, "/claims/"+id)
	if err != nil {
		return nil, err
	}
	resp.Header.Set("X-Claim-Number", number)
	return resp, nil
}

// outcomes are the events that end a claim, and the state that each leaves it in.
var outcomes = map[ledger.ClaimEventType]string{
	ledger.ClaimEventTypeUphold:  "upheld",
	ledger.ClaimEventTypeDismiss: "dismissed",
}

func appendClaimEvent(ctx context.Context, tx *sql.Tx, p ledger.ClaimsEventsAppendPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointClaimsEventsAppend, p.Body)
	e.need("claims", p.Path.ClaimID, "open")
	id := e.add("claim_events", "ce", row{"claim": p.Path.ClaimID, "type": p.Body.Type, "note": p.Body.Note, "state": "recorded"})
	if state, ends := outcomes[p.Body.Type]; ends {
		e.update("claims", p.Path.ClaimID, row{"state": state})
	}
	return e.created(id, "/claims/"+p.Path.ClaimID+"/events/"+id)
}

func createDispute(ctx context.Context, tx *sql.Tx, p ledger.DisputesCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointDisputesCreate, p.Body)
	e.need("claims", p.Path.ClaimID)
	id := e.add("disputes", "di", row{"claim": p.Path.ClaimID, "grounds": p.Body.Grounds, "state": "open"})
	return e.created(id, "/disputes/"+id)
}

func appendDisputeEvent(ctx context.Context, tx *sql.Tx, p ledger.DisputesEventsAppendPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointDisputesEventsAppend, p.Body)
	e.need("disputes", p.Path.DisputeID)
	id := e.add("dispute_events", "de", row{"dispute": p.Path.DisputeID, "type": p.Body.Type, "state": "recorded"})
	return e.created(id, "/disputes/"+p.Path.DisputeID+"/events/"+id)
}
