package stores_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

// trace is a driver that remembers the statements.
type trace struct {
	sqlite driver.Driver
	name   string
	// before runs before each statement, where a test sets it.
	before func(statement)

	mu   sync.Mutex
	seen []statement
	read []string // the texts that SQLite has read, to run them or to keep them prepared
}

type statement struct {
	text string
	args []any
}

func (s statement) verb() string { return strings.Fields(s.text)[0] }

// Connect and Driver make a trace a driver.Connector.
func (tr *trace) Connect(context.Context) (driver.Conn, error) {
	conn, err := tr.sqlite.Open(tr.name)
	return tracedConn{conn, tr}, err
}

func (tr *trace) add(text string, args []driver.NamedValue) {
	s := statement{text: text}
	for _, a := range args {
		s.args = append(s.args, a.Value)
	}
	if tr.before != nil {
		tr.before(s)
	}
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.seen = append(tr.seen, s)
}

func (tr *trace) reads(text string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.read = append(tr.read, text)
}

// statements are those since it was last asked.
func (tr *trace) statements() []statement {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	seen := tr.seen
	tr.seen = nil
	return seen
}

// verbs are the first words of the statements since it was last asked.
func (tr *trace) verbs() []string {
	var all []string
	for _, s := range tr.statements() {
		all = append(all, s.verb())
	}
	return all
}

func (tr *trace) Driver() driver.Driver { return tr.sqlite }

type tracedConn struct {
	driver.Conn
	trace *trace
}

func (c tracedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	c.trace.add(text, args)
	c.trace.reads(text)
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, text, args)
}

func (c tracedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	c.trace.add(text, args)
	c.trace.reads(text)
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, text, args)
}

func (c tracedConn) Prepare(text string) (driver.Stmt, error) {
	c.trace.reads(text)
	stmt, err := c.Conn.Prepare(text)
	return tracedStmt{stmt, text, c.trace}, err
}

// A tracedStmt is remembered when it runs.
type tracedStmt struct {
	driver.Stmt
	text  string
	trace *trace
}

func (s tracedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	s.trace.add(s.text, args)
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

func (s tracedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	s.trace.add(s.text, args)
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (c tracedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	c.trace.add("BEGIN", nil)
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
}

// newTraced opens a store whose statements are remembered.
func newTraced(t *testing.T) (sqlite, *trace) {
	t.Helper()
	s, tr, _ := newTracedPair(t)
	return s, tr
}

// newTracedPair opens two stores on one file, of which the statements of the first are remembered.
func newTracedPair(t *testing.T) (sqlite, *trace, sqlite) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ledger.db")
	plain := openSQLite(t, file)
	tr := &trace{sqlite: plain.db.Driver(), name: "file:" + file + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"}
	db := sql.OpenDB(tr)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return sqlite{Store: sqlitestore.New(db), db: db}, tr, plain
}
