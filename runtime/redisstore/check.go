package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// What [Store.Check] finds. A service may accept one and not the others; use errors.Is.
var (
	// ErrEvicts: the server may remove records to make room for others.
	ErrEvicts = errors.New("redis evicts records when its memory is full: set maxmemory-policy noeviction")
	// ErrForgets: a restart of the server loses the latest records, or all.
	ErrForgets = errors.New("redis keeps records in memory alone: set appendonly yes")
	// ErrReplica: the client asks a server that cannot reserve.
	ErrReplica = errors.New("redis is a read-only replica: ask the master")
)

// Check looks at every master for what would lose records (see the package's comment), and returns all that it finds,
// joined. Whether the append-only file is synced often enough, it cannot see. Call it when the service starts.
func (s *Store) Check(ctx context.Context) error {
	masters, err := s.masters(ctx)
	if err != nil {
		return fmt.Errorf("check: find masters: %w", err)
	}
	var replica, evicts, forgets error
	for _, m := range masters {
		answer, err := s.run(ctx, checkScript, m.key)
		if err != nil {
			return fmt.Errorf("check: %w", err)
		}
		says, err := answer.info()
		if err != nil {
			return fmt.Errorf("check: %w", err)
		}
		if says["role"] != "master" {
			replica = ErrReplica
		}
		if says["maxmemory_policy"] != "noeviction" {
			evicts = ErrEvicts
		}
		if says["aof_enabled"] != "1" {
			forgets = ErrForgets
		}
	}
	return errors.Join(replica, evicts, forgets)
}

// info reads the texts that INFO answers: lines of a name, a colon and a value.
func (r reply) info() (map[string]string, error) {
	says := map[string]string{}
	for i := range r {
		text, err := r.text(i)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(text) {
			name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
			says[name] = value
		}
	}
	return says, nil
}
