package stores_test

import (
	"context"
	"database/sql"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Begin reads and then writes. Whatever happens between the two, it must not be overwritten.
func TestSQLiteBetweenReadAndWrite(t *testing.T) {
	t.Parallel()
	done := idem.Response{Status: 201}
	type other struct {
		sqlite
		owner idem.Reservation
		fence int64
	}
	finalize := func(ctx context.Context, o other) error {
		return o.Finalize(ctx, o.owner.Key, o.owner.Token, done, time.Hour)
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
		{"the free key is begun by another", release, false, reserve, idem.InProgress},
		{"the free key is begun and finalized", release, false, func(ctx context.Context, o other) error {
			if _, err := o.Begin(ctx, o.owner); err != nil {
				return err
			}
			return finalize(ctx, o)
		}, idem.Replay},
		{"the key past its retention is begun by another", finalize, false, reserve, idem.InProgress},
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
			return o.InTx(ctx, o.owner.Key, o.owner.Token, func(tx *sql.Tx) error {
				return o.FinalizeTx(ctx, tx, o.owner.Key, o.owner.Token, done, time.Hour)
			})
		}, idem.Replay},
		{"another reserves after the joined owner", nil, true, reserve, idem.InProgress},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			s, tr, plain := newTracedPair(t)
			o := other{sqlite: plain, owner: reservation("k")}
			o.owner.Joined = c.joined
			o.fence = begin(t, plain, o.owner, idem.Reserved).Fence
			if c.record != nil {
				if err := c.record(ctx, o); err != nil {
					t.Fatal(err)
				}
			}
			advance(t, plain, 2*time.Hour)
			happened := false
			tr.before = func(st statement) {
				if write := st.verb() == "INSERT" || st.verb() == "UPDATE"; !write || happened {
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

// A duplicate that reads "absent" just before the winner reserves does not wait for the winner's
// transaction, which has the writer's lock for as long as its handler works.
func TestSQLiteDuplicateDoesNotWaitForTheWinner(t *testing.T) {
	t.Parallel()
	s, tr, plain := newTracedPair(t)
	winner, finish, ended := joined("k"), make(chan struct{}), make(chan error, 1)
	var once sync.Once
	tr.before = func(st statement) {
		if st.verb() != "INSERT" {
			return
		}
		once.Do(func() {
			begin(t, plain, winner, idem.Reserved)
			locked := make(chan struct{})
			go func() {
				ended <- plain.InTx(context.Background(), winner.Key, winner.Token, func(*sql.Tx) error {
					close(locked)
					<-finish
					return nil
				})
			}()
			<-locked
		})
	}
	quickly(t, func() { begin(t, s, joined("k"), idem.InProgress) })
	close(finish)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
