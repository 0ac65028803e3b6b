package idemtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Key proves that a key is required, bounded and well formed, and that nothing is reserved without one.
func (s *Suite) Key(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Key", cases, keyChecks)
}

func keyChecks(x *trial) []check {
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
}

// Scope proves that a key is its caller's own: the same key from another tenant, or another actor, is another key.
func (s *Suite) Scope(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Scope", cases, scopeChecks)
}

func scopeChecks(x *trial) []check {
	if len(x.callers) < 2 {
		return []check{{"other callers", func() error { return notStaged("the suite has one caller: give it As, and Callers") }}}
	}
	return x.first(func(r Request, key string, want *answer) []check {
		var checks []check
		for _, who := range x.callers[1:] {
			checks = append(checks, check{who.Tenant + " " + who.Actor, func() error {
				if _, err := x.runs(func() (*answer, error) { return x.sendAs(x.t.Context(), who, x.request(), key) }); err != nil {
					return fmt.Errorf("the key of another caller, sent by %s of %s, whom As and the service's scope have to tell from the first: %w", who.Actor, who.Tenant, err)
				}
				return x.replays(r, key, want)
			}})
		}
		return checks
	})
}
