package pgstore

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
)

//go:embed schema.sql
var schema string

// version is that of schema.sql.
const version = 1

// oldest is the first server version that the statements are for, as server_version_num counts.
const oldest = 120000

// Schema is what [Store.Migrate] runs on a database without the store's tables: version 1 of them, as several
// statements, for a service that has migrations of its own. Of the options, [Prefix] matters.
func Schema(options ...Option) string { return configure(options).schema }

// Migrate checks that the server is fit for the store, and makes the tables that are missing, in the first
// schema of the search path. It changes nothing where they are there already, and refuses tables of a later
// version. Several processes may call it at once. The user needs the right to create tables.
func (s *Store[Tx]) Migrate(ctx context.Context) error {
	err := s.migrate(ctx)
	if err != nil {
		return fmt.Errorf("migrate idempotency store: %w", err)
	}
	return nil
}

func (s *Store[Tx]) migrate(ctx context.Context) error {
	tx, err := s.db.begin(ctx)
	if err != nil {
		return err
	}
	defer s.rollback(ctx, tx)
	// Whatever the caller's default: a statement that waited for another Migrate must see what that one made.
	if err := s.db.execIn(ctx, tx, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"); err != nil {
		return err
	}
	if err := s.check(ctx, tx); err != nil {
		return err
	}
	var locked string
	if err := s.db.rowIn(ctx, tx, s.sql.lockSchema, nil).Scan(&locked); err != nil {
		return err
	}
	if err := s.upgrade(ctx, tx); err != nil {
		return err
	}
	return s.db.commit(ctx, tx)
}

func (s *Store[Tx]) check(ctx context.Context, tx Tx) error {
	var (
		server      int64
		synchronous string
	)
	if err := s.db.rowIn(ctx, tx, selectServer, nil).Scan(&server, &synchronous); err != nil {
		return err
	}
	switch {
	case server < oldest:
		return fmt.Errorf("the server is of version %d: use PostgreSQL 12 or later", server/10000)
	case synchronous == "off":
		return errors.New("synchronous_commit is off: a crash of the server would forget keys whose work was done; " +
			"use on, which is the default, and turn it off in the transactions that can do without")
	}
	return nil
}

func (s *Store[Tx]) upgrade(ctx context.Context, tx Tx) error {
	var present bool
	if err := s.db.rowIn(ctx, tx, s.sql.selectSchema, nil).Scan(&present); err != nil {
		return err
	}
	if !present {
		return s.db.execIn(ctx, tx, s.sql.schema)
	}
	var found int64
	if err := s.db.rowIn(ctx, tx, s.sql.selectVersion, nil).Scan(&found); err != nil {
		return err
	}
	if found != version {
		return fmt.Errorf("the tables are of version %d, this program knows version %d: update the program", found, version)
	}
	return nil
}
