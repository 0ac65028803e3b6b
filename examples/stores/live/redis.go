package live

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A RedisServer is a server without a password.
type RedisServer struct {
	Port int // on 127.0.0.1

	program string
	args    []string
	files   *process // has the folder of the server's files
	server  *process
}

// RedisOptions change what [StartRedis] starts.
type RedisOptions struct {
	// Settings are those of redis.conf: "maxmemory": "3mb". Without any, nothing is written to disk.
	Settings map[string]string
}

var sharedRedis = sync.OnceValues(func() (*RedisServer, error) {
	s, err := StartRedis(RedisOptions{})
	if err == nil {
		s.keep()
	}
	return s, err
})

// Redis is the test binary's one Redis server, which [Main] ends. Each test has a prefix of its own.
func Redis(t testing.TB) *RedisServer {
	t.Helper()
	s, err := sharedRedis()
	if err != nil {
		unavailable(t, "Redis", err)
	}
	return s
}

// NewRedis starts another server until the test ends, for a test that kills it or sets it up otherwise.
func NewRedis(t testing.TB, o RedisOptions) *RedisServer {
	t.Helper()
	s, err := StartRedis(o)
	if err != nil {
		unavailable(t, "Redis", err)
	}
	t.Cleanup(s.Stop)
	return s
}

// StartRedis starts another server. Stop it.
func StartRedis(o RedisOptions) (*RedisServer, error) {
	program, err := find("redis-server", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
	if err != nil {
		return nil, err
	}
	files, err := startFolder("redis-files")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		files.stop()
		return nil, err
	}
	s := &RedisServer{Port: port, program: program, files: files, args: []string{"--bind", "127.0.0.1",
		"--port", strconv.Itoa(port), "--dir", files.dir, "--pidfile", filepath.Join(files.dir, "pid"), "--save", ""}}
	for name, value := range o.Settings {
		s.args = append(s.args, "--"+name, value)
	}
	if err := s.Restart(); err != nil {
		files.stop()
		return nil, err
	}
	return s, nil
}

// startFolder makes a folder that outlives the servers that use it, and goes with the test binary.
func startFolder(name string) (*process, error) {
	dir, err := newFolder(name)
	if err != nil {
		return nil, err
	}
	// It ends by itself when it is told to. Of a process that ends by a signal the watch's shell would tell, and
	// where the test binary is gone that would be the end of the shell, before it removes the folder.
	const idle = `trap 'kill $!; exit 0' TERM; tail -f /dev/null & wait`
	p, err := start(dir, "TERM", func() bool { return true }, "/bin/sh", "-c", idle)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return p, nil
}

// Restart starts the server again after [RedisServer.Kill], on its port and with its files.
func (s *RedisServer) Restart() error {
	dir, err := newFolder("redis")
	if err != nil {
		return err
	}
	ready := func() bool {
		pong, err := redisAsk(s.Addr(), "PING")
		_, started := s.pid() // else another program has the port
		return err == nil && pong == "PONG" && started == nil
	}
	if s.server, err = start(dir, "TERM", ready, s.program, s.args...); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return nil
}

// Addr is where the server listens.
func (s *RedisServer) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)) }

// Stop ends the server and removes its files.
func (s *RedisServer) Stop() {
	s.server.stop()
	s.files.stop()
}

// keep leaves the server running until the test binary ends.
func (s *RedisServer) keep() {
	keep(s.server)
	keep(s.files)
}

// Kill ends the server at once, as a crash does. Its files stay for [RedisServer.Restart].
func (s *RedisServer) Kill() error {
	pid, err := s.pid()
	if err != nil {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return err
	}
	s.server.stop()
	return nil
}

func (s *RedisServer) pid() (int, error) {
	text, err := os.ReadFile(filepath.Join(s.files.dir, "pid"))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// redisAsk sends one command without blanks in its words and returns a reply that is a line or a bulk string.
func redisAsk(addr string, words ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(conn, "%s\r\n", strings.Join(words, " ")); err != nil {
		return "", err
	}
	r := bufio.NewReader(conn)
	line, err := r.ReadString('\n')
	if err != nil {
		return "", err
	}
	switch line = strings.TrimSpace(line); line[0] {
	case '-':
		return "", fmt.Errorf("%s: %s", words[0], line[1:])
	case '$':
		n, err := strconv.Atoi(line[1:])
		if err != nil {
			return "", err
		}
		text := make([]byte, n)
		if _, err := io.ReadFull(r, text); err != nil {
			return "", err
		}
		return string(text), nil
	}
	return line[1:], nil
}
