package faults_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what should come at once.
const patience = 20 * time.Second

// A worker is the test binary as a process of its own.
type worker struct {
	url     string
	process *exec.Cmd
	stdin   io.WriteCloser
	lines   chan string // of its standard output
	log     *tail       // of its standard error
	kill    func()      // as kill -9 does: nothing of it runs any more
}

// start starts a worker and waits until it listens.
func start(j job) (*worker, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	w := &worker{process: exec.Command(os.Args[0]), lines: make(chan string, 64), log: new(tail)}
	w.process.Env = append(os.Environ(), jobVariable+"="+string(text))
	w.process.Stderr = w.log
	if w.stdin, err = w.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := w.process.Start(); err != nil {
		return nil, err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(w.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			w.lines <- lines.Text()
		}
	}()
	w.kill = sync.OnceFunc(func() {
		_ = w.process.Process.Kill() // it may be dead
		<-read
		_ = w.process.Wait() // the status is that of SIGKILL
	})
	line, err := w.wait("listening ")
	if err != nil {
		w.kill()
		return nil, fmt.Errorf("start a worker: %w\n%s", err, w.log)
	}
	w.url = line
	return w, nil
}

// wait returns what follows prefix in the next line of output.
func (w *worker) wait(prefix string) (string, error) {
	late := time.After(patience)
	select {
	case line, ok := <-w.lines:
		rest, found := strings.CutPrefix(line, prefix)
		switch {
		case !ok:
			return "", errors.New("the worker has ended")
		case !found:
			return "", fmt.Errorf("the worker says %q, not %q", line, prefix)
		}
		return rest, nil
	case <-late:
		return "", fmt.Errorf("the worker does not say %q", prefix)
	}
}

// held waits until a request is held at s.
func (w *worker) held(t testing.TB, s step) {
	t.Helper()
	if _, err := w.wait("held " + string(s)); err != nil {
		t.Fatalf("%v\n%s", err, w.log)
	}
}

// release lets all held requests go on.
func (w *worker) release(t testing.TB) {
	t.Helper()
	if _, err := fmt.Fprintln(w.stdin, "release"); err != nil {
		t.Fatal(err)
	}
}

// newWorker starts a worker that ends with the test, and whose data races are the test's.
func newWorker(t testing.TB, j job) *worker {
	t.Helper()
	w, err := start(j)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.end(t) })
	return w
}

// end kills the worker. Where the test has failed, it says what the worker had to say.
func (w *worker) end(t testing.TB) {
	w.kill()
	switch text := w.log.String(); {
	case strings.Contains(text, "DATA RACE"):
		t.Errorf("the worker has a data race:\n%s", text)
	case t.Failed() && text != "":
		t.Logf("the worker's last words:\n%s", text)
	}
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 2 << 10

func (l *tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if race := bytes.Index(p, []byte("DATA RACE")); race >= 0 && !bytes.Contains(l.text, []byte("DATA RACE")) {
		l.text = l.text[:0] // it comes first, and must not be cut off
	}
	l.text = append(l.text, p...)
	if n := len(l.text); n > 2*tailSize && !bytes.Contains(l.text, []byte("DATA RACE")) {
		l.text = append(l.text[:0], l.text[n-tailSize:]...)
	}
	return len(p), nil
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}
