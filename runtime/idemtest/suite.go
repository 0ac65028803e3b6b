package idemtest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Suite says how a service is built and who calls it. Each method proves one rule of the policy for each case, in a
// subtest named after the endpoint, against a server of its own. Keys are random, so that servers may share a
// database, and so may runs.
//
// What is sent first under a new key must be done: an operation that answers its sample with an error proves little.
// Give it the state it needs ([Env.Seed]), another request (Requests), a reason why that answer will do (Refused), or
// a reason to skip it (Skip).
type Suite struct {
	// NewServer builds the service over env: with its Observer, and with its Store or one of its own that
	// is wrapped. It ends what it started by t.Cleanup.
	NewServer func(t testing.TB, env *Env) http.Handler
	// As makes the request one of this actor of this tenant, whatever the service knows them by. Nil: nobody is
	// told apart, and there is one caller.
	As func(r *http.Request, tenant, actor string)
	// Callers are who call: the first one sends everything, the others the same requests under its keys. Each of them
	// may perform every operation. By default two tenants and two actors: tenant-1/actor-1, tenant-2/actor-1 and
	// tenant-1/actor-2.
	Callers []idem.Scope
	// BasePath is what stands before the document's paths, as in [idem.Service]: "/api/v1". All paths here, of Requests
	// too, are the document's.
	BasePath string
	// Operations are those of the generated package. Where it has no operation of a case's endpoint, the case's own
	// policy counts.
	Operations idem.Operations
	// Policy is that of the service, where it sets one.
	Policy idem.Policy
	// Requests are sent in place of the samples. A change that cannot be made to them, or that they show already, is left
	// out.
	Requests map[idem.Endpoint]Request
	// Refused are the operations whose request the service answers with an error, and why that will do.
	Refused map[idem.Endpoint]string
	// Skip says what cannot be run yet, and why: an endpoint ("claims.create"), or one rule of it
	// ("Crash/claims.create").
	Skip map[string]string
	// Serial runs one operation after the other: for servers that share a database whose effects are looked at.
	Serial bool
}

// callers are who call, the first one first.
func (s *Suite) callers() []idem.Scope {
	all := s.Callers
	if len(all) == 0 {
		all = []idem.Scope{{Tenant: "tenant-1", Actor: "actor-1"}, {Tenant: "tenant-2", Actor: "actor-1"}, {Tenant: "tenant-1", Actor: "actor-2"}}
	}
	if s.As == nil {
		return all[:1]
	}
	return all
}

// check is one thing to be proven of an operation.
type check struct {
	name string
	do   func() error
}

// errNotStaged is the error of a check whose fault could not be staged.
var errNotStaged = errors.New("not staged")

func notStaged(why string) error { return fmt.Errorf("%w: %s", errNotStaged, why) }

// each runs the checks of a rule for each case.
func (s *Suite) each(t *testing.T, rule string, cases []Case, checksOf func(*trial) []check) {
	t.Helper()
	if s.NewServer == nil {
		t.Fatal("idemtest: the suite has no NewServer")
	}
	s.checkNames(t)
	var skipped atomic.Int64
	t.Cleanup(func() {
		if n := skipped.Load(); n > 0 {
			t.Logf("%d of %d operations are skipped", n, len(cases))
		}
	})
	for _, c := range cases {
		t.Run(string(c.Endpoint), func(t *testing.T) {
			if !s.Serial {
				t.Parallel()
			}
			if why := cmp.Or(s.Skip[rule+"/"+string(c.Endpoint)], s.Skip[string(c.Endpoint)]); why != "" {
				skipped.Add(1)
				t.Skip(why)
			}
			x := s.newTrial(t, c)
			for _, ch := range checksOf(x) {
				t.Run(ch.name, func(t *testing.T) { report(t, ch.do()) })
			}
		})
	}
}

// ruleNames are the methods that prove one.
var ruleNames = []string{"Replay", "Conflict", "InProgress", "Key", "Race", "Scope", "Failure", "Crash", "Routes"}

// checkNames fails where the suite says something of an operation or a rule that there is not, or without a reason:
// what is misspelt would be ignored in silence.
func (s *Suite) checkNames(t *testing.T) {
	t.Helper()
	for _, mistake := range s.mistakes() {
		t.Error("idemtest: the suite's " + mistake)
	}
}

func (s *Suite) mistakes() []string {
	var all []string
	check := func(field string, name string, endpoint idem.Endpoint) {
		if len(s.Operations.Keyed) > 0 && !slices.ContainsFunc(s.Operations.Keyed, func(op *idem.Operation) bool { return op.Endpoint == endpoint }) {
			all = append(all, fmt.Sprintf("%s names %q, and no operation has the endpoint key %s: correct or remove it", field, name, endpoint))
		}
	}
	for name, why := range s.Skip {
		rule, endpoint, found := strings.Cut(name, "/")
		if !found {
			endpoint = name
		} else if !slices.Contains(ruleNames, rule) {
			all = append(all, fmt.Sprintf("Skip names %q, and there is no such rule: they are %s", name, strings.Join(ruleNames, ", ")))
		}
		check("Skip", name, idem.Endpoint(endpoint))
		if why == "" {
			all = append(all, fmt.Sprintf("Skip gives no reason for %q: say why", name))
		}
	}
	for endpoint, why := range s.Refused {
		check("Refused", string(endpoint), endpoint)
		if why == "" {
			all = append(all, fmt.Sprintf("Refused gives no reason for %q: say why", endpoint))
		}
	}
	for endpoint := range s.Requests {
		check("Requests", string(endpoint), endpoint)
	}
	slices.Sort(all)
	return all
}

func report(t *testing.T, err error) {
	t.Helper()
	switch {
	case errors.Is(err, errNotStaged):
		t.Skip(err)
	case err != nil:
		t.Error(err)
	}
}
