package stores_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

// pgTrace remembers the statements of a pool.
type pgTrace struct {
	// before runs before each statement, where a test sets it.
	before func(text string)

	mu   sync.Mutex
	seen []pgStatement
}

type pgStatement struct {
	text string
	args []any
}

func (tr *pgTrace) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if tr.before != nil {
		tr.before(q.SQL)
	}
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.seen = append(tr.seen, pgStatement{q.SQL, q.Args})
	return ctx
}

func (tr *pgTrace) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// statements are those since it was last asked.
func (tr *pgTrace) statements() []pgStatement {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	seen := tr.seen
	tr.seen = nil
	return seen
}

// verb is what a statement does to a record that is there, or else its first word.
func (s pgStatement) verb() string {
	for _, verb := range []string{"UPDATE", "DELETE FROM"} {
		if strings.Contains(s.text, verb+" idempotency_keys") {
			return strings.Fields(verb)[0]
		}
	}
	return strings.ToUpper(strings.Fields(s.text)[0])
}

func openTracedPgx(t testing.TB) (pgStore[pgx.Tx], *pgTrace) {
	t.Helper()
	tr := new(pgTrace)
	s := openPgx(t, func(c *pgxpool.Config) { c.ConnConfig.Tracer = tr })
	tr.statements()
	return s, tr
}

// A new key costs one round trip, and so does each duplicate.
func TestPgStatementsOfBegin(t *testing.T) {
	t.Parallel()
	s, tr := openTracedPgx(t)
	wants := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, st := range tr.statements() {
			got = append(got, st.verb())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %q, not %q", what, got, want)
		}
	}
	r := reservation("k")
	begin(t, s, r, idem.Reserved)
	wants("a new key", "SELECT")
	begin(t, s, reservation("k"), idem.InProgress)
	wants("a duplicate in flight", "SELECT")
	if err := s.Finalize(t.Context(), r.Key, r.Token, idem.Response{Status: 201}, time.Hour); err != nil {
		t.Fatal(err)
	}
	wants("a result", "UPDATE")
	begin(t, s, reservation("k"), idem.Replay)
	wants("a replay", "SELECT")
	other := reservation("k")
	other.Fingerprint.Canon = 9
	begin(t, s, other, idem.Conflict)
	wants("a conflict", "SELECT")
	s.later(t, 2*time.Hour)
	again := joined("k")
	begin(t, s, again, idem.Reserved)
	wants("a key past its retention", "SELECT", "UPDATE")
	if err := s.InTx(t.Context(), again.Key, again.Token, func(tx pgx.Tx) error {
		return s.FinalizeTx(t.Context(), tx, again.Key, again.Token, idem.Response{Status: 201}, 0)
	}); err != nil {
		t.Fatal(err)
	}
	wants("a transaction", "BEGIN", "SELECT", "UPDATE", "COMMIT")
	if _, err := s.Sweep(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	wants("a sweep", "DELETE")
}

// Answers are plain reads: a session that may only read gives them too.
func TestPgDuplicatesAreReads(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	reader := pgstore.New(pgPool(t, s.dsn, pgSet("default_transaction_read_only", "on")))
	flight, done, lost, tombstone := reservation("flight"), reservation("done"), reservation("lost"), reservation("tombstone")
	begin(t, s, lost, idem.Reserved)
	s.later(t, time.Hour)
	for _, r := range []idem.Reservation{flight, done, tombstone} {
		begin(t, s, r, idem.Reserved)
	}
	err := errors.Join(
		s.Finalize(t.Context(), done.Key, done.Token, created, 0),
		s.Finalize(t.Context(), tombstone.Key, tombstone.Token, idem.Response{Status: 201, Tombstone: true}, 0))
	if err != nil {
		t.Fatal(err)
	}
	other := reservation("flight")
	other.Fingerprint.Canon = 9
	begin(t, reader, other, idem.Conflict)
	for key, want := range map[string]idem.State{
		"flight": idem.InProgress, "done": idem.Replay, "tombstone": idem.Tombstone, "lost": idem.Unknown,
	} {
		begin(t, reader, reservation(key), want)
		look(t, reader, reservation(key).Key, want)
	}
	if _, err := reader.Begin(t.Context(), reservation("new")); err == nil {
		t.Error("a session that may only read reserves a key")
	}
}

// What a duplicate leaves behind is cleaned up by nobody in time: it must leave nothing.
func TestPgDuplicatesLeaveNothing(t *testing.T) {
	t.Parallel()
	const duplicates = 300
	s := openPgx(t)
	pool := pgPool(t, s.dsn)
	busy := pgstore.New(pool)
	flight, done := reservation("flight"), reservation("done")
	begin(t, busy, flight, idem.Reserved)
	begin(t, busy, done, idem.Reserved)
	if err := busy.Finalize(t.Context(), done.Key, done.Token, idem.Response{Status: 201}, 0); err != nil {
		t.Fatal(err)
	}
	for range duplicates {
		begin(t, busy, reservation("flight"), idem.InProgress)
		begin(t, busy, reservation("done"), idem.Replay)
	}
	pool.Close() // a session tells its statistics when it ends
	st := s.statistics(t, func(st pgStatistics) bool { return st.scans >= 2*duplicates })
	// An insert that took its time writes its row once more, with a later fence.
	if st.inserted != 2 || st.updated > 3 || st.deleted != 0 || st.dead > 3 {
		t.Errorf("after 2 keys, 1 result and %d duplicates the table has had %+v", 2*duplicates, st)
	}
}

// An update that is not heap-only writes to every index, and leaves more for vacuum.
func TestPgFinalizeIsHeapOnly(t *testing.T) {
	t.Parallel()
	const workers, each = 8, 60
	s := openPgx(t)
	pool := pgPool(t, s.dsn)
	busy := pgstore.New(pool)
	var working sync.WaitGroup
	for w := range workers {
		working.Add(1)
		go func() {
			defer working.Done()
			for n := range each {
				r := reservation(fmt.Sprintf("5f1c0a52-8f6b-4a1e-9a55-%04d-%04d", w, n))
				response := idem.Response{Status: 201, Body: make([]byte, 400)}
				_, err := busy.Begin(t.Context(), r)
				err = errors.Join(err, busy.Renew(t.Context(), r.Key, r.Token, time.Minute))
				err = errors.Join(err, busy.Finalize(t.Context(), r.Key, r.Token, response, 0))
				if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	working.Wait()
	pool.Close()
	st := s.statistics(t, func(st pgStatistics) bool { return st.updated >= 2*workers*each })
	// One renewal and one result each. An insert that took its time writes its row once more, and is not counted.
	if st.heapOnly*100 < 2*workers*each*98 {
		t.Errorf("of %d updates %d were heap-only", 2*workers*each, st.heapOnly)
	}
}

// pgStatistics are what the server counts of a table.
type pgStatistics struct{ inserted, updated, heapOnly, deleted, dead, scans int64 }

// statistics waits for those of the records until enough says that all have been told.
func (p pgPlace) statistics(t *testing.T, enough func(pgStatistics) bool) (st pgStatistics) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := p.admin.QueryRow(t.Context(), `SELECT n_tup_ins, n_tup_upd, n_tup_hot_upd, n_tup_del, n_dead_tup, idx_scan
			FROM pg_stat_user_tables WHERE relid = 'idempotency_keys'::regclass`).
			Scan(&st.inserted, &st.updated, &st.heapOnly, &st.deleted, &st.dead, &st.scans)
		if err != nil {
			t.Fatal(err)
		}
		if enough(st) {
			return st
		}
		if time.Since(begun) > 10*time.Second {
			t.Fatalf("the server has only counted %+v", st)
		}
	}
}

// A statement that scans the table gets slower with every key that a service ever saw.
func TestPgStatementsUseIndexes(t *testing.T) {
	t.Parallel()
	s, tr := openTracedPgx(t)
	ctx, r, dead, old := t.Context(), reservation("k"), joined("dead"), reservation("old")
	begin(t, s, r, idem.Reserved)
	begin(t, s, dead, idem.Reserved)
	begin(t, s, old, idem.Reserved)
	if err := s.Finalize(ctx, old.Key, old.Token, idem.Response{Status: 201}, time.Second); err != nil {
		t.Fatal(err)
	}
	s.later(t, 2*time.Minute)
	s.exec(t, `INSERT INTO idempotency_keys SELECT tenant, actor, endpoint, convert_to(n::text, 'UTF8'), token, fence,
		joined, fingerprint, 201, '', '', lease_until, CASE WHEN n % 2 = 0 THEN created_at + n * 1000000000::bigint END, created_at
		FROM idempotency_keys, generate_series(1, 5000) AS n WHERE idempotency_key = '\x6b'`)
	s.exec(t, "ANALYZE idempotency_keys")
	if _, err := s.Lookup(ctx, dead.Key); err != nil {
		t.Fatal(err)
	}
	begin(t, s, joined("dead"), idem.Reserved)
	begin(t, s, reservation("old"), idem.Reserved)
	for verb, err := range map[string]error{
		"InTx":     s.InTx(ctx, r.Key, r.Token, func(pgx.Tx) error { return nil }),
		"Renew":    s.Renew(ctx, r.Key, r.Token, time.Minute),
		"Finalize": s.Finalize(ctx, r.Key, r.Token, idem.Response{Status: 201}, time.Hour),
		"Release":  s.Release(ctx, reservation("none").Key, r.Token),
	} {
		if err != nil {
			t.Fatalf("%s: %v", verb, err)
		}
	}
	if _, err := s.Sweep(ctx, 10); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(ctx, s.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	sweeps, plans := 0, 0
	for _, st := range tr.statements() {
		if verb := st.verb(); verb == "BEGIN" || verb == "COMMIT" || verb == "ROLLBACK" {
			continue
		}
		plans++
		steps := pgPlan(t, conn, st)
		if strings.Contains(steps, "Seq Scan") || strings.Contains(steps, "Sort Key") {
			t.Errorf("%s\nis done by\n%s", st.text, steps)
		}
		if strings.Contains(steps, "Index Cond: (expires_at <= $") && strings.Contains(steps, "Tid Scan") {
			sweeps++
		}
	}
	if sweeps != 1 || plans < 11 {
		t.Errorf("of %d statements %d use the index of what expires, not only the sweep", plans, sweeps)
	}
}

// pgPlan is the server's plan for a statement, whatever its parameters are.
func pgPlan(t *testing.T, conn *pgx.Conn, st pgStatement) string {
	t.Helper()
	for _, text := range []string{"DEALLOCATE ALL", "SET plan_cache_mode = force_generic_plan", "PREPARE st AS " + st.text} {
		if _, err := conn.PgConn().Exec(t.Context(), text).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	explain := "EXPLAIN EXECUTE st"
	if n := len(st.args); n > 0 {
		explain += "(NULL" + strings.Repeat(", NULL", n-1) + ")"
	}
	results, err := conn.PgConn().Exec(t.Context(), explain).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	for _, row := range results[0].Rows {
		steps = append(steps, string(row[0]))
	}
	return strings.Join(steps, "\n")
}
