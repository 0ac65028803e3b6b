package idemtest

import (
	"errors"
	"net/http"
	"path"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

func TestSpellings(t *testing.T) {
	t.Parallel()
	for given, want := range map[string][]string{
		"/orders":   {"//orders", "/orders/", "/./orders", "/x/../orders", "/%6frders", "/ORDERS"},
		"/a/b%20/C": {"//a/b%20/C", "/a/b%20/C/", "/./a/b%20/C", "/x/../a/b%20/C", "/a/b%20//C", "/%61/b%20/C", "/A/b%20/C"},
		"/%20/b":    {"//%20/b", "/%20/b/", "/./%20/b", "/x/../%20/b", "/%20//b"},
		"/":         {"//", "//", "/./", "/x/../"},
	} {
		if got := spellings(given); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", given, got, want)
		}
	}
}

// What a router does with the paths that it was given, and what is found of it.
func TestRoutesThatAreNotGuarded(t *testing.T) {
	t.Parallel()
	guarded := wiring{}.newServer(t, newEnv())
	work := &ledger{}
	router := func(route func(r *http.Request) http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { route(r).ServeHTTP(w, r) })
	}
	exact := func(r *http.Request) bool {
		return strings.HasPrefix(r.URL.EscapedPath(), "/submissions/") && strings.HasSuffix(r.URL.EscapedPath(), "/claims")
	}
	const rest = ` without a key was answered 201 "{\"id\":`
	for _, tt := range []struct {
		name    string
		handler http.Handler
		want    []string // how each message begins
	}{
		{"guarded", guarded, nil},
		{"not registered", http.NotFoundHandler(), []string{
			`POST /submissions/s1/claims without a key was answered 404 "404 page not found\n", want 400 validation_error: register the operation's wrapped handler`}},
		{"not wrapped", work, []string{
			`POST /submissions/s1/claims` + rest}},
		{"not let in", router(func(*http.Request) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
		}), []string{
			"POST /submissions/s1/claims without a key was answered 401, want 400 validation_error: let as make it one of a caller who may"}},
		{"cleaned behind the wrapper", router(func(r *http.Request) http.Handler {
			switch {
			case exact(r) && path.Clean(r.URL.Path) == r.URL.Path:
				return guarded
			case strings.HasPrefix(path.Clean(r.URL.Path), "/submissions/"):
				return work
			}
			return http.NotFoundHandler()
		}), []string{
			"POST //submissions/s1/claims" + rest, "POST /submissions/s1/claims/" + rest, "POST /./submissions/s1/claims" + rest,
			"POST /x/../submissions/s1/claims" + rest, "POST /submissions/s1//claims" + rest, "POST /%73ubmissions/s1/claims" + rest}},
		{"in small letters behind the wrapper", router(func(r *http.Request) http.Handler {
			switch p := r.URL.EscapedPath(); {
			case exact(r):
				return guarded
			case strings.HasPrefix(strings.ToLower(p), "/submissions/"):
				return work
			}
			return http.NotFoundHandler()
		}), []string{
			"POST /submissions/s1/claims/" + rest, "POST /SUBMISSIONS/s1/claims" + rest}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := prober{"", tt.handler, &claimsCreate, func(r *http.Request) { callAs(r, "tenant-1", "actor-1") }}
			errs := p.check(claimsCases)
			all := errors.Join(errs...)
			if len(errs) != len(tt.want) {
				t.Fatalf("%d faults, want %d: %v", len(errs), len(tt.want), all)
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(errs[i].Error(), want) {
					t.Errorf("fault %d:\n got %v\nwant %s…", i, errs[i], want)
				}
			}
		})
	}
}

// Without a sample, a parameter is tried as what routers ask for.
func TestPathsWithoutASample(t *testing.T) {
	t.Parallel()
	for value, router := range map[string]string{"1": `^/submissions/[0-9]+/claims$`, "one": `^/submissions/[a-z]+/claims$`, "a UUID": `^/submissions/[0-9a-f-]{36}/claims$`} {
		mux := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if ok, _ := regexp.MatchString(router, r.URL.Path); !ok {
				http.NotFound(w, r)
				return
			}
			wiring{}.newServer(t, newEnv()).ServeHTTP(w, r)
		})
		p := prober{"", mux, &claimsCreate, func(r *http.Request) { callAs(r, "tenant-1", "actor-1") }}
		if errs := p.check(nil); errs != nil {
			t.Errorf("%s: %v", value, errs)
		}
	}
	CheckRoutes(t, wiring{}.newServer(t, newEnv()), idem.Operations{Keyed: claims.Keyed}, func(r *http.Request) { callAs(r, "t", "a") })
}

// Behind a base path the spellings are those of what stands behind it.
func TestRoutesBehindABasePath(t *testing.T) {
	t.Parallel()
	guarded := wiring{service: func(svc *idem.Service) { svc.BasePath = "/api/v1" }}.newServer(t, newEnv())
	work := &ledger{}
	lenient := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() == "/api/v1//submissions/s1/claims" {
			work.ServeHTTP(w, r)
			return
		}
		guarded.ServeHTTP(w, r)
	})
	for _, tt := range []struct {
		name, base string
		handler    http.Handler
		want       string
	}{
		{"guarded", "/api/v1", guarded, ""},
		{"with a lenient router", "/api/v1", lenient, `POST /api/v1//submissions/s1/claims without a key was answered 201 "{\"id\":1}"`},
		{"elsewhere", "/v2", http.NotFoundHandler(), `POST /v2/submissions/s1/claims without a key was answered 404 "404 page not found\n", want 400 validation_error: register the operation's wrapped handler; or give`},
	} {
		p := prober{tt.base, tt.handler, &claimsCreate, func(r *http.Request) { callAs(r, "tenant-1", "actor-1") }}
		err := errors.Join(p.check(claimsCases)...)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s:\n got %v\nwant %s…", tt.name, err, tt.want)
		}
	}
}
