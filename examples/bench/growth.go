package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

const (
	few  = 10_000
	many = 1_000_000
)

// A size is what the records of a store take.
type size struct {
	store        string
	records      int
	table, index int64 // in bytes; index is 0 where the store has none apart
}

func printSizes(out io.Writer, sizes []size) error {
	fmt.Fprintln(out, "| store | records | table, bytes a record | indexes, bytes a record |")
	_, err := fmt.Fprintln(out, "| --- | --- | --- | --- |")
	for _, s := range sizes {
		n := int64(s.records)
		_, err = fmt.Fprintf(out, "| %s | %d | %d | %d |\n", s.store, s.records, s.table/n, s.index/n)
	}
	return err
}

// growthRows compare a Begin of a new key in a store of many live records with one of few. What they measure before adds
// to sizes.
func growthRows(s *servers, sizes *[]size) []row {
	grown := func(store string, open func(context.Context) (sides, error)) row {
		return row{
			what:     fmt.Sprintf("%s Begin, %d live records", store, many),
			baseline: fmt.Sprintf("%d live records", few),
			unit:     perSecond,
			open:     open,
		}
	}
	return []row{
		grown("pgstore", func(ctx context.Context) (sides, error) { return openGrownPostgres(ctx, s, sizes) }),
		grown("sqlitestore", func(ctx context.Context) (sides, error) { return openGrownSQLite(ctx, sizes) }),
		grown("memstore", func(ctx context.Context) (sides, error) { return openGrownMemory(ctx, sizes) }),
	}
}

// onlyBegin is a side: how often a second one client could begin. Each key is released, outside the time, so that the store
// stays as large as it is.
func onlyBegin(s idem.Store) side {
	return func(ctx context.Context, run time.Duration) (float64, error) {
		ctx, cancel := context.WithTimeout(ctx, run+patience)
		defer cancel()
		var spent time.Duration
		n := 0
		for start := time.Now(); time.Since(start) < run; n++ {
			r := newcomer()
			before := time.Now()
			if err := begin(ctx, s, r); err != nil {
				return 0, err
			}
			spent += time.Since(before)
			if err := s.Release(ctx, r.Key, r.Token); err != nil {
				return 0, err
			}
		}
		return float64(n) / spent.Seconds(), nil
	}
}

// load makes few records, or one that is copied to many.
func load(ctx context.Context, s idem.Store, records int, copied func(n int) error) error {
	first := records
	if records > few {
		first = 1
	}
	for range first {
		if err := beginFinalize(s, 0)(ctx); err != nil {
			return err
		}
	}
	const batch = 100_000
	for made := first; made < records; made += batch {
		if err := copied(min(batch, records-made)); err != nil {
			return err
		}
	}
	return nil
}

func openGrownPostgres(ctx context.Context, s *servers, sizes *[]size) (sides, error) {
	p, err := openPlace(ctx, s, 1)
	if err != nil {
		return sides{}, err
	}
	grow := func(prefix string, records int) (side, error) {
		store, table := pgstore.New[pgx.Tx](p.Pool, pgstore.Prefix(prefix)), prefix+"idempotency_keys"
		if err := store.Migrate(ctx); err != nil {
			return nil, err
		}
		err := load(ctx, store, records, func(n int) error { return p.copyRecord(ctx, table, n) })
		if err != nil {
			return nil, err
		}
		if _, err := p.Exec(ctx, "VACUUM ANALYZE "+table); err != nil {
			return nil, err
		}
		took := size{store: "pgstore", records: records}
		err = p.QueryRow(ctx, "SELECT pg_table_size($1::text::regclass), pg_indexes_size($1::text::regclass)", table).Scan(&took.table, &took.index)
		*sizes = append(*sizes, took)
		return onlyBegin(store), err
	}
	return bothSizes(grow, p.Close)
}

// bothSizes opens the sides of a growth row.
func bothSizes(grow func(name string, records int) (side, error), closed func()) (sides, error) {
	baseline, err := grow("few_", few)
	if err != nil {
		closed()
		return sides{}, err
	}
	ours, err := grow("many_", many)
	if err != nil {
		closed()
		return sides{}, err
	}
	return sides{ours, baseline, closed}, nil
}

func openGrownSQLite(ctx context.Context, sizes *[]size) (sides, error) {
	var files []sqliteFile
	closed := func() {
		for _, f := range files {
			f.close()
		}
	}
	grow := func(_ string, records int) (side, error) {
		f, err := openSQLite(ctx)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		if err := load(ctx, f.store, records, func(n int) error { return f.copyRecord(ctx, n) }); err != nil {
			return nil, err
		}
		took := size{store: "sqlitestore", records: records}
		err = f.QueryRowContext(ctx, `SELECT coalesce(sum(pgsize) FILTER (WHERE name = 'idempotency_keys'), 0),
			coalesce(sum(pgsize) FILTER (WHERE name <> 'idempotency_keys'), 0)
			FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'idempotency_keys')`).Scan(&took.table, &took.index)
		*sizes = append(*sizes, took)
		return onlyBegin(f.store), err
	}
	return bothSizes(grow, closed)
}

// copyRecord adds n copies of a record, under other keys.
func (f sqliteFile) copyRecord(ctx context.Context, n int) error {
	tx, err := f.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after the commit it does nothing
	for _, text := range []string{
		fmt.Sprintf(`CREATE TEMP TABLE copies AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			SELECT k.* FROM n, (SELECT * FROM idempotency_keys LIMIT 1) AS k`, n),
		"UPDATE copies SET idempotency_key = CAST(lower(hex(randomblob(16))) AS BLOB)",
		"INSERT INTO idempotency_keys SELECT * FROM copies",
		"DROP TABLE copies",
	} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func openGrownMemory(ctx context.Context, sizes *[]size) (sides, error) {
	grow := func(_ string, records int) (side, error) {
		before := heap()
		store := roomy()
		for range records {
			if err := beginFinalize(store, 0)(ctx); err != nil {
				return nil, err
			}
		}
		*sizes = append(*sizes, size{store: "memstore", records: records, table: heap() - before})
		return onlyBegin(store), nil
	}
	return bothSizes(grow, func() {})
}

// heap is how much memory is in use, without what is garbage.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
