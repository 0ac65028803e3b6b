package stores_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

// pgLeave makes n records unknown.
func pgLeave(t *testing.T, s pgStore[pgx.Tx], n int) {
	t.Helper()
	for i := range n {
		begin(t, s, reservation(fmt.Sprintf("lost-%02d", i)), idem.Reserved)
	}
	s.later(t, 2*time.Minute)
}

func pgUnresolved(t *testing.T, s idem.Resolver, after string, limit int) ([]idem.Unresolved, string) {
	t.Helper()
	list, next, err := s.Unresolved(t.Context(), after, limit)
	if err != nil {
		t.Fatal(err)
	}
	return list, next
}

// Each is one statement. Listing goes by the index of what is leased, whatever else there is.
func TestPgResolveStatements(t *testing.T) {
	t.Parallel()
	s, tr := openTracedPgx(t)
	pgLeave(t, s, 4)
	s.exec(t, `INSERT INTO idempotency_keys SELECT tenant, actor, endpoint, convert_to(n::text, 'UTF8'), token, fence,
		n % 3 = 0, fingerprint, 201, '', '', lease_until, CASE WHEN n % 3 > 0 THEN created_at + 86400000000 END, created_at
		FROM idempotency_keys, generate_series(1, 5000) AS n WHERE idempotency_key = 'lost-00'`)
	s.exec(t, "ANALYZE idempotency_keys")
	tr.statements()
	list, next := pgUnresolved(t, s, "", 2)
	second, _ := pgUnresolved(t, s, next, 2)
	if err := s.Resolve(t.Context(), list[0].Key, list[0].Fence, &created, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Resolve(t.Context(), second[1].Key, second[1].Fence, nil, 0); err != nil {
		t.Fatal(err)
	}
	statements := tr.statements()
	conn, err := pgx.Connect(t.Context(), s.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	wants := []struct{ verb, plan string }{
		{"SELECT", "Index Scan using idempotency_keys_leased"}, {"SELECT", "Index Scan using idempotency_keys_leased"},
		{"UPDATE", "Index Scan using idempotency_keys_"}, {"DELETE", "Index Scan using idempotency_keys_"},
	}
	if len(statements) != len(wants) {
		t.Fatalf("%d statements: %v", len(statements), statements)
	}
	for i, want := range wants {
		st := statements[i]
		plan := pgPlan(t, conn, st)
		if st.verb() != want.verb || !strings.Contains(plan, want.plan) || strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s\nis done by\n%s", st.text, plan)
		}
	}
}

// With a retention the index is as small as the work in flight; joined records are never in it.
func TestPgLeasedIndexHoldsWhatCanBeUnknown(t *testing.T) {
	t.Parallel()
	p, _ := newPgDatabase(t, "") // whose rows no other test's transaction may still see
	s := newPg(t, pgstore.New(pgPool(t, p.dsn)), p)
	for name, keep := range map[string]time.Duration{"kept": time.Hour, "kept for ever": 0} {
		r := reservation(name)
		begin(t, s, r, idem.Reserved)
		if err := s.Finalize(t.Context(), r.Key, r.Token, created, keep); err != nil {
			t.Fatal(err)
		}
	}
	begin(t, s, joined("joined"), idem.Reserved)
	begin(t, s, reservation("in flight"), idem.Reserved)
	s.exec(t, "VACUUM idempotency_keys")
	s.exec(t, "REINDEX INDEX idempotency_keys_leased")
	if n := pgAsk[int](t, s.pgPlace, "SELECT reltuples::int FROM pg_class WHERE oid = 'idempotency_keys_leased'::regclass"); n != 2 {
		t.Errorf("the index has %d records, not the one in flight and the one kept for ever", n)
	}
}

// Whoever looks after an outage looks while the service works: it waits for nobody, and can be a session that may only read.
func TestPgUnresolvedDoesNotWait(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	pgLeave(t, s, 3)
	reader := pgstore.New(pgPool(t, s.dsn, pgSet("lock_timeout", "1ms"), pgSet("default_transaction_read_only", "on")))
	impatient := pgstore.New(pgPool(t, s.dsn, pgSet("lock_timeout", "20ms")))
	err := pgx.BeginFunc(t.Context(), s.admin, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SELECT FROM idempotency_keys FOR UPDATE"); err != nil {
			return err
		}
		list, next := pgUnresolved(t, reader, "", 10)
		if len(list) != 3 || next != "" {
			t.Fatalf("%d are listed, and there are more after %q", len(list), next)
		}
		for name, r := range map[string]*idem.Response{"finalize": {Status: 201}, "release": nil} {
			err := impatient.Resolve(t.Context(), list[0].Key, list[0].Fence, r, 0)
			if err == nil || !strings.HasPrefix(err.Error(), "resolve claims.create: ") || errors.Is(err, idem.ErrLost) {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Where the server must be asked again what it refused for others' sake, the late owner and the settlement exclude each other.
func TestPgResolveAgainstALateOwner(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			s := openPgx(t, pgSet("default_transaction_isolation", level))
			owner := reservation("k")
			o := begin(t, s, owner, idem.Reserved)
			s.later(t, 2*time.Minute)
			resolved := make(chan error, 1)
			err := pgx.BeginFunc(t.Context(), s.admin, func(tx pgx.Tx) error {
				// The owner's result is there, and not committed.
				if err := s.FinalizeTx(t.Context(), tx, owner.Key, owner.Token, created, 0); err != nil {
					return err
				}
				go func() { resolved <- s.Resolve(t.Context(), owner.Key, o.Fence, nil, 0) }()
				s.waitForLock(t)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := <-resolved; !errors.Is(err, idem.ErrLost) {
				t.Errorf("Resolve says %v, not ErrLost", err)
			}
			look(t, s, owner.Key, idem.Replay)
		})
	}
}

// Records that were begun in one microsecond have one fence, and VACUUM FULL moves rows: a cursor must be made of
// neither alone.
func TestPgCursorNeedsTheKey(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	pgLeave(t, s, 20)
	s.exec(t, "UPDATE idempotency_keys SET fence = 7")
	seen := map[string]int{}
	for after := ""; ; {
		list, next := pgUnresolved(t, s, after, 3)
		for _, u := range list {
			seen[u.Key.Value]++
		}
		if next == "" {
			break
		}
		after = next
		s.exec(t, "VACUUM FULL idempotency_keys")
	}
	for i := range 20 {
		if name := fmt.Sprintf("lost-%02d", i); seen[name] != 1 {
			t.Errorf("%s is listed %d times", name, seen[name])
		}
	}
}

// The last page is known to be the last one, whatever the limit.
func TestPgUnresolvedEndsWithItsLastRecord(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	pgLeave(t, s, 4)
	for limit, more := range map[int]bool{3: true, 4: false, int(^uint(0) >> 1): false} {
		if list, next := pgUnresolved(t, s, "", limit); len(list) != min(limit, 4) || (next != "") != more {
			t.Errorf("of at most %d there are %d, and then %q", limit, len(list), next)
		}
	}
	s.exec(t, `INSERT INTO idempotency_keys SELECT tenant, actor, endpoint, convert_to(n::text, 'UTF8'), token, fence + n,
		joined, fingerprint, NULL, NULL, NULL, lease_until, NULL, created_at
		FROM idempotency_keys, generate_series(1, 10000) AS n WHERE idempotency_key = 'lost-00'`)
	list, next := pgUnresolved(t, s, "", int(^uint(0)>>1))
	rest, end := pgUnresolved(t, s, next, int(^uint(0)>>1))
	if len(list) != 10_000 || len(rest) != 4 || end != "" {
		t.Errorf("of 10,004 the first page has %d, the second %d, and then %q", len(list), len(rest), end)
	}
}

// What one driver lists, any other settles.
func TestPgDriversResolveAlike(t *testing.T) {
	t.Parallel()
	p := newPgPlace(t)
	stores := pgStoresOn(t, p)
	for lister, l := range stores {
		for settler, s := range stores {
			r := reservation(lister + every() + settler)
			begin(t, s, r, idem.Reserved)
			p.later(t, 2*time.Minute)
			list, _ := pgUnresolved(t, l.(idem.Resolver), "", 10)
			if len(list) != 1 || list[0].Key != r.Key || list[0].Fingerprint != r.Fingerprint {
				t.Fatalf("%s lists %+v of what %s began", lister, list, settler)
			}
			for range 2 {
				if err := s.(idem.Resolver).Resolve(t.Context(), r.Key, list[0].Fence, &created, time.Hour); err != nil {
					t.Errorf("%s cannot settle what %s lists: %v", settler, lister, err)
				}
			}
			look(t, l, r.Key, idem.Replay)
		}
	}
}

func TestPgUnresolvedOfAPrefix(t *testing.T) {
	t.Parallel()
	p := newPgPlace(t)
	prefix := strings.Repeat("p", 40) // the longest: the names of the indexes must not be cut to one
	s := pgstore.New(pgPool(t, p.dsn, func(c *pgxpool.Config) { c.MaxConns = 2 }), pgstore.Prefix(prefix))
	for range 2 {
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	begin(t, s, reservation("k"), idem.Reserved)
	p.exec(t, "UPDATE "+prefix+"idempotency_keys SET lease_until = 1")
	list, _ := pgUnresolved(t, s, "", 1)
	if len(list) != 1 {
		t.Fatalf("%d are listed", len(list))
	}
	if err := s.Resolve(t.Context(), list[0].Key, list[0].Fence, nil, 0); err != nil {
		t.Error(err)
	}
}
