package stores_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

// Where Begin takes a second statement, it must not overwrite what happened before it.
func TestPgBetweenReadAndWrite(t *testing.T) {
	t.Parallel()
	type other struct {
		*pgstore.Store[pgx.Tx]
		owner idem.Reservation
		fence int64
	}
	finalize := func(ctx context.Context, o other) error {
		return o.Finalize(ctx, o.owner.Key, o.owner.Token, created, time.Hour)
	}
	release := func(ctx context.Context, o other) error {
		return o.Release(ctx, o.owner.Key, o.owner.Token)
	}
	reserve := func(ctx context.Context, o other) error {
		_, err := o.Begin(ctx, reservation("k"))
		return err
	}
	for _, c := range []struct {
		name    string
		record  func(ctx context.Context, o other) error // what becomes of the owner's reservation
		joined  bool
		between func(ctx context.Context, o other) error
		want    idem.State
	}{
		{"the key past its retention is begun by another", finalize, false, reserve, idem.InProgress},
		{"the key past its retention is swept", finalize, false, func(ctx context.Context, o other) error {
			_, err := o.Sweep(ctx, 1)
			return err
		}, idem.Reserved},
		{"the owner renews", nil, false, func(ctx context.Context, o other) error {
			return o.Renew(ctx, o.owner.Key, o.owner.Token, time.Minute)
		}, idem.InProgress},
		{"the owner finalizes", nil, false, finalize, idem.Replay},
		{"the owner releases", nil, false, release, idem.Reserved},
		{"another takes over", nil, false, func(ctx context.Context, o other) error {
			r := reservation("k")
			r.TakeOver = o.fence
			_, err := o.Begin(ctx, r)
			return err
		}, idem.InProgress},
		{"the joined owner commits", nil, true, func(ctx context.Context, o other) error {
			return o.InTx(ctx, o.owner.Key, o.owner.Token, func(tx pgx.Tx) error {
				return o.FinalizeTx(ctx, tx, o.owner.Key, o.owner.Token, created, time.Hour)
			})
		}, idem.Replay},
		{"another reserves after the joined owner", nil, true, reserve, idem.InProgress},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			s, tr := openTracedPgx(t)
			o := other{Store: pgstore.New(s.admin), owner: reservation("k")}
			o.owner.Joined = c.joined
			o.fence = begin(t, o, o.owner, idem.Reserved).Fence
			if c.record != nil {
				if err := c.record(ctx, o); err != nil {
					t.Fatal(err)
				}
			}
			s.later(t, 2*time.Hour)
			happened := false
			tr.before = func(text string) {
				if happened || !strings.Contains(text, "UPDATE idempotency_keys") {
					return
				}
				happened = true
				if err := c.between(ctx, o); err != nil {
					t.Error(err)
				}
			}
			late := reservation("k")
			late.TakeOver = o.fence
			begin(t, s, late, c.want)
			if !happened {
				t.Error("Begin did not write")
			}
		})
	}
}

// A key that another inserts after the statement's snapshot was taken is in neither half of it.
func TestPgLostRace(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			s := openPgx(t, pgSet("default_transaction_isolation", level))
			// The winner's row is there, and not committed: the loser finds it by the index alone, and waits.
			answered := make(chan idem.State, 1)
			err := pgx.BeginFunc(t.Context(), s.admin, func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), `INSERT INTO idempotency_keys (tenant, actor, endpoint, idempotency_key, token,
					fence, joined, fingerprint, lease_until, created_at) VALUES ('acme', 'u-17', 'claims.create', 'k',
					decode(repeat('00', 16), 'hex'), 1, false, decode(repeat('00', 37), 'hex'), $1, 1)`,
					time.Now().Add(time.Hour).UnixMicro())
				if err != nil {
					return err
				}
				go func() {
					o, err := s.Begin(t.Context(), reservation("k"))
					if err != nil {
						t.Error(err)
					}
					answered <- o.State
				}()
				s.waitForLock(t)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := <-answered; got != idem.InProgress {
				t.Errorf("Begin says state %d, not in progress", got)
			}
		})
	}
}
