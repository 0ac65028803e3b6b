package openapi

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// scope is what the paths of a document hold, in document order.
type scope struct {
	keyed   []*operation
	exempt  []ir.Exempt
	unkeyed []ir.Route
	seen    map[any]ir.Route // operations by node
}

// operation is a keyed operation, with its references resolved.
type operation struct {
	ir.Route
	spelt      string        // the path's key
	at         ir.Pos        // of that
	item       document.Node // the path item that the operation is in
	node       document.Node
	endpoint   document.Node
	key        string
	names      []string // of the path's template, in order
	parameters []*parameter
	body       document.Node
	pruned     string // its path in the pruned document
}

// paths finds the operations of the document.
func (l *loader) paths() {
	l.scope.seen = map[any]ir.Route{}
	l.extensions(l.root.Get("paths"), elsewhere)
	for _, p := range l.lib.PathItems() {
		for _, item := range p.Items {
			l.extensions(item, elsewhere)
		}
		for _, op := range p.Operations {
			l.operation(p, op)
		}
	}
}

// operation decides what an operation is.
func (l *loader) operation(p document.PathItem, o document.Operation) {
	path, method, op := p.Path.Spelt(), o.Method, o.Node
	if !op.IsMapping() {
		l.bad(op, "an operation is "+op.What(), "write a mapping")
		return
	}
	l.extensions(op, onOperation)
	route := ir.Route{Pos: o.Key.Pos(), Method: method, Path: path}
	endpointKey, endpoint := op.Member("x-idempotency-endpoint")
	exemptKey, exempt := op.Member("x-idempotency-exempt")
	if !exempt.IsZero() {
		l.exempt(route, exemptKey, exempt, !endpoint.IsZero())
	}
	if endpoint.IsZero() {
		if key, own := op.Member("x-idempotency"); !own.IsZero() {
			l.breaks(ir.LintPlace, key, "x-idempotency has no effect on an operation without x-idempotency-endpoint", "add the endpoint key, or remove it")
		}
		if exempt.IsZero() && ir.Mutating(method) {
			l.scope.unkeyed = append(l.scope.unkeyed, route)
		}
		return
	}
	if !ir.Mutating(method) {
		l.breaks(ir.LintSafeMethod, endpointKey, fmt.Sprintf("x-idempotency-endpoint on %s %s, which changes nothing", method, path), "remove it: only operations that change something need a key")
		return
	}
	if first, ok := l.scope.seen[op.ID()]; ok {
		l.breaks(ir.LintEndpointTwice, endpointKey, fmt.Sprintf("%s %s is the same operation as %s %s, so that two routes share one endpoint key", method, path, first.Method, first.Path), "write an operation of its own for each path")
		return
	}
	l.scope.seen[op.ID()] = route
	route.Path = ir.RequestPath(path)
	k := &operation{Route: route, spelt: path, at: p.Path.Pos(), item: o.Item, node: op, endpoint: endpoint, key: l.endpoint(endpoint)}
	k.names = l.template(k)
	l.readFor(k)
	defer l.readFor(nil)
	k.parameters = l.parameters(k, p.Parameters)
	if body := op.Get("requestBody"); !body.IsZero() {
		k.body = l.lib.Resolve(body, "requestBodies", "a request body")
	}
	l.scope.keyed = append(l.scope.keyed, k)
}

// exempt reads the reason why a mutating operation has no key.
func (l *loader) exempt(route ir.Route, key, value document.Node, keyed bool) {
	reason, ok := value.Text()
	switch {
	case keyed:
		l.breaks(ir.LintExemptKeyed, key, "an operation is both keyed and exempt", "remove x-idempotency-exempt or x-idempotency-endpoint")
	case !ok:
		l.breaks(ir.LintExemptReason, value, "x-idempotency-exempt is "+value.What()+", not a reason", "say in words why this operation needs no key")
	case strings.TrimSpace(reason) == "":
		l.breaks(ir.LintExemptReason, value, "x-idempotency-exempt has an empty reason", "say why this operation needs no key")
	case !ir.Mutating(route.Method):
		l.breaks(ir.LintPlace, key, fmt.Sprintf("x-idempotency-exempt on %s %s, which needs no key anyway", route.Method, route.Path), "remove it")
	default:
		l.scope.exempt = append(l.scope.exempt, ir.Exempt{Route: route, Reason: strings.TrimSpace(reason)})
	}
}

const maxEndpoint = 120

var endpointKey = regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`)

// endpoint reads an endpoint key: the text that is there, never what YAML makes of it.
func (l *loader) endpoint(n document.Node) string {
	text, ok := n.Text()
	switch {
	case n.IsNull():
		l.breaks(ir.LintEndpoint, n, "x-idempotency-endpoint is empty", "write an endpoint key such as "+n.Spell("orders.create", `"orders.create"`))
	case !ok:
		l.breaks(ir.LintEndpoint, n, "x-idempotency-endpoint is "+n.What()+", not a text", "write an endpoint key such as "+n.Spell("orders.create; quote it if it looks like a number", `"orders.create"`))
	case len(text) > maxEndpoint:
		l.breaks(ir.LintEndpoint, n, fmt.Sprintf("x-idempotency-endpoint has %d bytes, more than %d", len(text), maxEndpoint), "shorten it")
	case !endpointKey.MatchString(text):
		l.breaks(ir.LintEndpoint, n, fmt.Sprintf("x-idempotency-endpoint %q is not an endpoint key", text), "use lower-case words of a-z and 0-9 joined by dots, hyphens or underscores")
	default:
		return text
	}
	return ""
}

// unique checks that no two operations have one endpoint key.
func (l *loader) unique() {
	keys := map[string]*operation{}
	for _, op := range l.scope.keyed {
		if first := keys[op.key]; first != nil {
			l.breaks(ir.LintEndpointTwice, op.endpoint, fmt.Sprintf("endpoint key %q is there twice, first on %s for %s %s", op.key, on(first.endpoint.Pos(), op.endpoint.Pos()), first.Method, first.Path), "give each operation a key of its own")
		} else if op.key != "" {
			keys[op.key] = op
		}
	}
}
