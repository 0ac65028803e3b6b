package live

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// A PostgresServer is a cluster of PostgreSQL with the superuser "idem", who needs no password.
type PostgresServer struct {
	Dir  string // holds the socket
	Port int    // on 127.0.0.1, and of the socket
	*process
}

// PostgresOptions change what [StartPostgres] starts.
type PostgresOptions struct {
	// Settings are those of postgresql.conf: "fsync": "off". Without any, commits are durable.
	Settings map[string]string
}

var sharedPostgres = sync.OnceValues(func() (*PostgresServer, error) {
	s, err := StartPostgres(PostgresOptions{})
	if err == nil {
		keep(s.process)
	}
	return s, err
})

// Postgres is the test binary's one PostgreSQL server, which [Main] ends. Each test makes its own tables.
func Postgres(t testing.TB) *PostgresServer {
	t.Helper()
	s, err := sharedPostgres()
	if err != nil {
		unavailable(t, "PostgreSQL", err)
	}
	return s
}

// StartPostgres starts another server, for a test that kills it or sets it up otherwise. Stop it.
func StartPostgres(o PostgresOptions) (*PostgresServer, error) {
	postgres, err := find("postgres", "/usr/lib/postgresql/*/bin", "/usr/local/opt/postgresql*/bin", "/opt/homebrew/opt/postgresql*/bin")
	if err != nil {
		return nil, err
	}
	dir, err := newFolder("pg")
	if err != nil {
		return nil, err
	}
	s, err := startPostgres(dir, postgres, o)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

func startPostgres(dir, postgres string, o PostgresOptions) (*PostgresServer, error) {
	data := filepath.Join(dir, "data")
	err := run(dir, filepath.Join(filepath.Dir(postgres), "initdb"), "-D", data, "-U", "idem", "-A", "trust",
		"-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	args := []string{"-D", data, "-k", dir, "-h", "127.0.0.1", "-p", strconv.Itoa(port), "-c", "max_connections=300"}
	for name, value := range o.Settings {
		args = append(args, "-c", name+"="+value)
	}
	ready := func() bool { // the last line, since version 10
		status, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
		return err == nil && bytes.HasSuffix(bytes.TrimSpace(status), []byte("\nready"))
	}
	p, err := start(dir, "INT", ready, postgres, args...)
	if err != nil {
		return nil, err
	}
	return &PostgresServer{Dir: dir, Port: port, process: p}, nil
}

// Stop ends the server without waiting for its clients, and removes its folder.
func (s *PostgresServer) Stop() { s.stop() }

// DSN names a database of the server for pgx and lib/pq, by the socket.
func (s *PostgresServer) DSN(database string) string {
	return fmt.Sprintf("host=%s port=%d user=idem dbname=%s sslmode=disable", s.Dir, s.Port, database)
}

// Addr is where the server listens on loopback.
func (s *PostgresServer) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)) }
