package faults_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// jobVariable makes the test binary a worker: it holds a job as JSON.
const jobVariable = "IDEMGEN_FAULTS_JOB"

// A job is what a worker is told to do.
type job struct {
	Backend string        // the row of the table
	Address string        // where the backend is
	Lease   time.Duration // of both modes
	Wait    time.Duration // the service's StoreTimeout
	Timeout time.Duration // of the handler's work; 0: none
	Pool    int           // connections
	Padding int           // bytes in each response
	Unsafe  bool          // no idempotency at all, so that the checks can be seen to notice
}

// path stands before the paths of a worker, and is another one for each database. A worker that is killed leaves its port
// to the next, which may have another database: a client that still asks there is answered with 404.
func (j job) path() string {
	return fmt.Sprintf("/%x", sha256.Sum256([]byte(j.Backend+" "+j.Address)))[:17]
}

// A mode is one of the two ways in which the worker serves its operation.
type mode string

// The modes, and the paths that they are served under.
const (
	joined mode = "joined"
	lease  mode = "lease"
)

func operation(m mode) *idem.Operation {
	return &idem.Operation{
		Endpoint: idem.Endpoint("orders." + m), Method: http.MethodPost, Path: "/" + string(m),
		Bodies: []idem.Body{{MediaType: "application/json"}},
	}
}

// payload is what a request asks for.
type payload struct {
	Query idem.Query `json:"query,omitzero"`
	Body  order      `json:"body"`
}

type order struct {
	Name   string `json:"name"`
	Amount int64  `json:"amount"`
}

// result is what it is answered.
type result struct {
	ID   string `json:"id"`
	Note string `json:"note"`
}

// An effect is done once for each name, or the guarantee is broken: its id is another each time that it is done.
type effect struct{ name, id string }

// serve is the worker's life. It ends with its standard input.
func serve(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s, err := backendNamed(j.Backend).open(ctx, j)
	if err != nil {
		return fmt.Errorf("open %s: %w", j.Backend, err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	gate := newGate(os.Stdout)
	failed := make(chan error, 1)
	handler := http.StripPrefix(j.path(), gate.guard(s.handler(j)))
	go func() { failed <- http.Serve(listener, handler) }()
	fmt.Printf("listening http://%s%s\n", listener.Addr(), j.path())
	go func() {
		gate.obey(os.Stdin)
		failed <- nil
	}()
	return <-failed
}

// A service is a store with an effect in its backend.
type service struct {
	store idem.Store
	// effect does e in a transaction of its own.
	effect func(ctx context.Context, e effect) error
	// joined serves the operation in joined mode; nil where the store has none.
	joined func(svc *idem.Service, work work) http.Handler
}

// handler serves the operation in both modes.
func (s service) handler(j job) http.Handler {
	mux := http.NewServeMux()
	if j.Unsafe {
		mux.Handle("POST /joined", s.unsafe(j))
		mux.Handle("POST /lease", s.unsafe(j))
		return mux
	}
	svc := idem.New(s.store, func(*http.Request) (idem.Scope, error) {
		return idem.Scope{Tenant: idem.SingleTenant, Actor: idem.Anonymous}, nil
	})
	svc.Policy.Lease, svc.Policy.Timeout, svc.StoreTimeout = j.Lease, j.Timeout, j.Wait
	svc.Observer = func(_ context.Context, e idem.Event) {
		if e.Err != nil {
			fmt.Fprintf(os.Stderr, "%s %s: %v\n", e.Endpoint, e.Kind, e.Err)
		}
	}
	mux.Handle("POST /lease", idem.Handle(svc, operation(lease), func(ctx context.Context, p payload) (*idem.Response, error) {
		return j.do(ctx, p, s.effect)
	}))
	if s.joined != nil {
		mux.Handle("POST /joined", s.joined(svc, j.do))
	}
	return mux
}

// work is what a handler does, given how its effect is done.
type work = func(ctx context.Context, p payload, do func(context.Context, effect) error) (*idem.Response, error)

func (j job) do(ctx context.Context, p payload, do func(context.Context, effect) error) (*idem.Response, error) {
	id := idem.NewToken()
	e := effect{p.Body.Name, hex.EncodeToString(id[:])}
	pass(ctx, beforeEffect)
	if err := do(ctx, e); err != nil {
		return nil, err
	}
	return idem.JSON(http.StatusCreated, result{e.id, strings.Repeat("x", j.Padding)})
}

// unsafe does the work as often as it is asked to.
func (s service) unsafe(j job) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var p payload
		if err := json.NewDecoder(r.Body).Decode(&p.Body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		response, err := j.do(context.WithoutCancel(r.Context()), p, s.effect)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(response.Status)
		_, _ = w.Write(response.Body) // the client may be gone
	})
}

// newService makes a service of a store with a joined mode: half writes one of the two rows of an effect, and alone
// runs a function in a transaction of its own.
func newService[Tx any](
	store idem.TxStore[Tx],
	half func(ctx context.Context, tx Tx, e effect, half int) error,
	alone func(ctx context.Context, fn func(Tx) error) error,
) service {
	g := &gatedTx[Tx]{gated{store}, store}
	both := func(ctx context.Context, tx Tx, e effect) error {
		if err := half(ctx, tx, e, 1); err != nil {
			return err
		}
		pass(ctx, midEffect)
		return half(ctx, tx, e, 2)
	}
	return service{
		store: g,
		effect: func(ctx context.Context, e effect) error {
			return alone(ctx, func(tx Tx) error { return both(ctx, tx, e) })
		},
		joined: func(svc *idem.Service, work work) http.Handler {
			return idem.HandleTx(svc, operation(joined), g, func(ctx context.Context, tx Tx, p payload) (*idem.Response, error) {
				return work(ctx, p, func(ctx context.Context, e effect) error { return both(ctx, tx, e) })
			})
		},
	}
}
