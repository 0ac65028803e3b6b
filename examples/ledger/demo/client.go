package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A client is what any client is: an HTTP client that makes a key for each thing it wants done.
type client struct{ http *http.Client }

func newClient() client {
	return client{&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 30 * time.Second}}
}

// A request is a claim or a job, as some user, under some keys.
type request struct {
	path string
	as   string
	keys []string
	body string
}

// claim is the same claim under a key.
func claim(key string) request {
	return request{path: "/submissions/sb-1/claims", as: "acme.alice", keys: []string{key}, body: claimBody}
}

const claimBody = `{"kind":"score","statement":"Question 4 was marked twice.","share":0.25,` +
	`"amount":{"amount":"10.00","currency":"EUR"},"parties":[{"name":"Ada Lind","role":"claimant"}],` +
	`"evidence":[{"id":"ed-1","pages":[1,2]},{"id":"ed-2","weight":10}],"clientTime":"2026-03-01T08:00:00Z"}`

// An answer is what came back, or why nothing did.
type answer struct {
	status   int
	replayed bool
	location string
	number   string
	body     string
	err      error
}

// problem is the members of RFC 9457 that the demo looks at.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (a answer) problem() problem {
	var p problem
	_ = json.Unmarshal([]byte(a.body), &p) // what is no problem has no code
	return p
}

// String is how a transcript shows the answer: "201", "201 replayed", "409 idempotency_in_progress".
func (a answer) String() string {
	switch {
	case a.err != nil:
		return "no answer"
	case a.replayed:
		return fmt.Sprint(a.status, " replayed")
	case a.status >= 300:
		return strings.TrimSpace(fmt.Sprint(a.status, " ", a.problem().Code))
	default:
		return fmt.Sprint(a.status)
	}
}

// post sends a request once.
func (d *demo) post(ctx context.Context, q request) answer {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url+q.path, strings.NewReader(q.body))
	if err != nil {
		return answer{err: err}
	}
	r.Header.Set("Authorization", "Bearer "+q.as)
	r.Header.Set("Content-Type", "application/json")
	r.Header["Idempotency-Key"] = q.keys
	response, err := d.client.http.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{
		status:   response.StatusCode,
		replayed: response.Header.Get("Idempotent-Replayed") == "true",
		location: response.Header.Get("Location"),
		number:   response.Header.Get("X-Claim-Number"),
		body:     string(body),
		err:      err,
	}
}

// persist is how a client should retry: under the same key, for as long as the answer says that
// another attempt is under way.
func (d *demo) persist(q request) answer {
	const code = "idempotency_in_progress"
	waited := 0
	for deadline := time.Now().Add(3 * patience); ; waited++ {
		a := d.post(context.Background(), q)
		if a.problem().Code != code || time.Now().After(deadline) {
			if waited > 0 {
				d.say("before that, in progress %d times, a second apart", waited)
			}
			return a
		}
		time.Sleep(time.Second)
	}
}
