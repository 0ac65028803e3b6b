package main

import (
	"bufio"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite"
)

// build compiles the service into folder.
func build(folder string) (string, error) {
	binary := filepath.Join(folder, "ledger.exe") // the suffix matters on Windows, and nowhere else
	out, err := exec.Command("go", "build", "-o", binary, "github.com/idemgen/idemgen/examples/ledger").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the ledger: %w\n%s", err, out)
	}
	return binary, nil
}

// A server is the service as a process of its own, which its standard input tells to hold requests.
type server struct {
	binary, folder, unsafe string

	url     string
	process *exec.Cmd
	stdin   io.WriteCloser
	lines   chan string // of its standard output
}

// patience is how long the demo waits for something that should come at once.
const patience = 5 * time.Second

func (s *server) database() string { return filepath.Join(s.folder, "ledger.db") }

// log is where the process says what went wrong.
func (s *server) log() string { return filepath.Join(s.folder, "ledger.log") }

// start starts the process and waits until it listens.
func (s *server) start() error {
	s.process = exec.Command(s.binary, "-addr", "127.0.0.1:0", "-db", s.database(), "-gate", "-unsafe", s.unsafe)
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the process has its own handle
	s.process.Stderr = log
	if s.stdin, err = s.process.StdinPipe(); err != nil {
		return err
	}
	stdout, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return err
	}
	s.lines = make(chan string, 16)
	go func(lines chan<- string) {
		defer close(lines)
		for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}(s.lines)
	line := s.wait("listening ")
	address, ok := strings.CutPrefix(line, "listening ")
	if !ok {
		s.kill()
		return fmt.Errorf("start the ledger: %s", line)
	}
	s.url = address
	return nil
}

// kill ends the process as kill -9 does: nothing of it runs any more.
func (s *server) kill() {
	_ = s.process.Process.Kill() // it may be dead
	_ = s.process.Wait()
}

// wait returns the next line of output that begins like this, or says that none came.
func (s *server) wait(prefix string) string {
	timeout := time.After(patience)
	for {
		select {
		case line, ok := <-s.lines:
			if !ok {
				return "the process has ended"
			}
			if strings.HasPrefix(line, prefix) {
				return line
			}
		case <-timeout:
			return "nothing came"
		}
	}
}

// hold tells the server to stop the next request that comes to this point.
func (s *server) hold(point string) {
	fmt.Fprintln(s.stdin, "hold "+point)
	s.wait("armed ")
}

// release lets the held request go on, and the next one pass.
func (s *server) release() {
	fmt.Fprintln(s.stdin, "release")
	s.wait("released")
}

// rows counts the rows of every table, and the events by their kind and tenant, in the file itself.
func (s *server) rows() (map[string]int, error) {
	db, err := sql.Open("sqlite", "file:"+s.database()+"?_pragma=busy_timeout(5000)&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	counts := map[string]int{}
	if err := tally(db, counts, `SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%_schema'`); err != nil {
		return nil, err
	}
	for table := range counts {
		if err := tally(db, counts, fmt.Sprintf(`SELECT %q, count(*) FROM %q`, table, table)); err != nil {
			return nil, err
		}
	}
	err = tally(db, counts, `SELECT tenant || ' ' || kind || ' events', count(*) FROM events GROUP BY tenant, kind`)
	return counts, err
}

func tally(db *sql.DB, into map[string]int, query string) error {
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			return err
		}
		into[name] = n
	}
	return rows.Err()
}
