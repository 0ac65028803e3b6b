package main

import (
	"sync"

	"github.com/idemgen/idemgen/examples/stores/live"
)

// servers are started when a row first needs them.
type servers struct {
	pg struct {
		sync.Once
		server *live.PostgresServer
		err    error
	}
	rd struct {
		sync.Once
		server *live.RedisServer
		err    error
	}
}

func (s *servers) postgres() (*live.PostgresServer, error) {
	s.pg.Do(func() {
		// Everything as the server comes, commits durable, but for checkpoints, which would fall upon some runs
		// and not upon others.
		s.pg.server, s.pg.err = live.StartPostgres(live.PostgresOptions{
			Settings: map[string]string{"max_wal_size": "16GB", "checkpoint_timeout": "1h"},
		})
	})
	return s.pg.server, s.pg.err
}

func (s *servers) redis() (*live.RedisServer, error) {
	s.rd.Do(func() { s.rd.server, s.rd.err = live.StartRedis(live.RedisOptions{}) })
	return s.rd.server, s.rd.err
}

func (s *servers) stop() {
	if s.pg.server != nil {
		s.pg.server.Stop()
	}
	if s.rd.server != nil {
		s.rd.server.Stop()
	}
}
