package idemtest

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"
)

// client talks to one server as a caller of the API would.
type client struct {
	base   string
	header string // that carries the key
	http   http.Client
}

func newClient(server *httptest.Server, header string) *client {
	return &client{base: server.URL, header: header, http: http.Client{
		Transport: server.Client().Transport,
		Timeout:   30 * time.Second,
		// A redirect is the operation's answer, and must replay as one.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

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

// perform sends a request that nobody sent before under this key, so that it has to run.
func (cl *client) perform(r Request, key string) (*answer, error) {
	got, err := cl.send(r, key)
	switch {
	case err != nil:
		return nil, err
	case got.replayed():
		return nil, fmt.Errorf("the first request under a fresh key was answered with a replay: " +
			"look for a layer that sets Idempotent-Replayed itself, or a store that does not tell keys apart")
	case got.status >= 500:
		return nil, fmt.Errorf("the first request was answered %s, and a 5xx is never stored: "+
			"let newHandler build a service that can answer the sample %s %s", got, r.Method, r.Path)
	}
	return got, nil
}

// send sends a request; an empty key means none.
func (cl *client) send(r Request, key string) (*answer, error) {
	req, err := r.HTTP(cl.base)
	if err != nil {
		return nil, fmt.Errorf("the sample request: %w", err)
	}
	if key != "" {
		req.Header.Set(cl.header, key)
	}
	resp, err := cl.http.Do(req)
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

// newKey returns a key that nobody used before.
func newKey() string { return "idemtest-" + rand.Text() }
