package linear_test

import (
	"context"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// zombieLease is long enough for an owner that runs to keep, on a machine that is busy with other tests.
const zombieLease = 600 * time.Millisecond

// databases are where zombies are looked for.
var databases = []struct {
	name string
	open func(testing.TB) (address string)
	// terminate ends a session of the server's; nil where a transaction ends with its process alone.
	terminate func(t testing.TB, session int)
}{
	{"sqlite", func(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "records.db") }, nil},
	{"postgres", func(t testing.TB) string { return "postgres:" + newSchema(t) }, func(t testing.TB, session int) {
		onPostgres(t, "SELECT pg_terminate_backend($1)", session)
	}},
}

// TestZombie pauses an owner beyond its lease, in lease mode. When it is resumed its record is another's.
func TestZombie(t *testing.T) {
	t.Parallel()
	for _, db := range databases {
		t.Run(db.name, func(t *testing.T) {
			t.Parallel()
			t.Run("the next owner has finished", func(t *testing.T) {
				t.Parallel()
				d, _ := newDuel(t, db.open(t), order{Heeds: true, Tries: true})
				h := d.handler(false, idem.Reexecute, second)
				d.want("the next owner", d.insist(h), http.StatusCreated, "second")
				d.owner.resume()
				d.cannot(d.woken())
				d.want("the late owner's client", d.answered(), http.StatusCreated, "second")
				d.record(idem.Replay, "second")
			})
			t.Run("the next owner still works", func(t *testing.T) {
				t.Parallel()
				d, _ := newDuel(t, db.open(t), order{Heeds: true, Tries: true})
				began, finished := make(chan struct{}), make(chan struct{})
				finish := sync.OnceFunc(func() { close(finished) })
				t.Cleanup(finish)
				h := d.handler(false, idem.Reexecute, func(ctx context.Context, session int) (*idem.Response, error) {
					close(began)
					<-finished
					return second(ctx, session)
				})
				next := make(chan reply, 1)
				go func() { next <- d.untimed(h) }()
				select {
				case <-began:
				case r := <-next:
					t.Fatalf("the next owner does not work: %v", r)
				}
				d.owner.resume()
				d.cannot(d.woken())
				d.want("the late owner's client", d.answered(), http.StatusConflict, idem.CodeInProgress)
				d.record(idem.InProgress, "")
				finish()
				d.want("the next owner", <-next, http.StatusCreated, "second")
				d.record(idem.Replay, "second")
			})
			t.Run("nobody was next", func(t *testing.T) {
				t.Parallel()
				d, _ := newDuel(t, db.open(t), order{Heeds: true})
				h := d.handler(false, idem.Reject, second)
				d.want("a duplicate", d.insist(h), http.StatusConflict, idem.CodeOutcomeUnknown)
				d.owner.resume()
				d.woken()
				d.want("the late owner's client", d.answered(), http.StatusConflict, idem.CodeOutcomeUnknown)
				d.record(idem.Unknown, "")
			})
			t.Run("the handler heeds nothing", func(t *testing.T) {
				t.Parallel()
				d, _ := newDuel(t, db.open(t), order{})
				h := d.handler(false, idem.Reexecute, second)
				d.want("the next owner", d.insist(h), http.StatusCreated, "second")
				d.owner.goOn()
				d.owner.resume()
				d.want("the late owner's client", d.answered(), http.StatusCreated, "second")
				d.record(idem.Replay, "second")
			})
		})
	}
}

// TestZombieJoined pauses an owner beyond its lease within its transaction. For as long as that lives nobody overtakes it.
func TestZombieJoined(t *testing.T) {
	t.Parallel()
	for _, db := range databases {
		t.Run(db.name, func(t *testing.T) {
			t.Parallel()
			t.Run("its transaction lives", func(t *testing.T) {
				t.Parallel()
				d, _ := newDuel(t, db.open(t), order{Joined: true})
				h := d.handler(true, idem.Reexecute, second)
				for start := time.Now(); time.Since(start) < 3*zombieLease; time.Sleep(20 * time.Millisecond) {
					d.want("a duplicate", d.send(h), http.StatusConflict, idem.CodeInProgress)
					d.holds()
				}
				d.owner.goOn()
				d.owner.resume()
				d.want("the owner's client", d.answered(), http.StatusCreated, "first")
				d.want("a duplicate", d.send(h), http.StatusCreated, "first")
				d.effects("first")
			})
			if db.terminate == nil {
				return
			}
			t.Run("the server has ended it", func(t *testing.T) {
				t.Parallel()
				d, session := newDuel(t, db.open(t), order{Joined: true})
				db.terminate(t, session)
				h := d.handler(true, idem.Reexecute, second)
				d.want("the next owner", d.insist(h), http.StatusCreated, "second")
				d.owner.goOn()
				d.owner.resume()
				d.want("the late owner's client", d.answered(), http.StatusServiceUnavailable, idem.CodeUnavailable)
				d.want("the late owner's client again", d.sendToOwner(), http.StatusCreated, "second")
				d.effects("second")
			})
		})
	}
}
