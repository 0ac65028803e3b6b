package faults_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// A backend is a store in a database, with a table of effects beside it.
type backend struct {
	name string
	kind kind
	// start starts the backend, or skips the test.
	start func(t testing.TB) place
	// open is the worker's half.
	open func(ctx context.Context, j job) (service, error)
	// crash starts it for one test, and says how to crash it and start it again; nil for what has no server.
	crash func(t testing.TB) (place, func() error)
	// patient is a driver that waits for a silent connection even when its context is over.
	patient bool
}

// A kind is what a backend is, whatever the driver.
type kind string

const (
	onSQLite   kind = "SQLite"
	onPostgres kind = "PostgreSQL"
	onRedis    kind = "Redis"
	onCluster  kind = "Redis Cluster"
)

// backends is the table.
var backends = []backend{
	{name: "SQLite (modernc.org/sqlite)", kind: onSQLite, start: startSQLite, open: openSQLite},
	{name: "PostgreSQL (pgx)", kind: onPostgres, start: startPostgres, open: openPgx, crash: crashPostgres},
	{name: "PostgreSQL (database/sql, lib/pq)", kind: onPostgres, start: startPostgres, open: openPq, crash: crashPostgres, patient: true},
	{name: "Redis (go-redis)", kind: onRedis, start: startRedis, open: openRedis, crash: crashRedis},
	{name: "Redis Cluster (go-redis)", kind: onCluster, start: startRedisCluster, open: openRedis},
}

func backendNamed(name string) backend {
	for _, b := range backends {
		if b.name == name {
			return b
		}
	}
	panic(fmt.Sprintf("no backend %q", name))
}

// modes are those that the store has.
func (b backend) modes() []mode {
	if b.kind == onRedis || b.kind == onCluster {
		return []mode{lease}
	}
	return []mode{joined, lease}
}

// behindProxy are the kinds whose connections can be cut: their places have tcp and by. A cluster tells its clients
// where else to connect.
var behindProxy = []kind{onPostgres, onRedis}

func (b backend) has(m mode) bool { return slices.Contains(b.modes(), m) }

// A place is a backend that runs, with no records and no effects.
type place struct {
	address string
	// effects are the ids of the effects of each name, as the backend itself has them. An effect of which only a half
	// is there is an error.
	effects func(ctx context.Context) (map[string][]string, error)
	// tcp is where the backend listens; "" for a file.
	tcp string
	// by is the address by way of a proxy.
	by func(proxy string) string
}

// ids are those of the effects of this name.
func (p place) ids(t testing.TB, name string) []string {
	t.Helper()
	all, err := p.effects(t.Context())
	if err != nil {
		t.Error(err)
	}
	return all[name]
}

// count fails the test unless the effect of this name is there n times.
func (p place) count(t testing.TB, name string, n int) {
	t.Helper()
	if ids := p.ids(t, name); len(ids) != n {
		t.Errorf("%s: effects %q, not %d", name, ids, n)
	}
}

// eachBackend runs a test on each backend of these kinds; of all where none is given.
func eachBackend(t *testing.T, run func(t *testing.T, b backend), kinds ...kind) {
	t.Helper()
	for _, b := range backends {
		if len(kinds) > 0 && !slices.Contains(kinds, b.kind) {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			run(t, b)
		})
	}
}

// halves collects the rows of effects.
type halves map[effect]int

func (h halves) effects() (map[string][]string, error) {
	all := map[string][]string{}
	for e, n := range h {
		if n != 2 {
			return nil, fmt.Errorf("effect %s of %s: %d halves", e.id, e.name, n)
		}
		all[e.name] = append(all[e.name], e.id)
	}
	return all, nil
}
