package annotate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/contract"
	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// operation is an operation of the document.
type operation struct {
	document.Operation
	path       document.PathItem
	parameters []contract.Parameter // filled where the operation is to be annotated
}

// name is how messages call the operation.
func (op *operation) name() string { return op.Method + " " + op.template() }

func (op *operation) template() string { return op.path.Path.Spelt() }

func (op *operation) keyed() bool { return !op.Node.Get("x-idempotency-endpoint").IsZero() }

func (op *operation) exempt() bool { return !op.Node.Get("x-idempotency-exempt").IsZero() }

func (op *operation) mutating() bool { return ir.Mutating(op.Method) }

// head puts an extension where it is seen first: behind the operationId, or at the top.
func (op *operation) head(key, value string) splice.Edit {
	after := ""
	if !op.Node.Get("operationId").IsZero() {
		after = "operationId"
	}
	return splice.Edit{At: op.Node.Pos(), Key: key, Value: value, After: after}
}

// operations are those of the document, in its order.
func (a *annotator) operations() []*operation {
	var ops []*operation
	for _, path := range a.lib.PathItems() {
		for _, o := range path.Operations {
			ops = append(ops, &operation{Operation: o, path: path})
		}
	}
	return ops
}

// routes finds the mutating operations that have something in common.
type routes struct {
	node  map[any][]*operation    // by what they are
	shape map[string][]*operation // by the requests that they answer, without those that are exempt
}

func indexOf(ops []*operation, exempt map[*operation]string) routes {
	r := routes{map[any][]*operation{}, map[string][]*operation{}}
	for _, op := range ops {
		if !op.mutating() {
			continue
		}
		r.node[op.Node.ID()] = append(r.node[op.Node.ID()], op)
		if _, ok := exempt[op]; !ok && !op.exempt() {
			r.shape[op.shape()] = append(r.shape[op.shape()], op)
		}
	}
	return r
}

// shape is what a route has in common with those that answer the same requests.
func (op *operation) shape() string {
	return ir.Route{Method: op.Method, Path: ir.RequestPath(op.template())}.Shape()
}

// variant tells whether a query or a fragment stands behind the path, to tell the operation from another of that path.
func (op *operation) variant() bool { return ir.RequestPath(op.template()) != op.template() }

// other is an operation of a list that is not op.
func other(ops []*operation, op *operation) *operation {
	if i := slices.IndexFunc(ops, func(o *operation) bool { return o != op }); i >= 0 {
		return ops[i]
	}
	return nil
}

// stands tells whether an operation is written where it is, for itself alone, and reports why not.
func (a *annotator) stands(op *operation, all routes) bool {
	if !op.Node.IsMapping() {
		return a.refuse(op, op.Node.Pos(), "an operation is "+op.Node.What(), "write a mapping")
	}
	if o := other(all.node[op.Node.ID()], op); o != nil {
		return a.refuse(op, op.Key.Pos(), fmt.Sprintf("it is the same operation as %s", o.name()), "write an operation of its own for each path")
	}
	return true
}

const orExempt = "; or exempt it: x-idempotency-exempt with a reason"

// takes tells whether an operation can have a key, and reports why not.
func (a *annotator) takes(op *operation, all routes) bool {
	if what, remedy := a.cfg.Template(op.template()); what != "" {
		return a.refuse(op, op.path.Path.Pos(), "its path "+what, remedy+orExempt)
	}
	// The key of an operation guards its variants.
	if o := other(all.shape[op.shape()], op); o != nil && (op.variant() || !o.variant()) {
		return a.refuse(op, op.Key.Pos(), fmt.Sprintf("it answers the same requests as %s, on %s", o.template(), on(o.Key.Pos(), op.Key.Pos())), "keep one of the two paths"+orExempt)
	}
	before := len(a.lib.Problems())
	a.lib.For(op.name(), op.Item, op.Node)
	defer a.lib.For("", document.Node{}, document.Node{})
	op.parameters = contract.Parameters(op.path, op.Node, func(item document.Node) document.Node {
		return a.lib.Resolve(item, "parameters", "a parameter")
	})
	if at := a.EventStream(op.Node); !at.IsZero() {
		return a.refuse(op, at.Pos(), "it answers with an event stream, which cannot be replayed", "answer with a whole document"+orExempt)
	}
	return len(a.lib.Problems()) == before
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
		before, twice := out[op]
		switch {
		case err != nil:
			return nil, err
		case twice && reason != before:
			return nil, UsageError{fmt.Sprintf("exemption %q: %s has another already: keep one", e, op.name())}
		case op.keyed():
			a.refuse(op, op.Key.Pos(), "it has x-idempotency-endpoint, so that it cannot be exempt", "leave --exempt out, or remove the key")
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
			return strings.EqualFold(op.Method, method) && op.template() == path
		})
		switch {
		case n < 0:
			continue
		case reason == "" || strings.ToValidUTF8(reason, "") != reason:
			return nil, "", UsageError{fmt.Sprintf("exemption %q has no reason: say why the operation needs no key", text)}
		case !ops[n].mutating():
			return nil, "", UsageError{fmt.Sprintf("exemption %q: %s needs no key anyway", text, ops[n].Method)}
		}
		return ops[n], reason, nil
	}
	return nil, "", UsageError{fmt.Sprintf("exemption %q names no operation of the document", text)}
}
