package service_test

import (
	"database/sql"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/examples/ledger/service"
	"github.com/idemgen/idemgen/examples/ledger/service/servicetest"
	"github.com/idemgen/idemgen/runtime/idem"
)

// TestSurface sends each keyed operation of the document a write, its replay and a changed payload, over
// the running service, and compares the row counts of every table after each.
func TestSurface(t *testing.T) {
	t.Parallel()
	for _, w := range surface {
		t.Run(w.endpoint, func(t *testing.T) {
			t.Parallel()
			l := newLedger(t)
			before := l.count()

			first := l.send(w, w.body, "")
			if first.status != w.status {
				t.Fatalf("write: status %d, want %d: %s", first.status, w.status, first.body)
			}
			after := maps.Clone(before)
			after["idempotency_keys"]++
			after["events of "+w.endpoint]++
			for table, n := range w.rows {
				after[table] += n
			}
			l.compare("the write", after)

			replay := l.send(w, w.body, "")
			if replay.replayed != "true" || replay.status != first.status || replay.body != first.body || replay.location != first.location {
				t.Errorf("replay: %+v, want %+v", replay, first)
			}
			l.compare("the replay", after)

			body, path := w.changed, ""
			if strings.HasPrefix(w.changed, "/") {
				body, path = w.body, w.changed
			}
			changed := l.send(w, body, path)
			if changed.status != http.StatusConflict || !strings.Contains(changed.body, idem.CodeConflict) {
				t.Errorf("changed payload: status %d, want 409 %s: %s", changed.status, idem.CodeConflict, changed.body)
			}
			l.compare("the changed payload", after)
		})
	}
}

// TestSurfaceIsTheDocument fails when the document has a keyed operation that TestSurface does not send,
// or the other way round.
func TestSurfaceIsTheDocument(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^ +x-idempotency-endpoint: (\S+)$`).FindAllSubmatch(document, -1) {
		want = append(want, string(m[1]))
	}
	for _, w := range surface {
		got = append(got, w.endpoint)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("surface has the operations\n%s\nthe document has\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestExempt sends the document's exempt operations without a key: none is refused, and none writes.
func TestExempt(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	l := newLedger(t)
	before := l.count()
	routes := regexp.MustCompile(`(?m)^  (/\S+):\n(?:    parameters:\n(?:      - .*\n)+)?    post:\n      tags: .*\n      x-idempotency-exempt: \S`).FindAllSubmatch(document, -1)
	if len(routes) != 12 {
		t.Fatalf("the document has %d exempt routes, want 12", len(routes))
	}
	for _, m := range routes {
		path := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(string(m[1]), "x-1")
		if a := l.do("POST", path, "{}", http.Header{"Authorization": {"Bearer acme.alice"}}); a.status >= 300 {
			t.Errorf("POST %s: status %d: %s", path, a.status, a.body)
		}
	}
	l.compare("the exempt operations", before)
}

// ledger is a service of a test's own, over a database of its own.
type ledger struct {
	t   *testing.T
	db  *sql.DB
	url string
}

func newLedger(t *testing.T) *ledger {
	t.Helper()
	db := servicetest.Open(t)
	server := httptest.NewServer(service.New(db, service.Options{}))
	t.Cleanup(server.Close)
	return &ledger{t: t, db: db, url: server.URL}
}

type reply struct {
	status         int
	body, location string
	replayed       string
}

// send sends w with this body and, where it is not empty, another path.
func (l *ledger) send(w write, body, path string) reply {
	l.t.Helper()
	method, own, _ := strings.Cut(w.request, " ")
	if path == "" {
		path = own
	}
	header := http.Header{"Idempotency-Key": {"k-1"}, "Authorization": {"Bearer acme.alice"}}
	if w.as != "" {
		header.Set("Authorization", "Bearer "+w.as)
	}
	if body != "" {
		header.Set("Content-Type", "application/json")
	}
	if w.mediaType != "" {
		header.Set("Content-Type", w.mediaType)
	}
	if name, value, ok := strings.Cut(w.header, ": "); ok {
		header.Set(name, value)
	}
	return l.do(method, path, body, header)
}

func (l *ledger) do(method, path, body string, header http.Header) reply {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), method, l.url+path, strings.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	r.Header = header
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		l.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		l.t.Fatal(err)
	}
	return reply{response.StatusCode, string(text), response.Header.Get("Location"), response.Header.Get("Idempotent-Replayed")}
}

// count is the number of rows of every table, and of the events by their kind.
func (l *ledger) count() map[string]int {
	l.t.Helper()
	counts := map[string]int{}
	l.each(`SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'events'`, counts)
	for table := range counts {
		l.each(fmt.Sprintf(`SELECT %q, count(*) FROM %q`, table, table), counts)
	}
	l.each(`SELECT 'events of ' || kind, count(*) FROM events GROUP BY kind`, counts)
	return counts
}

func (l *ledger) each(query string, into map[string]int) {
	l.t.Helper()
	rows, err := l.db.Query(query)
	if err != nil {
		l.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			l.t.Fatal(err)
		}
		into[name] = n
	}
	if err := rows.Err(); err != nil {
		l.t.Fatal(err)
	}
}

func (l *ledger) compare(after string, want map[string]int) {
	l.t.Helper()
	got := l.count()
	for table, n := range got {
		if n != want[table] {
			l.t.Errorf("after %s: %s has %d rows, want %d", after, table, n, want[table])
		}
	}
	for table, n := range want {
		if _, there := got[table]; !there && n > 0 {
			l.t.Errorf("after %s: %s has no rows, want %d", after, table, n)
		}
	}
}
