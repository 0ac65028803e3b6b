package annotate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// operation is an operation of the document.
type operation struct {
	method, path string
	pos          ir.Pos // of the method
	node         document.Node
	item         document.PathItem
	parameters   []parameter // filled where the operation is to be annotated
}

// open tells whether nobody decided about the operation.
func (op *operation) open() bool { return op.node.IsMapping() && !op.keyed() && !op.exempt() }

func (op *operation) keyed() bool { return !op.node.Get("x-idempotency-endpoint").IsZero() }

func (op *operation) exempt() bool { return !op.node.Get("x-idempotency-exempt").IsZero() }

func (op *operation) mutating() bool { return ir.Mutating(op.method) }

// operations are those of the document, in its order.
func (a *annotator) operations() []*operation {
	var ops []*operation
	for _, item := range a.lib.PathItems() {
		for _, o := range item.Operations {
			ops = append(ops, &operation{method: o.Method, path: item.Path.Spelt(), pos: o.Key.Pos(), node: o.Node, item: item})
		}
	}
	return ops
}

var placeholder = regexp.MustCompile(`\{[^{}/]*\}`)

// shape is what a path has in common with those that answer the same requests.
func (op *operation) shape() string {
	return op.method + " " + placeholder.ReplaceAllString(op.path, "{}")
}

const exemptRemedy = "or exempt the operation: x-idempotency-exempt with a reason"

// takes tells whether an operation can have a key, and reports why not. all are those of the document.
func (a *annotator) takes(op *operation, all []*operation) bool {
	no := func(pos ir.Pos, what, remedy string) bool {
		a.refuse(op, ir.Problem{Pos: pos, What: what, Remedy: remedy})
		return false
	}
	if at, _, ok := op.node.Ref(); ok {
		return no(at.Pos(), "an operation cannot be a $ref", "refer to the whole path item, or write the operation here")
	}
	if what, remedy := a.cfg.Template(op.path); what != "" {
		return no(op.item.Path.Pos(), fmt.Sprintf("its path %s", what), remedy+"; "+exemptRemedy)
	}
	for _, other := range all {
		if other == op || !other.mutating() || other.exempt() {
			continue
		}
		if other.node.Same(op.node) {
			return no(op.pos, fmt.Sprintf("it is the same operation as %s %s, so that two routes would share one endpoint key", other.method, other.path), "write an operation of its own for each path")
		}
		if other.shape() == op.shape() {
			return no(op.pos, fmt.Sprintf("it answers the same requests as %s, on %s", other.path, on(other.pos, op.pos)), "keep one of the two paths; "+exemptRemedy)
		}
	}
	before := len(a.lib.Problems())
	a.lib.For(op.method+" "+op.path, op.item.Items[0], op.node)
	defer a.lib.For("", document.Node{}, document.Node{})
	op.parameters = a.declared(op)
	if at := a.stream(op); !at.IsZero() {
		return no(at.Pos(), "it answers with an event stream, which cannot be replayed", "exempt it: x-idempotency-exempt with a reason; or answer with a whole document")
	}
	return len(a.lib.Problems()) == before
}

// stream is the media type of an event stream among the responses of an operation.
func (a *annotator) stream(op *operation) document.Node {
	for code, response := range op.node.Get("responses").Members() {
		if strings.HasPrefix(code.Spelt(), "x-") {
			continue
		}
		for media := range a.lib.Resolve(response, "responses", "a response").Get("content").Members() {
			name, _, _ := strings.Cut(media.Spelt(), ";")
			if strings.EqualFold(strings.TrimSpace(name), "text/event-stream") {
				return media
			}
		}
	}
	return document.Node{}
}

// on is a place for a message about from: "line 7", with the file where that is another one.
func on(at, from ir.Pos) string {
	if at.File != from.File {
		return fmt.Sprintf("line %d of %s", at.Line, at.File)
	}
	return fmt.Sprintf("line %d", at.Line)
}

// exemptions are the operations that the caller exempts, and why.
func (a *annotator) exemptions(ops []*operation) (map[*operation]string, error) {
	out := map[*operation]string{}
	for _, e := range a.cfg.Exempt {
		op, reason, err := parseExemption(e, ops)
		switch {
		case err != nil:
			return nil, err
		case op.keyed():
			a.lib.Report(op.pos, fmt.Sprintf("%s %s has x-idempotency-endpoint, so that it cannot be exempt", op.method, op.path), "remove one of the two")
		default:
			out[op] = reason
		}
	}
	return out, nil
}

// parseExemption reads "METHOD:/path=reason". A path may hold what looks like the end of it, so that those of the
// document decide.
func parseExemption(text string, ops []*operation) (*operation, string, error) {
	method, rest, ok := strings.Cut(text, ":")
	if !ok || !strings.HasPrefix(rest, "/") || !strings.Contains(rest, "=") {
		return nil, "", UsageError{fmt.Sprintf("exemption %q is not METHOD:/path=reason", text)}
	}
	for i, c := range rest {
		if c != '=' {
			continue
		}
		path, reason := rest[:i], strings.TrimSpace(rest[i+1:])
		n := slices.IndexFunc(ops, func(op *operation) bool {
			return strings.EqualFold(op.method, method) && op.path == path
		})
		switch {
		case n < 0:
			continue
		case reason == "" || strings.ToValidUTF8(reason, "") != reason:
			return nil, "", UsageError{fmt.Sprintf("exemption %q has no reason: say why the operation needs no key", text)}
		case !ops[n].mutating():
			return nil, "", UsageError{fmt.Sprintf("exemption %q: %s needs no key anyway", text, ops[n].method)}
		}
		return ops[n], reason, nil
	}
	return nil, "", UsageError{fmt.Sprintf("exemption %q names no operation of the document", text)}
}
