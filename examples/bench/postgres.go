package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

// A place is a pool whose connections are all open, with a store and, beside its tables, a second set of the very same
// ones for what is done by hand.
type place struct {
	*pgxpool.Pool
	store *pgstore.Store[pgx.Tx]
}

const byHand = "hand_"

func openPlace(ctx context.Context, s *servers, connections int) (p place, err error) {
	server, err := s.postgres()
	if err != nil {
		return p, err
	}
	config, err := pgxpool.ParseConfig(server.DSN("postgres"))
	if err != nil {
		return p, err
	}
	config.MaxConns, config.MinConns = int32(connections), int32(connections)
	if p.Pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return p, err
	}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	p.store = pgstore.New(p.Pool)
	for _, store := range []*pgstore.Store[pgx.Tx]{p.store, pgstore.New(p.Pool, pgstore.Prefix(byHand))} {
		if err := store.Migrate(ctx); err != nil {
			return p, err
		}
	}
	_, err = p.Exec(ctx, `CREATE TABLE IF NOT EXISTS claims (id text PRIMARY KEY, amount bigint NOT NULL, note text NOT NULL);
		TRUNCATE idempotency_keys, hand_idempotency_keys, claims`)
	return p, err
}

func postgresRow(s *servers, connections int) row {
	return row{
		what:     fmt.Sprintf("pgstore Begin+Finalize, %s", counted(connections)),
		baseline: "the same statements by hand through pgx",
		reach:    atLeast(0.9),
		unit:     perSecond,
		open: func(ctx context.Context) (sides, error) {
			p, err := openPlace(ctx, s, connections)
			return sides{
				ours:     throughput(connections, beginFinalize(p.store, 0)),
				baseline: throughput(connections, p.beginFinalizeByHand),
				close:    p.Close,
			}, err
		},
	}
}

func counted(connections int) string {
	if connections == 1 {
		return "1 connection"
	}
	return fmt.Sprintf("%d connections", connections)
}

// postgresReplayRow has a table of so many results that not every answer is the same page.
func postgresReplayRow(s *servers, connections int) row {
	const results = 2000
	return row{
		what:     fmt.Sprintf("pgstore replay, %s", counted(connections)),
		baseline: "one raw SELECT by primary key",
		reach:    atLeast(0.9),
		unit:     perSecond,
		open: func(ctx context.Context) (sides, error) {
			p, err := openPlace(ctx, s, connections)
			if err != nil {
				return sides{}, err
			}
			keys, err := p.fill(ctx, results)
			if err != nil {
				p.Close()
				return sides{}, err
			}
			one := func() idem.Reservation { return reservation(keys[rand.IntN(results)]) }
			replay := func(ctx context.Context) error { return expect(ctx, p.store, one(), idem.Replay) }
			selected := func(ctx context.Context) error { return p.selectByHand(ctx, one().Key) }
			return sides{throughput(connections, replay), throughput(connections, selected), p.Close}, nil
		},
	}
}

// fill finalizes n keys and returns them.
func (p place) fill(ctx context.Context, n int) (keys []string, err error) {
	for range n {
		r := newcomer()
		if err := begin(ctx, p.store, r); err != nil {
			return nil, err
		}
		if err := p.store.Finalize(ctx, r.Key, r.Token, answer, 0); err != nil {
			return nil, err
		}
		keys = append(keys, r.Key.Value)
	}
	_, err = p.Exec(ctx, "VACUUM ANALYZE idempotency_keys")
	return keys, err
}
