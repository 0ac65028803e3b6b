package live

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// A Pooler is a PgBouncer in front of a server.
type Pooler struct {
	Port int // on 127.0.0.1
	*process
}

// PgBouncer starts one that pools by transaction, with so many connections to the server, until the test ends. It
// skips the test where PgBouncer is not installed, under CI=true too: it is no store.
func PgBouncer(t testing.TB, server *PostgresServer, connections int) *Pooler {
	t.Helper()
	program, err := find("pgbouncer", "/usr/sbin")
	if err != nil {
		t.Skip(err)
	}
	p, err := startPgBouncer(program, server, connections)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.stop)
	return p
}

func startPgBouncer(program string, server *PostgresServer, connections int) (*Pooler, error) {
	dir, err := newFolder("pgb")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	config := fmt.Sprintf(`[databases]
* = host=%s port=%d user=idem
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = %d
max_client_conn = 500
ignore_startup_parameters = extra_float_digits
`, server.Dir, server.Port, port, connections)
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		return nil, err
	}
	ready := func() bool {
		conn, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), time.Second)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}
	p, err := start(dir, "INT", ready, program, file)
	if err != nil {
		return nil, err
	}
	return &Pooler{Port: port, process: p}, nil
}

// DSN names a database behind the pooler.
func (p *Pooler) DSN(database string) string {
	return fmt.Sprintf("host=127.0.0.1 port=%d user=idem dbname=%s sslmode=disable", p.Port, database)
}
