package service

import (
	"context"
	"database/sql"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createProgramme(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesCreate, p.Body)
	id := e.add("programmes", "pr", row{"code": p.Body.Code, "name": p.Body.Name, "fee": p.Body.Fee, "state": "open"})
	return e.created(id, "/programmes/"+id)
}

func updateProgramme(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesUpdate, p.Body)
	e.need("programmes", p.Path.ProgrammeID)
	set := row{}
	put(set, "name", p.Body.Name)
	put(set, "fee", p.Body.Fee)
	e.update("programmes", p.Path.ProgrammeID, set)
	return e.changed(p.Path.ProgrammeID)
}

func archiveProgramme(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesArchivePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesArchive, nil)
	e.need("programmes", p.Path.ProgrammeID)
	e.update("programmes", p.Path.ProgrammeID, row{"state": "archived"})
	return e.changed(p.Path.ProgrammeID)
}

// requirementRow is what both a new and a replaced requirement keep.
func requirementRow(r ledger.Requirement) row {
	return row{"kind": r.Kind, "target": r.Target, "minimum_score": r.MinimumScore, "state": "open"}
}

func createRequirement(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesRequirementsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesRequirementsCreate, p.Body)
	e.need("programmes", p.Path.ProgrammeID)
	r := requirementRow(p.Body)
	r["programme"] = p.Path.ProgrammeID
	id := e.add("requirements", "re", r)
	return e.created(id, "/programmes/"+p.Path.ProgrammeID+"/requirements/"+id)
}

func updateRequirement(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesRequirementsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesRequirementsUpdate, p.Body)
	e.needIn("requirements", p.Path.RequirementID, "programme", p.Path.ProgrammeID)
	e.update("requirements", p.Path.RequirementID, requirementRow(p.Body))
	return e.changed(p.Path.RequirementID)
}

func deleteRequirement(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesRequirementsDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesRequirementsDelete, nil)
	e.needIn("requirements", p.Path.RequirementID, "programme", p.Path.ProgrammeID)
	return e.removed("requirements", p.Path.RequirementID)
}

// notify leaves a notice for the mailer where the caller asked for one: the outbox pattern. Mail that
// was sent from here could not be rolled back.
func (e *entry) notify(wanted canon.Optional[bool], about string) {
	if yes, _ := wanted.Get(); yes {
		e.add("notices", "no", row{"about": about, "state": "queued"})
	}
}

func createEnrolment(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesEnrolmentsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesEnrolmentsCreate, p.Body)
	e.need("programmes", p.Path.ProgrammeID, "open")
	e.need("subjects", p.Body.Subject)
	id := e.add("enrolments", "en", row{"programme": p.Path.ProgrammeID, "subject": p.Body.Subject, "cohort": p.Body.Cohort, "state": "active"})
	e.notify(p.Query.Notify, id)
	return e.created(id, "/programmes/"+p.Path.ProgrammeID+"/enrolments/"+id)
}

func updateEnrolment(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesEnrolmentsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesEnrolmentsUpdate, p.Body)
	e.needIn("enrolments", p.Path.EnrolmentID, "programme", p.Path.ProgrammeID)
	set := row{}
	put(set, "cohort", p.Body.Cohort)
	put(set, "state", p.Body.State)
	put(set, "effective", p.Header.XEffectiveDate)
	e.update("enrolments", p.Path.EnrolmentID, set)
	return e.changed(p.Path.EnrolmentID)
}

func withdrawEnrolment(ctx context.Context, tx *sql.Tx, p ledger.ProgrammesEnrolmentsWithdrawPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointProgrammesEnrolmentsWithdraw, p.Body)
	e.needIn("enrolments", p.Path.EnrolmentID, "programme", p.Path.ProgrammeID)
	set := row{"state": "withdrawn"}
	put(set, "effective", p.Header.XEffectiveDate)
	e.update("enrolments", p.Path.EnrolmentID, set)
	return e.changed(p.Path.EnrolmentID)
}
