package idemtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Replay proves that the same request under the same key gets the first result again, byte for byte and marked as a
// replay, and that nothing is done for it: sent again, with its key in quotes, spelt differently, and changed in what
// is no part of the identity.
func (s *Suite) Replay(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Replay", cases, func(x *trial) []check {
		r, key := x.request(), newKey()
		want, err := x.perform(r, key)
		if err != nil {
			return []check{{"first", func() error { return err }}}
		}
		checks := []check{
			{"again", func() error { return x.replays(r, key, want) }},
			{"key in quotes", func() error { return x.replays(r, `"`+key+`"`, want) }},
		}
		if isJSON(r) {
			checks = append(checks, check{"body in another spelling", func() error {
				body, err := respell(r.Body)
				if err != nil {
					return err
				}
				r.Body = body
				return x.replays(r, key, want)
			}})
		}
		for _, ch := range x.c.Same {
			checks = append(checks, check{ch.Name, func() error {
				same, err := x.change(ch, r)
				if err != nil {
					return err
				}
				return x.replays(same, key, want)
			}})
		}
		return checks
	})
}

func isJSON(r Request) bool {
	mediaType, _, _ := strings.Cut(r.ContentType, ";")
	return (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")) && json.Valid([]byte(r.Body))
}

// change makes a change to a request. One that is not the sample may have no place for it.
func (x *trial) change(ch Change, r Request) (Request, error) {
	changed, err := ch.apply(r)
	if err != nil && (x.own || x.env.Seed != nil) && errors.Is(err, errNowhere) {
		return r, notStaged(err.Error())
	}
	return changed, err
}

// Conflict proves that another request under a key that was used is refused, for each field of the identity: nothing
// is done for it, and the first result stays.
func (s *Suite) Conflict(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Conflict", cases, func(x *trial) []check {
		r, key := x.request(), newKey()
		want, err := x.perform(r, key)
		if err != nil {
			return []check{{"first", func() error { return err }}}
		}
		var checks []check
		for _, ch := range x.c.Changed {
			checks = append(checks, check{ch.Name, func() error {
				changed, err := x.change(ch, r)
				if err != nil {
					return err
				}
				return x.conflicts(changed, key, ch.Name)
			}})
		}
		return append(checks, check{"first stays", func() error { return x.replays(r, key, want) }})
	})
}

// Key proves that a key is required, bounded and well formed, and that nothing is reserved without one.
func (s *Suite) Key(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Key", cases, func(x *trial) []check {
		limit := x.policy.MaxLength
		var checks []check
		for _, wrong := range []struct {
			name, message string
			keys          []string
		}{
			{"missing", "idempotency key is required", nil},
			{"empty", "idempotency key is required", []string{""}},
			{"too long", "idempotency key too long", []string{strings.Repeat("k", limit+1)}},
			{"twice", "idempotency key must be sent once", []string{newKey(), newKey()}},
			{"half in quotes", "", []string{`"` + newKey()}},
		} {
			checks = append(checks, check{wrong.name, func() error {
				begins, _ := x.env.script.seen()
				err := x.refuses(x.c.Request, http.StatusBadRequest, idem.CodeValidation, wrong.message, wrong.keys...)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", x.policy.Header, wrong.name, err)
				}
				if after, _ := x.env.script.seen(); after != begins {
					return fmt.Errorf("%s, %s: the request was refused, and something was reserved for it", x.policy.Header, wrong.name)
				}
				return nil
			}})
		}
		return append(checks, check{"as long as can be", func() error {
			key := newKey()
			if limit < len(key) {
				key = key[len(key)-limit:]
			}
			_, err := x.perform(x.request(), key+strings.Repeat("k", limit-len(key)))
			return err
		}})
	})
}

// Scope proves that a key is its caller's own: the same key from another tenant, or another actor, is another key.
func (s *Suite) Scope(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Scope", cases, func(x *trial) []check {
		if len(x.callers) < 2 {
			return []check{{"one caller", func() error { return notStaged("the suite has one caller") }}}
		}
		key := newKey()
		r := x.request()
		want, err := x.perform(r, key)
		if err != nil {
			return []check{{"first", func() error { return err }}}
		}
		var checks []check
		for _, who := range x.callers[1:] {
			checks = append(checks, check{who.Tenant + " " + who.Actor, func() error {
				if _, err := x.runs(func() (*answer, error) { return x.sendAs(x.t.Context(), who, x.request(), key) }); err != nil {
					return fmt.Errorf("the key of another caller, sent by %s of %s: %w", who.Actor, who.Tenant, err)
				}
				return x.replays(r, key, want)
			}})
		}
		return checks
	})
}
