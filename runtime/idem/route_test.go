package idem

import (
	"reflect"
	"strings"
	"testing"
)

// routes is a document for the router's tests, below /api/v1.
func routes(t *testing.T) *router {
	t.Helper()
	keyed := func(endpoint, method, path string) *Operation {
		return &Operation{Endpoint: Endpoint(endpoint), Method: method, Path: path}
	}
	rt, err := newRouter(Operations{
		Keyed: []*Operation{
			keyed("claims.create", "POST", "/claims"),
			keyed("claims.update", "PUT", "/claims/{claimId}"),
			keyed("claims.delete", "DELETE", "/claims/{id}"),
			keyed("claims.archive", "PUT", "/claims/archive"),
			keyed("claims.day", "POST", "/claims/archive/{day}"),
			keyed("claims.void", "POST", "/claims/{id}/void"),
			keyed("jobs.cancel", "POST", "/jobs/{id}:cancel"),
			keyed("jobs.retry", "POST", "/jobs/{id}:retry"),
			keyed("jobs.change", "POST", "/jobs/{id}"),
			keyed("files.put", "PUT", "/files/{name}.{ext}"),
			keyed("files.json", "PUT", "/files/{name}.json"),
			keyed("files.any", "PUT", "/files/{name}"),
			keyed("odd", "POST", "/odd//path/"),
			keyed("root", "POST", "/"),
		},
		Other: []Route{{Method: "POST", Path: "/auth/login"}, {Method: "POST", Path: "/claims/preview"}},
	}, "/api/v1/", []string{"POST /hooks/{name}", "/metrics", "DELETE  /tmp/{rest...}"})
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

func TestMiddlewareMatchesLiteralsFirst(t *testing.T) {
	t.Parallel()
	rt := routes(t)
	for _, tt := range []struct {
		request string
		want    Endpoint // "": passes
		values  Values
	}{
		{"POST /api/v1/claims", "claims.create", Values{}},
		{"PUT /api/v1/claims/7", "claims.update", Values{"claimId": {"7"}}},
		{"DELETE /api/v1/claims/7", "claims.delete", Values{"id": {"7"}}},
		{"PUT /api/v1/claims/archive", "claims.archive", Values{}},
		{"DELETE /api/v1/claims/archive", "claims.delete", Values{"id": {"archive"}}},
		{"POST /api/v1/claims/archive/void", "claims.day", Values{"day": {"void"}}},
		{"POST /api/v1/claims/7/void", "claims.void", Values{"id": {"7"}}},
		{"PUT /api/v1/claims/a%2Fb", "claims.update", Values{"claimId": {"a/b"}}},
		{"PUT /api/v1/claims/https%3A%2F%2Fexample.com", "claims.update", Values{"claimId": {"https://example.com"}}},
		{"POST /api/v1/jobs/7:cancel", "jobs.cancel", Values{"id": {"7"}}},
		{"POST /api/v1/jobs/7:retry", "jobs.retry", Values{"id": {"7"}}},
		{"POST /api/v1/jobs/7:other", "jobs.change", Values{"id": {"7:other"}}},
		{"PUT /api/v1/files/a.json", "files.json", Values{"name": {"a"}}},
		{"PUT /api/v1/files/a.b.txt", "files.put", Values{"name": {"a"}, "ext": {"b.txt"}}},
		{"PUT /api/v1/files/a", "files.any", Values{"name": {"a"}}},
		{"POST /api/v1/odd//path/", "odd", Values{}},
		{"POST /api/v1/", "root", Values{}},

		{"GET /api/v1/claims", "", nil},
		{"HEAD /api/v1/claims/../..", "", nil},
		{"OPTIONS *", "", nil},
		{"TRACE /api/v1/x", "", nil},
		{"QUERY /api/v1/claims", "", nil},
		{"POST /api/v1/auth/login", "", nil},
		{"POST /api/v1/claims/preview", "", nil},
		{"POST /api/v1/hooks/stripe", "", nil},
		{"PATCH /api/v1/metrics", "", nil},
		{"DELETE /api/v1/tmp/a/b/c", "", nil},
		{"POST /elsewhere", "", nil},
		{"POST /elsewhere/", "", nil},
		{"POST /api/v2/claims", "", nil},
		{"POST /api", "", nil},
	} {
		method, path, _ := strings.Cut(tt.request, " ")
		op, values, problem := rt.match(method, path)
		switch {
		case problem != nil:
			t.Errorf("%s: %v", tt.request, problem)
		case tt.want == "" && (op != nil || values != nil):
			t.Errorf("%s: got %s, want it to pass", tt.request, op.Endpoint)
		case tt.want != "" && (op == nil || op.Endpoint != tt.want || !reflect.DeepEqual(values, tt.values)):
			t.Errorf("%s: got %v %q, want %s %q", tt.request, op, values, tt.want, tt.values)
		}
	}
}

func TestMiddlewareFailsClosed(t *testing.T) {
	t.Parallel()
	rt := routes(t)
	for request, status := range map[string]int{
		"POST /api/v1/unknown":         404,
		"PATCH /api/v1/claims":         404, // the path is known, the method is not
		"post /api/v1/claims":          404, // another method than POST
		"LINK /api/v1/claims":          404,
		"POST /api/v1":                 404,
		"PUT /api/v1/hooks/stripe":     404,
		"POST /api/v1/tmp/a":           404,
		"DELETE /api/v1/tmp":           404,
		"POST /api/v1/claims/":         400, // an empty segment that the document does not have
		"POST /api/v1//claims":         400,
		"POST //api/v1/claims":         400,
		"POST /x//y":                   400,
		"POST /api/v1/hooks/":          400,
		"DELETE /api/v1/tmp/a//b":      400,
		"POST /api/v1/x/../claims":     400, // dot segments
		"POST /x/../api/v1/claims":     400,
		"POST /api/v1/./claims":        400,
		"POST /api/v1/x/%2e%2e/claims": 400,
		"POST /api/v1/x/.%2E/claims":   400,
		"PUT /api/v1/claims/a%2F..%2F": 400,
		"POST /api/v1/%63laims":        400, // an escaped unreserved character
		"POST /%61pi/v1/claims":        400,
		"PUT /api/v1/claims/%7E":       400,
		"POST /api%2Fv1/claims":        400, // a router that decodes first finds a route of ours
		"POST /api/v1%2Fclaims":        400,
		"POST /api%2Fv1/unknown":       400,
		"POST /api/v1/hooks/a%2F..":    400,
		"POST /api/v1/jobs/7%3Acancel": 400, // one that compares escaped text finds another route
		"POST /api/v1/claims/7%2Fvoid": 400,
		"POST api/v1/claims":           400,
		"POST *":                       400,
		"PUT /api/v1/claims/%ff":       400,
		"PUT /api/v1/claims/%zz":       400,
	} {
		method, path, _ := strings.Cut(request, " ")
		op, _, problem := rt.match(method, path)
		if op != nil || problem == nil || problem.Status != status {
			t.Errorf("%s: got %v, %+v, want %d", request, op, problem, status)
		}
	}
	if _, _, problem := rt.match("POST", "/api/v1/unknown"); problem == nil || problem.Code != "idempotency_unknown_route" {
		t.Errorf("an unknown route: %+v", problem)
	}
}

func TestMiddlewareWithoutABasePathOwnsEveryPath(t *testing.T) {
	t.Parallel()
	rt, err := newRouter(Operations{Keyed: []*Operation{{Endpoint: "a", Method: "POST", Path: "/a"}}}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if op, _, problem := rt.match("POST", "/a"); op == nil || problem != nil {
		t.Errorf("got %v, %v", op, problem)
	}
	for _, path := range []string{"", "/", "/b"} {
		if op, _, problem := rt.match("POST", path); op != nil || problem == nil || problem.Status != 404 {
			t.Errorf("%q: got %v, %+v", path, op, problem)
		}
	}
}

func TestRoutesThatCannotBeToldApartAreErrors(t *testing.T) {
	t.Parallel()
	op := func(method, path string) *Operation {
		return &Operation{Endpoint: "e", Method: method, Path: path}
	}
	for _, tt := range []struct {
		name string
		ops  Operations
		base string
		pass []string
		want string
	}{
		{"the same route twice", Operations{Keyed: []*Operation{op("POST", "/a/{x}"), op("POST", "/a/{y}")}}, "", nil,
			"POST /a/{y}: the same route as /a/{x}"},
		{"keyed and not", Operations{Keyed: []*Operation{op("POST", "/a")}, Other: []Route{{"POST", "/a"}}}, "", nil,
			"POST /a: the same route as /a"},
		{"segments of which neither is the special case", Operations{Keyed: []*Operation{op("POST", "/{a}-{b}"), op("PUT", "/{a}.{b}")}}, "", nil,
			`path segments "{a}-{b}" and "{a}.{b}": a request can match both, and neither is the special case`},
		{"keyed below one of them", Operations{Keyed: []*Operation{op("POST", "/{a}-{b}/x/{y}.z/{w}")}, Other: []Route{{"PUT", "/{a}.{b}"}}}, "", nil,
			`path segments "{a}-{b}" and "{a}.{b}": a request can match both, and neither is the special case`},
		{"pass through undoes a key", Operations{Keyed: []*Operation{op("POST", "/a/{x}")}}, "", []string{"/a/{y}"},
			`pass through "/a/{y}": the same route as the keyed operation e`},
		{"no path", Operations{}, "", []string{"POST"}, `pass through: path "POST": must begin with a slash`},
		{"no template", Operations{Keyed: []*Operation{op("POST", "/{")}}, "", nil, `path "/{": "{": brace without its partner`},
		{"base path", Operations{}, "/api/../v1", nil, `base path "api/../v1": not a path in normal form without parameters`},
		{"base path with a parameter", Operations{}, "/{tenant}", nil, `base path "{tenant}": not a path in normal form without parameters`},
	} {
		rt, err := newRouter(tt.ops, tt.base, tt.pass)
		if err == nil || err.Error() != tt.want || rt != nil {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
	if _, err := newRouter(Operations{
		Keyed: []*Operation{op("POST", "/{a}:x"), op("POST", "/{a}:y"), op("POST", "/{a}-{b}:x"), op("PUT", "/a/{y}")},
		Other: []Route{{"POST", "/login"}, {"POST", "/b/{a}-{b}/x"}, {"POST", "/b/{a}.{b}"}},
	}, "", []string{"POST /login", "PATCH /a/{x}"}); err != nil {
		t.Errorf("routes that can be told apart: %v", err)
	}
}
