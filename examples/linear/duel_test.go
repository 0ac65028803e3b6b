package linear_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// A duel is a paused owner, its client, and this process, which serves the same operation from the same database.
type duel struct {
	t       *testing.T
	owner   *owner
	client  chan reply // the owner's answer
	service service
	key     string
}

// newDuel has an owner begin to work, and pauses it.
func newDuel(t *testing.T, address string, o order) (d *duel, session int) {
	t.Helper()
	s, err := openService(t.Context(), address, "second")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	o.Address, o.Lease = address, zombieLease
	d = &duel{t: t, owner: newOwner(t, o), service: s, key: "claim 7", client: make(chan reply, 1)}
	go func() { d.client <- d.sendToOwner() }()
	session = d.owner.working()
	d.owner.pause()
	return d, session
}

// sendToOwner is what the owner's client does. Its answer may take as long as the owner is paused.
func (d *duel) sendToOwner() reply {
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, d.owner.url, nil)
	if err != nil {
		return reply{body: err.Error()}
	}
	r.Header.Set("Idempotency-Key", `"`+d.key+`"`)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply{body: err.Error()}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return reply{body: err.Error()}
	}
	return reply{status: answer.StatusCode, body: string(body)}
}

// answered waits for the owner's answer.
func (d *duel) answered() reply {
	d.t.Helper()
	select {
	case r := <-d.client:
		return r
	case <-time.After(patience):
		d.t.Fatal("the owner's client has no answer")
		return reply{}
	}
}

// handler is this process's.
func (d *duel) handler(joined bool, unknown idem.OnUnknown, do work) http.Handler {
	serve := d.service.leased
	if joined {
		serve = d.service.joined
	}
	return serve(idem.New(d.service.store, scope), operation(zombieLease, unknown), do)
}

func second(context.Context, int) (*idem.Response, error) {
	return &idem.Response{Status: http.StatusCreated, Body: []byte("second")}, nil
}

// send sends the client's request to this process.
func (d *duel) send(h http.Handler) reply {
	r := httptest.NewRequest(http.MethodPost, "/claims", nil)
	r.Header.Set("Idempotency-Key", `"`+d.key+`"`)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return reply{status: w.Code, body: w.Body.String()}
}

// insist sends the request until the answer is another than that someone works on it.
func (d *duel) insist(h http.Handler) reply {
	d.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		r := d.send(h)
		if !r.is(http.StatusConflict, idem.CodeInProgress) {
			return r
		}
		if time.Now().After(deadline) {
			d.t.Fatal("the paused owner is never overtaken")
		}
	}
}

func (r reply) is(status int, text string) bool {
	return r.status == status && strings.Contains(r.body, text)
}

func (d *duel) want(who string, r reply, status int, text string) {
	d.t.Helper()
	if !r.is(status, text) {
		d.t.Errorf("%s: %v, not %d %q", who, r, status, text)
	}
}

// record is what there is at last.
func (d *duel) record(state idem.State, body string) {
	d.t.Helper()
	o, err := d.service.store.Lookup(d.t.Context(), zombieKey(d.key))
	if err != nil || o.State != state || string(o.Response.Body) != body {
		d.t.Errorf("the record is %s with %q, %v; not %s with %q",
			storetest.StateName(o.State), o.Response.Body, err, storetest.StateName(state), body)
	}
}

// woken waits until the resumed owner's handler has learnt that it lost.
func (d *duel) woken() word {
	d.t.Helper()
	said := d.owner.listen("that it has woken", func(said word) bool { return said.Woken })
	if said.Cause != idem.ErrLost.Error() {
		d.t.Errorf("the handler's context ended because of %q, not %q", said.Cause, idem.ErrLost)
	}
	return said
}

// cannot fails the test where the owner could still do anything to the record.
func (d *duel) cannot(said word) {
	d.t.Helper()
	if said.Renew != "lost" || said.Finalize != "lost" {
		d.t.Errorf("the late owner's Renew: %s; its Finalize: %s; neither is lost", said.Renew, said.Finalize)
	}
}

// holds fails the test where the record could be taken from its owner.
func (d *duel) holds() {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), 5*time.Second)
	defer cancel()
	o, err := d.service.store.Lookup(ctx, zombieKey(d.key))
	if err != nil || o.State != idem.InProgress {
		d.t.Errorf("Lookup says %s, %v", storetest.StateName(o.State), err)
	}
	o, err = d.service.store.Begin(ctx, idem.Reservation{
		Key: zombieKey(d.key), Token: idem.NewToken(), Fingerprint: o.Fingerprint, Lease: time.Minute, TakeOver: o.Fence,
	})
	if err != nil || o.State != idem.InProgress {
		d.t.Fatalf("Begin with the fence says %s, %v", storetest.StateName(o.State), err)
	}
}

// effects fails the test unless who worked is all that has committed.
func (d *duel) effects(who string) {
	d.t.Helper()
	if all, err := d.service.effects(d.t.Context()); err != nil || all != who {
		d.t.Errorf("the effects are of %q, %v; not of %q", all, err, who)
	}
}

// untimed is insist for a request that may take its time. It may not end the test.
func (d *duel) untimed(h http.Handler) reply {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if r := d.send(h); !r.is(http.StatusConflict, idem.CodeInProgress) {
			return r
		}
	}
	return reply{body: fmt.Sprintf("none in %v", patience)}
}
