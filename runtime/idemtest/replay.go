package idemtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Replay proves that the same request under the same key gets the first result again, byte for byte and marked as a
// replay, and that nothing is done for it: sent again, with its key in quotes, spelt differently, and changed in what
// is no part of the identity. So does a changed request under a key of its own, whatever it is answered.
func (s *Suite) Replay(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Replay", cases, replayChecks)
}

func replayChecks(x *trial) []check {
	return x.first(func(r Request, key string, want *answer) []check {
		checks := []check{
			{"again", func() error { return x.replays(r, key, want) }},
			{"key in quotes", func() error { return x.replays(r, `"`+key+`"`, want) }},
		}
		if isJSON(r) {
			checks = append(checks, check{"body in another spelling", func() error {
				spelt, err := respell(r.Body)
				if err != nil {
					return err
				}
				again := r
				again.Body = spelt
				return x.replays(again, key, want)
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
		if len(x.c.Changed) > 0 {
			checks = append(checks, check{"another answer", func() error { return x.replaysAnother(x.c.Changed[0]) }})
		}
		return checks
	})
}

// replaysAnother sends a changed request under a key of its own. About another path it is perhaps an error that the
// operation answers, which is stored like any other result (policy: "for success and for mapped domain errors alike").
func (x *trial) replaysAnother(ch Change) error {
	r, err := x.change(ch, x.request())
	if err != nil {
		return err
	}
	key, executions := newKey(), x.env.executions()
	want, err := x.send(r, key)
	switch {
	case err != nil:
		return err
	case x.env.executions() == executions, want.status >= 500:
		return notStaged(fmt.Sprintf("the changed request has no answer that is stored: %s", want))
	}
	return x.replays(r, key, want)
}

func isJSON(r Request) bool {
	mediaType, _, _ := strings.Cut(r.ContentType, ";")
	return (mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")) && json.Valid([]byte(r.Body))
}

// change makes a change to a request. One that is not the sample may have no place for it, or be so already.
func (x *trial) change(ch Change, r Request) (Request, error) {
	if ch.Path != "" {
		ch.Path = alike(x.sample.Path, ch.Path, r.Path)
	}
	changed, err := ch.apply(r)
	switch {
	case !x.own && x.env.Seed == nil:
	case errors.Is(err, errNowhere):
		return r, notStaged(err.Error())
	case err == nil && changed.like(r):
		return r, notStaged("the request is so already")
	}
	return changed, err
}

// alike is path with what a change makes of the sample's path, so that the rest of it stays: the segments that differ.
func alike(sample, changed, path string) string {
	from, to, segments := strings.Split(sample, "/"), strings.Split(changed, "/"), strings.Split(path, "/")
	if len(from) != len(to) || len(from) != len(segments) {
		return changed
	}
	for i := range segments {
		if from[i] != to[i] {
			segments[i] = to[i]
		}
	}
	return strings.Join(segments, "/")
}

// Conflict proves that another request under a key that was used is refused, for each field of the identity: nothing
// is done for it, and the first result stays.
func (s *Suite) Conflict(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Conflict", cases, conflictChecks)
}

func conflictChecks(x *trial) []check {
	return x.first(func(r Request, key string, want *answer) []check {
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
