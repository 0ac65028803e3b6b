package stores_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

func TestPgMigrateTogether(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"read committed", "serializable"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			p := newPgPlace(t)
			var migrating sync.WaitGroup
			for range 2 {
				s := pgstore.New(pgPool(t, p.dsn, pgSet("default_transaction_isolation", level)))
				for range 4 {
					migrating.Add(1)
					go func() {
						defer migrating.Done()
						if err := s.Migrate(t.Context()); err != nil {
							t.Error(err)
						}
					}()
				}
			}
			migrating.Wait()
		})
	}
}

func TestPgMigrateAgainKeepsRecords(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	begin(t, s, reservation("k"), idem.Reserved)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	begin(t, s, reservation("k"), idem.InProgress)
}

func TestPgMigrateRefuses(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	s.exec(t, "UPDATE idempotency_schema SET version = 2")
	for _, c := range []struct {
		name    string
		setting string
		want    string
	}{
		{"tables of a later version", "on",
			"the tables are of version 2, this program knows version 1: update the program"},
		{"commits that a crash forgets", "off",
			"synchronous_commit is off: a crash of the server would forget keys whose work was done; " +
				"use on, which is the default, and turn it off in the transactions that can do without"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := "migrate idempotency store: " + c.want
			err := pgstore.New(pgPool(t, s.dsn, pgSet("synchronous_commit", c.setting))).Migrate(t.Context())
			if err == nil || err.Error() != want {
				t.Errorf("Migrate says\n%v, not\n%s", err, want)
			}
		})
	}
}

// A service that runs the schema itself has what Migrate would make.
func TestPgSchemaIsWhatMigrateMakes(t *testing.T) {
	t.Parallel()
	p := newPgPlace(t)
	p.exec(t, pgstore.Schema(pgstore.Prefix("app_")))
	s := pgstore.New(pgPool(t, p.dsn), pgstore.Prefix("app_"))
	begin(t, s, reservation("k"), idem.Reserved)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	begin(t, s, reservation("k"), idem.InProgress)
	tables := pgAsk[string](t, p, `SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
		WHERE relnamespace = current_schema()::regnamespace`)
	if want := "app_idempotency_keys app_idempotency_keys_expiry app_idempotency_keys_leased app_idempotency_keys_pkey " +
		"app_idempotency_schema app_idempotency_schema_pkey"; tables != want {
		t.Errorf("the tables and indexes are %s, not %s", tables, want)
	}
}

func TestPgPrefixesAreApart(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	other := pgstore.New(pgPool(t, s.dsn), pgstore.Prefix("App_"))
	if _, err := other.Begin(t.Context(), reservation("k")); err == nil {
		t.Fatal("Begin works on the tables of another prefix")
	}
	for range 2 {
		if err := other.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	r := reservation("k")
	begin(t, s, r, idem.Reserved)
	begin(t, other, reservation("k"), idem.Reserved)
	if err := other.Release(t.Context(), r.Key, r.Token); !errors.Is(err, idem.ErrLost) {
		t.Errorf("Release says %v, not ErrLost", err)
	}
}
