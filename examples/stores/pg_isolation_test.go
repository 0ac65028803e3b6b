package stores_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

// A joined reservation need not be durable, and the business transaction is as durable as its caller has it.
func TestPgOnlyTheJoinedReserveSparesTheDisk(t *testing.T) {
	t.Parallel()
	const callers = "remote_write"
	s := openPgx(t, pgConns(1), pgSet("synchronous_commit", callers))
	s.exec(t, `CREATE TABLE commits (name bytea, verb text, synchronous text)`)
	s.exec(t, `CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO commits VALUES (NEW.idempotency_key, TG_OP, current_setting('synchronous_commit')); RETURN NULL; END $$`)
	s.exec(t, `CREATE TRIGGER tell AFTER INSERT OR UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION tell()`)
	wants := func(name, verb, want string) {
		t.Helper()
		// All of them: a reservation that took long writes its row again, for its fence.
		got := pgAsk[string](t, s.pgPlace, `WITH told AS (DELETE FROM commits WHERE name = $1 RETURNING *)
			SELECT CASE WHEN bool_or(verb = $2) THEN string_agg(DISTINCT synchronous, ', ') ELSE 'never' END FROM told`, []byte(name), verb)
		if got != want {
			t.Errorf("%s of %s commits with synchronous_commit %s, not %s", verb, name, got, want)
		}
	}
	work := func(r idem.Reservation) error {
		return s.InTx(t.Context(), r.Key, r.Token, func(tx pgx.Tx) error {
			var got string
			err := tx.QueryRow(t.Context(), "SHOW synchronous_commit").Scan(&got)
			if got != callers {
				t.Errorf("in the transaction synchronous_commit is %s, not %s", got, callers)
			}
			return errors.Join(err, s.FinalizeTx(t.Context(), tx, r.Key, r.Token, created, 1))
		})
	}

	leased := reservation("leased")
	begin(t, s, leased, idem.Reserved)
	wants("leased", "INSERT", callers)
	if err := s.Finalize(t.Context(), leased.Key, leased.Token, created, 0); err != nil {
		t.Fatal(err)
	}
	wants("leased", "UPDATE", callers)

	first := joined("joined")
	begin(t, s, first, idem.Reserved)
	wants("joined", "INSERT", "off")
	if err := work(first); err != nil {
		t.Fatal(err)
	}
	wants("joined", "UPDATE", callers)

	again := joined("joined") // past its retention of a nanosecond
	begin(t, s, again, idem.Reserved)
	wants("joined", "UPDATE", "off")
	if err := s.Renew(t.Context(), again.Key, again.Token, 0); err != nil {
		t.Fatal(err)
	}
	wants("joined", "UPDATE", callers)
	over := joined("joined")
	begin(t, s, over, idem.Reserved)
	wants("joined", "UPDATE", "off")
	if err := work(over); err != nil {
		t.Fatal(err)
	}
	wants("joined", "UPDATE", callers)
}

// Many newcomers at once: one wins, whatever isolation the pool begins with, and nobody hears of an error.
func TestPgRaces(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			s := openPgx(t, pgSet("default_transaction_isolation", level))
			pools := []*pgstore.Store[pgx.Tx]{s.Store, pgstore.New(pgPool(t, s.dsn, pgSet("default_transaction_isolation", level)))}
			for n := range 12 {
				won := 0
				for _, state := range race(t, pools, fmt.Sprint(n), n%2 == 0) {
					if state == idem.Reserved {
						won++
					}
				}
				if won != 1 {
					t.Errorf("of newcomers at once %d reserved the key", won)
				}
			}
		})
	}
}

// race lets newcomers begin a key at once.
func race(t *testing.T, pools []*pgstore.Store[pgx.Tx], key string, joined bool) []idem.State {
	const racers = 24
	var (
		states = make([]idem.State, racers)
		start  = make(chan struct{})
		racing sync.WaitGroup
	)
	for i := range racers {
		racing.Add(1)
		go func() {
			defer racing.Done()
			r := reservation(key)
			r.Joined = joined
			<-start
			o, err := pools[i%len(pools)].Begin(t.Context(), r)
			if err != nil {
				t.Error(err)
			}
			states[i] = o.State
		}()
	}
	close(start)
	racing.Wait()
	return states
}

// Two transactions that would not have seen each other's effect: at SERIALIZABLE the server refuses one, whose
// attempt has then done nothing and may begin again.
func TestPgSerializationFailureIsCertain(t *testing.T) {
	t.Parallel()
	s := openPgx(t, func(c *pgxpool.Config) { pgSet("default_transaction_isolation", "serializable")(c) })
	one, two := joined("one"), joined("two")
	begin(t, s, one, idem.Reserved)
	begin(t, s, two, idem.Reserved)
	withdraw := func(ctx context.Context, tx pgx.Tx, r idem.Reservation) error {
		var sum int
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM effects").Scan(&sum); err != nil {
			return err
		}
		return errors.Join(pgEffect(ctx, tx, r.Key.Value), s.FinalizeTx(ctx, tx, r.Key, r.Token, created, 0))
	}
	var inner error
	outer := s.InTx(t.Context(), one.Key, one.Token, func(tx pgx.Tx) error {
		if err := withdraw(t.Context(), tx, one); err != nil {
			return err
		}
		inner = s.InTx(t.Context(), two.Key, two.Token, func(tx pgx.Tx) error { return withdraw(t.Context(), tx, two) })
		return nil
	})
	var refused *pgconn.PgError
	if inner != nil || !errors.As(outer, &refused) || refused.Code != "40001" || errors.Is(outer, idem.ErrUncertain) {
		t.Fatalf("the transactions say %v and %v", inner, outer)
	}
	s.noEffect(t, "one")
	look(t, s, two.Key, idem.Replay)
	if err := s.Release(t.Context(), one.Key, one.Token); err != nil {
		t.Fatal(err)
	}
	again := joined("one")
	begin(t, s, again, idem.Reserved)
	if err := s.InTx(t.Context(), again.Key, again.Token, func(tx pgx.Tx) error { return withdraw(t.Context(), tx, again) }); err != nil {
		t.Error(err)
	}
}
