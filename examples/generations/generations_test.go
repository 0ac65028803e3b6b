package generations

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/idemgen/idemgen/examples/generations/one"
	"github.com/idemgen/idemgen/examples/generations/two"
	"github.com/idemgen/idemgen/gen"
	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/memstore"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

var update = flag.Bool("update", false, "write the generated packages again")

// The two packages are what the two documents generate, the second over the first one's lock.
func TestThePackagesAreGenerated(t *testing.T) {
	t.Parallel()
	first := generated(t, gen.Config{Spec: "one.yaml", Package: "one"})
	generated(t, gen.Config{Spec: "two.yaml", Package: "two", Lock: first, Accept: gen.Accept{
		Renames: map[string]string{"refunds.create": "orders.refunds.create"},
		Changes: []string{"orders.create"},
	}})
}

// generated compares a package with what is generated, and returns its lock.
func generated(t *testing.T, cfg gen.Config) (lock []byte) {
	t.Helper()
	out, err := gen.Generate(os.DirFS("."), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Files {
		if strings.HasSuffix(f.Name, "_test.go") {
			continue // the tests here are what the two are for
		}
		if f.Name == gen.LockName {
			lock = f.Data
		}
		path := filepath.Join(cfg.Package, f.Name)
		if *update {
			if err := os.MkdirAll(cfg.Package, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != string(f.Data) {
			t.Errorf("%s is not what is generated (%v): run go test ./generations -update", path, err)
		}
	}
	return lock
}

// The generator cannot import the runtime, and says the version of its canonical form by itself.
func TestTheLockIsOfTheRuntimesCanonicalForm(t *testing.T) {
	t.Parallel()
	lock, err := os.ReadFile(filepath.Join("two", gen.LockName))
	if want := fmt.Sprintf("\ncanon: %d\n", canon.Version); err != nil || !strings.Contains(string(lock), want) {
		t.Errorf("the lock does not say %q (%v)", want, err)
	}
}

// deploy is two generations of a service on one store.
type deploy struct {
	t        *testing.T
	old, new http.Handler
	ran      atomic.Int64
}

func onEveryStore(t *testing.T, test func(*deploy)) {
	stores := map[string]func(*testing.T) idem.Store{
		"memory": func(*testing.T) idem.Store {
			return memstore.New(memstore.Options{Capacity: 1000, Retention: time.Hour})
		},
		"SQLite": func(t *testing.T) idem.Store {
			db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: filepath.Join(t.TempDir(), "records.db"),
				RawQuery: "_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_txlock=immediate"}).String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			store := sqlitestore.New(db)
			if err := store.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			return store
		},
	}
	for name, newStore := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &deploy{t: t}
			store := newStore(t)
			work := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusCreated)
				fmt.Fprint(w, d.ran.Add(1))
			})
			d.old = one.Middleware(service(store), work)
			d.new = two.Middleware(service(store), work)
			test(d)
		})
	}
}

func service(store idem.Store) *idem.Service {
	svc := idem.New(store, func(*http.Request) (idem.Scope, error) { return idem.Scope{Tenant: "t", Actor: "a"}, nil })
	svc.Facts = func(r *http.Request) (map[string]string, error) {
		return map[string]string{"role": r.Header.Get("X-Role")}, nil
	}
	svc.Observer = func(context.Context, idem.Event) {}
	return svc
}

// send sends "/path body" under a key, and returns what came: "201 1", "201 1 replayed", "409 idempotency_conflict".
func (d *deploy) send(to http.Handler, key, request string, header ...string) string {
	d.t.Helper()
	target, body, _ := strings.Cut(request, " ")
	r := httptest.NewRequest("POST", target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	r.Header.Set("Idempotency-Key", key)
	w := httptest.NewRecorder()
	to.ServeHTTP(w, r)
	answer := fmt.Sprint(w.Code, " ", w.Body)
	if w.Code >= 400 {
		_, rest, _ := strings.Cut(w.Body.String(), `"code":"`)
		code, _, _ := strings.Cut(rest, `"`)
		answer = fmt.Sprint(w.Code, " ", code)
	}
	if w.Header().Get("Idempotent-Replayed") == "true" {
		answer += " replayed"
	}
	return answer
}

func (d *deploy) want(got, want string) {
	d.t.Helper()
	if got != want {
		d.t.Errorf("answered %s, want %s", got, want)
	}
}

// An honest retry across the deploy gets its result: the record is compared by the rules that it was written under.
func TestTheOldWritesAndTheNewReads(t *testing.T) {
	t.Parallel()
	const order = `/orders?trace=1 {"item":"book","note":"x","tags":["a","b"]}`
	onEveryStore(t, func(d *deploy) {
		d.want(d.send(d.old, "k", order), "201 1")
		d.want(d.send(d.new, "k", order), "201 1 replayed")
		d.want(d.send(d.new, "k", order, "X-Channel: web"), "201 1 replayed")
		d.want(d.send(d.new, "k", strings.Replace(order, "trace=1", "trace=2", 1)), "201 1 replayed")
		for what, other := range map[string]string{
			"another item":  strings.Replace(order, "book", "pen", 1),
			"another note":  strings.Replace(order, `"x"`, `"y"`, 1),
			"another order": strings.Replace(order, `"a","b"`, `"b","a"`, 1),
		} {
			if got := d.send(d.new, "k", other); got != "409 idempotency_conflict" {
				d.t.Errorf("%s is answered %s", what, got)
			}
		}
		d.want(d.send(d.old, "k", order), "201 1 replayed")
		if n := d.ran.Load(); n != 1 {
			d.t.Errorf("the work was done %d times", n)
		}
	})
}

// A process that is not replaced yet refuses what it cannot compare, and runs nothing.
func TestTheNewWritesAndTheOldRefuses(t *testing.T) {
	t.Parallel()
	const order = `/orders?trace=1 {"item":"book","note":"x","tags":["a","b"]}`
	onEveryStore(t, func(d *deploy) {
		d.want(d.send(d.new, "k", order), "201 1")
		d.want(d.send(d.old, "k", order), "503 idempotency_unavailable")
		d.want(d.send(d.old, "k", strings.Replace(order, "book", "pen", 1)), "503 idempotency_unavailable")
		d.want(d.send(d.new, "k", `/orders?trace=1 {"item":"book","note":"y","tags":["b","a"]}`), "201 1 replayed")
		d.want(d.send(d.new, "k", order, "X-Channel: web"), "409 idempotency_conflict")
		d.want(d.send(d.new, "k", strings.Replace(order, "trace=1", "trace=2", 1)), "409 idempotency_conflict")
		if n := d.ran.Load(); n != 1 {
			d.t.Errorf("the work was done %d times", n)
		}
	})
}

// What only former rules compare, a header and a fact about the caller, is asked for as long as there are such records.
func TestWhatOnlyFormerRulesCompare(t *testing.T) {
	t.Parallel()
	account, role := "X-Account: 1", "X-Role: clerk"
	onEveryStore(t, func(d *deploy) {
		d.want(d.send(d.old, "k1", "/orders", account, role), "201 1")
		d.want(d.send(d.new, "k1", "/orders", account, role), "201 1 replayed")
		d.want(d.send(d.new, "k1", "/orders", "X-Account: 2", role), "409 idempotency_conflict")
		d.want(d.send(d.new, "k1", "/orders", account, "X-Role: owner"), "409 idempotency_conflict")
		d.want(d.send(d.new, "k2", "/orders", account, role), "201 2")
		d.want(d.send(d.new, "k2", "/orders", "X-Account: 2", "X-Role: owner"), "201 2 replayed")
		d.want(d.send(d.old, "k2", "/orders", account, role), "503 idempotency_unavailable")
		if n := d.ran.Load(); n != 2 {
			d.t.Errorf("the work was done %d times", n)
		}
	})
}

// A renamed endpoint, and a renamed path parameter, are the same to both generations, in both directions.
func TestARenameIsNoticedByNobody(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(d *deploy) {
		d.want(d.send(d.old, "k1", "/orders/7/refunds"), "201 1")
		d.want(d.send(d.new, "k1", "/orders/7/refunds"), "201 1 replayed")
		d.want(d.send(d.new, "k1", "/orders/8/refunds"), "409 idempotency_conflict")
		d.want(d.send(d.new, "k2", "/orders/7/refunds"), "201 2")
		d.want(d.send(d.old, "k2", "/orders/7/refunds"), "201 2 replayed")
		d.want(d.send(d.old, "k2", "/orders/8/refunds"), "409 idempotency_conflict")
	})
}

// Old and new side by side are one scope: of a race between them one runs, of renamed endpoints and where the rules
// changed.
func TestARaceAcrossTheDeploy(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(d *deploy) {
		const keys = 20
		for k := range keys {
			var group sync.WaitGroup
			for _, to := range []http.Handler{d.old, d.new, d.old, d.new} {
				group.Go(func() { d.send(to, fmt.Sprint("k", k), "/orders/7/refunds") })
				group.Go(func() { d.send(to, fmt.Sprint("k", k), `/orders?trace=1 {"tags":["a","b"]}`) })
			}
			group.Wait()
		}
		if n := d.ran.Load(); n != 2*keys {
			d.t.Errorf("the work was done %d times for %d keys of two operations", n, keys)
		}
	})
}
