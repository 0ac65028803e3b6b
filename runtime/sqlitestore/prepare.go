package sqlitestore

import (
	"context"
	"database/sql"
	"sync"
)

// A pool is a querier whose statements are prepared when they first run, and stay so as long as its connections:
// SQLite takes longer to read a statement of this package than to run it. Each has one text, so that they are few.
type pool struct {
	*sql.DB
	mu       sync.Mutex
	prepared map[string]*sql.Stmt
}

// statement is nil, with an error, where query cannot be prepared: before [Store.Migrate], or with ctx over. It waits for a
// connection, and so must not be called by whoever has one.
func (p *pool) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.Lock()
	known := p.prepared[query]
	p.mu.Unlock()
	if known != nil {
		return known, nil
	}
	made, err := p.DB.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known = p.prepared[query]; known != nil { // another was faster
		return known, made.Close()
	}
	p.prepared[query] = made
	return made, nil
}

func (p *pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

func (p *pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := p.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (p *pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	s, err := p.statement(ctx, query)
	if err != nil {
		return p.DB.QueryRowContext(ctx, query, args...) // has the error too
	}
	return s.QueryRowContext(ctx, args...)
}
