// Package probe lets the test harness of this module stand where an operation's work is done, and make it fail there.
// Outside of tests no request has a probe.
package probe

import "context"

// Func does the work, or not, and says why its result must not be used: an error takes the result's place.
type Func func(work func()) error

type key struct{}

// With returns a context under which f does the work.
func With(ctx context.Context, f Func) context.Context { return context.WithValue(ctx, key{}, f) }

// Do does the work: as the probe of ctx wants it, where there is one.
func Do(ctx context.Context, work func()) error {
	if f, ok := ctx.Value(key{}).(Func); ok {
		return f(work)
	}
	work()
	return nil
}
