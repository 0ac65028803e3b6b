package service

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createSubmission(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsCreate, p.Body)
	e.need("assignments", p.Body.Assignment)
	id := e.add("submissions", "sb", row{"assignment": p.Body.Assignment, "session": p.Body.Session,
		"points": p.Body.Score.Points, "out_of": p.Body.Score.OutOf, "state": "open"})
	return e.created(id, "/submissions/"+id)
}

func createEvidence(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsEvidenceCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsEvidenceCreate, p.Body)
	e.need("submissions", p.Path.SubmissionID)
	id := e.add("evidence", "ed", row{"submission": p.Path.SubmissionID, "kind": p.Body.Kind, "title": p.Body.Title, "state": "announced"})
	return e.created(id, "/submissions/"+p.Path.SubmissionID+"/evidence/"+id)
}

// uploadEvidence keeps the digest; a real service puts the bytes into a blob store under that name,
// which is safe to repeat, before the transaction.
func uploadEvidence(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsEvidenceUploadPayload) (*idem.Response, error) {
	sum := sha256.Sum256(p.Body)
	digest := hex.EncodeToString(sum[:])
	e := write(ctx, tx, ledger.EndpointSubmissionsEvidenceUpload, map[string]string{"type": p.Type, "sha256": digest})
	e.needIn("evidence", p.Path.EvidenceID, "submission", p.Path.SubmissionID)
	e.update("evidence", p.Path.EvidenceID, row{"media_type": p.Type, "digest": digest, "state": "uploaded"})
	e.answer.Hash = digest
	return e.changed(p.Path.EvidenceID)
}

// undecided are the states of evidence that a decision can still change.
var undecided = []string{"announced", "uploaded"}

func approveEvidence(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsEvidenceApprovePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsEvidenceApprove, p.Body)
	e.needIn("evidence", p.Path.EvidenceID, "submission", p.Path.SubmissionID, undecided...)
	set := row{"state": "approved"}
	if decision, ok := p.Body.Get(); ok {
		put(set, "score", decision.Score)
	}
	e.update("evidence", p.Path.EvidenceID, set)
	return e.changed(p.Path.EvidenceID)
}

func rejectEvidence(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsEvidenceRejectPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsEvidenceReject, p.Body)
	e.needIn("evidence", p.Path.EvidenceID, "submission", p.Path.SubmissionID, undecided...)
	e.update("evidence", p.Path.EvidenceID, row{"state": "rejected"})
	return e.changed(p.Path.EvidenceID)
}

func actOnEvidence(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsEvidenceActionsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsEvidenceActionsCreate, p.Body)
	e.needIn("evidence", p.Path.EvidenceID, "submission", p.Path.SubmissionID)
	id := e.add("evidence_actions", "ea", row{"evidence": p.Path.EvidenceID, "action": p.Body.Action, "assignee": p.Body.To, "state": "open"})
	return e.created(id, "/submissions/"+p.Path.SubmissionID+"/evidence/"+p.Path.EvidenceID+"/actions/"+id)
}

func reviewSubmission(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsReviewsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsReviewsCreate, p.Body)
	e.need("submissions", p.Path.SubmissionID)
	id := e.add("reviews", "rv", row{"submission": p.Path.SubmissionID, "action": p.Body.Action, "comment": p.Body.Comment, "state": "recorded"})
	return e.created(id, "/submissions/"+p.Path.SubmissionID+"/reviews/"+id)
}

func hashSubmission(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsHashPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsHash, nil)
	e.need("submissions", p.Path.SubmissionID)
	return e.sealed(p.Path.SubmissionID, "/submissions/"+p.Path.SubmissionID)
}

// sealed ends an entry that seals its subject: the hash is of the events before this one.
func (e *entry) sealed(subject, location string) (*idem.Response, error) {
	e.answer.Hash = e.seal(subject)
	id := e.add("seals", "sl", row{"about": subject, "hash": e.answer.Hash, "state": "sealed"})
	return e.created(subject, location+"/seals/"+id)
}

func voidSubmission(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsVoidPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsVoid, p.Body)
	e.need("submissions", p.Path.SubmissionID, "open")
	e.update("submissions", p.Path.SubmissionID, row{"state": "void"})
	return e.changed(p.Path.SubmissionID)
}

func linkSubject(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsSubjectsLinkPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsSubjectsLink, p.Body)
	e.need("submissions", p.Path.SubmissionID)
	e.need("subjects", p.Path.SubjectID)
	id := p.Path.SubmissionID + "." + p.Path.SubjectID
	e.upsert("subject_links", id, row{"submission": p.Path.SubmissionID, "subject": p.Path.SubjectID,
		"as": p.Body.As, "share": p.Body.Share, "state": "linked"})
	return e.changed(id)
}

func unlinkSubject(ctx context.Context, tx *sql.Tx, p ledger.SubmissionsSubjectsUnlinkPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointSubmissionsSubjectsUnlink, nil)
	id := p.Path.SubmissionID + "." + p.Path.SubjectID
	e.need("subject_links", id)
	return e.removed("subject_links", id)
}
