package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// client is what any client is. It is shared: its connections are kept.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// A request is an order under a key, which is its name.
type request struct {
	mode   mode
	name   string
	amount int  // 0 is the order's usual one; another amount is another payload
	hold   step // where the request is to be held
}

// An answer is what came back, or why nothing did.
type answer struct {
	status   int
	replayed bool
	code     string // of a problem
	id       string // of the effect
	err      error
}

// The answers, as [answer.String] says them.
const (
	ran         = "201"
	replayed    = "201 replayed"
	inProgress  = "409 idempotency_in_progress"
	unknown     = "409 idempotency_outcome_unknown"
	conflict    = "409 idempotency_conflict"
	unavailable = "503 idempotency_unavailable"
	failed      = "500 internal_error"
	noAnswer    = "no answer"
)

func (a answer) String() string {
	switch {
	case a.err != nil:
		return noAnswer
	case a.replayed:
		return fmt.Sprint(a.status, " replayed")
	default:
		return strings.TrimSpace(fmt.Sprint(a.status, " ", a.code))
	}
}

// done says that the client has its result.
func (a answer) done() bool { return a.err == nil && a.status == http.StatusCreated }

// errElsewhere: the worker is gone, and its port is another's.
var errElsewhere = errors.New("the port belongs to a worker of another database")

// post sends a request once.
func post(ctx context.Context, url string, q request) answer {
	body := fmt.Sprintf(`{"name":%q,"amount":%d}`, q.name, q.amount)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/"+string(q.mode), strings.NewReader(body))
	if err != nil {
		return answer{err: err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", q.name)
	r.Header.Set(holdHeader, string(q.hold))
	response, err := client.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode == http.StatusNotFound {
		err = errElsewhere
	}
	if err != nil {
		return answer{err: err}
	}
	var said struct{ ID, Code string }
	_ = json.Unmarshal(text, &said) // what is neither a result nor a problem has neither id nor code
	return answer{
		status:   response.StatusCode,
		replayed: response.Header.Get("Idempotent-Replayed") == "true",
		id:       said.ID,
		code:     said.Code,
	}
}

// ask sends a request once, within patience.
func ask(t testing.TB, w *worker, q request) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return post(ctx, w.url, q)
}

// send sends a request that is held, and gives its answer when there is one.
func send(t testing.TB, w *worker, q request) <-chan answer {
	t.Helper()
	answers := make(chan answer, 1)
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	t.Cleanup(cancel)
	go func() { answers <- post(ctx, w.url, q) }()
	return answers
}

// settle retries, as clients do, until the answer is one that stays.
func settle(ctx context.Context, url string, q request) answer {
	q.hold = ""
	for {
		a := post(ctx, url, q)
		if a.done() || a.String() == unknown || ctx.Err() != nil {
			return a
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// settled is settle within patience.
func settled(t testing.TB, w *worker, q request) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return settle(ctx, w.url, q)
}

// check fails the test unless an answer is the wanted one.
func check(t testing.TB, what string, a answer, want string) {
	t.Helper()
	if a.String() != want {
		t.Errorf("%s: %s (%v), not %s", what, a, a.err, want)
	}
}
