package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// converter turns a decoded document into ir.
type converter struct {
	*loader
	prune    *document.Pruner
	t        *openapi3.T
	numbers  map[any]int         // schemas by node, numbered as they are met
	types    map[string]*ir.Type // by the schemas that they are made of
	uses     map[use]*ir.Type    // the same, with what is said beside them
	open     map[*ir.Type]bool   // not complete yet
	waiting  map[*ir.Type][]*ir.Type
	chain    []*ir.Type            // unions that are being built, each a branch of the one before
	never    map[*ir.Type]bool     // branches that admit no value
	null     map[*ir.Type]*ir.Type // the same, or null
	solid    map[*ir.Type]*ir.Type // the same, not null
	combined int                   // types made of a schema and one of its branches
	full     bool                  // there are too many of them
}

func newConverter(l *loader, prune *document.Pruner, t *openapi3.T) *converter {
	return &converter{
		loader: l, prune: prune, t: t,
		numbers: map[any]int{}, types: map[string]*ir.Type{},
		open: map[*ir.Type]bool{}, waiting: map[*ir.Type][]*ir.Type{},
		uses: map[use]*ir.Type{}, never: map[*ir.Type]bool{}, null: map[*ir.Type]*ir.Type{}, solid: map[*ir.Type]*ir.Type{},
	}
}

func (c *converter) operation(op *operation) *ir.Operation {
	k := c.t.Paths.Value(op.pruned).Post
	own := c.readPolicy(op.node.Get("x-idempotency"), onOperation).over(c.policy)
	out := &ir.Operation{
		Route: op.Route, Endpoint: op.key, EndpointPos: op.endpoint.Pos(),
		OperationID: text(op.node, "operationId"), Summary: text(op.node, "summary"), Scope: own.scope, Policy: own.Policy,
	}
	if out.Summary == "" {
		out.Summary = text(op.node, "description")
	}
	path := map[string]*ir.Parameter{}
	var spread []*ir.Parameter
	for i, p := range op.parameters {
		value := k.Parameters[i].Value
		if fields, ignored, ok := c.spreadQuery(p, value); ok {
			out.Ignored = append(out.Ignored, ignored...)
			spread = append(spread, fields...)
			continue
		}
		converted, ok := c.parameter(p, value)
		switch {
		case !ok:
		case p.in == "path":
			path[p.name] = converted
		case p.in == "query":
			out.QueryParams = append(out.QueryParams, converted)
		default:
			out.Headers = append(out.Headers, converted)
		}
	}
	out.QueryParams = unite(out.QueryParams, spread)
	c.noneLeftOut(out.QueryParams, out.Ignored)
	for _, name := range op.names {
		p := path[name]
		if p == nil { // declared by the template alone
			p = &ir.Parameter{Pos: op.Pos, Name: name, Required: true, Type: &ir.Type{Pos: op.Pos, Kind: ir.String}}
		}
		out.PathParams = append(out.PathParams, p)
	}
	if k.RequestBody != nil {
		out.Required = k.RequestBody.Value.Required
		out.Bodies = c.bodies(op, k.RequestBody.Value)
	}
	out.Stored = c.stored(op)
	return out
}

// bodies converts the media types of a request body.
func (c *converter) bodies(op *operation, k *openapi3.RequestBody) []*ir.Body {
	c.extensions(op.body, elsewhere)
	key, content := op.body.Member("content")
	if content.Len() == 0 {
		at := key
		if at.IsZero() {
			at = op.body
		}
		c.bad(at, "the request body has no media types", "declare them under content, or remove requestBody")
		return nil
	}
	var out []*ir.Body
	for key, media := range content.Members() {
		essence, ok := mediaType(key.Spelt())
		if !ok {
			c.bad(key, fmt.Sprintf("%q is not a media type", key.Spelt()), "write one such as application/json")
			continue
		}
		media = c.lib.Resolve(media, "mediaTypes", "a media type")
		c.extensions(media, elsewhere)
		body := &ir.Body{Pos: key.Pos(), MediaType: essence, Form: formOf(essence)}
		switch body.Form {
		case ir.Fields, ir.Multipart:
			c.form(body, media, k.Content[key.Spelt()])
		case ir.JSON:
			if body.Type = c.body(key, media.Get("schema"), k.Content[key.Spelt()]); body.Type == nil {
				body.Form = ir.Digest
			} else {
				body.Example = c.given(body.Type, media)
			}
		}
		out = c.add(out, body)
	}
	return out
}

// add adds a body. Two declared media types can differ in parameters alone, and are one.
func (c *converter) add(bodies []*ir.Body, body *ir.Body) []*ir.Body {
	for _, b := range bodies {
		if b.MediaType != body.MediaType {
			continue
		}
		switch {
		case b.Form == ir.Fields || b.Form == ir.Multipart:
			c.lib.Report(body.Pos, fmt.Sprintf("%s is declared twice", b.MediaType), "keep one of them: forms that differ in parameters are one media type")
		case b.Form != body.Form:
			c.lib.Report(body.Pos, fmt.Sprintf("%s is declared twice, as JSON and as bytes", b.MediaType), "keep one of them: they differ in parameters alone, and are one media type")
		case b.Type != body.Type:
			b.Type = &ir.Type{Pos: b.Pos, Kind: ir.Any, Branches: []*ir.Type{b.Type, body.Type}}
		}
		return bodies
	}
	return append(bodies, body)
}

// body is the type of a JSON body; nil where the schema says that it is bytes.
func (c *converter) body(key, schema document.Node, k *openapi3.MediaType) *ir.Type {
	if schema.IsZero() || k == nil || k.Schema == nil {
		return &ir.Type{Pos: key.Pos(), Kind: ir.Any}
	}
	v := view{ref: k.Schema, node: schema}
	if ctx := c.context(v); ctx.ignore {
		c.breaks(ir.LintPlace, ctx.ignoreKey, "x-idempotency-ignore on a whole body", "put it on the members that are no part of the identity")
	}
	t := c.typ([]view{v}, anything, "the body")
	if t.Kind == ir.String && t.Format == "binary" {
		return nil
	}
	return t
}

// mediaType is the media type in lower case, without parameters.
func mediaType(s string) (string, bool) {
	essence, _, err := mime.ParseMediaType(s)
	if err != nil {
		essence, _, _ = strings.Cut(strings.ToLower(s), ";")
		essence = strings.TrimSpace(essence)
	}
	kind, sub, ok := strings.Cut(essence, "/")
	valid := func(s string) bool { return token.MatchString(s) }
	return essence, ok && valid(kind) && valid(sub)
}

func formOf(essence string) ir.Form {
	switch {
	case isJSON(essence):
		return ir.JSON
	case essence == "application/x-www-form-urlencoded":
		return ir.Fields
	case strings.HasPrefix(essence, "multipart/"):
		return ir.Multipart
	}
	return ir.Digest
}

func isJSON(essence string) bool {
	return essence == "application/json" || essence == "text/json" || strings.HasSuffix(essence, "+json")
}

// stored are the response headers that an operation declares.
func (c *converter) stored(op *operation) []string {
	headers := map[string]bool{}
	responses := op.node.Get("responses")
	c.extensions(responses, elsewhere)
	for code, response := range responses.Members() {
		if strings.HasPrefix(code.Spelt(), "x-") {
			continue
		}
		if !response.IsMapping() {
			c.bad(response, "a response is "+response.What(), "write a mapping")
			continue
		}
		// What a request needs does not depend on a response: one that cannot be found declares no headers.
		response = c.lib.Find(response, "responses")
		c.extensions(response, elsewhere)
		for name := range response.Get("headers").Members() {
			if token.MatchString(name.Spelt()) {
				headers[http.CanonicalHeaderKey(name.Spelt())] = true
			}
		}
		for name := range response.Get("content").Members() {
			if essence, _ := mediaType(name.Spelt()); essence == "text/event-stream" {
				c.breaks(ir.LintEventStream, name, fmt.Sprintf("%s %s answers with an event stream, which cannot be replayed", op.Method, op.spelt), "remove x-idempotency-endpoint, or answer with a whole document")
			}
		}
	}
	delete(headers, "Idempotent-Replayed") // the runtime's own
	return slices.Sorted(maps.Keys(headers))
}

// named are the component schemas that operations use.
func named(ops []*ir.Operation) []*ir.Type {
	refs := map[string]*ir.Type{}
	var types []*ir.Type
	seen := map[*ir.Type]bool{nil: true}
	for _, op := range ops {
		types = append(types, reached(op, seen)...)
	}
	for _, t := range types {
		if t.Ref != "" && (refs[t.Ref] == nil || refs[t.Ref].Nullable) {
			refs[t.Ref] = t
		}
	}
	return slices.SortedFunc(maps.Values(refs), func(a, b *ir.Type) int { return cmp.Compare(a.Ref, b.Ref) })
}

// reached are the types of an operation that were not seen yet, in document order.
func reached(op *ir.Operation, seen map[*ir.Type]bool) []*ir.Type {
	var stack, out []*ir.Type
	for _, list := range [][]*ir.Parameter{op.PathParams, op.QueryParams, op.Headers} {
		for _, p := range list {
			stack = append(stack, p.Type)
		}
	}
	for _, b := range op.Bodies {
		stack = append(stack, b.Type)
		for _, f := range b.Fields {
			stack = append(stack, f.Type)
		}
	}
	slices.Reverse(stack)
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		if stack = stack[:len(stack)-1]; seen[t] {
			continue
		}
		seen[t] = true
		out = append(out, t)
		next := append([]*ir.Type{}, t.Branches...)
		for _, f := range t.Fields {
			next = append(next, f.Type)
		}
		next = append(next, t.Items, t.Rest)
		slices.Reverse(next)
		stack = append(stack, next...)
	}
	return out
}

// text is a text member of n, or empty.
func text(n document.Node, key string) string {
	s, _ := n.Get(key).Text()
	return s
}

// doc is the description, else the title, of the first node that has one.
func doc(nodes ...document.Node) string {
	for _, key := range []string{"description", "title"} {
		for _, n := range nodes {
			if s := text(n, key); s != "" {
				return s
			}
		}
	}
	return ""
}
