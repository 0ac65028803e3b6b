package idem

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPathValuesAreTheLastSegmentsDecodedOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		template, path string
		want           Values
	}{
		{"/claims", "/claims", Values{}},
		{"/claims/{id}", "/api/v1/claims/7", Values{"id": {"7"}}},
		{"/claims/{id}/lines/{line}", "/claims/a%20b/lines/c+d", Values{"id": {"a b"}, "line": {"c+d"}}},
		{"/files/{id}", "/files/a%2Fb", Values{"id": {"a/b"}}},
		{"/files/{id}", "/files/a%252Fb", Values{"id": {"a%2Fb"}}},
		{"/files/{id}", "/files/%00", Values{"id": {"\x00"}}},
		{"/files/{id}", "/files/%C3%A9", Values{"id": {"é"}}},
		{"/jobs/{id}:cancel", "/jobs/a:b:cancel", Values{"id": {"a:b"}}},
		{"/jobs/{id}:cancel", "/jobs/a%3Acancel", Values{"id": {"a"}}},
		{"/x/{a}.{b}", "/x/1.2.3", Values{"a": {"1"}, "b": {"2.3"}}},
		{"/x/{a}.{b}", "/x/..1", Values{"a": {"."}, "b": {"1"}}},
		{"/x/v{a}-{b}.json", "/x/v1-2-3.json", Values{"a": {"1"}, "b": {"2-3"}}},
		{"/a%20b/{id}", "/a%20b/1", Values{"id": {"1"}}},
		{"/a b/{id}", "/a%20b/1", Values{"id": {"1"}}},
		{"/{id}/", "/api/v1/7/", Values{"id": {"7"}}},
		{"/a//b", "/a//b", Values{}},
		{"/", "/", Values{}},
	} {
		got, problem := pathValues("/api/v1", tt.template, tt.path)
		if problem != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s of %s: got %q, %v, want %q", tt.template, tt.path, got, problem, tt.want)
		}
	}
}

func TestPathThatIsNotTheTemplatesIsAWiringFault(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ template, path string }{
		{"/claims/{id}", "/claims"},
		{"/claims/{id}", "/other/7"},
		{"/claims/{id}", "/claims/"},
		{"/claims/{id}", "/claims/7/"},
		{"/claims/{id}", ""},
		{"/jobs/{id}:cancel", "/jobs/:cancel"},
		{"/jobs/{id}:cancel", "/jobs/7"},
		{"/x/{a}.{b}", "/x/1."},
		{"/x/{a}.{b}", "/x/.1"},
		{"/x/v{a}v", "/x/v"},
		{"/x/{", "/x/1"},
		{"/claims/{id}", "/orgs/red/claims/7"}, // one handler for all organisations would give them one key
		{"/claims/{id}", "/v1/claims/7"},
		{"/claims/{id}", "/api/v1/v1/claims/7"},
	} {
		got, problem := pathValues("/api/v1", tt.template, tt.path)
		if problem == nil || problem.Status != 500 || problem.Code != CodeInternal {
			t.Errorf("%s of %s: got %q, %+v, want 500", tt.template, tt.path, got, problem)
		}
	}
}

func TestPathOfBadTextIsRefused(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/claims/%ff": "path is not valid UTF-8",
		"/claims/%zz": "path has a malformed escape",
		"/claims/%4":  "path has a malformed escape",
	} {
		if got, problem := pathValues("", "/claims/{id}", path); problem == nil || *problem != *invalid(want) {
			t.Errorf("%s: got %q, %+v, want 400 %s", path, got, problem, want)
		}
	}
}

func TestTemplatesThatSayNothingAreErrors(t *testing.T) {
	t.Parallel()
	for template, want := range map[string]string{
		"":                 `path "": must begin with a slash`,
		"claims":           `path "claims": must begin with a slash`,
		"/{a}/{a}":         `path "/{a}/{a}": parameter "a" is there twice`,
		"/{a}{b}":          `path "/{a}{b}": nothing between {a} and the next parameter`,
		"/{a":              `path "/{a": "{a": brace without its partner`,
		"/a}":              `path "/a}": "a}": brace without its partner`,
		"/{}":              `path "/{}": "{}": brace without its partner`,
		"/{a{b}}":          `path "/{a{b}}": "{a{b}}": brace without its partner`,
		"/jobs/{id}:x/{id": `path "/jobs/{id}:x/{id": "{id": brace without its partner`,
	} {
		if _, err := parseTemplate(template); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", template, err, want)
		}
	}
}

func FuzzPathValues(f *testing.F) {
	f.Add("/claims/{id}", "/claims/7")
	f.Add("/x/{a}.{b}:{c}", "/x/1.2:3")
	f.Add("/x/v{a}v", "/y/x/vv")
	f.Add("/{a}", "/%2F%ff")
	f.Fuzz(func(t *testing.T, text, path string) {
		template, err := parseTemplate(text)
		if err != nil || !strings.HasPrefix(path, "/") {
			return
		}
		segments, problem := splitPath(path)
		if problem != nil || len(segments) < len(template.segments) {
			return
		}
		last := segments[len(segments)-len(template.segments):]
		values := make(Values)
		if !template.match(last, values) {
			return
		}
		for name, texts := range values {
			if len(texts) != 1 || texts[0] == "" || !utf8.ValidString(texts[0]) {
				t.Fatalf("%q has %q", name, texts)
			}
		}
		var rebuilt []string
		for i := range template.segments {
			s := &template.segments[i]
			var b strings.Builder
			for j, literal := range s.literals {
				b.WriteString(literal)
				if j < len(s.parameters) {
					b.WriteString(values[s.parameters[j]][0])
				}
			}
			rebuilt = append(rebuilt, b.String())
		}
		if !slices.Equal(rebuilt, last) {
			t.Fatalf("the values do not give the path back, so two paths can have one identity: %q, %q", rebuilt, last)
		}
	})
}

func FuzzRouterIsNeverBypassed(f *testing.F) {
	f.Add("/api/claims/7")
	f.Add("/api/claims/7/void")
	f.Add("//api/claims/7")
	f.Add("/api%2Fclaims/7")
	f.Add("/x/../api/claims/7")
	f.Add("/api/%63laims/7")
	rt, err := newRouter(Operations{
		Keyed: []*Operation{{Endpoint: "claims.void", Method: "POST", Path: "/claims/{id}/void"}},
		Other: []Route{{Method: "POST", Path: "/claims/{id}"}},
	}, "/api", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, escaped string) {
		u, err := url.ParseRequestURI(escaped)
		if err != nil || u.Host != "" {
			return
		}
		op, _, problem := rt.match("POST", u.EscapedPath())
		if op != nil || problem != nil {
			return
		}
		// It passes: no router's reading of the path may be the keyed operation.
		for _, reading := range []string{u.Path, cleaned(u.Path), cleaned(u.EscapedPath()), u.EscapedPath()} {
			if rest, below := strings.CutPrefix(reading, "/api/claims/"); below {
				if id, last, two := strings.Cut(rest, "/"); two && id != "" && last == "void" {
					t.Fatalf("%q passes, and is read as %q", escaped, reading)
				}
			}
		}
	})
}

// cleaned is what a router makes of a path that drops empty and dot segments.
func cleaned(path string) string {
	joined, err := url.JoinPath("/", path)
	if err != nil {
		return path
	}
	return joined
}
