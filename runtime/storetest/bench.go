package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// The times that the rules work with: long beside what a slow store takes for a rule.
const (
	lease = time.Minute
	keep  = time.Hour
)

// over is what must pass for a lease to be over for certain.
const over = lease + time.Second

func key(value string) idem.Key {
	return idem.Key{Scope: idem.Scope{Tenant: "acme", Actor: "u-17"}, Endpoint: "claims.create", Value: value}
}

// fingerprint is that of a request that is told from others by n.
func fingerprint(n byte) idem.Fingerprint {
	return idem.Fingerprint{Canon: 1, Rules: [4]byte{1, 2, 3, 4}, Sum: [32]byte{n}}
}

// reservation is a newcomer's, with a token of its own.
func reservation(k idem.Key) idem.Reservation {
	return idem.Reservation{Key: k, Token: idem.NewToken(), Fingerprint: fingerprint(1), Lease: lease}
}

func response(body string) idem.Response {
	return idem.Response{Status: 201, Header: http.Header{"Content-Type": {"text/plain"}}, Body: []byte(body)}
}

// reserve begins k for a new owner.
func (b *Bench) reserve(ctx context.Context, k idem.Key) (idem.Reservation, idem.Outcome, error) {
	r := reservation(k)
	o, err := b.begin(ctx, r, idem.Reserved)
	return r, o, err
}

// begin begins, and is an error unless the answer is the wanted one.
func (b *Bench) begin(ctx context.Context, r idem.Reservation, want idem.State) (idem.Outcome, error) {
	o, err := b.Begin(ctx, r)
	if err != nil {
		return o, fmt.Errorf("begin: %w", err)
	}
	if o.State != want {
		return o, fmt.Errorf("begin says %s, not %s", StateName(o.State), StateName(want))
	}
	return o, nil
}

// look is an error unless Lookup says want.
func (b *Bench) look(ctx context.Context, k idem.Key, want idem.State) error {
	o, err := b.Lookup(ctx, k)
	if err != nil {
		return fmt.Errorf("lookup: %w", err)
	}
	if o.State != want {
		return fmt.Errorf("lookup says %s, not %s", StateName(o.State), StateName(want))
	}
	return nil
}

// replays is an error unless the key's response has this body.
func (b *Bench) replays(ctx context.Context, k idem.Key, body string) error {
	o, err := b.Lookup(ctx, k)
	if err != nil {
		return fmt.Errorf("lookup: %w", err)
	}
	if o.State != idem.Replay || !bytes.Equal(o.Response.Body, []byte(body)) {
		return fmt.Errorf("the key has %s %q, not the result %q", StateName(o.State), o.Response.Body, body)
	}
	return nil
}

// finalized reserves k and finalizes it.
func (b *Bench) finalized(ctx context.Context, k idem.Key, r idem.Response, keep time.Duration) error {
	owner, _, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	return succeeds("finalize", b.Finalize(ctx, k, owner.Token, r, keep))
}

// takenOver reserves k, lets the lease end and lets another owner take the record over.
func (b *Bench) takenOver(ctx context.Context, k idem.Key) (late, owner idem.Reservation, err error) {
	late, o, err := b.reserve(ctx, k)
	if err != nil {
		return late, owner, err
	}
	b.advance(over)
	owner = reservation(k)
	owner.TakeOver = o.Fence
	_, err = b.begin(ctx, owner, idem.Reserved)
	return late, owner, err
}

// lost is an error unless err is [idem.ErrLost].
func lost(verb string, err error) error {
	if !errors.Is(err, idem.ErrLost) {
		return fmt.Errorf("%s says %v, not ErrLost", verb, err)
	}
	return nil
}

// succeeds names the verb of an error.
func succeeds(verb string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	return nil
}

// StateName is the state's name as Go code spells it.
func StateName(s idem.State) string {
	names := [...]string{"Absent", "Reserved", "Replay", "Conflict", "InProgress", "Unknown", "Tombstone"}
	if int(s) >= len(names) {
		return fmt.Sprintf("State(%d)", s)
	}
	return names[s]
}
