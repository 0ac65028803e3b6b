package linear_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// orderVariable makes the test binary an owner: a process that serves the operation, and can be paused.
const orderVariable = "IDEMGEN_ZOMBIE_ORDER"

// An order is what an owner is told to do.
type order struct {
	Address string
	Lease   time.Duration
	Joined  bool
	// Heeds has the handler wait for the end of its context, as a good one does. Else it waits to be told to go on, and
	// does not look at its context at all.
	Heeds bool
	// Tries has a handler that heeds try to renew and finalize by its own token, past the runtime.
	Tries bool
}

// A word is what an owner says.
type word struct {
	Listening string // where
	Working   bool   // the handler has begun
	Session   int    // of its transaction
	Woken     bool   // its context has ended
	Cause     string
	Renew     string // what the store says to the late owner
	Finalize  string
}

// own is the owner's life. It ends with its standard input.
func own(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	s, err := openService(context.Background(), o.Address, "first")
	if err != nil {
		return err
	}
	defer s.close()
	out := json.NewEncoder(os.Stdout)
	told := make(chan struct{})
	keeper := &keeper{Store: s.store}
	do := func(ctx context.Context, session int) (*idem.Response, error) {
		if err := out.Encode(word{Working: true, Session: session}); err != nil {
			return nil, err
		}
		if o.Heeds {
			<-ctx.Done()
			w := word{Woken: true, Cause: fmt.Sprint(context.Cause(ctx))}
			if o.Tries {
				w.Renew, w.Finalize = keeper.try()
			}
			if err := out.Encode(w); err != nil {
				return nil, err
			}
		} else {
			<-told
		}
		return &idem.Response{Status: http.StatusCreated, Body: []byte("first")}, nil
	}
	op := operation(o.Lease, idem.Reject)
	handler := s.leased(idem.New(keeper, scope), op, do)
	if o.Joined {
		handler = s.joined(idem.New(s.store, scope), op, do)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- http.Serve(listener, handler) }()
	go func() {
		lines := bufio.NewScanner(os.Stdin)
		if lines.Scan() {
			close(told)
		}
		for lines.Scan() {
		}
		failed <- nil
	}()
	if err := out.Encode(word{Listening: listener.Addr().String()}); err != nil {
		return err
	}
	return <-failed
}

// A keeper keeps the token that the runtime made.
type keeper struct {
	idem.Store
	mu   sync.Mutex
	last idem.Reservation
}

func (k *keeper) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	k.mu.Lock()
	k.last = r
	k.mu.Unlock()
	return k.Store.Begin(ctx, r)
}

// try says what becomes of the verbs of an owner.
func (k *keeper) try() (renew, finalize string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	ctx, r := context.Background(), k.last
	return says(k.Renew(ctx, r.Key, r.Token, time.Minute)),
		says(k.Finalize(ctx, r.Key, r.Token, idem.Response{Status: http.StatusCreated, Body: []byte("first")}, 0))
}

func says(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, idem.ErrLost):
		return "lost"
	default:
		return err.Error()
	}
}

// patience is how long a test waits for what should come at once.
const patience = 20 * time.Second

// An owner is the other process.
type owner struct {
	t       testing.TB
	url     string
	process *exec.Cmd
	stdin   io.Writer
	words   chan word
}

// newOwner starts one, which ends with the test, and with the test binary, even where it is paused then.
func newOwner(t testing.TB, o order) *owner {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	w := &owner{t: t, process: exec.Command(os.Args[0]), words: make(chan word, 8)}
	w.process.Env = append(os.Environ(), orderVariable+"="+string(text), "GORACE=halt_on_error=1")
	w.process.Stderr = t.Output()
	in, err := w.process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.process.Start(); err != nil {
		t.Fatal(err)
	}
	w.stdin = in
	read := make(chan struct{})
	t.Cleanup(func() {
		_ = w.process.Process.Kill() // it may have ended
		<-read
		_ = w.process.Wait() // the status is that of SIGKILL
	})
	guard(t, w.process.Process.Pid)
	go func() {
		defer close(read)
		defer close(w.words)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var said word
			if err := json.Unmarshal(lines.Bytes(), &said); err != nil {
				t.Errorf("the owner says %q", lines.Text())
				continue
			}
			w.words <- said
		}
	}()
	w.url = "http://" + w.listen("where it listens", func(said word) bool { return said.Listening != "" }).Listening + "/claims"
	return w
}

// guard kills a process where this one ends without having done so: a paused process does not notice.
func guard(t testing.TB, pid int) {
	t.Helper()
	watch := exec.Command("/bin/sh", "-c", `read -r _; kill -KILL "$0"`, strconv.Itoa(pid))
	if _, err := watch.StdinPipe(); err != nil { // it ends with this process
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // before the process has ended, and its number is another's
		_ = watch.Process.Kill()
		_ = watch.Wait()
	})
}

// listen waits for a word.
func (w *owner) listen(what string, is func(word) bool) word {
	w.t.Helper()
	select {
	case said, ok := <-w.words:
		if !ok || !is(said) {
			w.t.Fatalf("the owner says %+v (it lives: %t), not %s", said, ok, what)
		}
		return said
	case <-time.After(patience):
		w.t.Fatalf("the owner does not say %s", what)
		return word{}
	}
}

func (w *owner) working() (session int) {
	w.t.Helper()
	return w.listen("that it works", func(said word) bool { return said.Working }).Session
}

func (w *owner) pause()  { w.signal(syscall.SIGSTOP) }
func (w *owner) resume() { w.signal(syscall.SIGCONT) }

func (w *owner) signal(s syscall.Signal) {
	w.t.Helper()
	if err := w.process.Process.Signal(s); err != nil {
		w.t.Fatal(err)
	}
}

// goOn lets a handler return that does not heed its context. It will do so when it is resumed.
func (w *owner) goOn() {
	w.t.Helper()
	if _, err := fmt.Fprintln(w.stdin, "go on"); err != nil {
		w.t.Fatal(err)
	}
}
