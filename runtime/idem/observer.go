package idem

import (
	"cmp"
	"context"
	"log/slog"
)

// Observer hears every outcome. It is called on the request's path: it must be quick and must not
// panic. The key never appears in an event.
type Observer func(context.Context, Event)

// Event is one outcome.
type Event struct {
	Kind     EventKind
	Endpoint Endpoint // empty for Swept, and for a route that Wrap does not know
	Fence    int64    // the record's, where there is one
	Err      error    // why, where something failed: the handler's error too, that no client is shown
	Count    int      // records removed, for Swept
}

// EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	EventRefused        EventKind = iota + 1 // answered before Begin: no key, a bad body, not authorized
	EventReserved                            // the work begins
	EventTakenOver                           // the work begins again, after an unknown outcome
	EventReplayed                            // the stored response was sent
	EventConflict                            // the key was used with another payload
	EventInProgress                          // the first request still runs
	EventUnavailable                         // the store gave no answer: 503
	EventFinalized                           // the response is stored
	EventTombstone                           // finalized without a response to replay, or asked for one
	EventReleased                            // nothing was done: the key is free again
	EventLost                                // another attempt owns the record, or may: the result is dropped
	EventFinalizeFailed                      // the effect is real, its result could not be stored
	EventUnknown                             // an attempt ended without a result, or a retry met one
	EventSwept                               // records past their retention were removed
	EventResolved                            // somebody settled an unknown outcome
)

// String returns the kind as a metric's label: "replayed", "finalize_failed".
func (k EventKind) String() string {
	names := [...]string{"", "refused", "reserved", "taken_over", "replayed", "conflict", "in_progress",
		"unavailable", "finalized", "tombstone", "released", "lost", "finalize_failed", "unknown", "swept", "resolved"}
	if int(k) >= len(names) {
		return ""
	}
	return names[k]
}

// Log returns an observer that writes what needs a person's attention to l: what failed, was lost or
// ended without a result. The rest is traffic.
func Log(l *slog.Logger) Observer {
	return func(ctx context.Context, e Event) {
		switch e.Kind {
		case EventUnavailable, EventLost, EventFinalizeFailed, EventUnknown, EventReleased, EventSwept:
			if e.Err != nil {
				l.ErrorContext(ctx, "idempotency: "+e.Kind.String(), "endpoint", e.Endpoint, "fence", e.Fence, "error", e.Err)
			}
		}
	}
}

func (s *Service) observe(ctx context.Context, e Event) {
	if s.Observer != nil {
		s.Observer(ctx, e)
		return
	}
	Log(slog.Default())(ctx, e)
}

// Sweep removes the records of the service's store that are past their retention, in batches of
// batch records (1,000 when it is 0), until none is left or ctx is done. It returns how many it
// removed. A store that cannot be swept has none to remove.
func (s *Service) Sweep(ctx context.Context, batch int) (int, error) {
	sweeper, ok := s.store.(Sweeper)
	if !ok {
		return 0, nil
	}
	batch = cmp.Or(batch, 1000)
	total := 0
	for {
		n, err := sweeper.Sweep(ctx, batch)
		total += n
		if err != nil || n < batch {
			s.observe(ctx, Event{Kind: EventSwept, Count: total, Err: err})
			return total, err
		}
	}
}
