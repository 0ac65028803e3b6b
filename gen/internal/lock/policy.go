package lock

import (
	"cmp"
	"strings"
	"time"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// policy compares what clients and records feel of x-idempotency.
func (d *differ) policy(key string, was, is ir.Policy) {
	header := func(p ir.Policy) string { return cmp.Or(p.Header, "Idempotency-Key") }
	keyLength := func(p ir.Policy) int { return cmp.Or(p.MaxLength, 200) }
	status := func(p ir.Policy) int { return cmp.Or(p.ConflictStatus, 409) }
	unknown := func(p ir.Policy) string { return cmp.Or(p.OnUnknown, "reject") }
	size := func(bytes int64) int64 { return cmp.Or(bytes, 1<<20) }
	if !strings.EqualFold(header(was), header(is)) {
		d.say(Breaking, key, "takes its key from %s now, and did from %s", header(is), header(was))
	}
	d.bound(key, "takes keys of at most %d bytes now, and took %d", int64(keyLength(was)), int64(keyLength(is)))
	d.bound(key, "takes bodies of at most %d bytes now, and took %d", size(was.MaxBody), size(is.MaxBody))
	d.bound(key, "replays responses of at most %d bytes now, and did of %d", size(was.MaxResponse), size(is.MaxResponse))
	if status(was) != status(is) {
		d.say(Breaking, key, "answers a conflict with %d now, and did with %d", status(is), status(was))
	}
	if unknown(was) != unknown(is) {
		class := Neutral
		if is.OnUnknown == "reexecute" {
			class = Breaking
		}
		d.say(class, key, "has on-unknown: %s now, and had %s", unknown(is), unknown(was))
	}
	if was.Retention != is.Retention {
		class := Neutral
		if is.Retention != 0 && (was.Retention == 0 || is.Retention < was.Retention) {
			class = Breaking // a retry after that runs again
		}
		d.say(class, key, "keeps records %s now, and did %s", kept(is.Retention), kept(was.Retention))
	}
	if was.Lease != is.Lease { // until when nobody else may run: no answer is another
		d.say(Neutral, key, "has a lease of %s now, and had one of %s", length(is.Lease), length(was.Lease))
	}
	if was.Timeout != is.Timeout {
		d.say(Neutral, key, "has a timeout of %s now, and had one of %s", length(is.Timeout), length(was.Timeout))
	}
}

func length(d time.Duration) string {
	if d == 0 {
		return "what the service says"
	}
	return d.String()
}

// stored compares the response headers that a replay has beside those that each has.
func (d *differ) stored(key string, was, is []string) {
	for _, name := range without(was, is) {
		d.say(Breaking, key, "does not declare the response header %s any more: replays are without it, unless each has it", name)
	}
	for _, name := range without(is, was) {
		d.say(Additive, key, "declares the response header %s: replays have it", name)
	}
}

// bound compares a limit of which less is refused.
func (d *differ) bound(key, format string, was, is int64) {
	switch {
	case is < was:
		d.say(Breaking, key, format, is, was)
	case is > was:
		d.say(Additive, key, format, is, was)
	}
}

func kept(retention time.Duration) string {
	if retention == 0 {
		return "as long as the service says"
	}
	return retention.String()
}
