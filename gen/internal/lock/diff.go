package lock

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Diff tells what changed between two documents: for each endpoint key of the new one, in the order of the keys, and
// then what is gone.
func Diff(old, new *ir.Document) []Change {
	d := differ{was: Of(old), is: Of(new), before: operations(old), after: operations(new),
		unkeyedBefore: unkeyedShapes(old), unkeyed: unkeyedShapes(new)}
	d.holders = newHolders(d.is)
	former := d.renames()
	renamed := map[string]bool{}
	for _, key := range keys(d.is.Endpoints) {
		from := former[key]
		switch {
		case d.was.Endpoints[key] != nil:
			from = key
		case from == "":
			d.added(key)
			continue
		default:
			renamed[from] = true
			d.say(Breaking, key, "was called %s: generate takes it with --accept-rename %s=%s, and its records stay", from, from, key)
		}
		d.compare(from, key)
	}
	for _, key := range keys(d.was.Endpoints) {
		if d.is.Endpoints[key] == nil && !renamed[key] {
			d.gone(key)
		}
	}
	return d.changes
}

func operations(doc *ir.Document) map[string]*ir.Operation {
	out := map[string]*ir.Operation{}
	for _, op := range doc.Operations {
		out[op.Endpoint] = op
	}
	return out
}

type differ struct {
	was, is                *File
	before, after          map[string]*ir.Operation
	unkeyedBefore, unkeyed map[string]bool // shapes of routes
	holders                holders         // of the new document
	changes                []Change
}

func (d *differ) say(class Class, key, format string, args ...any) {
	c := Change{Class: class, Endpoint: key, What: fmt.Sprintf(format, args...)}
	if e := d.is.Endpoints[key]; e != nil {
		c.Pos = e.pos
	} else {
		c.Pos, c.Old = d.was.Endpoints[key].pos, true
	}
	d.changes = append(d.changes, c)
}

// compare compares an operation with what it was, under the same key or another.
func (d *differ) compare(from, key string) {
	was, is := d.was.Endpoints[from], d.is.Endpoints[key]
	if was.shape() != is.shape() {
		if what := otherParams(is, was); what != "" {
			d.say(Breaking, key, "is %s %s now, and was %s %s: %s, so that a retry across the change is a conflict: generate takes it with --accept-change %s",
				is.Method, is.Path, was.Method, was.Path, what, key)
		} else {
			d.say(Neutral, key, "is %s %s now, and was %s %s: keys and records stay", is.Method, is.Path, was.Method, was.Path)
		}
		if other := d.holders.other(key, was, is); other != "" {
			has := d.is.Endpoints[other]
			d.say(Breaking, key, "was the key of %s %s, which carries %s now: a retry there is not recognised", has.Method, has.Path, other)
		}
	}
	if firsts := firstNames(is, was); firsts != nil {
		for i, name := range params(is.Path) {
			if name != firsts[i] {
				d.say(Neutral, key, "has a path parameter %s that was called %s, which it is compared by", name, firsts[i])
			}
		}
	}
	if was.OperationID != is.OperationID {
		d.say(Neutral, key, "has operationId %s now, and had %s", orNone(is.OperationID), orNone(was.OperationID))
	}
	if !was.Identity.Equal(is.Identity) {
		for _, what := range differences(was.Identity, is.Identity) {
			d.say(Breaking, key, "compares otherwise: %s: generate takes it with --accept-change %s", what, key)
		}
	}
	d.bodies(key, was, is)
	d.stored(key, d.before[from].Stored, d.after[key].Stored)
	d.policy(key, d.before[from].Policy, d.after[key].Policy)
}

func orNone(text string) string { return cmp.Or(text, "none") }

// bodies compares the media types that an operation takes, and how.
func (d *differ) bodies(key string, was, is *Entry) {
	for _, mediaType := range slices.Sorted(maps.Keys(was.Bodies)) {
		if _, takes := is.takes(mediaType); !takes {
			d.say(Breaking, key, "does not take %s any more: a retry with such a body is refused", mediaType)
		}
	}
	for _, what := range otherBodies(is, was) {
		d.say(Breaking, key, "%s: a retry with such a body is a conflict: generate takes it with --accept-change %s", what, key)
	}
	for _, mediaType := range slices.Sorted(maps.Keys(is.Bodies)) {
		if _, took := was.takes(mediaType); !took {
			d.say(Additive, key, "takes %s too%s", mediaType, untyped(was))
		}
	}
}

// untyped tells what becomes of bodies without a Content-Type, which only an operation of one media type takes.
func untyped(was *Entry) string {
	for mediaType := range was.Bodies {
		if len(was.Bodies) == 1 && !strings.Contains(mediaType, "*") {
			return fmt.Sprintf("; a body without a Content-Type counted as %s, and does not any more", mediaType)
		}
	}
	return ""
}

// added is an operation with a key that is new.
func (d *differ) added(key string) {
	is := d.is.Endpoints[key]
	if d.unkeyedBefore[is.shape()] {
		d.say(Breaking, key, "%s %s has a key now, and had none: a request without one is refused", is.Method, is.Path)
		return
	}
	d.say(Additive, key, "%s %s is new", is.Method, is.Path)
}

// renames are the keys that operations with a new one had: those that are gone, each with one heir.
func (d *differ) renames() map[string]string {
	out := map[string]string{}
	heirs := newHeirs(d.was, d.is)
	for _, from := range keys(d.was.Endpoints) {
		if d.is.Endpoints[from] != nil {
			continue
		}
		if to := heirs.of(d.was.Endpoints[from]); to != "" && out[to] == "" {
			out[to] = from
		}
	}
	return out
}

// gone is a key that is in the old document alone.
func (d *differ) gone(key string) {
	was := d.was.Endpoints[key]
	if d.unkeyed[was.shape()] {
		d.say(Breaking, key, "%s %s has no key any more: retries run again", was.Method, was.Path)
		return
	}
	d.say(Breaking, key, "%s %s is gone: generate takes it with --accept-removal %s", was.Method, was.Path, key)
}

// String is the change in a line, without its place.
func (c Change) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s: %s %s", c.Class, c.Endpoint, c.What))
}
