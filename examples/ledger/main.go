// Ledger serves the example ledger: the whole surface of the idempotency policy over a SQLite file.
//
//	go run ./ledger -db ledger.db
//	curl -i -X POST localhost:8080/programmes -H 'Authorization: Bearer acme.alice' \
//	  -H 'Idempotency-Key: 1' -H 'Content-Type: application/json' \
//	  -d '{"code":"HSE-26","name":{"en":"Site safety"},"runs":{"from":"2026-03-01"}}'
//
// Send the same line twice: the second answer is the first one, with Idempotent-Replayed: true.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/idemgen/idemgen/examples/ledger/service"
	"github.com/idemgen/idemgen/runtime/idem"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "listen on `HOST:PORT`")
	file := flag.String("db", "ledger.db", "keep everything in this SQLite `FILE`")
	gate := flag.Bool("gate", false, "for the demo: hold requests as standard input says")
	mode := flag.String("unsafe", "", "for the demo's test: take a guarantee away, `nowrapper or notenant`")
	flag.Parse()
	unsafe, err := service.ParseUnsafe(*mode)
	if err != nil || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	o := service.Options{Unsafe: unsafe, Observer: observe}
	if *gate {
		o.Gate = service.NewGate(os.Stdout)
		go o.Gate.Obey(os.Stdin)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *addr, *file, o); err != nil {
		fmt.Fprintln(os.Stderr, "ledger:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done, and lets the requests under way end.
func run(ctx context.Context, addr, file string, o service.Options) error {
	db, err := service.Open(file)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := service.Prepare(ctx, db); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: service.New(db, o), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	fmt.Printf("listening http://%s\n", listener.Addr())
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	return server.Shutdown(last)
}

// observe logs what an operator wants to know of: not that keys work, but that something went wrong.
func observe(ctx context.Context, e idem.Event) {
	switch e.Kind {
	case idem.EventLost, idem.EventFinalizeFailed, idem.EventUnknown, idem.EventUnavailable:
		slog.WarnContext(ctx, e.Kind.String(), "endpoint", e.Endpoint, "fence", e.Fence, "error", e.Err)
	}
}
