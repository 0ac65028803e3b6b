package pgstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// refusing is a pool that answers every statement with an error, and counts them.
type refusing struct {
	err   error
	asked *int
}

func (p refusing) QueryRow(context.Context, string, ...any) failed { *p.asked++; return failed{p.err} }
func (p refusing) Begin(context.Context) (noTx, error)             { *p.asked++; return noTx{}, p.err }
func (refusing) Close()                                            {}

type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

type noTx struct{}

func (noTx) QueryRow(context.Context, string, ...any) failed        { return failed{} }
func (noTx) Exec(context.Context, string, ...any) (struct{}, error) { return struct{}{}, nil }
func (noTx) Commit(context.Context) error                           { return nil }
func (noTx) Rollback(context.Context) error                         { return nil }

// Each verb says what it was doing, and repeats what was refused for others' sake, not for ever.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
	}{
		{coded("40001"), rounds},
		{coded("55P03"), 1},
		{context.DeadlineExceeded, 1},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			t.Parallel()
			ctx, asked := t.Context(), 0
			s := New(refusing{c.err, &asked})
			r := idem.Reservation{Key: idem.Key{Endpoint: "claims.create"}, Lease: time.Second}
			for want, verb := range map[string]func() error{
				"begin claims.create: reserve record: ": func() error { _, err := s.Begin(ctx, r); return err },
				"look up claims.create: read record: ":  func() error { _, err := s.Lookup(ctx, r.Key); return err },
				"renew claims.create: ":                 func() error { return s.Renew(ctx, r.Key, r.Token, time.Second) },
				"finalize claims.create: ":              func() error { return s.Finalize(ctx, r.Key, r.Token, idem.Response{}, 0) },
				"release claims.create: ":               func() error { return s.Release(ctx, r.Key, r.Token) },
				"sweep: ":                               func() error { _, err := s.Sweep(ctx, 1); return err },
				"list unresolved: ":                     func() error { _, _, err := s.Unresolved(ctx, "", 1); return err },
				"resolve claims.create: ":               func() error { return s.Resolve(ctx, r.Key, 1, nil, 0) },
			} {
				asked = 0
				err := verb()
				if err == nil || err.Error() != want+c.err.Error() || !errors.Is(err, c.err) {
					t.Errorf("it says %v, not %s%v", err, want, c.err)
				}
				if asked != c.want {
					t.Errorf("%s: asked %d times, not %d", want, asked, c.want)
				}
			}
			asked = 0
			err := s.InTx(ctx, r.Key, r.Token, func(noTx) error { return nil })
			if want := "begin transaction of claims.create: " + c.err.Error(); err == nil || err.Error() != want || asked != 1 {
				t.Errorf("InTx says %v after %d tries", err, asked)
			}
			if err := s.Migrate(ctx); err == nil || err.Error() != "migrate idempotency store: "+c.err.Error() {
				t.Errorf("Migrate says %v", err)
			}
		})
	}
}

func TestRefusesTimesThatAreNone(t *testing.T) {
	t.Parallel()
	ctx, asked := t.Context(), 0
	s := New(refusing{nil, &asked})
	k := idem.Key{Endpoint: "claims.create"}
	_, begin := s.Begin(ctx, idem.Reservation{Key: k})
	_, sweep := s.Sweep(ctx, 0)
	_, _, list := s.Unresolved(ctx, "", 0)
	for want, err := range map[string]error{
		"begin claims.create: lease must be more than 0":            begin,
		"renew claims.create: lease must not be less than 0":        s.Renew(ctx, k, idem.Token{}, -1),
		"finalize claims.create: retention must not be less than 0": s.Finalize(ctx, k, idem.Token{}, idem.Response{}, -1),
		"sweep: limit must be more than 0":                          sweep,
		"list unresolved: limit must be more than 0":                list,
		"resolve claims.create: retention must not be less than 0":  s.Resolve(ctx, k, 1, nil, -1),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("it says %v, not %s", err, want)
		}
	}
	if asked != 0 {
		t.Errorf("%d statements were sent", asked)
	}
}

func TestPrefix(t *testing.T) {
	t.Parallel()
	for prefix, good := range map[string]bool{
		"": true, "app_": true, "_": true, "A1": true,
		"1a": false, "a-b": false, "a b": false, `a"`: false, "a;": false, "a.": false, "é": false,
		"a234567890123456789012345678901234567890": true, "a2345678901234567890123456789012345678901": false,
	} {
		func() {
			defer func() {
				if panicked := recover() != nil; panicked == good {
					t.Errorf("Prefix(%q) panics: %t", prefix, panicked)
				}
			}()
			Prefix(prefix)
		}()
	}
}

func TestNilPoolPanics(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(){
		"New":   func() { New[noTx, failed, struct{}](nil) },
		"NewDB": func() { NewDB(nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s(nil) does not panic", name)
				}
			}()
			make()
		}()
	}
}
