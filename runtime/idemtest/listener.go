package idemtest

import (
	"context"
	"net"
	"sync"
)

// listener has connections within the process: thousands of requests, each on a connection of its own, would use up the
// ports of a machine.
type listener struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newListener() *listener {
	return &listener{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

// dial is the client's side.
func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.accepted <- conn{server}:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accepted:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *listener) Addr() net.Addr { return loopback }

// conn has addresses that look like others, for services that read them.
type conn struct{ net.Conn }

func (conn) LocalAddr() net.Addr  { return loopback }
func (conn) RemoteAddr() net.Addr { return loopback }

var loopback = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
