package sqlitestore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
)

//go:embed schema.sql
var schema string

// version is that of schema.sql.
const version = 1

// Migrate checks that the database is fit for the store, and makes the tables that are missing. It changes
// nothing where they are there already, and refuses tables of a later version. Several processes may call it
// at once.
func (s *Store) Migrate(ctx context.Context) error {
	if err := s.check(ctx); err != nil {
		return fmt.Errorf("migrate idempotency store: %w", err)
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("migrate idempotency store: %w", err)
	}
	defer conn.Close()
	// Where the tables are there, nothing is to be written: a service that starts need not wait for others' writes.
	present, err := s.present(ctx, conn)
	if err == nil && !present {
		err = s.migrate(ctx, conn)
	}
	if err != nil {
		return fmt.Errorf("migrate idempotency store: %w", err)
	}
	return nil
}

// migrate takes the writer's lock before it looks, so that two of them do not both find nothing.
func (s *Store) migrate(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := s.upgrade(ctx, conn)
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err == nil {
		return nil
	}
	if _, undo := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); undo != nil {
		discard(conn)
	}
	return err
}

func (s *Store) upgrade(ctx context.Context, conn *sql.Conn) error {
	present, err := s.present(ctx, conn)
	if err == nil && !present {
		_, err = conn.ExecContext(ctx, s.sql.schema)
	}
	return err
}

// present says whether the tables are there. Those of another version are an error.
func (s *Store) present(ctx context.Context, conn *sql.Conn) (bool, error) {
	var present bool
	if err := conn.QueryRowContext(ctx, s.sql.selectSchema).Scan(&present); err != nil || !present {
		return false, err
	}
	var found int
	if err := conn.QueryRowContext(ctx, s.sql.selectVersion).Scan(&found); err != nil {
		return false, err
	}
	if found != version {
		return true, fmt.Errorf("the tables are of version %d, this program knows version %d: update the program",
			found, version)
	}
	return true, nil
}

// discard lets the pool close the connection instead of using it again.
func discard(conn *sql.Conn) {
	conn.Raw(func(any) error { return driver.ErrBadConn })
}

// check looks at two connections, where the pool has as many: a pragma that was executed on the pool
// instead of being named in the data source name holds for one of them.
func (s *Store) check(ctx context.Context) error {
	limit := s.db.Stats().MaxOpenConnections // 0: none
	first, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer first.Close()
	if err := checkConn(ctx, first, limit); err != nil || limit == 1 {
		return err
	}
	second, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer second.Close()
	return checkConn(ctx, second, limit)
}

func checkConn(ctx context.Context, conn *sql.Conn, limit int) error {
	var (
		file, journal        string
		timeout, synchronous int
	)
	pragma := func(text string, into any) error {
		if err := conn.QueryRowContext(ctx, text).Scan(into); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		return nil
	}
	err := errors.Join(
		pragma("SELECT coalesce(file, '') FROM pragma_database_list WHERE name = 'main'", &file),
		pragma("PRAGMA journal_mode", &journal),
		pragma("PRAGMA busy_timeout", &timeout),
		pragma("PRAGMA synchronous", &synchronous),
	)
	if err != nil {
		return err
	}
	switch {
	case file == "" && limit != 1:
		return errors.New("in an in-memory database every connection sees its own records: " +
			"call SetMaxOpenConns(1), or use a file")
	case timeout == 0:
		return errors.New("busy_timeout is 0 on a connection: " +
			`set it for all of them in the data source name, with modernc.org/sqlite by "_pragma=busy_timeout(5000)"`)
	case file == "":
		return nil // nobody else reads it, and it ends with the process
	case journal != "wal":
		return fmt.Errorf("journal_mode is %s: replays would wait for writers; "+
			`with modernc.org/sqlite add "_pragma=journal_mode(WAL)" to the data source name`, journal)
	case synchronous < 2:
		return fmt.Errorf("synchronous is %d on a connection: "+
			"a power cut would forget keys whose work was done; use FULL, which is the default", synchronous)
	}
	return nil
}
