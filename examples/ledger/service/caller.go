package service

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Caller is who acts, as authentication established it.
type Caller struct {
	Tenant string
	User   string
	Role   string // read by engagements.ratify, where it is part of the identity
}

// callers are the bearer tokens that this example knows: tenant and user, spelt as they read.
var callers = map[string]Caller{
	"acme.alice":     {Tenant: "acme", User: "alice", Role: "director"},
	"acme.bob":       {Tenant: "acme", User: "bob", Role: "reviewer"},
	"acme.vera":      {Tenant: "acme", User: "vera", Role: viewer},
	"acme.anonymous": {Tenant: "acme", User: idem.Anonymous, Role: "guest"},
	"globex.alice":   {Tenant: "globex", User: "alice", Role: "director"},
}

// viewer is the role that may not write.
const viewer = "viewer"

// Tenants are those that the tokens stand for.
var Tenants = []string{"acme", "globex"}

type callerKey struct{}

// CallerOf returns who acts in a request that authentication has let in.
func CallerOf(ctx context.Context) (Caller, error) {
	c, ok := ctx.Value(callerKey{}).(Caller)
	if !ok {
		return c, errors.New("nobody was authenticated")
	}
	return c, nil
}

// authenticate stands before everything: who has no token that it knows gets 401, and no key of theirs
// is looked at. The log-in routes are open.
func authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		caller, known := callers[token]
		if !known && !strings.HasPrefix(r.URL.Path, "/auth/") {
			w.Header().Set("WWW-Authenticate", "Bearer")
			answerProblem(w, &idem.Problem{Status: http.StatusUnauthorized, Code: "unauthenticated", Detail: "no such token"})
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller)))
	})
}

// scope is what the runtime tells callers apart by.
func scope(r *http.Request) (idem.Scope, error) {
	c, err := CallerOf(r.Context())
	return idem.Scope{Tenant: c.Tenant, Actor: c.User}, err
}

// facts are what belongs to the identity of operations with scope: [role].
func facts(r *http.Request) (map[string]string, error) {
	c, err := CallerOf(r.Context())
	return map[string]string{"role": c.Role}, err
}

// authorize runs before every write and every replay, so that a right that was revoked does not replay.
func authorize(ctx context.Context, _ idem.Endpoint, _ *http.Request) error {
	c, err := CallerOf(ctx)
	if err == nil && c.Role == viewer {
		err = &idem.Problem{Status: http.StatusForbidden, Code: idem.CodeForbidden, Detail: "viewers do not write"}
	}
	return err
}

// answerProblem sends a refusal that is not the runtime's in the runtime's form.
func answerProblem(w http.ResponseWriter, p *idem.Problem) { answer(w, p.Response()) }

// answer sends a response as it is.
func answer(w http.ResponseWriter, r *idem.Response) {
	for name, values := range r.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body) // the client may be gone
}
