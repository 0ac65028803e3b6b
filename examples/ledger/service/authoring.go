package service

import (
	"context"
	"database/sql"

	ledger "github.com/idemgen/idemgen/examples/ledger/ledgeridem"
	"github.com/idemgen/idemgen/runtime/idem"
)

func createQuestion(ctx context.Context, tx *sql.Tx, p ledger.QuestionsCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointQuestionsCreate, p.Body)
	id := e.add("questions", "qu", row{"stem": p.Body.Stem, "answer": p.Body.Answer, "difficulty": p.Body.Difficulty, "state": "draft"})
	return e.created(id, "/questions/"+id)
}

func updateQuestion(ctx context.Context, tx *sql.Tx, p ledger.QuestionsUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointQuestionsUpdate, p.Body)
	e.need("questions", p.Path.QuestionID)
	set := row{}
	put(set, "stem", p.Body.Stem)
	put(set, "answer", p.Body.Answer)
	put(set, "difficulty", p.Body.Difficulty)
	e.update("questions", p.Path.QuestionID, set)
	return e.changed(p.Path.QuestionID)
}

func publishQuestion(ctx context.Context, tx *sql.Tx, p ledger.QuestionsPublishPayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointQuestionsPublish, nil)
	e.need("questions", p.Path.QuestionID, "draft")
	e.update("questions", p.Path.QuestionID, row{"state": "published"})
	return e.changed(p.Path.QuestionID)
}

func deleteQuestion(ctx context.Context, tx *sql.Tx, p ledger.QuestionsDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointQuestionsDelete, p.Body)
	e.need("questions", p.Path.QuestionID)
	return e.removed("questions", p.Path.QuestionID)
}

func createPassage(ctx context.Context, tx *sql.Tx, p ledger.PassagesCreatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointPassagesCreate, p.Body)
	id := e.add("passages", "pa", row{"title": p.Body.Title, "text": p.Body.Text, "state": "open"})
	return e.created(id, "/passages/"+id)
}

func updatePassage(ctx context.Context, tx *sql.Tx, p ledger.PassagesUpdatePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointPassagesUpdate, p.Body)
	e.need("passages", p.Path.PassageID)
	set := row{}
	put(set, "title", p.Body.Title)
	put(set, "text", p.Body.Text)
	e.update("passages", p.Path.PassageID, set)
	return e.changed(p.Path.PassageID)
}

func deletePassage(ctx context.Context, tx *sql.Tx, p ledger.PassagesDeletePayload) (*idem.Response, error) {
	e := write(ctx, tx, ledger.EndpointPassagesDelete, nil)
	e.need("passages", p.Path.PassageID)
	return e.removed("passages", p.Path.PassageID)
}
