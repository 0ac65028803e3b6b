package lock

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

func operation(key, method, path string, change ...func(*ir.Operation)) *ir.Operation {
	op := &ir.Operation{Route: ir.Route{Method: method, Path: path}, Endpoint: key, EndpointPos: ir.Pos{File: "o.yaml", Line: 3, Col: 1}}
	for _, c := range change {
		c(op)
	}
	return op
}

func document(ops ...*ir.Operation) *ir.Document {
	return &ir.Document{File: "o.yaml", Operations: ops}
}

func named(operationID string) func(*ir.Operation) {
	return func(op *ir.Operation) { op.OperationID = operationID }
}

func storing(headers ...string) func(*ir.Operation) {
	return func(op *ir.Operation) { op.Stored = headers }
}

func ignoring(names ...string) func(*ir.Operation) {
	return func(op *ir.Operation) {
		for _, name := range names {
			op.QueryParams = append(op.QueryParams, &ir.Parameter{Name: name, Ignore: true})
		}
	}
}

func body(fields ...*ir.Field) func(*ir.Operation) {
	return func(op *ir.Operation) {
		op.Bodies = append(op.Bodies, &ir.Body{MediaType: "application/json", Type: &ir.Type{Kind: ir.Object, Fields: fields}})
	}
}

// update must go without a problem.
func update(t *testing.T, old *File, doc *ir.Document, accept Accept) *File {
	t.Helper()
	next, problems := Update(old, doc, accept)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	again, err := Read(next.Print())
	if err != nil {
		t.Fatalf("the lock cannot be read again: %v\n%s", err, next.Print())
	}
	return again
}

func refused(t *testing.T, old *File, doc *ir.Document, accept Accept, want ...string) {
	t.Helper()
	_, problems := Update(old, doc, accept)
	var got []string
	for _, p := range problems {
		got = append(got, p.What)
	}
	if !slices.Equal(got, want) {
		t.Errorf("problems:\n got %q\nwant %q", got, want)
	}
}

// The order of a document is no part of its lock, and what is printed is read again as it was.
func TestALockIsTheDocuments(t *testing.T) {
	t.Parallel()
	odd := []*ir.Operation{
		operation("true", "POST", "/true/{a b}"), operation("1.10", "PUT", "/ö/{x}:undo"), operation("a", "DELETE", `/"quoted"`),
		operation("b", "POST", "/b", ignoring(`"`, "null", "a: b", "[x", "ö\U0001f600"), body(&ir.Field{Name: "- x", Ignore: true, Type: &ir.Type{}})),
	}
	f := Of(document(odd...))
	f.Endpoints["b"].Former = []ir.Identity{{}, {Scope: []string{"role"}}}
	f.Removed["z"] = &Entry{Method: "POST", Path: "/z"}
	text := string(f.Print())
	back, err := Read([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got := string(back.Print()); got != text {
		t.Errorf("read and printed again:\n%s\nwant\n%s", got, text)
	}
	slices.Reverse(odd)
	shuffled := Of(document(odd...))
	shuffled.Endpoints["b"].Former, shuffled.Removed = f.Endpoints["b"].Former, f.Removed
	if string(shuffled.Print()) != text {
		t.Error("another order of the operations makes another lock")
	}
}

// What is in the form of a lock and says what cannot be was spoilt by hand, or by a merge.
func TestALockThatDoesNotFitTogether(t *testing.T) {
	t.Parallel()
	entry := func(change func(*Entry)) *Entry {
		e := &Entry{Method: "POST", Path: "/x/{id}/{item}"}
		change(e)
		return e
	}
	body := func(r ir.Rule) func(*Entry) {
		return func(e *Entry) {
			e.Identity.Body = []ir.BodyRules{{MediaType: "application/json", Rules: []ir.Rule{r, {Unordered: true}}}}
		}
	}
	nothing := func(*Entry) {}
	for name, tt := range map[string]struct {
		change func(*Entry)
		gone   string
		fits   bool
	}{
		"nothing":                      {nothing, "b", true},
		"first names":                  {func(e *Entry) { e.PathNames = []string{"a", "b"} }, "b", true},
		"a first name too few":         {func(e *Entry) { e.PathNames = []string{"id"} }, "b", false},
		"one too many":                 {func(e *Entry) { e.PathNames = []string{"a", "b", "c"} }, "b", false},
		"one of two parameters":        {func(e *Entry) { e.PathNames = []string{"id", "id"} }, "b", false},
		"a key that is there and gone": {nothing, "a", false},
		"a rule":                       {body(ir.Rule{Items: 1}), "b", true},
		"a rule that is not there":     {body(ir.Rule{Items: 2}), "b", false},
		"a former one": {func(e *Entry) {
			e.Former = []ir.Identity{{Body: []ir.BodyRules{{MediaType: "x/y", Rules: []ir.Rule{{Rest: -1}}}}}}
		}, "b", false},
		"a member with the root's": {body(ir.Rule{Members: []ir.RuleMember{{Name: "m", Rule: 0}}}), "b", false},
	} {
		f := &File{Canon: Canon, Endpoints: map[string]*Entry{"a": entry(tt.change)}, Removed: map[string]*Entry{tt.gone: entry(nothing)}}
		if _, err := Read(f.Print()); (err == nil) != tt.fits {
			t.Errorf("%s: %v\n%s", name, err, f.Print())
		}
	}
}

// Whatever stands in a lock, it is refused at once, in a line.
func TestALockThatIsNotOurs(t *testing.T) {
	t.Parallel()
	const head = Header + "\nversion: 1\ncanon: 1\n"
	for _, tt := range []struct{ text, want string }{
		{"", "it is no lock"},
		{strings.Repeat("[", 1_000_000), "it is no lock"},
		{strings.Repeat("version: 1\n", 50_000), "it was changed by hand"},
		{head + "endpoints:\n" + strings.Repeat("  a: {}\n", 50_000), "it was changed by hand"},
		{head + "endpoints:\n  a: {bodies: {" + strings.Repeat("x/y: json, ", 50_000) + "}}\n", "it was changed by hand"},
		{head + "endpoints:\n  a: {bodies: {x/y: text}}\n", "it was changed by hand"},
		{head + "other: 1\nmore: 2\n", "it cannot be read: yaml: construct errors: line 4: field other not found in type lock.fileForm"},
	} {
		_, err := Read([]byte(tt.text))
		if want := tt.want + ": take it from version control again, and run idemgen generate"; err == nil || err.Error() != want {
			t.Errorf("%.60q: %v, want %s", tt.text, err, want)
		}
	}
}

// Two branches that add keys meet only where they are neighbours: an added key adds its lines, and changes no other.
func TestAnAddedKeyMovesNoLine(t *testing.T) {
	t.Parallel()
	var ops []*ir.Operation
	for _, key := range []string{"a", "c", "e", "b"} {
		ops = append(ops, operation(key, "POST", "/"+key, body(&ir.Field{Name: "note", Ignore: true, Type: &ir.Type{}})))
	}
	before, after := string(Of(document(ops[:3]...)).Print()), string(Of(document(ops...)).Print())
	at := strings.Index(after, "  b:\n")
	added := after[at : at+len(after)-len(before)]
	if after[:at]+after[at+len(added):] != before || strings.Count(added, "path: ") != 1 {
		t.Errorf("an added key makes more than its lines:\n%s\nof\n%s", after, before)
	}
}

func TestNamesStay(t *testing.T) {
	t.Parallel()
	first := update(t, nil, document(operation("a", "POST", "/x"), operation("b", "POST", "/y")), Accept{})

	renamed := update(t, first, document(operation("c", "POST", "/x"), operation("b", "POST", "/y")), Accept{Renames: map[string]string{"a": "c"}})
	doc := document(operation("d", "POST", "/x"), operation("b", "POST", "/y"))
	again := update(t, renamed, doc, Accept{Renames: map[string]string{"c": "d"}})
	if e := again.Endpoints["d"]; e.Record != "a" || !slices.Equal(e.Names, []string{"a", "c"}) || doc.Operations[0].Record != "a" {
		t.Errorf("renamed twice: %+v, the operation's records are under %q", e, doc.Operations[0].Record)
	}
	refused(t, again, document(operation("d", "POST", "/x"), operation("b", "POST", "/y"), operation("a", "POST", "/z"), operation("c", "PUT", "/z")), Accept{},
		"a is a former name of d, whose records are kept under it", "c is a former name of d, whose records are kept under it")
	back := update(t, again, document(operation("a", "POST", "/x"), operation("b", "POST", "/y")), Accept{Renames: map[string]string{"d": "a"}})
	if e := back.Endpoints["a"]; e.Record != "" || !slices.Equal(e.Names, []string{"c", "d"}) {
		t.Errorf("renamed back: %+v", e)
	}

	removed := update(t, again, document(operation("b", "POST", "/y")), Accept{Removals: []string{"d"}})
	refused(t, removed, document(operation("b", "POST", "/y"), operation("d", "POST", "/elsewhere"), operation("c", "POST", "/more")), Accept{},
		"d was the key of POST /x, whose records may be there still", "c is a former name of d, which was removed, and whose records may be there still")
	restored := update(t, removed, document(operation("b", "POST", "/y"), operation("d", "POST", "/x")), Accept{})
	if !reflect.DeepEqual(restored, again) {
		t.Errorf("brought back:\n%s\nwant\n%s", restored.Print(), again.Print())
	}
}

func TestWhatChangedWithoutAWord(t *testing.T) {
	t.Parallel()
	id := named("doA")
	first := update(t, nil, document(operation("a", "POST", "/x", id), operation("b", "POST", "/y"), operation("c", "POST", "/z")), Accept{})
	b, c := operation("b", "POST", "/y"), operation("c", "POST", "/z")
	refused(t, first, document(b, c), Accept{}, "the endpoint key a is gone, of POST /x: retries of its requests are not recognised any more")
	refused(t, first, document(b, c, operation("n", "POST", "/x")), Accept{}, "POST /x carries n now, and carried a")
	refused(t, first, document(b, c, operation("n", "PUT", "/elsewhere", id)), Accept{}, "PUT /elsewhere carries n now, and carried a")
	refused(t, first, document(operation("a", "POST", "/y", id), operation("b", "POST", "/x"), c), Accept{},
		"POST /x carries b now, and carried a, which is at POST /y", "POST /y carries a now, and carried b, which is at POST /x")
	refused(t, first, document(operation("a", "POST", "/v2/x", id), b, c, operation("n", "POST", "/x")), Accept{},
		"POST /x carries n now, and carried a, which is at POST /v2/x")
	refused(t, first, document(operation("a", "POST", "/v2/x"), operation("b", "POST", "/v2/y", id), c), Accept{},
		"POST /v2/y carries b now, and carried a, which is at POST /v2/x")
	update(t, first, document(operation("a", "POST", "/x"), operation("b", "POST", "/v2/y", id), c), Accept{})
	update(t, first, document(operation("a", "POST", "/v2/x", id), b, c), Accept{})
	update(t, first, document(operation("a", "POST", "/y", id), operation("b", "POST", "/x"), c), Accept{Changes: []string{"a", "b"}})
	refused(t, first, document(operation("z", "POST", "/new")), Accept{}, "none of the lock's 3 endpoint keys is in the document")
	refused(t, first, document(operation("a", "POST", "/x", id), b, c), Accept{Renames: map[string]string{"a": "n"}, Removals: []string{"b"}, Changes: []string{"c"}},
		"--accept-removal b: no such endpoint key was removed", "--accept-change c: nothing of it changed that has to be accepted",
		"--accept-rename a=n: the first is still there, or the second was before")
}

// The form of a body, and whose rules it follows, can change without a word in the table of the identity.
func TestBodiesStay(t *testing.T) {
	t.Parallel()
	declare := func(key string, declared ...string) *ir.Document {
		op := operation(key, "POST", "/x")
		for _, d := range declared {
			mediaType, form, _ := strings.Cut(d, " ")
			b := &ir.Body{MediaType: mediaType, Form: ir.Digest}
			if form != "" {
				b.Form, b.Type = ir.JSON, &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "note", Ignore: form == "ignoring", Type: &ir.Type{}}}}
			}
			op.Bodies = append(op.Bodies, b)
		}
		return document(op)
	}
	const json = "application/json"
	for _, tt := range []struct {
		before, after []string
		refused       []string
		diff          []string // without what is refused
	}{
		{[]string{json + " json"}, []string{json + " json", "text/csv"}, nil,
			[]string{"additive: a takes text/csv too; a body without a Content-Type counted as application/json, and does not any more"}},
		{[]string{json + " json", "text/csv"}, []string{"text/csv"}, nil,
			[]string{"breaking: a does not take application/json any more: a retry with such a body is refused"}},
		{[]string{"text/csv"}, []string{"text/*"}, nil, []string{"additive: a takes text/* too; a body without a Content-Type counted as text/csv, and does not any more"}},
		{[]string{json + " json"}, []string{json}, []string{"application/json bodies are compared by their bytes now, and were as JSON"}, nil},
		{[]string{"*/*"}, []string{"*/*", json + " json"}, []string{"application/json bodies are compared as JSON now, and were by their bytes"}, nil},
		{[]string{json + " json"}, []string{"*/*"}, []string{"application/json bodies are compared by their bytes now, and were as JSON"},
			[]string{"additive: a takes */* too; a body without a Content-Type counted as application/json, and does not any more"}},
		{[]string{"application/*+json ignoring"}, []string{"application/*+json ignoring", "application/vnd.a+json json"},
			[]string{"application/vnd.a+json bodies follow the rules of application/vnd.a+json now, and followed those of application/*+json"}, nil},
		{[]string{"application/*+json json"}, []string{"application/*+json json", "application/vnd.a+json json"}, nil, nil},
		{nil, []string{json + " json"}, nil, []string{"additive: a takes application/json too"}},
	} {
		f := update(t, nil, declare("a", tt.before...), Accept{})
		var want, changes []string
		if tt.refused != nil {
			want = []string{"a compares bodies in another form than its records were written under: " + strings.Join(tt.refused, "; ")}
			update(t, f, declare("a", tt.after...), Accept{Changes: []string{"a"}})
		}
		refused(t, f, declare("a", tt.after...), Accept{}, want...)
		for _, what := range tt.refused {
			changes = append(changes, "breaking: a "+what+": a retry with such a body is a conflict: generate takes it with --accept-change a")
		}
		changes = append(changes, tt.diff...)
		var got []string
		for _, c := range Diff(declare("a", tt.before...), declare("a", tt.after...)) {
			got = append(got, c.String())
		}
		if !slices.Equal(got, changes) {
			t.Errorf("%v to %v:\n got %q\nwant %q", tt.before, tt.after, got, changes)
		}
	}
}

// A path with more or fewer parameters takes other requests, so that retries are conflicts.
func TestPathParametersStay(t *testing.T) {
	t.Parallel()
	const pos = "a takes other requests than its records are of: its path "
	f := update(t, nil, document(operation("a", "POST", "/x/{id}/y/{item}")), Accept{})
	for path, want := range map[string]string{
		"/x/{id}":               pos + "had item",
		"/x/{id}/y/{item}/{at}": pos + "has at now",
		"/x/{place}":            pos + "had id, item, and has place now",
	} {
		refused(t, f, document(operation("a", "POST", path)), Accept{}, want)
		update(t, f, document(operation("a", "POST", path)), Accept{Changes: []string{"a"}})
	}
	update(t, f, document(operation("a", "POST", "/y/{line}/x/{id}")), Accept{})
}

// What is compared may change where somebody says so, and what was compared before is kept, each table once.
func TestRulesStay(t *testing.T) {
	t.Parallel()
	with := func(names ...string) *ir.Document { return document(operation("a", "POST", "/x", ignoring(names...))) }
	accepted := Accept{Changes: []string{"a"}}
	f := update(t, nil, with("trace"), Accept{})
	refused(t, f, with(), Accept{}, "a compares other things than its records were written under: query.trace counts now")
	f = update(t, f, with(), accepted)
	f = update(t, f, with("trace"), accepted)
	f = update(t, f, with("trace", "time"), accepted)
	doc := with("trace", "time")
	f = update(t, f, doc, Accept{})
	want := []ir.Identity{{}, {IgnoredQuery: []string{"trace"}}}
	if got := f.Endpoints["a"].Former; !slices.EqualFunc(got, want, ir.Identity.Equal) || !slices.EqualFunc(doc.Operations[0].Former, want, ir.Identity.Equal) {
		t.Errorf("former tables: %+v, want %+v", got, want)
	}
}

func TestDifferencesInWords(t *testing.T) {
	t.Parallel()
	note := func(ignore bool) *ir.Field {
		return &ir.Field{Name: "note", Ignore: ignore, Type: &ir.Type{Kind: ir.String}}
	}
	lines := func(unordered, ignore bool) *ir.Field {
		return &ir.Field{Name: "lines", Type: &ir.Type{Kind: ir.Array, Unordered: unordered, Items: &ir.Type{Kind: ir.Object, Fields: []*ir.Field{note(ignore)}}}}
	}
	for _, tt := range []struct {
		before, after func(*ir.Operation)
		want          []string
	}{
		{body(note(false)), body(note(true)), []string{"body.note is ignored now"}},
		{body(lines(false, true)), body(lines(true, false)), []string{"body.lines[].note counts now", "body.lines is compared as a set now"}},
		{func(op *ir.Operation) { op.Scope = []string{"role"} }, func(op *ir.Operation) { op.Headers = []*ir.Parameter{{Name: "x-mode"}} },
			[]string{"header X-Mode counts now", "the caller's role does not count any more"}},
	} {
		a, b := Of(document(operation("a", "POST", "/", tt.before))), Of(document(operation("a", "POST", "/", tt.after)))
		if got := differences(a.Endpoints["a"].Identity, b.Endpoints["a"].Identity); !slices.Equal(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestFirstNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		before string
		firsts []string
		after  string
		want   []string // nil: they are the names
	}{
		{"/a/{id}", nil, "/a/{id}", nil},
		{"/a/{id}", nil, "/b/{claimId}", []string{"id"}},
		{"/a/{claimId}", []string{"id"}, "/a/{id}", nil},
		{"/a/{x}/{y}", nil, "/a/{y}/{x}", []string{"x", "y"}},
		{"/a/{x}/{y}", nil, "/a/{y}/{z}", []string{"x", "y"}},
		{"/a/{y}/{x}", []string{"x", "y"}, "/a/{x}/{y}", nil},
		{"/a/{x}/{y}", nil, "/b/{y}/{x}", nil},
		{"/a/{x}/{y}", nil, "/b/{y}/{z}", []string{"y", "x"}},
		{"/a/{x}/{y}/{z}", []string{"1", "2", "3"}, "/b/{v}/{y}/{w}", []string{"1", "2", "3"}},
		{"/a/{x}", nil, "/a/{x}/{y}", nil},
		{"/a/{claimId}", []string{"id"}, "/a/{claimId}/{id}", []string{"id", "id.2"}},
		{"/a/{x}/{y}", nil, "/a/{z}", nil},
	} {
		got := firstNames(&Entry{Path: tt.after}, &Entry{Path: tt.before, PathNames: tt.firsts})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s %v to %s: %q, want %q", tt.before, tt.firsts, tt.after, got, tt.want)
		}
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	policy := func(p ir.Policy) func(*ir.Operation) { return func(op *ir.Operation) { op.Policy = p } }
	exempt := document()
	exempt.Exempt = []ir.Exempt{{Route: ir.Route{Method: "POST", Path: "/x"}}}
	for name, tt := range map[string]struct {
		before, after *ir.Document
		want          []string
	}{
		"nothing":   {document(operation("a", "POST", "/x")), document(operation("a", "POST", "/x")), nil},
		"a new one": {document(), document(operation("a", "POST", "/x")), []string{"additive: a POST /x is new"}},
		"one that is gone": {document(operation("a", "POST", "/x")), document(),
			[]string{"breaking: a POST /x is gone: generate takes it with --accept-removal a"}},
		"a key at last":   {exempt, document(operation("a", "POST", "/x")), []string{"breaking: a POST /x has a key now, and had none: a request without one is refused"}},
		"no key any more": {document(operation("a", "POST", "/x")), exempt, []string{"breaking: a POST /x has no key any more: retries run again"}},
		"another path": {document(operation("a", "POST", "/x/{id}")), document(operation("a", "POST", "/y/{claimId}")),
			[]string{"neutral: a is POST /y/{claimId} now, and was POST /x/{id}: keys and records stay", "neutral: a has a path parameter claimId that was called id, which it is compared by"}},
		"names that changed places": {document(operation("a", "POST", "/x/{id}/{item}")), document(operation("a", "POST", "/x/{item}/{id}")),
			[]string{"neutral: a has a path parameter item that was called id, which it is compared by", "neutral: a has a path parameter id that was called item, which it is compared by"}},
		"another parameter": {document(operation("a", "POST", "/x/{id}")), document(operation("a", "POST", "/x/{id}/{item}")),
			[]string{"breaking: a is POST /x/{id}/{item} now, and was POST /x/{id}: its path has item now, so that a retry across the change is a conflict: generate takes it with --accept-change a"}},
		"swapped": {document(operation("a", "POST", "/x"), operation("b", "POST", "/y")), document(operation("a", "POST", "/y"), operation("b", "POST", "/x")),
			[]string{"neutral: a is POST /y now, and was POST /x: keys and records stay", "breaking: a was the key of POST /x, which carries b now: a retry there is not recognised",
				"neutral: b is POST /x now, and was POST /y: keys and records stay", "breaking: b was the key of POST /y, which carries a now: a retry there is not recognised"}},
		"swapped, and both moved": {document(operation("a", "POST", "/x", named("doA")), operation("b", "POST", "/y", named("doB"))),
			document(operation("a", "POST", "/2/x", named("doB")), operation("b", "POST", "/2/y", named("doA"))),
			[]string{"neutral: a is POST /2/x now, and was POST /x: keys and records stay", "breaking: a was the key of POST /2/y, which carries b now: a retry there is not recognised",
				"neutral: a has operationId doB now, and had doA",
				"neutral: b is POST /2/y now, and was POST /y: keys and records stay", "breaking: b was the key of POST /2/x, which carries a now: a retry there is not recognised",
				"neutral: b has operationId doA now, and had doB"}},
		"a route that a new one has": {document(operation("a", "POST", "/x")), document(operation("a", "POST", "/y"), operation("b", "POST", "/x")),
			[]string{"neutral: a is POST /y now, and was POST /x: keys and records stay", "breaking: a was the key of POST /x, which carries b now: a retry there is not recognised",
				"additive: b POST /x is new"}},
		"limits": {document(operation("a", "POST", "/x", policy(ir.Policy{MaxBody: 10, ConflictStatus: 422}))),
			document(operation("a", "POST", "/x", policy(ir.Policy{MaxBody: 20, MaxLength: 100, OnUnknown: "reexecute", Retention: 1e9}))),
			[]string{"breaking: a takes keys of at most 100 bytes now, and took 200", "additive: a takes bodies of at most 20 bytes now, and took 10",
				"breaking: a answers a conflict with 409 now, and did with 422", "breaking: a has on-unknown: reexecute now, and had reject",
				"breaking: a keeps records 1s now, and did as long as the service says"}},
		"what replays have": {document(operation("a", "POST", "/x", policy(ir.Policy{Retention: 1e9, Lease: 1e9, Header: "idempotency-key"}), storing("X-Number", "X-Old"))),
			document(operation("a", "POST", "/x", policy(ir.Policy{MaxResponse: 10, Timeout: 1e9}), storing("X-New", "X-Number"))),
			[]string{"breaking: a does not declare the response header X-Old any more: replays are without it, unless each has it",
				"additive: a declares the response header X-New: replays have it",
				"breaking: a replays responses of at most 10 bytes now, and did of 1048576",
				"neutral: a keeps records as long as the service says now, and did 1s",
				"neutral: a has a lease of what the service says now, and had one of 1s",
				"neutral: a has a timeout of 1s now, and had one of what the service says"}},
	} {
		var got []string
		for _, c := range Diff(tt.before, tt.after) {
			got = append(got, c.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(Of(document(operation("a", "POST", "/x/{id}", ignoring("t")))).Print())
	f.Add([]byte(Header + "\nversion: 1\ncanon: 1\nendpoints:\n  a: &a {former: [{body: {x: [{items: 7}]}}]}\n"))
	f.Add([]byte("version: 1\n<<<<<<< ours"))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := Read(data)
		if err != nil {
			return
		}
		if !slices.Equal(read.Print(), []byte(strings.ReplaceAll(string(data), "\r\n", "\n"))) {
			t.Errorf("what was read is printed otherwise:\n%s", read.Print())
		}
		Update(read, document(operation("a", "POST", "/x/{id}")), Accept{})
	})
}

// A document that is written anew is compared in a time that grows with it, not with its square.
func BenchmarkDiffOfRenamedOperations(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		var before, after []*ir.Operation
		for i := range n {
			before = append(before, operation(fmt.Sprint("a", i), "POST", fmt.Sprint("/v1/x", i), named(fmt.Sprint("do", i))))
			after = append(after, operation(fmt.Sprint("b", i), "POST", fmt.Sprint("/v2/x", i), named(fmt.Sprint("do", i))))
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if got := len(Diff(document(before...), document(after...))); got != 2*n {
					b.Fatalf("%d changes", got)
				}
			}
		})
	}
}
