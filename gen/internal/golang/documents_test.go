package golang

import (
	"time"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

func str() *ir.Type                   { return &ir.Type{Kind: ir.String} }
func integer(bits int) *ir.Type       { return &ir.Type{Kind: ir.Int, Bits: bits} }
func listOf(t *ir.Type) *ir.Type      { return &ir.Type{Kind: ir.Array, Items: t} }
func dictOf(t *ir.Type) *ir.Type      { return &ir.Type{Kind: ir.Map, Rest: t} }
func object(f ...*ir.Field) *ir.Type  { return &ir.Type{Kind: ir.Object, Fields: f} }
func enum(members ...string) *ir.Type { return &ir.Type{Kind: ir.String, Enum: members} }

func orNull(t *ir.Type) *ir.Type {
	c := *t
	c.Nullable = true
	return &c
}

// component names a type as a component schema.
func component(name string, t *ir.Type) *ir.Type {
	t.Name, t.Ref = name, "#/components/schemas/"+name
	return t
}

func required(name string, t *ir.Type) *ir.Field {
	return &ir.Field{Name: name, Type: t, Required: true}
}

func may(name string, t *ir.Type) *ir.Field { return &ir.Field{Name: name, Type: t} }

func post(key, path string) *ir.Operation {
	return &ir.Operation{Route: ir.Route{Method: "POST", Path: path}, Endpoint: key,
		EndpointPos: ir.Pos{File: "api.yaml", Line: 10, Col: 31}}
}

func taking(op *ir.Operation, t *ir.Type) *ir.Operation {
	op.Bodies, op.Required = []*ir.Body{{MediaType: "application/json", Type: t}}, true
	return op
}

// ledger is a document as people write them.
func ledger() *ir.Document {
	kind := component("ClaimKind", enum(`"wrong-answer"`, `"wrong-key"`, `"other"`))
	kind.Doc = "What is wrong."
	evidence := component("Evidence", object(
		required("url", str()),
		may("sha256", orNull(str())),
	))
	evidence.Closed = true
	list := listOf(evidence)
	list.Unordered = true
	claim := component("NewClaim", object(
		required("kind", kind),
		&ir.Field{Name: "amount", Required: true, Type: &ir.Type{Kind: ir.Number}, Doc: "How much is claimed, in the\nsubmission's currency"},
		may("assigneeId", orNull(str())),
		required("evidence", list),
		&ir.Field{Name: "clientTime", Type: str(), Ignore: true},
		may("address", object(required("line1", str()), may("country", enum(`"SE"`, `"NO"`)))),
	))
	claim.Doc = "A claim that is not filed yet.\n\nIt becomes a case when someone takes it."

	create := taking(post("claims.create", "/submissions/{submissionId}/claims"), claim)
	create.Summary = "Open a claim"
	create.PathParams = []*ir.Parameter{{Name: "submissionId", Required: true, Type: str(), Doc: "Of the exam"}}
	create.QueryParams = []*ir.Parameter{
		{Name: "notify", Type: &ir.Type{Kind: ir.Bool}},
		{Name: "tags", Type: listOf(str())},
		{Name: "trace", Type: str(), Ignore: true},
	}
	create.Headers = []*ir.Parameter{{Name: "x-channel", Type: str()}}
	create.Scope = []string{"role"}
	create.Stored = []string{"X-Claim-Number"}
	create.Policy = ir.Policy{Lease: 10 * time.Second, Retention: 30 * 24 * time.Hour, OnUnknown: "reconcile", MaxBody: 64 << 10}

	void := post("submissions.void", "/submissions/{submissionId}")
	void.Method = "DELETE"
	void.PathParams = create.PathParams
	void.Policy = ir.Policy{Header: "X-Request-Key", MaxLength: 64, ConflictStatus: 422}

	upload := post("evidence.upload", "/evidence")
	upload.Bodies = []*ir.Body{{MediaType: "image/*", Form: ir.Digest}, {MediaType: "application/pdf", Form: ir.Digest}}
	return &ir.Document{
		File: "ledger.yaml", Title: "Exam Ledger",
		Operations: []*ir.Operation{void, create, upload},
		Types:      []*ir.Type{kind, evidence, claim},
		Exempt:     []ir.Exempt{{Route: ir.Route{Method: "POST", Path: "/auth/login"}, Reason: "no key before login"}},
		Unkeyed:    []ir.Route{{Method: "PUT", Path: "/drafts/{id}"}},
	}
}

// casesOf makes up a test case for each operation; its requests need not fit the document here.
func casesOf(doc *ir.Document) []TestCase {
	var out []TestCase
	for _, op := range doc.Operations {
		c := TestCase{Endpoint: op.Endpoint, Request: TestRequest{Method: op.Method, Path: "/a%20b"}, Changed: []TestChange{{Name: "path.id", Path: "/c"}}}
		if len(op.Bodies) > 0 {
			c.Request.ContentType, c.Request.Body = "application/json", `{"kind":"other","note":"`+"`"+`"}`
			c.Changed = append(c.Changed, TestChange{Name: "body.kind", At: "/kind", Value: `"lost"`},
				TestChange{Name: "body left out", NoBody: true}, TestChange{Name: "type", ContentType: "image/png"})
			c.Same = []TestChange{
				{Name: "query.trace", Query: "trace=1"}, {Name: "header.X-Channel", Header: []string{"X-Channel: web"}},
				{Name: "body.tags in another order", At: "/tags", Reversed: true},
				{Name: "body in another spelling", Body: `{ "note" : "a\"b", "kind":"other"}`},
			}
		}
		out = append(out, c)
	}
	return out
}
