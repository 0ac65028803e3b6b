package idem_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// A row says what a client gets, and what the record is afterwards, for every cell that it covers; an
// empty column covers all. Each cell of record x owner x request x newcomer x on-unknown is covered
// by exactly one row.
type row struct {
	records   []storetest.Record
	owner     storetest.Mode
	request   storetest.Request
	onUnknown string

	status   int
	code     string
	replayed bool
	ran      bool // the newcomer's handler
	after    idem.State
}

var rows = []row{
	{records: []storetest.Record{storetest.NoRecord, storetest.PastRetention}, status: 201, ran: true, after: idem.Replay},

	{records: []storetest.Record{storetest.LiveLease}, request: storetest.Same, status: 409, code: "idempotency_in_progress", after: idem.InProgress},
	{records: []storetest.Record{storetest.LiveLease}, request: storetest.Other, status: 409, code: "idempotency_conflict", after: idem.InProgress},

	{records: []storetest.Record{storetest.LeaseOver}, owner: storetest.Leased, request: storetest.Same, onUnknown: "reject", status: 409, code: "idempotency_outcome_unknown", after: idem.Unknown},
	{records: []storetest.Record{storetest.LeaseOver}, owner: storetest.Leased, request: storetest.Same, onUnknown: "reexecute", status: 201, ran: true, after: idem.Replay},
	{records: []storetest.Record{storetest.LeaseOver}, owner: storetest.Leased, request: storetest.Same, onUnknown: "reconcile: done", status: 201, replayed: true, after: idem.Replay},
	{records: []storetest.Record{storetest.LeaseOver}, owner: storetest.Leased, request: storetest.Same, onUnknown: "reconcile: not done", status: 201, ran: true, after: idem.Replay},
	{records: []storetest.Record{storetest.LeaseOver}, owner: storetest.Leased, request: storetest.Same, onUnknown: "reconcile: don't know", status: 409, code: "idempotency_outcome_unknown", after: idem.Unknown},
	{records: []storetest.Record{storetest.LeaseOver}, owner: storetest.Leased, request: storetest.Other, status: 409, code: "idempotency_conflict", after: idem.Unknown},

	{records: []storetest.Record{storetest.LeaseOver}, owner: storetest.Joined, request: storetest.Same, status: 201, ran: true, after: idem.Replay},
	{records: []storetest.Record{storetest.LeaseOver}, owner: storetest.Joined, request: storetest.Other, status: 409, code: "idempotency_conflict", after: idem.Absent},

	{records: []storetest.Record{storetest.Finalized}, request: storetest.Same, status: 201, replayed: true, after: idem.Replay},
	{records: []storetest.Record{storetest.Finalized}, request: storetest.Other, status: 409, code: "idempotency_conflict", after: idem.Replay},
	{records: []storetest.Record{storetest.Tombstoned}, request: storetest.Same, status: 409, code: "idempotency_response_unavailable", after: idem.Tombstone},
	{records: []storetest.Record{storetest.Tombstoned}, request: storetest.Other, status: 409, code: "idempotency_conflict", after: idem.Tombstone},
}

func (r row) covers(c storetest.Cell, onUnknown string) bool {
	return slices.Contains(r.records, c.Record) &&
		(r.owner == "" || r.owner == c.Owner) &&
		(r.request == "" || r.request == c.Request) &&
		(r.onUnknown == "" || r.onUnknown == onUnknown)
}

func TestEveryCellHasItsAnswerAndItsRowAfterwards(t *testing.T) {
	t.Parallel()
	answers := map[string]idem.Answer{"reconcile: not done": idem.NotDone(), "reconcile: don't know": idem.DontKnow()}
	r, err := idem.JSON(201, "found")
	if err != nil {
		t.Fatal(err)
	}
	answers["reconcile: done"] = idem.Done(r)
	both := []storetest.Mode{storetest.Leased, storetest.Joined}
	n := 0
	for _, record := range []storetest.Record{storetest.NoRecord, storetest.LiveLease, storetest.LeaseOver, storetest.Finalized, storetest.Tombstoned, storetest.PastRetention} {
		for _, owner := range both {
			for _, request := range []storetest.Request{storetest.Same, storetest.Other} {
				for _, newcomer := range both {
					for _, onUnknown := range []string{"reject", "reexecute", "reconcile: done", "reconcile: not done", "reconcile: don't know"} {
						n++
						cell := storetest.Cell{Record: record, Owner: owner, Request: request, Newcomer: newcomer}
						var covering []row
						for _, r := range rows {
							if r.covers(cell, onUnknown) {
								covering = append(covering, r)
							}
						}
						if len(covering) != 1 {
							t.Fatalf("%s, %s: covered by %d rows", cell.Name(), onUnknown, len(covering))
						}
						checkCell(t, cell, onUnknown, answers[onUnknown], covering[0])
					}
				}
			}
		}
	}
	if n != 6*2*2*2*5 {
		t.Errorf("%d cells", n)
	}
}

func checkCell(t *testing.T, cell storetest.Cell, onUnknown string, answer idem.Answer, want row) {
	t.Helper()
	b := newBench(t)
	b.svc.Reconcile = func(context.Context, idem.Question) (idem.Answer, error) { return answer, nil }
	policy := func(op *idem.Operation) {
		op.Policy.OnUnknown = idem.Reject
		if onUnknown == "reexecute" {
			op.Policy.OnUnknown = idem.Reexecute
		} else if strings.HasPrefix(onUnknown, "reconcile") {
			op.Policy.OnUnknown = idem.Reconcile
		}
	}
	req := httptest.NewRequest("POST", "/v1/transfers/42", strings.NewReader(payload))
	req.Header.Set("Content-Type", "application/json")
	fp, err := idem.RequestFingerprint(transferOperation(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cell.Arrange(t.Context(), b.store.Store, b.store.advance, recordKey("k1"), fp); err != nil {
		t.Fatal(err)
	}
	var h *idem.Handler
	if cell.Newcomer == storetest.Leased {
		h = idem.Handle(b.svc, transferOperation(policy), func(ctx context.Context, p transferPayload) (*idem.Response, error) {
			b.runs.Add(1)
			return created(ctx, p)
		})
	} else {
		h = idem.HandleTx(b.svc, transferOperation(policy), b.store, func(ctx context.Context, tx *fakeTx, p transferPayload) (*idem.Response, error) {
			b.runs.Add(1)
			return created(ctx, p)
		})
	}
	rec := httptest.NewRecorder()
	req = httptest.NewRequest("POST", "/v1/transfers/42", strings.NewReader(payload))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", "k1")
	h.ServeHTTP(rec, req)

	code := ""
	if strings.HasPrefix(rec.Header().Get("Content-Type"), "application/problem") {
		_, code, _ = strings.Cut(rec.Body.String(), `"code":"`)
		code, _, _ = strings.Cut(code, `"`)
	}
	got := fmt.Sprintf("%d %s, replayed %t, ran %t", rec.Code, code, rec.Header().Get("Idempotent-Replayed") == "true", b.runs.Load() > 0)
	wanted := fmt.Sprintf("%d %s, replayed %t, ran %t", want.status, want.code, want.replayed, want.ran)
	out, err := b.store.Store.Lookup(t.Context(), recordKey("k1"))
	if got != wanted || err != nil || out.State != want.after {
		t.Errorf("%s, %s: got %s, then state %d, %v; want %s, then %d", cell.Name(), onUnknown, got, out.State, err, wanted, want.after)
	}
}

// Instants are the store's, never the application's.
func TestTheClockIsTheStores(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.store.advance(1000 * time.Hour) // the application's clock has no say
	a, err := idem.Begin(t.Context(), b.svc, transferOperation(), aliceScope, "k1", rent)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if fence := time.UnixMicro(a.Fence()); time.Until(fence) < 999*time.Hour {
		t.Errorf("the fence is %v", fence)
	}
	wantLookup(t, b.store, "k1", idem.InProgress)
}
