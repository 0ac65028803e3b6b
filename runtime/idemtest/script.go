package idemtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// point is a moment in the life of a record.
type point uint8

const (
	reserved       point = iota // the store has reserved, and nobody knows yet
	beforeTx                    // the transaction is not open yet
	afterTx                     // the transaction is committed, and nobody knows yet
	beforeFinalize              // the work is done
	afterFinalize               // the response is stored, and nobody knows yet
)

// reservation is a record that somebody owns, and the store that has it.
type reservation struct {
	store  idem.Store
	key    idem.Key
	token  idem.Token
	joined bool
}

// endLease makes the record one whose owner is not heard of any more, without waiting for that.
func (r reservation) endLease() error {
	if err := r.store.Renew(context.Background(), r.key, r.token, 0); err != nil {
		return fmt.Errorf("end the lease: %w", err)
	}
	return nil
}

// script is what the store does at the next point of each kind, beside its work. Each act is done once.
type script struct {
	mu     sync.Mutex
	acts   map[point]func() error
	down   bool
	over   bool // the test is
	calls  sync.WaitGroup
	begins int
	last   reservation
}

// errDown is what a store answers that is down.
var errDown = errors.New("idemtest: the store is down")

// at has act done at the next p: an error is the store's answer, and what it was to do before p is done, after p is
// not.
func (s *script) at(p point, act func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.acts == nil {
		s.acts = map[point]func() error{}
	}
	s.acts[p] = act
}

// pass does what is to be done at p.
func (s *script) pass(p point) error {
	s.mu.Lock()
	act := s.acts[p]
	delete(s.acts, p)
	s.mu.Unlock()
	if act == nil {
		return nil
	}
	return act()
}

// done says whether what was to be done at p was done, and drops it if not.
func (s *script) done(p point) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, waits := s.acts[p]
	delete(s.acts, p)
	return !waits
}

func (s *script) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// enter lets a call of the store in, unless it is down; leave must follow.
func (s *script) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down || s.over {
		return errDown
	}
	s.calls.Add(1)
	return nil
}

func (s *script) leave() { s.calls.Done() }

// end waits for the calls that are under way and lets no more in: a service goes on in the background, and its database
// is about to be closed.
func (s *script) end() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.calls.Wait()
}

// asked counts a Begin.
func (s *script) asked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begins++
}

// owned is told of a reservation.
func (s *script) owned(r reservation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = r
}

// seen is how often the store was asked to begin, and what it reserved last.
func (s *script) seen() (begins int, last reservation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begins, s.last
}

// kill is the end of a process at this point, as far as one request can tell: nothing that comes after
// it is done, and the client's connection breaks.
func kill() error { panic(http.ErrAbortHandler) }

// hold stops whoever reaches p.
func (s *script) hold(p point) *gate {
	g := &gate{reached: make(chan struct{}), open: make(chan struct{})}
	s.at(p, g.stop)
	return g
}

// gate stops one caller until it is opened.
type gate struct {
	reached, open chan struct{}
	once          sync.Once
}

func (g *gate) stop() error {
	close(g.reached)
	<-g.open
	return nil
}

func (g *gate) release() { g.once.Do(func() { close(g.open) }) }

// patience bounds every wait for what must come: a machine that is busy is not a fault.
const patience = 30 * time.Second

func await[T any](c <-chan T, what string) error { return awaitFor(patience, c, what) }

func awaitFor[T any](long time.Duration, c <-chan T, what string) error {
	select {
	case <-c:
		return nil
	case <-time.After(long):
		return fmt.Errorf("waited %v for %s", long, what)
	}
}
