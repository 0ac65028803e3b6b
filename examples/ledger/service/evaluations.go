package service

import (
	"context"
	"database/sql"
	"fmt"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createEvaluation(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsCreate, p.Body)
	id := e.add("evaluations", "ev", row{"kind": p.Body.Kind, "title": p.Body.Title, "pass_mark": p.Body.PassMark, "state": "open"})
	return e.created(id, "/evaluations/"+id)
}

func updateEvaluation(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsUpdate, p.Body)
	e.need("evaluations", p.Path.EvaluationID)
	set := row{}
	put(set, "title", p.Body.Title)
	put(set, "pass_mark", p.Body.PassMark)
	e.update("evaluations", p.Path.EvaluationID, set)
	return e.changed(p.Path.EvaluationID)
}

func deleteEvaluation(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsDelete, nil)
	e.need("evaluations", p.Path.EvaluationID)
	return e.removed("evaluations", p.Path.EvaluationID)
}

// versionID names a version by its evaluation and number, so that two cannot have one number.
func versionID(evaluation string, number int32) string {
	return fmt.Sprintf("%s.v%d", evaluation, number)
}

func createVersion(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsVersionsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsVersionsCreate, p.Body)
	e.need("evaluations", p.Path.EvaluationID)
	var last int32
	e.scan(`SELECT coalesce(max(number), 0) FROM versions WHERE tenant = ? AND evaluation = ?`, []any{e.caller.Tenant, p.Path.EvaluationID}, &last)
	id := versionID(p.Path.EvaluationID, last+1)
	e.insert("versions", id, row{"evaluation": p.Path.EvaluationID, "number": last + 1, "summary": p.Body.Summary, "state": "draft"})
	return e.created(id, fmt.Sprintf("/evaluations/%s/versions/%d", p.Path.EvaluationID, last+1))
}

func publishVersion(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsVersionsPublishPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsVersionsPublish, p.Body)
	id := versionID(p.Path.EvaluationID, p.Path.Version)
	e.need("versions", id, "draft")
	e.update("versions", id, row{"audience": p.Body.Audience, "state": "published"})
	return e.changed(id)
}

func retireVersion(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsVersionsRetirePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsVersionsRetire, nil)
	id := versionID(p.Path.EvaluationID, p.Path.Version)
	e.need("versions", id)
	e.update("versions", id, row{"state": "retired"})
	return e.changed(id)
}

func createFeedback(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsFeedbackCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsFeedbackCreate, p.Body)
	e.need("evaluations", p.Path.EvaluationID)
	id := e.add("feedback", "fb", row{"evaluation": p.Path.EvaluationID, "rating": p.Body.Rating, "author": p.Body.Author, "state": "given"})
	return e.created(id, "/evaluations/"+p.Path.EvaluationID+"/feedback/"+id)
}

func deleteFeedback(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsFeedbackDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsFeedbackDelete, p.Body)
	e.needIn("feedback", p.Path.FeedbackID, "evaluation", p.Path.EvaluationID)
	return e.removed("feedback", p.Path.FeedbackID)
}

func createSection(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsSectionsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsSectionsCreate, p.Body)
	e.need("evaluations", p.Path.EvaluationID)
	id := e.add("sections", "sec", row{"evaluation": p.Path.EvaluationID, "title": p.Body.Title,
		"position": p.Body.Position, "time_limit": p.Body.TimeLimit, "state": "open"})
	return e.created(id, "/evaluations/"+p.Path.EvaluationID+"/sections/"+id)
}

func reorderSections(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsSectionsReorderPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsSectionsReorder, p.Body)
	e.need("evaluations", p.Path.EvaluationID)
	var open int
	e.scan(`SELECT count(*) FROM sections WHERE tenant = ? AND evaluation = ? AND state <> 'gone'`, []any{e.caller.Tenant, p.Path.EvaluationID}, &open)
	if open != len(p.Body) {
		e.refuse("the order names %d of %d sections", len(p.Body), open)
	}
	for i, section := range p.Body {
		e.needIn("sections", section, "evaluation", p.Path.EvaluationID)
		e.update("sections", section, row{"position": i + 1})
	}
	return e.changed(p.Path.EvaluationID)
}

func updateSection(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsSectionsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsSectionsUpdate, p.Body)
	e.needIn("sections", p.Path.SectionID, "evaluation", p.Path.EvaluationID)
	set := row{}
	put(set, "title", p.Body.Title)
	put(set, "time_limit", p.Body.TimeLimit)
	e.update("sections", p.Path.SectionID, set)
	return e.changed(p.Path.SectionID)
}

func deleteSection(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsSectionsDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsSectionsDelete, nil)
	e.needIn("sections", p.Path.SectionID, "evaluation", p.Path.EvaluationID)
	return e.removed("sections", p.Path.SectionID)
}

func createItem(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsItemsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsItemsCreate, p.Body)
	e.needIn("sections", p.Body.Section, "evaluation", p.Path.EvaluationID)
	e.need("questions", p.Body.Question)
	if sign, err := p.Body.Points.Float64(); err != nil || sign <= 0 {
		e.refuse("an item is worth more than %s points", p.Body.Points)
	}
	id := e.add("items", "it", row{"evaluation": p.Path.EvaluationID, "section": p.Body.Section,
		"question": p.Body.Question, "points": p.Body.Points, "state": "open"})
	return e.created(id, "/evaluations/"+p.Path.EvaluationID+"/items/"+id)
}

func updateItem(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsItemsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsItemsUpdate, p.Body)
	e.needIn("items", p.Path.ItemID, "evaluation", p.Path.EvaluationID)
	set := row{}
	put(set, "points", p.Body.Points)
	e.update("items", p.Path.ItemID, set)
	return e.changed(p.Path.ItemID)
}

func deleteItem(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsItemsDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsItemsDelete, nil)
	e.needIn("items", p.Path.ItemID, "evaluation", p.Path.EvaluationID)
	return e.removed("items", p.Path.ItemID)
}

func createBucket(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsBucketsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsBucketsCreate, p.Body)
	e.need("evaluations", p.Path.EvaluationID)
	for _, item := range p.Body.Items {
		e.needIn("items", item, "evaluation", p.Path.EvaluationID)
	}
	id := e.add("buckets", "bu", row{"evaluation": p.Path.EvaluationID, "name": p.Body.Name, "pick": p.Body.Pick,
		"items": p.Body.Items, "seed": p.Body.Seed, "state": "open"})
	return e.created(id, "/evaluations/"+p.Path.EvaluationID+"/buckets/"+id)
}

func updateBucket(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsBucketsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsBucketsUpdate, p.Body)
	e.needIn("buckets", p.Path.BucketID, "evaluation", p.Path.EvaluationID)
	set := row{}
	put(set, "name", p.Body.Name)
	put(set, "pick", p.Body.Pick)
	e.update("buckets", p.Path.BucketID, set)
	return e.changed(p.Path.BucketID)
}

func deleteBucket(ctx context.Context, tx *sql.Tx, p ledger.EvaluationsBucketsDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointEvaluationsBucketsDelete, nil)
	e.needIn("buckets", p.Path.BucketID, "evaluation", p.Path.EvaluationID)
	return e.removed("buckets", p.Path.BucketID)
}
