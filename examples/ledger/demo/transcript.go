package main

import (
	"fmt"
	"io"
	"strings"
)

// A step is one claim about the service, and the checks that it holds.
type step struct {
	name  string
	title string
	run   func(*demo)
}

// steps are those of the demo, in their order. Each uses keys of its own and counts only what it adds,
// so that one that is red does not redden the next.
var steps = []step{
	{"1", "One write, and its replay", replay},
	{"2a", "50 identical requests at once, the winner held until the others are answered", raceHeld},
	{"2b", "50 identical requests at random times, the winner released at a random one", raceRandom},
	{"3", "The same key with another payload, and the same payload spelt otherwise", payloads},
	{"4", "No key, a key of 201 bytes, two keys", keys},
	{"5a", "kill -9 between the business INSERT and its COMMIT, then a retry", crashBeforeCommit},
	{"5b", "kill -9 after the COMMIT and before the answer, then a retry", crashBeforeAnswer},
	{"5c", "kill -9 in a lease-mode handler after its effect, then a retry", crashAfterEffect},
	{"6", "A client that hangs up in the middle, then retries", hangUp},
	{"7", "Another tenant with the same key", otherTenant},
}

// rowCounts is the last step: what the whole demo has left in the database.
var rowCounts = step{"rows", "The rows that all this has left", leftRows}

// A demo is a running service, and what its client expects of it.
type demo struct {
	*server
	out    io.Writer
	client client
	// expected is the number of rows of each table, and of the events of each kind, that the
	// database should have by now.
	expected map[string]int
	touched  map[string]bool // those that a step has said something about
	red      int             // checks that failed in the current step
}

// newDemo starts the service over a fresh database in folder.
func newDemo(binary, folder, unsafe string, out io.Writer) (*demo, error) {
	s := &server{binary: binary, folder: folder, unsafe: unsafe}
	if err := s.start(); err != nil {
		return nil, err
	}
	counts, err := s.rows()
	if err != nil {
		s.kill()
		return nil, err
	}
	return &demo{server: s, out: out, client: newClient(), expected: counts, touched: map[string]bool{}}, nil
}

func (d *demo) close() { d.kill() }

// play runs a step, prints its checks and returns how many failed.
func (d *demo) play(s step) int {
	fmt.Fprintf(d.out, "\n%s. %s\n", s.name, s.title)
	d.line("", "", "expected", "seen")
	d.red = 0
	s.run(d)
	return d.red
}

// say prints what happens.
func (d *demo) say(format string, args ...any) {
	fmt.Fprintf(d.out, "        (%s)\n", fmt.Sprintf(format, args...))
}

// check prints one expectation and what was seen.
func (d *demo) check(what string, expected, seen any) {
	want, got := fmt.Sprint(expected), fmt.Sprint(seen)
	mark := "ok"
	if want != got {
		mark = "RED"
		d.red++
	}
	d.line(mark, what, want, got)
	if mark == "RED" && (short(want, column) != want || short(got, column) != got) {
		d.say("expected in full: %s", want)
		d.say("seen in full: %s", got)
	}
}

// column is the width of what was expected and of what was seen.
const column = 34

func (d *demo) line(mark, what, want, got string) {
	fmt.Fprintf(d.out, "   %-4s %-*s  %-*s  %s\n", mark, column, short(what, column), column, short(want, column), short(got, column))
}

// short leaves the middle out of what is too long for its column.
func short(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	half := (width - 1) / 2
	return string(runes[:half]) + "…" + string(runes[len(runes)-half:])
}

// effect checks that since before the rows of table have grown by n, and notes that they should have.
func (d *demo) effect(table string, n int, before map[string]int) {
	d.expected[table] += n
	d.touched[table] = true
	d.grown(table, n, before)
}

// grown checks that since before the rows of table have grown by n so far.
func (d *demo) grown(table string, n int, before map[string]int) {
	after := d.now()
	d.check(rowsOf(table), fmt.Sprintf("%+d", n), fmt.Sprintf("%+d", after[table]-before[table]))
}

// now counts the rows.
func (d *demo) now() map[string]int {
	counts, err := d.rows()
	if err != nil {
		d.check("counting rows", "no error", err)
	}
	return counts
}

// rowsOf names a count: a table's rows, or the events of a tenant and kind.
func rowsOf(table string) string {
	if strings.HasSuffix(table, " events") {
		return table
	}
	return table + " rows"
}
