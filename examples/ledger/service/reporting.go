package service

import (
	"context"
	"database/sql"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

// createComplianceJob stands for work that the store cannot see, such as a call of another system: it
// runs under a lease, so an attempt that dies leaves an unknown outcome and no second effect.
func createComplianceJob(ctx context.Context, tx *sql.Tx, p ledger.ComplianceJobsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointComplianceJobsCreate, p.Body)
	id := e.add("compliance_jobs", "cj", row{"framework": p.Body.Framework, "period": p.Body.Period, "state": "queued"})
	return e.accepted(id, "/compliance/jobs/"+id)
}

func enqueueProjection(ctx context.Context, tx *sql.Tx, p ledger.ReportingProjectionsEnqueuePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointReportingProjectionsEnqueue, p.Body)
	id := e.add("projections", "pj", row{"projection": p.Body.Projection, "since": p.Body.Since, "state": "queued"})
	return e.accepted(id, "/reporting/projections/"+id)
}

func recomputePercentiles(ctx context.Context, tx *sql.Tx, p ledger.ReportingPercentilesRecomputePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointReportingPercentilesRecompute, p.Body)
	e.need("evaluations", p.Body.Evaluation)
	id := e.add("percentile_runs", "pc", row{"evaluation": p.Body.Evaluation, "percentiles": p.Body.Percentiles, "state": "done"})
	return e.accepted(id, "/reporting/percentiles/"+id)
}
