package idemtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
)

// rules are the checks of every rule but Routes, which has none of them.
var rules = []struct {
	name   string
	checks func(*trial) []check
}{
	{"Replay", replayChecks}, {"Conflict", conflictChecks}, {"InProgress", inProgressChecks}, {"Key", keyChecks},
	{"Race", raceChecks}, {"Scope", scopeChecks}, {"Failure", failureChecks}, {"Crash", crashChecks},
}

// failures are the checks that a suite fails, and what the first of them says; notStaged are those that could not be.
func failures(t *testing.T, s *Suite, cases []Case) (failed, missed []string, first string) {
	t.Helper()
	for _, rule := range rules {
		for _, c := range cases {
			x := s.newTrial(t, c)
			for _, ch := range rule.checks(x) {
				switch err := ch.do(); {
				case errors.Is(err, errNotStaged):
					missed = append(missed, rule.name+"/"+ch.name)
				case err != nil:
					if failed = append(failed, rule.name+"/"+ch.name); first == "" {
						first = err.Error()
					}
				}
			}
		}
	}
	return failed, missed, first
}

func TestAServiceAsItShouldBe(t *testing.T) {
	t.Parallel()
	s := wiring{}.suite()
	for _, prove := range []func(*testing.T, []Case){s.Replay, s.Conflict, s.InProgress, s.Key, s.Race, s.Scope, s.Failure, s.Crash, s.Routes} {
		prove(t, claimsCases)
	}
	for _, policy := range []idem.OnUnknown{idem.Reexecute, idem.Reconcile} {
		w := wiring{service: func(svc *idem.Service) {
			svc.Policy.OnUnknown = policy
			svc.Reconcile = func(context.Context, idem.Question) (idem.Answer, error) { return idem.NotDone(), nil }
		}}
		s := w.suite()
		s.Policy.OnUnknown = policy
		if failed, missed, first := failures(t, s, claimsCases); failed != nil || missed != nil {
			t.Errorf("on-unknown %v: failed %v, not staged %v: %s", policy, failed, missed, first)
		}
	}
}

// Each fault is found by the checks that are about it, and by no others, with a message that says what to do.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	const (
		replays = "Replay/again, Replay/key in quotes, Replay/body in another spelling, Replay/body.clientTime, Replay/body.tags in another order, Replay/another answer"
		first   = "Replay/first, Conflict/first, InProgress/held, Key/as long as can be, Race/8 at once, Scope/first, Failure/client hangs up, Failure/store down, Crash/first"
	)
	var requests atomic.Int64
	for _, tt := range []struct {
		fault  string
		wiring wiring
		failed string
		want   string // how the first message begins
	}{
		{
			"no wrapper", wiring{unwrapped: true},
			"Replay/first, Conflict/first, InProgress/held, Key/missing, Key/empty, Key/too long, Key/twice, Key/half in quotes, Key/as long as can be, Race/8 at once, Scope/first, Failure/client hangs up, Failure/store down, Crash/first",
			`POST /submissions/s1/claims, sent under a fresh key, was answered 201 "{\"id\":1}": no key was reserved for it: wrap the operation's handler, and build the service with env's Store and Observer`,
		},
		{
			"a store of its own", wiring{store: func(*Env) idem.Store { return newEnv().Store }},
			"Replay/first, Conflict/first, InProgress/held, Key/as long as can be, Scope/first, Failure/client hangs up, Failure/store down, Crash/first",
			`POST /submissions/s1/claims, sent under a fresh key, was answered 201 "{\"id\":1}": its record is in a store that the harness does not see: keep records in env.Store, or in a store that env.Wrap or WrapTx made`,
		},
		{
			"an observer of its own", wiring{service: func(svc *idem.Service) { svc.Observer = func(context.Context, idem.Event) {} }},
			first,
			`POST /submissions/s1/claims, sent under a fresh key, was answered 201 "{\"id\":1}": the store reserved the key, and env.Observer heard nothing: svc.Observer = env.Observer`,
		},
		{
			"a field that is not compared", wiring{operation: func(op *idem.Operation) {
				op.Identity.Body = []idem.BodyRules{{MediaType: "application/json", Rules: canon.Rules{{Ignore: []string{"amount", "clientTime"},
					Members: []canon.Member{{Name: "tags", Rule: 1}}}, {Unordered: true}}}}
			}},
			"Conflict/body.amount",
			"body.amount differs under a key that was used, and the first result was replayed: want 409 idempotency_conflict; check that the field is part of the payload and not ignored",
		},
		{
			"a query that is not compared", wiring{operation: func(op *idem.Operation) { op.Identity.IgnoredQuery = []string{"notify"} }},
			"Conflict/query.notify",
			"query.notify differs under a key that was used, and the first result was replayed: want 409 idempotency_conflict; check that the field is part of the payload and not ignored",
		},
		{
			"everything compared", wiring{operation: func(op *idem.Operation) { op.Identity = idem.Identity{} }},
			"Replay/body.clientTime, Replay/body.tags in another order",
			`the same request was refused with 409 "{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409,\"code\":\"idempotency_conflict\",\"detail\":\"idempotency key was used with a different payload\",\"message\":\"idempotency key was used with a different pa"…: it must be replayed; where the document ignores the difference, generate again and look at the operation's Identity`,
		},
		{
			"no tenant", wiring{scope: func(r *http.Request) (idem.Scope, error) {
				return idem.Scope{Tenant: idem.SingleTenant, Actor: r.Header.Get("Actor")}, nil
			}},
			"Scope/tenant-2 actor-1",
			`the key of another caller, sent by actor-1 of tenant-2, whom As and the service's scope have to tell from the first: POST /submissions/s1/claims, sent under a fresh key, was answered 201 "{\"id\":1}": a replay: look for a layer that sets Idempotent-Replayed itself, or a store that does not tell keys apart`,
		},
		{
			"no actor", wiring{scope: func(r *http.Request) (idem.Scope, error) {
				return idem.Scope{Tenant: r.Header.Get("Tenant"), Actor: idem.Anonymous}, nil
			}},
			"Scope/tenant-1 actor-2",
			`the key of another caller, sent by actor-2 of tenant-1, whom As and the service's scope have to tell from the first: POST /submissions/s1/claims, sent under a fresh key, was answered 201 "{\"id\":1}": a replay: look for a layer that sets Idempotent-Replayed itself, or a store that does not tell keys apart`,
		},
		{
			"keys of any length", wiring{operation: func(op *idem.Operation) { op.Policy.MaxLength = 1000 }},
			"Key/too long",
			`Idempotency-Key, too long: answered 201 "{\"id\":1}", and the work was begun again: an execution that nobody asked for`,
		},
		{
			"keys too short", wiring{operation: func(op *idem.Operation) { op.Policy.MaxLength = 100 }},
			"Key/as long as can be",
			`POST /submissions/s1/claims, sent under a fresh key, was answered 400 "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\"code\":\"validation_error\",\"detail\":\"idempotency key too long\",\"message\":\"idempotency key too long\"}\n": it was refused before anything was reserved: give the suite's Requests one that fits`,
		},
		{
			"another header", wiring{operation: func(op *idem.Operation) { op.Policy.Header = "X-Key" }},
			"Replay/first, Conflict/first, InProgress/held, Key/too long, Key/twice, Key/as long as can be, Race/8 at once, Scope/first, Failure/client hangs up, Failure/store down, Crash/first",
			`POST /submissions/s1/claims, sent under a fresh key, was answered 400 "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\"code\":\"validation_error\",\"detail\":\"idempotency key is required\",\"message\":\"idempotency key is required\"}\n": it was refused before anything was reserved: give the suite's Requests one that fits`,
		},
		{
			"another status for conflicts", wiring{operation: func(op *idem.Operation) { op.Policy.ConflictStatus = 422 }},
			"Conflict/path.submissionId, Conflict/query.notify, Conflict/body.amount, InProgress/held",
			`path.submissionId differs under a key that was used: answered 422 "{\"type\":\"about:blank\",\"title\":\"Unprocessable Entity\",\"status\":422,\"code\":\"idempotency_conflict\",\"detail\":\"idempotency key was used with a different payload\",\"message\":\"idempotency key was used with a "…, want 409 idempotency_conflict: wrap the operation's handler, and let a replaced WriteProblem keep code and message`,
		},
		{
			"answers without a code", wiring{service: func(svc *idem.Service) {
				svc.WriteProblem = func(w http.ResponseWriter, _ *http.Request, p *idem.Problem) { http.Error(w, p.Detail, p.Status) }
			}},
			"Conflict/path.submissionId, Conflict/query.notify, Conflict/body.amount, InProgress/held, Key/missing, Key/empty, Key/too long, Key/twice, Key/half in quotes, Failure/panic before the work, Failure/panic after the work, Failure/error after the work, Failure/store down, Crash/after the reservation, Crash/before the result is stored, Crash/taken over",
			`path.submissionId differs under a key that was used: answered 409 "idempotency key was used with a different payload\n", want 409 idempotency_conflict: wrap the operation's handler, and let a replaced WriteProblem keep code and message`,
		},
		{
			"bodies that differ each time", wiring{outside: rewritten(func(_ http.Header, body []byte) []byte {
				return fmt.Appendf(body, " %d", requests.Add(1))
			})},
			replays + ", Conflict/first stays, InProgress/held, Race/8 at once, Scope/tenant-2 actor-1, Scope/tenant-1 actor-2, Failure/client hangs up, Failure/store down, Crash/after the result is stored, Crash/acknowledgement lost, Crash/taken over",
			`a replay answered 201 "{\"id\":1} `,
		},
		{
			"headers that differ each time", wiring{outside: rewritten(func(h http.Header, body []byte) []byte {
				h.Set("Location", fmt.Sprint(requests.Add(1)))
				return body
			})},
			replays + ", Conflict/first stays, InProgress/held, Race/8 at once, Scope/tenant-2 actor-1, Scope/tenant-1 actor-2, Failure/client hangs up, Failure/store down, Crash/after the result is stored, Crash/acknowledgement lost, Crash/taken over",
			`a replay has Location ["`,
		},
		{
			"a header that is not stored", wiring{operation: func(op *idem.Operation) { op.Stored = nil }},
			replays + ", Conflict/first stays, InProgress/held, Race/8 at once, Scope/tenant-2 actor-1, Scope/tenant-1 actor-2, Failure/store down, Crash/acknowledgement lost, Crash/taken over",
			`a replay has X-Claim-Number [], the first answer had ["C-1"]: what the handler sets must be stored, and a layer outside the wrapper must say the same each time`,
		},
		{
			"no mark of a replay", wiring{outside: rewritten(func(h http.Header, body []byte) []byte {
				h.Del("Idempotent-Replayed")
				return body
			})},
			replays + ", Conflict/first stays, InProgress/held, Race/8 at once, Scope/tenant-2 actor-1, Scope/tenant-1 actor-2, Failure/client hangs up, Failure/store down, Crash/after the result is stored, Crash/acknowledgement lost, Crash/taken over",
			`the same request under the same Idempotency-Key was answered 201 "{\"id\":1}" without Idempotent-Replayed: true: wrap the operation's handler, or put Middleware round the router`,
		},
		{
			"every answer a replay", wiring{outside: rewritten(func(h http.Header, body []byte) []byte {
				h.Set("Idempotent-Replayed", "true")
				return body
			})},
			"Replay/first, Conflict/first, InProgress/held, Key/as long as can be, Race/8 at once, Scope/first, Failure/store down, Crash/first",
			`POST /submissions/s1/claims, sent under a fresh key, was answered 201 "{\"id\":1}": a replay: look for a layer that sets Idempotent-Replayed itself, or a store that does not tell keys apart`,
		},
		{
			"work that ends with the connection", wiring{outside: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), connection{}, r.Context())))
				})
			}, inside: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					ctx, _ := r.Context().Value(connection{}).(context.Context)
					next.ServeHTTP(w, r.WithContext(ctx))
				})
			}},
			"Failure/client hangs up",
			`the client hung up and asked again: the result is stored, and the answer is 409 "{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409,\"code\":\"idempotency_outcome_unknown\",\"detail\":\"an earlier request with this idempotency key ended without a result: it may have run or not\",\"messa"… without Idempotent-Replayed: true: the work must run under the handler's context, which outlives the connection`,
		},
		{
			"a store that fails open", wiring{store: func(env *Env) idem.Store { return failOpen{env.Store} }},
			"Failure/store down",
			`answered 201 "{\"id\":4}", and the work was begun again: an execution that nobody asked for`,
		},
		{
			"a store that does not lock", wiring{store: func(env *Env) idem.Store { return noLock{env.Store} }},
			"InProgress/held, Crash/after the reservation",
			`while the first request ran, a second one ran too: answered 409 "{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409,\"code\":\"idempotency_in_progress\",\"detail\":\"a request with this idempotency key is still running\",\"message\":\"a request with this idempotency key is"…`,
		},
		{
			"a store that forgets", wiring{store: func(env *Env) idem.Store { return forgetful{env.Store} }},
			replays + ", Conflict/path.submissionId, Conflict/query.notify, Conflict/body.amount, Conflict/first stays, InProgress/held, Race/8 at once, Scope/tenant-2 actor-1, Scope/tenant-1 actor-2, Failure/client hangs up, Failure/store down, Crash/taken over",
			`answered 201 "{\"id\":2}", and the work was begun again: an execution that nobody asked for`,
		},
		{
			"failures forgotten", wiring{service: func(svc *idem.Service) {
				svc.Decide = func(e idem.Ending) idem.Verdict {
					if e.Status >= 500 || e.Panicked {
						return idem.Forget
					}
					return idem.Keep
				}
			}},
			"Failure/panic before the work, Failure/panic after the work, Failure/error after the work",
			`an attempt of which nobody knows whether it was done, tried again: answered 201 "{\"id\":2}", and the work was begun again: an execution that nobody asked for`,
		},
		{
			"failures stored", wiring{service: func(svc *idem.Service) {
				svc.Decide = func(e idem.Ending) idem.Verdict { return idem.Keep }
			}},
			"Failure/error after the work",
			`an attempt of which nobody knows whether it was done, tried again: answered 500 "{\"type\":\"about:blank\",\"title\":\"Internal Server Error\",\"status\":500,\"code\":\"internal_error\",\"detail\":\"idemtest: an error after the work\",\"message\":\"idemtest: an error after the work\"}\n", want 409 idempotency_outcome_unknown: wrap the operation's handler, and let a replaced WriteProblem keep code and message`,
		},
		{
			"a sample that the service refuses", wiring{inside: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no such submission", http.StatusNotFound) })
			}},
			first,
			`POST /submissions/s1/claims, sent under a fresh key, was answered 404 "no such submission\n": an operation that fails proves little: make what it needs in env.Seed, give the suite's Requests another one, or say in Refused why this will do`,
		},
		{
			"run again though it may have run", wiring{service: func(svc *idem.Service) { svc.Policy.OnUnknown = idem.Reexecute }},
			"Failure/panic before the work, Failure/panic after the work, Failure/error after the work, Crash/after the reservation, Crash/before the result is stored, Crash/taken over",
			`an attempt of which nobody knows whether it was done, tried again: answered 201 "{\"id\":2}", and the work was begun again: an execution that nobody asked for`,
		},
		{
			"nobody let in", wiring{service: func(svc *idem.Service) {
				svc.Authorize = func(context.Context, idem.Endpoint, *http.Request) error { return errors.New("no") }
			}},
			first,
			`POST /submissions/s1/claims, sent under a fresh key, was answered 403 "{\"type\":\"about:blank\",\"title\":\"Forbidden\",\"status\":403,\"code\":\"forbidden\",\"detail\":\"the caller may not perform this operation\",\"message\":\"the caller may not perform this operation\"}\n": it was not let in: let As make the request one of a caller who may perform the operation`,
		},
		{
			"a service that is broken", wiring{inside: func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) })
			}},
			first,
			"POST /submissions/s1/claims, sent under a fresh key, was answered 502: a 5xx is never stored: let NewServer build a service that can answer it",
		},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			failed, _, first := failures(t, tt.wiring.suite(), claimsCases)
			if tt.fault == "a store that does not lock" || tt.fault == "answers without a code" { // whether racers meet is chance
				failed = slices.DeleteFunc(failed, func(name string) bool { return strings.HasPrefix(name, "Race/") })
			}
			if got := strings.Join(failed, ", "); got != tt.failed {
				t.Errorf("checks that fail:\n got %s\nwant %s", got, tt.failed)
			}
			if !strings.HasPrefix(first, tt.want) || tt.want == "" {
				t.Errorf("message:\n got %s\nwant %s…", first, tt.want)
			}
		})
	}
}

type connection struct{}

// A store that takes a result from an owner that was overtaken is found where work is done again.
func TestAnOvertakenOwnerIsFound(t *testing.T) {
	t.Parallel()
	w := wiring{
		service: func(svc *idem.Service) { svc.Policy.OnUnknown = idem.Reexecute },
		store:   func(env *Env) idem.Store { return &anyOwner{Store: env.Store, last: map[idem.Key]idem.Token{}} },
	}
	s := w.suite()
	s.Policy.OnUnknown = idem.Reexecute
	failed, _, first := failures(t, s, claimsCases)
	if !slices.Equal(failed, []string{"Crash/taken over"}) || !strings.HasPrefix(first, "an owner that was overtaken comes back: the same request") {
		t.Errorf("failed %v: %s", failed, first)
	}
}

// An operation that answers with an error is a fault, unless somebody says why not; one that cannot run is skipped.
func TestOperationsThatCannotRun(t *testing.T) {
	t.Parallel()
	w := wiring{inside: func(http.Handler) http.Handler { return http.NotFoundHandler() }}
	s := w.suite()
	s.Refused = map[idem.Endpoint]string{"claims.create": "submissions are another team's"}
	if failed, missed, first := failures(t, s, claimsCases); failed != nil || missed != nil {
		t.Errorf("failed %v, not staged %v: %s", failed, missed, first)
	}
	s = wiring{unwrapped: true}.suite()
	s.Skip = map[string]string{"claims.create": "not wrapped yet"}
	s.Replay(t, claimsCases)
	s.Routes(t, claimsCases)
	s.Skip = map[string]string{"Replay/claims.create": "not wrapped yet"}
	s.Replay(t, claimsCases)
}

// Another request takes the sample's place. What was to be changed of the sample and is not there, or is so already,
// is not staged.
func TestARequestOfTheUsers(t *testing.T) {
	t.Parallel()
	s := wiring{}.suite()
	s.Requests = map[idem.Endpoint]Request{"claims.create": {
		Method: "POST", Path: "/submissions/s9/claims", ContentType: "application/json", Body: `{"amount":2,"clientTime":"one"}`,
	}}
	failed, missed, first := failures(t, s, claimsCases)
	if want := []string{"Replay/body.tags in another order", "Conflict/body.amount"}; failed != nil || !slices.Equal(missed, want) {
		t.Errorf("failed %v, not staged %v, want %v: %s", failed, missed, want, first)
	}
}

// A change of the path leaves the rest of another request's path alone.
func TestAnotherRequestsPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ sample, changed, path, want string }{
		{"/a/1/b/2", "/a/1/b/3", "/a/7/b/8", "/a/7/b/3"},
		{"/a/1/b/2", "/a/9/b/2", "/a/7/b/8", "/a/9/b/8"},
		{"/a/1/b/2", "/a/1/b/3", "/a/1/b/2", "/a/1/b/3"},
		{"/a/1/b/2", "/a/1/b/3", "/a/7/b/3", "/a/7/b/3"},
		{"/a/1", "/a/2", "/v1/a/7", "/a/2"},
	} {
		if got := alike(tt.sample, tt.changed, tt.path); got != tt.want {
			t.Errorf("%v: %s", tt, got)
		}
	}
	s := wiring{}.suite()
	s.Requests = map[idem.Endpoint]Request{"claims.create": {
		Method: "POST", Path: "/submissions/s2/claims", Query: "notify=false", ContentType: "application/json", Body: `{"tags":["a"],"amount":2.0,"clientTime":"one"}`,
	}}
	failed, missed, first := failures(t, s, claimsCases)
	want := []string{"Replay/body.tags in another order", "Replay/another answer", "Conflict/path.submissionId", "Conflict/query.notify", "Conflict/body.amount"}
	if failed != nil || !slices.Equal(missed, want) {
		t.Errorf("failed %v, not staged %v, want %v: %s", failed, missed, want, first)
	}
}

// A service behind a base path is sent the document's requests there.
func TestAServiceBehindABasePath(t *testing.T) {
	t.Parallel()
	behind := wiring{service: func(svc *idem.Service) { svc.BasePath = "/api/v1" }, outside: func(next http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.Handle("/api/v1/", next)
		return mux
	}}
	s := behind.suite()
	s.BasePath = "/api/v1"
	if failed, missed, first := failures(t, s, claimsCases); failed != nil || missed != nil {
		t.Errorf("failed %v, not staged %v: %s", failed, missed, first)
	}
	s.Routes(t, claimsCases)
	const want = `POST /submissions/s1/claims, sent under a fresh key, was answered 404 "404 page not found\n": the service has no such route: register the operation, and give the suite the BasePath`
	if _, _, first := failures(t, behind.suite(), claimsCases); !strings.HasPrefix(first, want) {
		t.Errorf("without it:\n got %s\nwant %s…", first, want)
	}
}

// What the suite says of nothing there is would be ignored in silence.
func TestMisspeltNames(t *testing.T) {
	t.Parallel()
	s := Suite{
		Operations: claims,
		Skip:       map[string]string{"claims.create": "", "Crash/claims.create": "no joined mode", "Crush/claims.create": "why", "clams.create": "why", "Key/clams.create": "why"},
		Refused:    map[idem.Endpoint]string{"claims.create": "", "clams.create": "why"},
		Requests:   map[idem.Endpoint]Request{"claims.create": {}, "clams.create": {}},
	}
	want := []string{
		`Refused gives no reason for "claims.create": say why`,
		`Refused names "clams.create", and no operation has the endpoint key clams.create: correct or remove it`,
		`Requests names "clams.create", and no operation has the endpoint key clams.create: correct or remove it`,
		`Skip gives no reason for "claims.create": say why`,
		`Skip names "Crush/claims.create", and there is no such rule: they are Replay, Conflict, InProgress, Key, Race, Scope, Failure, Crash, Routes`,
		`Skip names "Key/clams.create", and no operation has the endpoint key clams.create: correct or remove it`,
		`Skip names "clams.create", and no operation has the endpoint key clams.create: correct or remove it`,
	}
	if got := s.mistakes(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	s = Suite{Skip: map[string]string{"anything": "by hand, without a document"}}
	if got := s.mistakes(); got != nil {
		t.Errorf("without operations: %q", got)
	}
}

// A handler that does not return is a fault of the test, and does not hang it.
func TestAHandlerThatDoesNotReturn(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	w := wiring{inside: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-goOn
			next.ServeHTTP(w, r)
		})
	}}
	x := w.suite().newTrial(t, claimsCases[0])
	gate := x.env.script.hold(reserved)
	sent := x.start(t.Context(), x.request(), newKey())
	if err := x.reached(gate, sent); err != nil {
		t.Fatal(err)
	}
	gate.release()
	const want = "waited 1ms for a handler of the service that does not return, or its store"
	if err := x.ended(time.Millisecond); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	close(goOn)
}

// Each request that is to run is seeded.
func TestSeed(t *testing.T) {
	t.Parallel()
	var seeded atomic.Int64
	w := wiring{inside: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if seeded.Add(-1) < 0 {
				http.Error(w, "no such submission", http.StatusNotFound)
				return
			}
			next.ServeHTTP(w, r)
		})
	}}
	s := w.suite()
	build := s.NewServer
	s.NewServer = func(t testing.TB, env *Env) http.Handler {
		env.Seed = func(_ testing.TB, c Case) Request {
			seeded.Store(1)
			return c.Request
		}
		return build(t, env)
	}
	for _, rule := range rules[:4] {
		x := s.newTrial(t, claimsCases[0])
		for _, ch := range rule.checks(x) {
			if err := ch.do(); err != nil {
				t.Errorf("%s/%s: %v", rule.name, ch.name, err)
			}
		}
	}
}

// Work that is begun by hand is proven as far as it can be told from outside.
func TestWorkByHand(t *testing.T) {
	t.Parallel()
	s := Suite{As: callAs, Operations: claims, NewServer: func(_ testing.TB, env *Env) http.Handler {
		svc := idem.New(env.Store, callerOf)
		svc.Observer = env.Observer
		work := &ledger{}
		env.Effects = work.effects
		return byHand(svc, work)
	}}
	c := claimsCases[0]
	c.Same = nil // the payload is the request as a text
	failed, missed, first := failures(t, &s, []Case{c})
	want := []string{"Failure/panic before the work", "Failure/panic after the work", "Failure/error after the work"}
	if !slices.Equal(failed, []string{"Replay/body in another spelling"}) || !slices.Equal(missed, want) {
		t.Errorf("failed %v, not staged %v: %s", failed, missed, first)
	}
}

// requestText is the payload of work that is begun by hand.
type requestText struct {
	Body string `json:"body"`
}

// byHand reserves, works and finalizes without a wrapper.
func byHand(svc *idem.Service, work http.Handler) http.Handler {
	op := claimsCreate
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse := func(p *idem.Problem) { send(w, p.Response()) }
		keys := r.Header.Values("Idempotency-Key")
		switch {
		case len(keys) == 0 || keys[0] == "":
			refuse(&idem.Problem{Status: 400, Code: idem.CodeValidation, Detail: "idempotency key is required"})
			return
		case len(keys) > 1:
			refuse(&idem.Problem{Status: 400, Code: idem.CodeValidation, Detail: "idempotency key must be sent once"})
			return
		case strings.HasPrefix(keys[0], `"`) != strings.HasSuffix(keys[0], `"`):
			refuse(&idem.Problem{Status: 400, Code: idem.CodeValidation, Detail: "idempotency key is malformed"})
			return
		}
		scope, _ := callerOf(r)
		body, _ := io.ReadAll(r.Body)
		attempt, err := idem.Begin(r.Context(), svc, &op, scope, strings.Trim(keys[0], `"`), requestText{r.URL.String() + string(body)})
		if problem := (*idem.Problem)(nil); errors.As(err, &problem) {
			refuse(problem)
			return
		}
		defer attempt.Close()
		switch attempt.State() {
		case idem.Replay:
			response := attempt.Response()
			w.Header().Set("Idempotent-Replayed", "true")
			send(w, &response)
		case idem.Reserved:
			rec := httptest.NewRecorder()
			work.ServeHTTP(rec, r.WithContext(attempt.Context()))
			response := &idem.Response{Status: rec.Code, Header: rec.Header(), Body: rec.Body.Bytes()}
			if err := attempt.Finalize(r.Context(), response); errors.Is(err, idem.ErrLost) {
				refuse(&idem.Problem{Status: 409, Code: idem.CodeOutcomeUnknown})
				return
			}
			send(w, response)
		default:
			refuse(attempt.Problem())
		}
	})
}

func send(w http.ResponseWriter, r *idem.Response) {
	for name, values := range r.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body)
}
