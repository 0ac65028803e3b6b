package service

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/http"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

// createAssignments makes one assignment for each subject. Which comes first means nothing: the
// document declares the subjects a set, and the same set in another order is the same request.
func createAssignments(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsCreate, p.Body)
	e.need("versions", versionID(p.Body.Evaluation, p.Body.Version))
	batch := newID("as")
	for _, subject := range p.Body.Subjects {
		e.need("subjects", subject)
		id := batch + "." + subject
		e.insert("assignments", id, row{"evaluation": p.Body.Evaluation, "version": p.Body.Version, "subject": subject,
			"code": rand.Text()[:7], "window": p.Body.Window, "state": "open"})
		e.notify(p.Query.Notify, id)
	}
	e.answer.Rows = len(p.Body.Subjects)
	return e.created(batch, "/assignments?batch="+batch)
}

func updateAssignment(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsUpdate, p.Body)
	e.need("assignments", p.Path.AssignmentID)
	set := row{}
	put(set, "window", p.Body.Window)
	put(set, "note", p.Body.Note)
	e.update("assignments", p.Path.AssignmentID, set)
	return e.changed(p.Path.AssignmentID)
}

func cancelAssignment(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsCancelPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsCancel, p.Body)
	e.need("assignments", p.Path.AssignmentID, "open")
	e.update("assignments", p.Path.AssignmentID, row{"state": "cancelled"})
	return e.changed(p.Path.AssignmentID)
}

func redeemAssignment(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsRedeemPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsRedeem, p.Body)
	var assignment string
	e.scan(`SELECT id FROM assignments WHERE tenant = ? AND code = ? AND state = 'open'`, []any{e.caller.Tenant, p.Body.Code}, &assignment)
	if assignment == "" && e.err == nil {
		e.err = &idem.Problem{Status: http.StatusNotFound, Code: "not_found", Detail: "no assignment has this code"}
	}
	id := e.add("redemptions", "rd", row{"assignment": assignment, "nickname": p.Body.Nickname, "state": "redeemed"})
	return e.created(id, "/assignments/"+assignment)
}

func createOverride(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsOverridesCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsOverridesCreate, p.Body)
	e.need("assignments", p.Path.AssignmentID)
	id := e.add("overrides", "ov", row{"assignment": p.Path.AssignmentID, "kind": p.Body.Kind, "minutes": p.Body.Minutes, "state": "given"})
	return e.created(id, "/assignments/"+p.Path.AssignmentID+"/overrides/"+id)
}

func deleteOverride(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsOverridesDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsOverridesDelete, nil)
	e.needIn("overrides", p.Path.OverrideID, "assignment", p.Path.AssignmentID)
	return e.removed("overrides", p.Path.OverrideID)
}

// scheduleRow is what both a new and a replaced schedule keep.
func scheduleRow(s ledger.Schedule) row {
	return row{"opens": s.Opens, "closes": s.Closes, "timezone": s.Timezone, "capacity": s.Capacity, "state": "open"}
}

func createSchedule(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsSchedulesCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsSchedulesCreate, p.Body)
	e.need("assignments", p.Path.AssignmentID)
	r := scheduleRow(p.Body)
	r["assignment"] = p.Path.AssignmentID
	id := e.add("schedules", "sc", r)
	return e.created(id, "/assignments/"+p.Path.AssignmentID+"/schedules/"+id)
}

func updateSchedule(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsSchedulesUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsSchedulesUpdate, p.Body)
	e.needIn("schedules", p.Path.ScheduleID, "assignment", p.Path.AssignmentID)
	e.update("schedules", p.Path.ScheduleID, scheduleRow(p.Body))
	return e.changed(p.Path.ScheduleID)
}

func deleteSchedule(ctx context.Context, tx *sql.Tx, p ledger.AssignmentsSchedulesDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointAssignmentsSchedulesDelete, nil)
	e.needIn("schedules", p.Path.ScheduleID, "assignment", p.Path.AssignmentID)
	return e.removed("schedules", p.Path.ScheduleID)
}
