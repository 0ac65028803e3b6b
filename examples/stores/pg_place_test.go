package stores_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

// every is each byte once.
func every() string {
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	return string(all)
}

// Text of PostgreSQL may hold no NUL, and in a database of another encoding not even all of UTF-8.
func TestPgEncodings(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"UTF8", "LATIN1", "SQL_ASCII"} {
		t.Run(encoding, func(t *testing.T) {
			t.Parallel()
			p, _ := newPgDatabase(t, "ENCODING '"+encoding+"' LOCALE 'C'")
			for name, s := range pgStoresOn(t, p) {
				r := reservation(name + every())
				r.Key.Scope = idem.Scope{Tenant: every()[1:], Actor: "\x00'\\x" + strings.Repeat("\xff", 40)}
				r.Key.Endpoint = "caf\xc3\xa9\x00"
				begin(t, s, r, idem.Reserved)
				want := idem.Response{Status: 200, Header: http.Header{"X-Utf": {"caf\xc3\xa9", "caf\xe9", ""}},
					Body: []byte(every() + `{"b":1,"a":2,"a":3,"n":1.0}\u0000`)}
				if err := s.Finalize(t.Context(), r.Key, r.Token, want, 0); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				r.Token = idem.NewToken()
				got := begin(t, s, r, idem.Replay).Response
				if !bytes.Equal(got.Body, want.Body) || fmt.Sprint(got.Header) != fmt.Sprint(want.Header) {
					t.Errorf("%s: the replay is %v, not %v", name, got, want)
				}
				near := r
				near.Key.Scope.Tenant = r.Key.Scope.Tenant[:254]
				begin(t, s, near, idem.Reserved)
			}
		})
	}
}

// pgStoresOn are stores of one place by each driver and protocol.
func pgStoresOn(t *testing.T, p pgPlace) map[string]idem.Store {
	t.Helper()
	if err := pgstore.New(pgPool(t, p.dsn)).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	stores := map[string]idem.Store{
		"stdlib":    pgstore.NewDB(pgDB(t, "pgx", p.dsn)),
		"pq":        pgstore.NewDB(pgDB(t, "postgres", p.dsn)),
		"pq binary": pgstore.NewDB(pgDB(t, "postgres", p.dsn+" binary_parameters=yes")),
	}
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe,
		pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		// pgx quotes for UTF-8 clients only, whatever the database's encoding is.
		stores[mode.String()] = pgstore.New(pgPool(t, p.dsn, pgMode(mode), pgSet("client_encoding", "UTF8")))
	}
	return stores
}

// Every driver and protocol reads what every other wrote, and takes part in the same race.
func TestPgDriversAgree(t *testing.T) {
	t.Parallel()
	p := newPgPlace(t)
	stores := pgStoresOn(t, p)
	for writer, w := range stores {
		r := reservation(writer)
		begin(t, w, r, idem.Reserved)
		for reader, s := range stores {
			if o, err := s.Begin(t.Context(), reservation(writer)); err != nil || o.State != idem.InProgress {
				t.Errorf("what %s began, %s finds %+v, %v", writer, reader, o, err)
			}
		}
		want := idem.Response{Status: 204, Header: http.Header{"Etag": {`"7"`}}}
		if err := w.Finalize(t.Context(), r.Key, r.Token, want, time.Hour); err != nil {
			t.Errorf("%s: %v", writer, err)
		}
		for reader, s := range stores {
			o, err := s.Begin(t.Context(), reservation(writer))
			if err != nil || o.State != idem.Replay || o.Response.Status != 204 || o.Response.Header.Get("Etag") != `"7"` {
				t.Errorf("what %s finalized, %s finds %+v, %v", writer, reader, o, err)
			}
		}
	}
}

// One clock decides, the server's, and it has no zone.
func TestPgTimeZones(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "Asia/Tokyo", "America/Los_Angeles"}
	s := openPgx(t)
	stores := map[string]*pgstore.Store[pgx.Tx]{}
	for _, zone := range zones {
		stores[zone] = pgstore.New(pgPool(t, s.dsn, pgSet("TimeZone", zone), pgSet("DateStyle", "German"),
			func(c *pgxpool.Config) { c.MaxConns = 1 }))
	}
	for _, writes := range zones {
		for _, reads := range zones {
			key := writes + " to " + reads
			owner, w, r := reservation(key), stores[writes], stores[reads]
			owner.Lease = 2 * time.Second
			o := begin(t, w, owner, idem.Reserved)
			if off := time.Since(o.Now).Abs(); off > time.Minute {
				t.Errorf("%s: the store's time is off by %v", key, off)
			}
			s.later(t, time.Second)
			begin(t, r, reservation(key), idem.InProgress)
			s.later(t, 2*time.Second)
			next := reservation(key)
			next.TakeOver = begin(t, r, reservation(key), idem.Unknown).Fence
			begin(t, r, next, idem.Reserved)
			if err := r.Finalize(t.Context(), next.Key, next.Token, created, 10*time.Second); err != nil {
				t.Error(err)
			}
			s.later(t, 5*time.Second)
			begin(t, w, reservation(key), idem.Replay)
			s.later(t, 6*time.Second)
			begin(t, w, reservation(key), idem.Reserved)
		}
	}
}
