package stores_test

import (
	"database/sql"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Duplicates are the common case under a retry storm: each is one read.
func TestSQLiteStatementsOfBegin(t *testing.T) {
	t.Parallel()
	s, tr := newTraced(t)
	wants := func(what string, want ...string) {
		t.Helper()
		if got := tr.verbs(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %q, not %q", what, got, want)
		}
	}
	r := reservation("k")
	begin(t, s, r, idem.Reserved)
	wants("a new key", "SELECT", "PRAGMA", "PRAGMA", "BEGIN", "INSERT", "PRAGMA")
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
	advance(t, s, 2*time.Hour)
	tr.verbs()
	again := joined("k")
	begin(t, s, again, idem.Reserved)
	wants("a key past its retention", "SELECT", "PRAGMA", "PRAGMA", "BEGIN", "INSERT", "PRAGMA")
	if err := s.InTx(t.Context(), again.Key, again.Token, func(*sql.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	wants("a transaction", "BEGIN", "UPDATE")
	if _, err := s.Sweep(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	wants("a sweep", "DELETE")
}

// SQLite takes longer to read a statement than to run it. PRAGMA is short, and different each time.
func TestSQLiteStatementsAreReadOnce(t *testing.T) {
	t.Parallel()
	s, tr := newTraced(t)
	s.db.SetMaxOpenConns(1)
	for _, key := range []string{"first", "second"} {
		r := reservation(key)
		begin(t, s, r, idem.Reserved)
		if err := s.Finalize(t.Context(), r.Key, r.Token, idem.Response{Status: 201}, 0); err != nil {
			t.Fatal(err)
		}
		begin(t, s, reservation(key), idem.Replay)
	}
	times := map[string]int{}
	for _, text := range tr.read {
		if times[text]++; times[text] > 1 && !strings.HasPrefix(text, "PRAGMA") {
			t.Errorf("it is read again: %s", text)
		}
	}
	if len(times) < 3 {
		t.Errorf("only %d statements were seen", len(times))
	}
}

// A statement that scans the table gets slower with every key that a service ever saw.
func TestSQLiteStatementsUseIndexes(t *testing.T) {
	t.Parallel()
	s, tr := newTraced(t)
	ctx, r, dead := t.Context(), reservation("k"), joined("dead")
	begin(t, s, r, idem.Reserved)
	begin(t, s, dead, idem.Reserved)
	advance(t, s, 2*time.Minute)
	tr.verbs()
	if _, err := s.Lookup(ctx, dead.Key); err != nil {
		t.Fatal(err)
	}
	begin(t, s, joined("dead"), idem.Reserved)
	for verb, err := range map[string]error{
		"InTx":     s.InTx(ctx, r.Key, r.Token, func(*sql.Tx) error { return nil }),
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
	sweeps := 0
	for _, st := range tr.statements() {
		steps := plan(t, s.db, st)
		if strings.Contains(steps, "SCAN k") || strings.Contains(steps, "SCAN idempotency_keys") || strings.Contains(steps, "TEMP B-TREE") {
			t.Errorf("%s\nis done by\n%s", st.text, steps)
		}
		if strings.Contains(steps, "USING INDEX idempotency_keys_expiry (expires_at<?)") {
			sweeps++
		}
	}
	if sweeps != 1 {
		t.Errorf("%d statements use the index of what expires, not only the sweep", sweeps)
	}
}

// plan is SQLite's plan for a statement, one step a line.
func plan(t *testing.T, db *sql.DB, st statement) string {
	t.Helper()
	if st.verb() == "BEGIN" || st.verb() == "PRAGMA" {
		return ""
	}
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+st.text, st.args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}
