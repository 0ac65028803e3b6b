package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A Cell is one cell of the table of what Begin answers. See [Cells].
type Cell struct {
	Record   Record   // what is there for the key
	Owner    Mode     // how its owner works, or worked
	Request  Request  // is the newcomer's request the one that the record is for?
	Newcomer Mode     // how the newcomer would work
	TakeOver TakeOver // what the newcomer names to take over

	// Want is Begin's answer. With Reserved comes a higher fence than the record's, with every other
	// state the record's own.
	Want idem.State
	// After is Lookup's answer afterwards. Where Want is not Reserved it is what it was before.
	After idem.State
	// Rule names the rule in [Rules] that Want belongs to. After belongs to lookup-tells-what-is-there.
	Rule string
}

// Record is what a store has for a key.
type Record string

// The records.
const (
	NoRecord      Record = "no record"
	LiveLease     Record = "live lease"
	LeaseOver     Record = "lease over"
	Finalized     Record = "finalized"
	Tombstoned    Record = "tombstone"
	PastRetention Record = "past retention"
)

// Mode is how an owner works: by a lease, or joined in one transaction.
type Mode string

// The modes.
const (
	Leased Mode = "leased"
	Joined Mode = "joined"
)

// Request is how a newcomer's fingerprint compares with the record's.
type Request string

// The requests.
const (
	Same  Request = "same request"
	Other Request = "other request"
)

// TakeOver is the fence that a newcomer names.
type TakeOver string

// The fences.
const (
	NoFence    TakeOver = "no fence"
	ItsFence   TakeOver = "its fence"
	OtherFence TakeOver = "other fence"
)

// Name describes the cell up to the answer.
func (c Cell) Name() string {
	return fmt.Sprintf("%s %s, %s %s with %s", c.Owner, c.Record, c.Newcomer, c.Request, c.TakeOver)
}

// Arrange makes the cell's record for k. request is the fingerprint that the newcomer's request will have,
// and advance lets time pass on the store's clock. It returns the record's fence, 0 for NoRecord.
func (c Cell) Arrange(ctx context.Context, s idem.Store, advance func(time.Duration),
	k idem.Key, request idem.Fingerprint) (int64, error) {
	if c.Record == NoRecord {
		return 0, nil
	}
	r := idem.Reservation{Key: k, Token: idem.NewToken(), Fingerprint: request, Lease: lease, Joined: c.Owner == Joined}
	if c.Request == Other {
		r.Fingerprint.Sum[0]++
	}
	o, err := s.Begin(ctx, r)
	if err != nil || o.State != idem.Reserved {
		return 0, fmt.Errorf("begin of a new key says %s, %v", StateName(o.State), err)
	}
	switch c.Record {
	case LeaseOver:
		advance(over)
	case Finalized:
		err = s.Finalize(ctx, k, r.Token, response("done"), keep)
	case Tombstoned:
		err = s.Finalize(ctx, k, r.Token, idem.Response{Status: 201, Tombstone: true}, keep)
	case PastRetention:
		err = s.Finalize(ctx, k, r.Token, response("done"), keep)
		advance(keep + time.Second)
	}
	return o.Fence, succeeds("finalize", err)
}

// begin lets the newcomer begin, and returns the fence of the record that it met.
func (c Cell) begin(ctx context.Context, b *Bench, k idem.Key) (idem.Outcome, int64, error) {
	newcomer := reservation(k)
	fence, err := c.Arrange(ctx, b, b.advance, k, newcomer.Fingerprint)
	if err != nil {
		return idem.Outcome{}, 0, err
	}
	newcomer.Joined = c.Newcomer == Joined
	switch c.TakeOver {
	case ItsFence:
		newcomer.TakeOver = fence
	case OtherFence:
		newcomer.TakeOver = fence - 1
	}
	o, err := b.begin(ctx, newcomer, c.Want)
	return o, fence, err
}

// checkAnswer is for what Begin says.
func (c Cell) checkAnswer(ctx context.Context, b *Bench, k idem.Key) error {
	o, fence, err := c.begin(ctx, b, k)
	if err != nil {
		return err
	}
	return errors.Join(checkFence(o, fence), checkResponse(o, c.Record))
}

// checkAfter is for what Lookup says then. A wrong answer of Begin is another rule's.
func (c Cell) checkAfter(ctx context.Context, b *Bench, k idem.Key) error {
	if _, _, err := c.begin(ctx, b, k); err != nil {
		return nil
	}
	return b.look(ctx, k, c.After)
}

func checkFence(o idem.Outcome, fence int64) error {
	switch {
	case o.State == idem.Reserved && o.Fence <= fence:
		return fmt.Errorf("the new fence %d is not above %d", o.Fence, fence)
	case o.State != idem.Reserved && o.Fence != fence:
		return fmt.Errorf("the fence is %d, not the record's %d", o.Fence, fence)
	}
	return nil
}

// checkResponse is for what a state shows of the response: only to whom it belongs.
func checkResponse(o idem.Outcome, record Record) error {
	status, tombstone := 0, false
	if o.State == idem.Replay || o.State == idem.Tombstone {
		status, tombstone = 201, record == Tombstoned
	}
	if o.Response.Status != status || o.Response.Tombstone != tombstone {
		return fmt.Errorf("the response has status %d (tombstone: %t), not %d (%t)",
			o.Response.Status, o.Response.Tombstone, status, tombstone)
	}
	return nil
}

// answers checks what Begin says in the cells of the bench's rule.
func answers(ctx context.Context, b *Bench) error {
	return b.each(func(c Cell, k idem.Key) error {
		if c.Rule != b.rule {
			return nil
		}
		return c.checkAnswer(ctx, b, k)
	})
}

// lookupTellsWhatIsThere checks what Lookup says in every cell.
func lookupTellsWhatIsThere(ctx context.Context, b *Bench) error {
	return b.each(func(c Cell, k idem.Key) error { return c.checkAfter(ctx, b, k) })
}

func (b *Bench) each(check func(Cell, idem.Key) error) error {
	var errs []error
	for i, c := range Cells {
		if err := check(c, key(fmt.Sprintf("cell-%d", i))); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Name(), err))
		}
	}
	return errors.Join(errs...)
}
