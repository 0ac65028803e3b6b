package idemtest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// A rule is one promise of the policy, checked with a key that nobody used before.
type rule struct {
	name  string
	check func(*client) error
}

// rulesOf lists the rules that apply to a case: one for each change that it has.
func rulesOf(c Case) []rule {
	rules := []rule{{"replay", func(cl *client) error { return replays(cl, c.Request, c.Request) }}}
	for _, ch := range c.Changed {
		rules = append(rules, rule{"conflict/" + ch.Name, func(cl *client) error {
			return conflicts(cl, c, ch)
		}})
	}
	for _, ch := range c.Same {
		rules = append(rules, rule{"same/" + ch.Name, func(cl *client) error {
			again, err := ch.apply(c.Request)
			if err != nil {
				return err
			}
			return replays(cl, c.Request, again)
		}})
	}
	return append(rules,
		rule{"missing key", func(cl *client) error { return refusesMissing(cl, c) }},
		rule{"key too long", func(cl *client) error { return refusesTooLong(cl, c) }})
}

// replays sends first, then again under the same key, which must answer what first was answered.
func replays(cl *client, first, again Request) error {
	key := newKey()
	want, err := cl.perform(first, key)
	if err != nil {
		return err
	}
	got, err := cl.send(again, key)
	if err != nil {
		return err
	}
	return sameAnswer(cl, want, got)
}

// conflicts sends the sample, then the changed request under the same key, which must be refused and
// leave the first result as it was.
func conflicts(cl *client, c Case, ch Change) error {
	changed, err := ch.apply(c.Request)
	if err != nil {
		return err
	}
	key := newKey()
	want, err := cl.perform(c.Request, key)
	if err != nil {
		return err
	}
	got, err := cl.send(changed, key)
	if err != nil {
		return err
	}
	if got.replayed() {
		return fmt.Errorf("%s differs under a key that was used, and the first result was replayed: "+
			"want %d idempotency_conflict; check that the field is part of the payload and not ignored",
			ch.Name, c.conflictStatus())
	}
	if err := refused(got, c.conflictStatus(), "idempotency_conflict", ""); err != nil {
		return fmt.Errorf("%s differs under a key that was used: %w", ch.Name, err)
	}
	again, err := cl.send(c.Request, key)
	if err != nil {
		return err
	}
	if err := sameAnswer(cl, want, again); err != nil {
		return fmt.Errorf("after the conflict, the first request again: %w", err)
	}
	return nil
}

func refusesMissing(cl *client, c Case) error {
	got, err := cl.send(c.Request, "")
	if err != nil {
		return err
	}
	if err := refused(got, http.StatusBadRequest, "validation_error", "idempotency key is required"); err != nil {
		return fmt.Errorf("a request without %s: %w", cl.header, err)
	}
	return nil
}

func refusesTooLong(cl *client, c Case) error {
	limit := c.maxLength()
	got, err := cl.send(c.Request, strings.Repeat("k", limit+1))
	if err != nil {
		return err
	}
	if err := refused(got, http.StatusBadRequest, "validation_error", "idempotency key too long"); err != nil {
		return fmt.Errorf("a key of %d bytes, one too many: %w", limit+1, err)
	}
	return nil
}

// sameAnswer says how a replay differs from the first answer.
func sameAnswer(cl *client, want, got *answer) error {
	var hint string
	if want.status >= 400 {
		hint = fmt.Sprintf("; the first answer was %s already: where that is not the operation's own answer, "+
			"let newHandler arrange what the request needs (authentication, base path, rows)", want)
	}
	switch {
	case got.status == want.status && bytes.Equal(got.body, want.body) && got.replayed():
		return nil
	case got.replayed():
		return fmt.Errorf("a replay answered %s, the first answer was %s: "+
			"a replay must send the stored status and body; look for a layer outside the wrapper that changes one of them", got, want)
	case got.status == http.StatusConflict:
		return fmt.Errorf("the same request was refused with %s: it must be replayed; "+
			"where the document ignores the difference, generate again and look at the operation's Identity%s", got, hint)
	default:
		return fmt.Errorf("the same request under the same %s was answered %s without Idempotent-Replayed: true, "+
			"so it ran again: wrap the operation's handler, or put Middleware round the router%s", cl.header, got, hint)
	}
}

// refused says how an answer differs from the policy's. The writer of problems may be replaced, so the
// words are looked for anywhere in the body.
func refused(got *answer, status int, code, message string) error {
	if got.status == status && bytes.Contains(got.body, []byte(code)) && bytes.Contains(got.body, []byte(message)) {
		return nil
	}
	want := fmt.Sprintf("%d %s", status, code)
	if message != "" {
		want += fmt.Sprintf(" %q", message)
	}
	return fmt.Errorf("answered %s, want %s: wrap the operation's handler, and let a replaced WriteProblem keep code and message", got, want)
}
