package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
)

// row holds the columns of one row by name. Tables and columns are constants of this package, never
// anything that a request says.
type row map[string]any

// put sets a column where the request has the member, and leaves it alone where it has not.
func put[T any](r row, column string, v canon.Optional[T]) {
	if value, ok := v.Get(); ok {
		r[column] = value
	}
}

// An entry is one operation's work within one transaction. A handler reads as the list of its effects:
// the first error sticks, as bufio.Writer's does, what follows it does nothing, and the last line
// returns it. The runtime rolls the transaction back then.
type entry struct {
	ctx    context.Context
	tx     *sql.Tx
	kind   idem.Endpoint
	caller Caller
	detail any
	answer Entry
	err    error
}

// Entry is the answer to a write: what the ledger wrote. It is #/components/schemas/Entry.
type Entry struct {
	ID    string        `json:"id"`
	Event int64         `json:"event"`
	Kind  idem.Endpoint `json:"kind"`
	At    string        `json:"at"`
	Rows  int           `json:"rows,omitempty"`
	Hash  string        `json:"hash,omitempty"`
}

// write opens the entry of an operation. detail is the request's body; nil where it has none.
func write(ctx context.Context, tx *sql.Tx, kind idem.Endpoint, detail any) *entry {
	e := &entry{ctx: ctx, tx: tx, kind: kind, detail: detail}
	e.caller, e.err = CallerOf(ctx)
	e.answer = Entry{Kind: kind, At: time.Now().UTC().Format(time.RFC3339Nano)}
	return e
}

// newID makes an id that nobody can guess, so that only a replay can repeat it.
func newID(prefix string) string { return prefix + "-" + strings.ToLower(rand.Text()[:16]) }

// need refuses with 404 unless the tenant has this row, and with 422 unless it is in one of the states,
// where any are given. What is gone counts as missing.
func (e *entry) need(table, id string, states ...string) {
	var state string
	e.scan(fmt.Sprintf(`SELECT state FROM %q WHERE tenant = ? AND id = ?`, table), []any{e.caller.Tenant, id}, &state)
	e.check(table, id, state, states)
}

// needIn is need for a row that must belong to a parent: its column holds the parent's id.
func (e *entry) needIn(table, id, column, parent string, states ...string) {
	var state string
	e.scan(fmt.Sprintf(`SELECT state FROM %q WHERE tenant = ? AND id = ? AND %q = ?`, table, column),
		[]any{e.caller.Tenant, id, parent}, &state)
	e.check(table, id, state, states)
}

func (e *entry) check(table, id, state string, states []string) {
	switch {
	case e.err != nil:
	case state == "" || state == gone:
		e.err = &idem.Problem{Status: http.StatusNotFound, Code: "not_found", Detail: fmt.Sprintf("%s: no %s", table, id)}
	case len(states) > 0 && !slices.Contains(states, state):
		e.refuse("%s: %s is %s, not %s", table, id, state, strings.Join(states, " or "))
	}
}

// gone is the state of what was removed.
const gone = "gone"

// refuse ends the entry with a domain error. It is the operation's answer: stored, and replayed.
func (e *entry) refuse(format string, args ...any) {
	if e.err == nil {
		e.err = &idem.Problem{Status: http.StatusUnprocessableEntity, Code: "refused", Detail: fmt.Sprintf(format, args...)}
	}
}

// scan reads one row; none leaves dest as it is.
func (e *entry) scan(query string, args []any, dest ...any) {
	if e.err != nil {
		return
	}
	if err := e.tx.QueryRowContext(e.ctx, query, args...).Scan(dest...); err != nil && err != sql.ErrNoRows {
		e.err = fmt.Errorf("%s: %w", e.kind, err)
	}
}

// exec runs a statement and says how many rows it changed.
func (e *entry) exec(query string, args ...any) int64 {
	if e.err != nil {
		return 0
	}
	result, err := e.tx.ExecContext(e.ctx, query, args...)
	if err != nil {
		e.err = fmt.Errorf("%s: %w", e.kind, err)
		return 0
	}
	n, _ := result.RowsAffected() // SQLite always knows
	return n
}

// insert adds a row under id.
func (e *entry) insert(table, id string, r row) {
	columns := slices.Sorted(maps.Keys(r))
	names, args := []string{"tenant", "id"}, []any{e.caller.Tenant, id}
	for _, c := range columns {
		names, args = append(names, fmt.Sprintf("%q", c)), append(args, e.column(r[c]))
	}
	e.exec(fmt.Sprintf(`INSERT INTO %q (%s) VALUES (?%s)`, table, strings.Join(names, ", "), strings.Repeat(", ?", len(args)-1)), args...)
}

// add is insert under a new id.
func (e *entry) add(table, prefix string, r row) string {
	id := newID(prefix)
	e.insert(table, id, r)
	return id
}

// update changes columns of a row that need has found. Without columns it changes nothing.
func (e *entry) update(table, id string, r row) {
	if len(r) == 0 {
		return
	}
	var sets []string
	var args []any
	for _, c := range slices.Sorted(maps.Keys(r)) {
		sets, args = append(sets, fmt.Sprintf("%q = ?", c)), append(args, e.column(r[c]))
	}
	e.exec(fmt.Sprintf(`UPDATE %q SET %s WHERE tenant = ? AND id = ?`, table, strings.Join(sets, ", ")), append(args, e.caller.Tenant, id)...)
}

// upsert changes the row under id, or adds it.
func (e *entry) upsert(table, id string, r row) {
	var state string
	e.scan(fmt.Sprintf(`SELECT state FROM %q WHERE tenant = ? AND id = ?`, table), []any{e.caller.Tenant, id}, &state)
	if state == "" {
		e.insert(table, id, r)
	} else {
		e.update(table, id, r)
	}
}

// column is a member as SQLite keeps it: text and numbers as themselves, null and absent as NULL,
// anything else as canonical JSON.
func (e *entry) column(v any) any {
	text := e.text(v)
	var s string
	switch {
	case text == "null":
		return nil
	case json.Unmarshal([]byte(text), &s) == nil:
		return s
	default:
		return text
	}
}

// text is a member or a body in JSON. What is absent is null.
func (e *entry) text(v any) string {
	if z, ok := v.(interface{ IsZero() bool }); v == nil || ok && z.IsZero() {
		return "null"
	}
	text, err := canon.Marshal(v)
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("%s: %w", e.kind, err)
	}
	return string(text)
}

// seal hashes the events about a subject, in their order.
func (e *entry) seal(subject string) string {
	if e.err != nil {
		return ""
	}
	rows, err := e.tx.QueryContext(e.ctx, `SELECT seq, kind, at, detail FROM events WHERE tenant = ? AND subject = ? ORDER BY seq`, e.caller.Tenant, subject)
	if err != nil {
		e.err = err
		return ""
	}
	defer rows.Close()
	h := sha256.New()
	for rows.Next() {
		var seq int64
		var kind, at, detail string
		if e.err = rows.Scan(&seq, &kind, &at, &detail); e.err != nil {
			return ""
		}
		fmt.Fprintf(h, "%d %s %s %s\n", seq, kind, at, detail)
	}
	e.err = rows.Err()
	return hex.EncodeToString(h.Sum(nil))
}

// event appends to the ledger, once for each operation.
func (e *entry) event(subject string) {
	e.answer.ID = subject
	detail := e.text(e.detail)
	e.scan(`INSERT INTO events (tenant, actor, kind, subject, at, detail) VALUES (?, ?, ?, ?, ?, ?) RETURNING seq`,
		[]any{e.caller.Tenant, e.caller.User, string(e.kind), subject, e.answer.At, detail}, &e.answer.Event)
}

// created ends the entry with 201 and a Location, accepted with 202, changed with 200, removed with 204.
func (e *entry) created(id, location string) (*idem.Response, error) {
	return e.located(http.StatusCreated, id, location)
}

func (e *entry) accepted(id, location string) (*idem.Response, error) {
	return e.located(http.StatusAccepted, id, location)
}

func (e *entry) located(status int, id, location string) (*idem.Response, error) {
	r, err := e.reply(status, id)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Location", location)
	return r, nil
}

func (e *entry) changed(id string) (*idem.Response, error) { return e.reply(http.StatusOK, id) }

func (e *entry) removed(table, id string) (*idem.Response, error) {
	e.update(table, id, row{"state": gone})
	e.event(id)
	if e.err != nil {
		return nil, e.err
	}
	return &idem.Response{Status: http.StatusNoContent}, nil
}

func (e *entry) reply(status int, id string) (*idem.Response, error) {
	e.event(id)
	if e.err != nil {
		return nil, e.err
	}
	return idem.JSON(status, e.answer)
}
