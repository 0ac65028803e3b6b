package service

import (
	"context"
	"database/sql"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createBatch(ctx context.Context, tx *sql.Tx, p ledger.RemediationBatchesCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointRemediationBatchesCreate, p.Body)
	id := e.add("batches", "ba", row{"rule": p.Body.Rule, "state": "prepared"})
	for _, c := range p.Body.Corrections {
		e.need("submissions", c.Submission)
		e.add("corrections", "co", row{"batch": id, "submission": c.Submission, "change": c.Change, "points": c.Points, "state": "prepared"})
	}
	e.answer.Rows = 1 + len(p.Body.Corrections)
	return e.created(id, "/remediation/batches/"+id)
}

func applyBatch(ctx context.Context, tx *sql.Tx, p ledger.RemediationBatchesApplyPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointRemediationBatchesApply, p.Body)
	e.need("batches", p.Path.BatchID, "prepared")
	n := e.moveBatch(p.Path.BatchID, "applied")
	if n != int64(p.Body.Expected) {
		e.refuse("the batch has %d corrections, not %d", n, p.Body.Expected)
	}
	return e.changed(p.Path.BatchID)
}

func revertBatch(ctx context.Context, tx *sql.Tx, p ledger.RemediationBatchesRevertPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointRemediationBatchesRevert, p.Body)
	e.need("batches", p.Path.BatchID, "applied")
	e.moveBatch(p.Path.BatchID, "reverted")
	return e.changed(p.Path.BatchID)
}

// moveBatch moves a batch and its corrections to a state and says how many corrections it has.
func (e *entry) moveBatch(batch, state string) int64 {
	e.update("batches", batch, row{"state": state})
	return e.exec(`UPDATE corrections SET state = ? WHERE tenant = ? AND batch = ?`, state, e.caller.Tenant, batch)
}
