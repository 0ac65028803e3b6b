package faults_test

import (
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A proxy stands between workers and their backend, and loses what it is told to lose.
type proxy struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]net.Conn // the worker's, and the backend's
	trap  *trap
}

// A trap cuts a connection at a message that a worker sends.
type trap struct {
	left  int   // messages until then
	loses loses // what the cut loses

	sprung bool
	text   string // the message
}

// loses is what a trap loses. Either way the worker hears nothing.
type loses string

const (
	theMessage loses = "message"    // the backend never gets it, and the connection is cut
	theAnswer  loses = "answer"     // the backend has answered, and the connection is cut
	everything loses = "connection" // the backend has answered, and all is silent from then on, as where a cable is pulled
)

func newProxy(t testing.TB, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, target: target, conns: map[net.Conn]net.Conn{}}
	var serving sync.WaitGroup
	serving.Go(func() { p.serve(&serving) })
	t.Cleanup(func() {
		l.Close()
		p.setDown(true)
		serving.Wait()
	})
	return p
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

func (p *proxy) serve(serving *sync.WaitGroup) {
	for {
		worker, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		serving.Go(func() { p.carry(worker) })
	}
}

// carry moves messages both ways until either side, or a cut, ends the connection.
func (p *proxy) carry(worker net.Conn) {
	backend, err := net.DialTimeout("tcp", p.target, patience)
	if err != nil {
		worker.Close()
		return
	}
	p.mu.Lock()
	p.conns[worker] = backend
	down := p.down
	p.mu.Unlock()
	cut := sync.OnceFunc(func() {
		worker.Close()
		backend.Close()
	})
	if down {
		cut()
	}
	var answers, messages atomic.Int32 // what becomes of them: a fate
	var both sync.WaitGroup
	both.Go(func() {
		defer cut()
		pump(worker, backend, func(message []byte) fate {
			switch p.springs(message) {
			case theMessage:
				return ends
			case theAnswer:
				answers.Store(int32(ends))
			case everything:
				answers.Store(int32(vanishes))
				defer messages.Store(int32(vanishes))
			}
			return fate(messages.Load())
		})
	})
	both.Go(func() {
		defer cut()
		pump(backend, worker, func([]byte) fate { return fate(answers.Load()) })
	})
	both.Wait()
	p.mu.Lock()
	delete(p.conns, worker)
	p.mu.Unlock()
}

// fate is what becomes of a message.
type fate int32

const (
	arrives  fate = iota
	vanishes      // and nobody notices
	ends          // with its connection
)

// pump moves what arrives. A message is what one read gives: small ones come as they were written.
func pump(from, to net.Conn, fateOf func([]byte) fate) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			switch fateOf(buffer[:n]) {
			case ends:
				return
			case arrives:
				if _, err := to.Write(buffer[:n]); err != nil {
					return
				}
			}
		}
		if err != nil {
			return
		}
	}
}

// set lays a trap at the n-th message from now on.
func (p *proxy) set(n int, l loses) *trap {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trap = &trap{left: n, loses: l}
	return p.trap
}

// lift takes the trap away, and says whether it was sprung.
func (p *proxy) lift() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	sprung := p.trap.sprung
	p.trap = nil
	return sprung
}

// springs says what the cut at this message loses, if there is one.
func (p *proxy) springs(message []byte) loses {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trap == nil || p.trap.sprung {
		return ""
	}
	if p.trap.left--; p.trap.left > 0 {
		return ""
	}
	p.trap.sprung, p.trap.text = true, strings.ToLower(string(message))
	return p.trap.loses
}

// cut cuts all connections, whatever is under way on them.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for worker, backend := range p.conns {
		worker.Close()
		backend.Close()
	}
}

// setDown cuts all connections and lets no new one be, or lets them be again.
func (p *proxy) setDown(down bool) {
	p.mu.Lock()
	p.down = down
	p.mu.Unlock()
	if down {
		p.cut()
	}
}
