package service

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

// A Point is a moment in a request's life at which a crash is at its worst.
type Point string

// The points.
const (
	BeforeCommit Point = "before-commit" // the business rows are written, and not committed
	BeforeAnswer Point = "before-answer" // everything is committed, and nothing sent
	AfterEffect  Point = "after-effect"  // lease mode: the effect is real, its result is not stored
)

// A Gate holds the next request that comes to a chosen point until it is released, so that a demo can
// kill the process exactly there. A nil Gate lets everything pass.
type Gate struct {
	out io.Writer

	mu      sync.Mutex
	armed   Point
	release chan struct{}
}

// NewGate returns a gate that tells out what happens: "armed POINT", "held POINT", "released".
func NewGate(out io.Writer) *Gate { return &Gate{out: out, release: make(chan struct{})} }

// Obey reads commands, one a line, until in ends: "hold POINT" and "release".
func (g *Gate) Obey(in io.Reader) {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		command, point, _ := strings.Cut(lines.Text(), " ")
		g.mu.Lock()
		switch command {
		case "hold":
			g.armed = Point(point)
			fmt.Fprintf(g.out, "armed %s\n", point)
		case "release":
			close(g.release)
			g.release, g.armed = make(chan struct{}), ""
			fmt.Fprintln(g.out, "released")
		}
		g.mu.Unlock()
	}
}

// pass holds the first request that comes to p after "hold p".
func (g *Gate) pass(p Point) {
	if g == nil {
		return
	}
	g.mu.Lock()
	if g.armed != p {
		g.mu.Unlock()
		return
	}
	g.armed = ""
	release := g.release
	fmt.Fprintf(g.out, "held %s\n", p)
	g.mu.Unlock()
	<-release
}

// gatedStore is the store with a gate before each commit and before each result that is stored by itself.
type gatedStore struct {
	*sqlitestore.Store
	gate *Gate
}

func (s gatedStore) InTx(ctx context.Context, k idem.Key, t idem.Token, fn func(*sql.Tx) error) error {
	return s.Store.InTx(ctx, k, t, func(tx *sql.Tx) error {
		err := fn(tx)
		if err == nil {
			s.gate.pass(BeforeCommit)
		}
		return err
	})
}

func (s gatedStore) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	s.gate.pass(AfterEffect)
	return s.Store.Finalize(ctx, k, t, r, keep)
}

// answers puts the gate before the first byte of each answer.
func (g *Gate) answers(next http.Handler) http.Handler {
	if g == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&gatedWriter{ResponseWriter: w, gate: g}, r)
	})
}

type gatedWriter struct {
	http.ResponseWriter
	gate *Gate
}

func (w *gatedWriter) WriteHeader(status int) {
	w.gate.pass(BeforeAnswer)
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (w *gatedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
