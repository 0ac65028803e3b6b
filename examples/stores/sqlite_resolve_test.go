package stores_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

// leave makes n records unknown.
func leave(t *testing.T, s sqlite, n int) {
	t.Helper()
	for i := range n {
		begin(t, s, reservation(fmt.Sprintf("lost-%02d", i)), idem.Reserved)
	}
	advance(t, s, 2*time.Minute)
}

func unresolved(t *testing.T, s sqlite, after string, limit int) ([]idem.Unresolved, string) {
	t.Helper()
	list, next, err := s.Unresolved(t.Context(), after, limit)
	if err != nil {
		t.Fatal(err)
	}
	return list, next
}

// Listing and settling read what is unknown, by an index that is as small as that, and each is one statement.
func TestSQLiteResolveStatements(t *testing.T) {
	t.Parallel()
	s, tr := newTraced(t)
	leave(t, s, 4)
	tr.verbs()
	list, next := unresolved(t, s, "", 2)
	second, _ := unresolved(t, s, next, 2)
	ctx, result := t.Context(), &idem.Response{Status: 201}
	if err := s.Resolve(ctx, list[0].Key, list[0].Fence, result, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Resolve(ctx, second[1].Key, second[1].Fence, nil, 0); err != nil {
		t.Fatal(err)
	}
	statements := tr.statements()
	const byIndex = "SEARCH idempotency_keys USING INDEX idempotency_keys_unresolved " +
		"((fence,tenant,actor,endpoint,idempotency_key)>(?,?,?,?,?))"
	const byKey = "SEARCH idempotency_keys USING INDEX idempotency_keys_unresolved " +
		"(fence=? AND tenant=? AND actor=? AND endpoint=? AND idempotency_key=?)"
	wants := []struct{ verb, plan string }{
		{"SELECT", byIndex}, {"SELECT", byIndex}, {"UPDATE", byKey}, {"DELETE", byKey},
	}
	if len(statements) != len(wants) {
		t.Fatalf("%d statements: %v", len(statements), statements)
	}
	for i, want := range wants {
		st := statements[i]
		// The trigger of a DELETE has a plan of its own, over the one row of idempotency_schema.
		steps, _, _ := strings.Cut(plan(t, s.db, st), "\n")
		if st.verb() != want.verb || steps != want.plan {
			t.Errorf("%s\nis done by\n%s, not\n%s", st.text, steps, want.plan)
		}
	}
	if steps := plan(t, s.db, statements[0]); strings.Contains(steps, "TEMP B-TREE") {
		t.Errorf("the list is sorted: %s", steps)
	}
}

// A heartbeat is the one statement of an attempt that comes again and again: it writes no index.
func TestSQLiteHeartbeatWritesNoIndex(t *testing.T) {
	t.Parallel()
	s, tr := newTraced(t)
	r := reservation("k")
	begin(t, s, r, idem.Reserved)
	tr.verbs()
	if err := s.Renew(t.Context(), r.Key, r.Token, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := s.Finalize(t.Context(), r.Key, r.Token, idem.Response{Status: 201}, time.Hour); err != nil {
		t.Fatal(err)
	}
	statements := tr.statements()
	if n := indexWrites(t, s, statements[0]); n != 0 {
		t.Errorf("a heartbeat writes to %d indexes", n)
	}
	if n := indexWrites(t, s, statements[1]); n == 0 {
		t.Error("a result takes its record out of no index: the count is wrong")
	}
}

// indexWrites counts the instructions of a statement's program that write to an index.
func indexWrites(t *testing.T, s sqlite, st statement) (n int) {
	t.Helper()
	rows, err := s.db.QueryContext(t.Context(), "EXPLAIN "+st.text, st.args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var opcode string
		var ignored any
		err := rows.Scan(&ignored, &opcode, &ignored, &ignored, &ignored, &ignored, &ignored, &ignored)
		if err != nil {
			t.Fatal(err)
		}
		if opcode == "IdxInsert" || opcode == "IdxDelete" {
			n++
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

// Whoever looks after an outage looks while the service works.
func TestSQLiteUnresolvedDoesNotWait(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ledger.db")
	s := openSQLite(t, file)
	leave(t, s, 3)
	holdLock(t, file)
	quickly(t, func() {
		if list, next := unresolved(t, s, "", 10); len(list) != 3 || next != "" {
			t.Errorf("%d are listed, and there are more after %q", len(list), next)
		}
	})
	impatient := sqlitestore.New(openFile(t, file, "busy_timeout(20)", "journal_mode(WAL)"))
	list, _ := unresolved(t, s, "", 1)
	for name, r := range map[string]*idem.Response{"finalize": {Status: 201}, "release": nil} {
		err := impatient.Resolve(t.Context(), list[0].Key, list[0].Fence, r, 0)
		if err == nil || !strings.HasPrefix(err.Error(), "resolve claims.create: database is locked") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// VACUUM gives rows other rowids, and records that were begun in one millisecond may have one fence: a cursor
// must be made of neither alone.
func TestSQLiteCursorOutlivesVacuum(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	for i := range 20 { // holes in the rowids
		r := reservation(fmt.Sprint(i))
		begin(t, s, r, idem.Reserved)
		begin(t, s, reservation(fmt.Sprintf("lost-%02d", i)), idem.Reserved)
		if err := s.Release(t.Context(), r.Key, r.Token); err != nil {
			t.Fatal(err)
		}
	}
	advance(t, s, 2*time.Minute)
	if _, err := s.db.ExecContext(t.Context(), "UPDATE idempotency_keys SET fence = 7"); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for after := ""; ; {
		list, next := unresolved(t, s, after, 3)
		for _, u := range list {
			seen[u.Key.Value]++
		}
		if next == "" {
			break
		}
		after = next
		if _, err := s.db.ExecContext(t.Context(), "VACUUM"); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		if name := fmt.Sprintf("lost-%02d", i); seen[name] != 1 {
			t.Errorf("%s is listed %d times", name, seen[name])
		}
	}
}

func TestSQLiteUnresolvedRefuses(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	leave(t, s, 2)
	_, good := unresolved(t, s, "", 1)
	const cursor = "list unresolved: the cursor is none of this store"
	for _, c := range []struct {
		name, after string
		limit       int
		want        string
	}{
		{"no limit", "", 0, "list unresolved: limit must be more than 0"},
		{"no base64", "!", 1, cursor},
		{"a part of a cursor", good[:len(good)/2], 1, cursor},
		{"more than a cursor", good + "AAAA", 1, cursor},
		{"a length beyond the end", "AgD_____DwAA", 1, cursor},
		{"nothing but a fence", "Ag", 1, cursor},
	} {
		if _, _, err := s.Unresolved(t.Context(), c.after, c.limit); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, not %s", c.name, err, c.want)
		}
	}
	err := s.Resolve(t.Context(), reservation("lost-00").Key, 1, nil, -1)
	if want := "resolve claims.create: retention must not be less than 0"; err == nil || err.Error() != want {
		t.Errorf("a retention below 0: %v, not %s", err, want)
	}
}

// The last page is known to be the last one, whatever the limit.
func TestSQLiteUnresolvedEndsWithItsLastRecord(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	leave(t, s, 4)
	for limit, more := range map[int]bool{3: true, 4: false, int(^uint(0) >> 1): false} {
		if list, next := unresolved(t, s, "", limit); len(list) != min(limit, 4) || (next != "") != more {
			t.Errorf("of at most %d there are %d, and then %q", limit, len(list), next)
		}
	}
}
