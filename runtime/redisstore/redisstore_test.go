package redisstore_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/redisstore"
)

// What the scripts do is tested on real servers, in examples/stores. Here is what is done with their replies.

// A server answers what it is told to, and keeps what it was asked.
type server struct {
	answers []func() (any, error)
	asked   []command
}

type command struct {
	name, script, key string
	args              []string
}

func (s *server) eval(_ context.Context, name, script, key string, args []string) (any, error) {
	s.asked = append(s.asked, command{name, script, key, args})
	answer := s.answers[0]
	s.answers = s.answers[1:]
	return answer()
}

func says(reply ...any) func() (any, error) { return func() (any, error) { return reply, nil } }

func fails(text string) func() (any, error) {
	return func() (any, error) { return nil, errors.New(text) }
}

// store is one whose server gives these answers.
func store(answers ...func() (any, error)) (*redisstore.Store, *server) {
	s := &server{answers: answers}
	return redisstore.New(s.eval, redisstore.Options{Retention: time.Hour}), s
}

func reservation() idem.Reservation {
	return idem.Reservation{
		Key:   idem.Key{Scope: idem.Scope{Tenant: "acme", Actor: "u-17"}, Endpoint: "claims.create", Value: "5f1c"},
		Token: idem.NewToken(),
		Lease: time.Minute,
	}
}

var fingerprint = idem.Fingerprint{Canon: 1, Rules: [4]byte{1, 2, 3, 4}, Sum: [32]byte{31: 0xff}}

func TestWrongOptionsAreRefused(t *testing.T) {
	t.Parallel()
	eval := func(context.Context, string, string, string, []string) (any, error) { return nil, nil }
	for name, make := range map[string]func(){
		"nil Eval":        func() { redisstore.New(nil, redisstore.Options{Retention: time.Hour}) },
		"no retention":    func() { redisstore.New(eval, redisstore.Options{}) },
		"retention below": func() { redisstore.New(eval, redisstore.Options{Retention: -1}) },
		"opening brace":   func() { redisstore.New(eval, redisstore.Options{Retention: time.Hour, Prefix: "{a"}) },
		"closing brace":   func() { redisstore.New(eval, redisstore.Options{Retention: time.Hour, Prefix: "a}"}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("New does not panic")
				}
			}()
			make()
		})
	}
}

// Clients make strings, bytes and numbers of the same reply.
func TestRepliesOfEveryClientAreRead(t *testing.T) {
	t.Parallel()
	print := fingerprint.Bytes()
	for name, reply := range map[string][]any{
		"strings": {"replay", "1700000000000000", "7", string(print[:]), "201", "Link: <a>\r\n", "\x00\xff"},
		"bytes": {[]byte("replay"), []byte("1700000000000000"), []byte("7"), print[:], []byte("201"),
			[]byte("Link: <a>\r\n"), []byte("\x00\xff")},
		"numbers": {"replay", int64(1700000000000000), int64(7), string(print[:]), int64(201), "Link: <a>\r\n", "\x00\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := store(says(reply...))
			o, err := s.Begin(t.Context(), reservation())
			if err != nil {
				t.Fatal(err)
			}
			if o.State != idem.Replay || o.Now.UnixMicro() != 1700000000000000 || o.Fence != 7 || o.Fingerprint != fingerprint ||
				o.Response.Status != 201 || o.Response.Header.Get("Link") != "<a>" || string(o.Response.Body) != "\x00\xff" {
				t.Errorf("the outcome is %+v", o)
			}
		})
	}
}

// What is not understood must not pass for an answer.
func TestMalformedRepliesAreErrors(t *testing.T) {
	t.Parallel()
	print := fingerprint.Bytes()
	whole := []any{"replay", int64(1), int64(2), string(print[:]), "200", "", "body"}
	replies := map[string]any{
		"nothing":         nil,
		"a string":        "replay",
		"a status":        "OK",
		"empty":           []any{},
		"unknown word":    []any{"perhaps", int64(1), int64(2), string(print[:])},
		"a number":        []any{int64(1), int64(1), int64(2), string(print[:])},
		"null word":       []any{nil, int64(1)},
		"bad time":        []any{"absent", "soon"},
		"float":           []any{"in progress", 1.5, int64(2), string(print[:])},
		"bad fence":       []any{"in progress", int64(1), "x", string(print[:])},
		"bad fingerprint": []any{"in progress", int64(1), int64(2), "short"},
		"bad status":      []any{"replay", int64(1), int64(2), string(print[:]), "ok", "", ""},
		"bad header":      []any{"replay", int64(1), int64(2), string(print[:]), "200", "no colon", ""},
		"null body":       []any{"replay", int64(1), int64(2), string(print[:]), "200", "", nil},
	}
	for n := range whole {
		replies["cut after "+string(rune('0'+n))] = whole[:n]
	}
	for name, reply := range replies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := func() (any, error) { return reply, nil }
			s, _ := store(answer, answer, answer)
			r := reservation()
			if o, err := s.Begin(t.Context(), r); err == nil || o.State != idem.Absent {
				t.Errorf("Begin says %+v, %v", o, err)
			}
			if o, err := s.Lookup(t.Context(), r.Key); err == nil || o.State != idem.Absent {
				t.Errorf("Lookup says %+v, %v", o, err)
			}
			err := s.Finalize(t.Context(), r.Key, r.Token, idem.Response{Status: 200}, 0)
			if err == nil || errors.Is(err, idem.ErrLost) {
				t.Errorf("Finalize says %v", err)
			}
		})
	}
}

func TestScriptsAreSentByDigestAndThenByText(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"plain":   "NOSCRIPT No matching script. Please use EVAL.",
		"wrapped": "shard 3: NOSCRIPT No matching script. Please use EVAL.",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, asked := store(fails(text), says("done"))
			r := reservation()
			if err := s.Renew(t.Context(), r.Key, r.Token, time.Second); err != nil {
				t.Fatal(err)
			}
			first, second := asked.asked[0], asked.asked[1]
			if first.name != "EVALSHA" || !regexp.MustCompile(`^[0-9a-f]{40}$`).MatchString(first.script) {
				t.Errorf("first comes %s %s", first.name, first.script)
			}
			if second.name != "EVAL" || !strings.Contains(second.script, "redis.call") || second.key != first.key ||
				strings.Join(second.args, "|") != strings.Join(first.args, "|") {
				t.Errorf("then comes %+v, after %+v", second, first)
			}
		})
	}
}

func TestErrorsOfTheServerAreTold(t *testing.T) {
	t.Parallel()
	s, asked := store(fails("READONLY You can't write against a read only replica."))
	if _, err := s.Begin(t.Context(), reservation()); err == nil || errors.Is(err, idem.ErrFull) ||
		!strings.HasPrefix(err.Error(), "begin claims.create: READONLY") {
		t.Errorf("a replica: %v", err)
	}
	if len(asked.asked) != 1 {
		t.Errorf("it was asked %d times", len(asked.asked))
	}
	s, _ = store(fails("OOM command not allowed when used memory > 'maxmemory'."))
	if _, err := s.Begin(t.Context(), reservation()); !errors.Is(err, idem.ErrFull) {
		t.Errorf("a full server: %v, not ErrFull", err)
	}
	s, _ = store(says("lost"))
	r := reservation()
	if err := s.Renew(t.Context(), r.Key, r.Token, 0); !errors.Is(err, idem.ErrLost) {
		t.Errorf("lost: %v, not ErrLost", err)
	}
}

// What can be refused without the server is, and nothing is sent.
func TestWrongArgumentsAndEndedContextsSendNothing(t *testing.T) {
	t.Parallel()
	s, asked := store()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := reservation()
	noLease := r
	noLease.Lease = 0
	_, begin := s.Begin(t.Context(), noLease)
	_, _, unresolved := s.Unresolved(t.Context(), "", 0)
	_, _, cursor := s.Unresolved(t.Context(), "here", 1)
	_, ended := s.Begin(ctx, r)
	response := idem.Response{Status: 200}
	for name, err := range map[string]error{
		"no lease":           begin,
		"lease below 0":      s.Renew(t.Context(), r.Key, r.Token, -1),
		"retention below 0":  s.Finalize(t.Context(), r.Key, r.Token, response, -1),
		"resolve below 0":    s.Resolve(t.Context(), r.Key, 1, &response, -1),
		"limit 0":            unresolved,
		"cursor":             cursor,
		"begin, ended":       ended,
		"finalize, ended":    s.Finalize(ctx, r.Key, r.Token, response, 0),
		"release, ended":     s.Release(ctx, r.Key, r.Token),
		"check, ended":       s.Check(ctx),
		"resolve, ended":     s.Resolve(ctx, r.Key, 1, nil, 0),
		"wrong cursor, scan": func() error { _, _, err := s.Unresolved(t.Context(), "0 x", 1); return err }(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if len(asked.asked) > 0 {
		t.Errorf("the server was asked %+v", asked.asked)
	}
}

// A time that is more than 0 must not become 0 by rounding: the record would be gone, or unknown, at once.
func TestShortTimesAreRoundedUp(t *testing.T) {
	t.Parallel()
	s, asked := store(says("done"), says("done"))
	r := reservation()
	if err := s.Renew(t.Context(), r.Key, r.Token, time.Nanosecond); err != nil {
		t.Fatal(err)
	}
	if err := s.Finalize(t.Context(), r.Key, r.Token, idem.Response{Status: 200}, time.Nanosecond); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"1", "2"} { // in microseconds; in milliseconds, and one more
		if got := asked.asked[i].args[1]; got != want {
			t.Errorf("a nanosecond is sent as %q, not %q", got, want)
		}
	}
}
