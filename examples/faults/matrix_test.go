package faults_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// A cell is what becomes of a request whose process is killed, and of its retries.
type cell struct {
	step   step
	mode   mode
	killed int    // effects when the process is dead
	atOnce string // the answer to a retry
	later  string // the answer to a retry once the lease is over
	end    int    // effects in the end
}

// matrix is what a user may rely on, on every store.
var matrix = []cell{
	{beforeReserve, joined, 0, ran, replayed, 1},
	{afterReserve, joined, 0, inProgress, ran, 1},
	{beforeEffect, joined, 0, inProgress, ran, 1},
	{midEffect, joined, 0, inProgress, ran, 1},
	{beforeFinalize, joined, 0, inProgress, ran, 1},
	{beforeCommit, joined, 0, inProgress, ran, 1},
	{beforeAnswer, joined, 1, replayed, replayed, 1},
	{afterAnswer, joined, 1, replayed, replayed, 1},

	{beforeReserve, lease, 0, ran, replayed, 1},
	{afterReserve, lease, 0, inProgress, unknown, 0},
	{beforeEffect, lease, 0, inProgress, unknown, 0},
	{midEffect, lease, 0, inProgress, unknown, 0},
	{beforeFinalize, lease, 1, inProgress, unknown, 1},
	{beforeAnswer, lease, 1, replayed, replayed, 1},
	{afterAnswer, lease, 1, replayed, replayed, 1},
}

// matrixLease is long enough for a retry to come before it is over.
const matrixLease = 4 * time.Second

// TestCrashMatrix kills a process in each cell of the table, on each store.
func TestCrashMatrix(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p := b.start(t)
		j := job{Backend: b.name, Address: p.address, Lease: matrixLease, Wait: 5 * time.Second, Pool: 8}
		survivor := newWorker(t, j)
		var later sync.WaitGroup
		defer later.Wait()
		for i, want := range matrix {
			if !b.has(want.mode) {
				continue
			}
			q := request{mode: want.mode, name: fmt.Sprint("cell-", i), hold: want.step}
			got := cell{step: want.step, mode: want.mode}
			crash(t, j, q)
			got.killed = len(p.ids(t, q.name))
			q.hold = ""
			first := ask(t, survivor, q)
			got.atOnce = first.String()
			later.Go(func() { // the leases of all cells end together
				last := settled(t, survivor, q)
				got.later = last.String()
				ids := p.ids(t, q.name)
				got.end = len(ids)
				if got != want {
					t.Errorf("seen: %s\nwant: %s", got, want)
				}
				for _, a := range []answer{first, last} {
					if a.done() && (len(ids) != 1 || a.id != ids[0]) {
						t.Errorf("%s: the answer speaks of effect %q, and there is %q", got, a.id, ids)
					}
				}
			})
		}
	})
}

// crash sends a request to a process and kills it when the request has come to its step.
func crash(t *testing.T, j job, q request) {
	t.Helper()
	victim := newWorker(t, j)
	answers := send(t, victim, q)
	victim.held(t, q.hold)
	victim.kill()
	want := noAnswer
	if q.hold == afterAnswer {
		want = ran
	}
	check(t, string(q.hold), <-answers, want)
}

func (c cell) String() string {
	return strings.Join([]string{string(c.step), string(c.mode), fmt.Sprint(c.killed), c.atOnce, c.later, fmt.Sprint(c.end)}, " | ")
}

// The README's table stands between these.
const (
	tableBegins = "<!-- crash matrix: written by examples/faults -->\n"
	tableEnds   = "<!-- end of crash matrix -->\n"
)

// table is the matrix as the README shows it.
func table() string {
	modes := map[mode]string{joined: "`Handle…Tx`", lease: "`Handle…`"}
	var b strings.Builder
	b.WriteString("| killed | mode | effects by then | a retry at once | a retry after the lease | effects in the end |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- |\n")
	for _, c := range matrix {
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %d |\n", c.step, modes[c.mode], c.killed, c.atOnce, c.later, c.end)
	}
	return b.String()
}

// TestReadme holds the README's table to the matrix.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begins := strings.Cut(string(text), tableBegins)
	got, _, ends := strings.Cut(rest, tableEnds)
	if want := table(); !begins || !ends || strings.Trim(got, "\n") != strings.Trim(want, "\n") {
		t.Errorf("README.md does not have this table:\n\n%s\n%s\n%s", tableBegins, want, tableEnds)
	}
}
