package idemtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
)

// answer is a response, read whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a *answer) replayed() bool { return a.header.Get("Idempotent-Replayed") == "true" }

// String shows the status and the start of the body, for failure messages.
func (a *answer) String() string {
	const most = 200
	body := a.body
	if len(body) == 0 {
		return fmt.Sprint(a.status)
	}
	if len(body) > most {
		return fmt.Sprintf("%d %q…", a.status, body[:most])
	}
	return fmt.Sprintf("%d %q", a.status, body)
}

// newKey returns a key that nobody used before.
func newKey() string { return "idemtest-" + rand.Text() }

// send sends a request as the first caller, with a line of the key's header for each of keys.
func (x *trial) send(r Request, keys ...string) (*answer, error) {
	return x.sendAs(context.Background(), x.callers[0], r, keys...)
}

func (x *trial) sendAs(ctx context.Context, who idem.Scope, r Request, keys ...string) (*answer, error) {
	req, err := r.HTTP("http://127.0.0.1" + x.base)
	if err != nil {
		return nil, fmt.Errorf("the sample request: %w", err)
	}
	for _, key := range keys {
		req.Header.Add(x.policy.Header, key)
	}
	if x.as != nil {
		x.as(req, who.Tenant, who.Actor)
	}
	resp, err := x.client.Do(req.WithContext(ctx))
	if err != nil {
		return nil, fmt.Errorf("send the sample request: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	return &answer{resp.StatusCode, resp.Header, body}, nil
}

// sending is a request under way.
type sending struct {
	done   chan struct{}
	answer *answer
	err    error
}

// start sends a request and does not wait.
func (x *trial) start(ctx context.Context, r Request, key string) *sending {
	s := &sending{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		s.answer, s.err = x.sendAs(ctx, x.callers[0], r, key)
	}()
	return s
}

// wait waits for the answer.
func (s *sending) wait() (*answer, error) {
	if err := await(s.done, "the answer to a request that nothing stops any more"); err != nil {
		return nil, err
	}
	return s.answer, s.err
}
