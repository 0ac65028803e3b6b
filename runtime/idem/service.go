package idem

import (
	"cmp"
	"context"
	"net/http"
	"time"
)

// ScopeFunc names the caller of a request: tenant and actor, as authentication established them. It
// runs before everything else. Return a [*Problem] to answer with it; any other error, and a scope
// that is empty or over 255 bytes, is a fault in the wiring and answered with 500
// idempotency_scope_missing.
type ScopeFunc func(*http.Request) (Scope, error)

// Sentinels for a [Scope] of which one half has no meaning. They stand in the record like any other.
const (
	// Anonymous is the actor of flows without a user (policy: "anonymous flows use a sentinel user
	// id"): the nil UUID of RFC 9562 section 5.9, which no user has.
	Anonymous = "00000000-0000-0000-0000-000000000000"
	// SingleTenant is the tenant of a service that has only one.
	SingleTenant = "-"
)

// A Service binds a [Store] to the rules that all operations of a program share. The zero value of
// each field is the policy's choice. Set the fields before the first handler is made; they must not
// change afterwards.
type Service struct {
	// Authorize says whether the caller may perform the operation now. It runs before every Begin,
	// and so before every replay: without it, a caller whose rights were revoked since still gets
	// the stored response of what it once did. A [*Problem] is answered as it is, any other error
	// with 403. The request's body can be read.
	Authorize func(ctx context.Context, e Endpoint, r *http.Request) error
	// Facts gives the facts about who acts that an operation names with scope: [role]. A fact that
	// is named and not given is a fault in the wiring, like a missing scope.
	Facts func(*http.Request) (map[string]string, error)
	// MapError turns an error of a typed handler into the response of a domain error, or nil where
	// it is none. A [*Problem] is mapped before MapError is asked. What is mapped is stored and
	// replayed; what is not is answered with 500.
	MapError func(ctx context.Context, err error) *Response
	// Reconcile settles an attempt that ended without a result, for operations with on-unknown:
	// reconcile. It runs while the record is held.
	Reconcile func(context.Context, Question) (Answer, error)
	// Decide says what becomes of a record when its handler has ended. The default is [Decide].
	Decide func(Ending) Verdict
	// Observer hears every outcome. The default is [Log] to [slog.Default], so that what fails is not
	// lost in silence.
	Observer Observer
	// WriteProblem writes the answers that the runtime gives itself. The default is RFC 9457
	// application/problem+json.
	WriteProblem func(w http.ResponseWriter, r *http.Request, p *Problem)
	// Policy holds the limits where an operation says nothing.
	Policy Policy
	// BasePath is what stands before the document's paths: "/api/v1". A handler behind
	// [http.StripPrefix] sees the document's paths as they are.
	BasePath string
	// PassThrough names mutating routes below BasePath that [Wrap] lets through although the document
	// does not have them: "POST /hooks/{name}", or "/metrics" for every method.
	PassThrough []string
	// Base is done when the service shuts down; the contexts of handlers are then cancelled, those
	// of Finalize are not. None by default.
	Base context.Context
	// StoreTimeout bounds each call of the store, and the retries of a Finalize together: 5 s by default.
	StoreTimeout time.Duration

	store Store
	scope ScopeFunc
}

// New returns a service that keeps its records in store and asks scope who acts. It panics when
// either is nil: the scope cannot be forgotten.
func New(store Store, scope ScopeFunc) *Service {
	if store == nil {
		panic("idem: New: store is nil")
	}
	if scope == nil {
		panic("idem: New: scope is nil: without one, callers would share their keys")
	}
	return &Service{store: store, scope: scope}
}

// The defaults of a Policy and a Service.
const (
	defaultLease        = 30 * time.Second
	defaultJoinedLease  = 5 * time.Second
	defaultMax          = 1 << 20
	defaultHeader       = "Idempotency-Key"
	defaultMaxLength    = 200
	defaultStoreTimeout = 5 * time.Second
	maxScope            = 255
)

// policy is the operation's, where it is silent the service's, and else the default.
func (s *Service) policy(op *Operation) Policy {
	o, d := op.Policy, s.Policy
	return Policy{
		Lease:          cmp.Or(o.Lease, d.Lease, defaultLease),
		Timeout:        cmp.Or(o.Timeout, d.Timeout),
		Retention:      cmp.Or(o.Retention, d.Retention),
		OnUnknown:      cmp.Or(o.OnUnknown, d.OnUnknown, Reject),
		MaxBody:        cmp.Or(o.MaxBody, d.MaxBody, defaultMax),
		MaxResponse:    cmp.Or(o.MaxResponse, d.MaxResponse, defaultMax),
		Header:         cmp.Or(o.Header, d.Header, defaultHeader),
		MaxLength:      cmp.Or(o.MaxLength, d.MaxLength, defaultMaxLength),
		ConflictStatus: cmp.Or(o.ConflictStatus, d.ConflictStatus, http.StatusConflict),
	}
}

// storeContext bounds one exchange with the store. It keeps ctx's values, not its cancellation: what
// was sent must be answered, and a client that hangs up is no reason to forget a record.
func (s *Service) storeContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), s.storeTimeout())
}

func (s *Service) storeTimeout() time.Duration { return cmp.Or(s.StoreTimeout, defaultStoreTimeout) }

// checkScope refuses a scope that would let callers share their keys.
func checkScope(sc Scope) *Problem {
	for _, part := range []string{sc.Tenant, sc.Actor} {
		if part == "" || len(part) > maxScope {
			return scopeMissing("tenant and actor must have 1 to 255 bytes")
		}
	}
	return nil
}
