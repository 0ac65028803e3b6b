package service

import (
	"context"
	"database/sql"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createEngagement(ctx context.Context, tx *sql.Tx, p ledger.EngagementsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEngagementsCreate, p.Body)
	id := e.add("engagements", "eg", row{"client": p.Body.Client, "scope": p.Body.Scope, "budget": p.Body.Budget,
		"terms": p.Body.Terms, "state": "proposed"})
	return e.created(id, "/engagements/"+id)
}

func updateEngagement(ctx context.Context, tx *sql.Tx, p ledger.EngagementsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEngagementsUpdate, p.Body)
	e.need("engagements", p.Path.EngagementID, "proposed")
	set := row{}
	put(set, "budget", p.Body.Budget)
	put(set, "terms", p.Body.Terms)
	e.update("engagements", p.Path.EngagementID, set)
	return e.changed(p.Path.EngagementID)
}

func appendEngagementEvent(ctx context.Context, tx *sql.Tx, p ledger.EngagementsEventsAppendPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEngagementsEventsAppend, p.Body)
	e.need("engagements", p.Path.EngagementID)
	id := e.add("engagement_events", "ee", row{"engagement": p.Path.EngagementID, "type": p.Body.Type, "hours": p.Body.Hours, "state": "recorded"})
	return e.created(id, "/engagements/"+p.Path.EngagementID+"/events/"+id)
}

// ratifyEngagement records in which role the caller signed. The role is part of the payload, so the
// same key after a promotion is a conflict and not the replay of a lesser signature.
func ratifyEngagement(ctx context.Context, tx *sql.Tx, p ledger.EngagementsRatifyPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEngagementsRatify, p.Body)
	e.need("engagements", p.Path.EngagementID, "proposed")
	e.add("ratifications", "ra", row{"engagement": p.Path.EngagementID, "role": p.Scope.Role, "decision": p.Body.Decision, "state": "signed"})
	if p.Body.Decision == ledger.RatificationDecisionRatify && p.Scope.Role == "director" {
		e.update("engagements", p.Path.EngagementID, row{"state": "ratified"})
	}
	return e.changed(p.Path.EngagementID)
}

func hashEngagement(ctx context.Context, tx *sql.Tx, p ledger.EngagementsHashPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEngagementsHash, nil)
	e.need("engagements", p.Path.EngagementID)
	return e.sealed(p.Path.EngagementID, "/engagements/"+p.Path.EngagementID)
}
