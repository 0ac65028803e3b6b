package annotate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// defaultHeader carries the idempotency key where the document does not name another header.
const defaultHeader = "Idempotency-Key"

// header is the header in force.
func (a *annotator) header() string {
	if name, ok := a.root.Get("x-idempotency").Get("header").Text(); ok && name != "" {
		return name
	}
	return defaultHeader
}

// vendors are headers that carry an idempotency key, by their name in lower case without hyphens and underscores. Any
// name that speaks of idempotency is one too. For the vague ones the description has to say so: others use them to find a
// request in logs.
var vendors = map[string]struct {
	why   string
	vague bool
}{
	"paypalrequestid":        {why: "PayPal's REST APIs"},
	"repeatabilityrequestid": {why: "OASIS Repeatable Requests, as in Azure"},
	"opcretrytoken":          {why: "Oracle Cloud"},
	"requestid":              {why: "Lightspark, Square and others", vague: true},
	"xrequestid":             {why: "the Berlin Group's NextGenPSD2", vague: true},
}

// carriesKey tells whether a header parameter is for an idempotency key, whatever its spelling.
func carriesKey(p document.Node) bool {
	name := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(p.Get("name").Spelt()))
	if strings.Contains(name, "idempoten") {
		return true
	}
	v, ok := vendors[name]
	return ok && (!v.vague || strings.Contains(strings.ToLower(p.Get("description").Spelt()), "idempoten"))
}

// parameter is a parameter that an operation has.
type parameter struct {
	item document.Node // in the list of the operation or of its path
	node document.Node // where it is defined
	name string
	in   string
}

// declared are an operation's parameters, those of its path item first, with references followed by resolve.
func (a *annotator) declared(op *operation, resolve func(item document.Node) document.Node) []parameter {
	var out []parameter
	for _, list := range append(slices.Clone(op.path.Parameters), op.Node.Get("parameters")) {
		for _, item := range list.Items() {
			if n := resolve(item); n.IsMapping() {
				out = append(out, parameter{item, n, n.Get("name").Spelt(), n.Get("in").Spelt()})
			}
		}
	}
	return out
}

// keyHeader is the one of an operation's parameters that is the header, or a header of that purpose.
func (a *annotator) keyHeader(all []parameter) (parameter, bool) {
	for _, p := range all {
		if p.in == "header" && (strings.EqualFold(p.name, a.header()) || carriesKey(p.node)) {
			return p, true
		}
	}
	return parameter{}, false
}

// parameter adds the header to an operation, unless it has one of that purpose. That one stays as it is.
func (a *annotator) parameter(op *operation) []splice.Edit {
	if p, ok := a.keyHeader(op.parameters); ok {
		a.noteHeader(op, p)
		return nil
	}
	if c := a.shared.parameter; c.there {
		a.noteComponent(op, a.peek(a.section(c.section).Get(c.name)))
	}
	ref := a.reference(op.Node.File(), &a.shared.parameter)
	if key, list := op.Node.Member("parameters"); list.IsList() {
		return []splice.Edit{{At: list.Pos(), Value: ref}}
	} else if !key.IsZero() {
		return []splice.Edit{{At: op.Node.Pos(), Key: "parameters", Value: splice.List{ref}}}
	}
	before := op.Node.Get("requestBody")
	if before.IsZero() {
		before = op.Node.Get("responses")
	}
	return []splice.Edit{{At: op.Node.Pos(), Key: "parameters", Value: splice.List{ref}, After: predecessor(op.Node, before)}}
}

// predecessor is the member of n before the value given; the last, where there is no such value.
func predecessor(n, value document.Node) string {
	last := ""
	for key, v := range n.Members() {
		if !value.IsZero() && v.Same(value) {
			break
		}
		last = key.Spelt()
	}
	return last
}

// noteHeader notes a header that is there already.
func (a *annotator) noteHeader(op *operation, p parameter) {
	what := fmt.Sprintf("the header parameter %s is there already and stays", p.name)
	faults, remedies := a.headerFaults(p.node)
	if len(faults) > 0 {
		what += ", although it " + strings.Join(faults, ", and ")
	}
	a.note("header "+what, p.node.Pos(), what, strings.Join(remedies, "; "), op)
}

// noteComponent notes a header that operations refer to from now on, where it is not what it should be.
func (a *annotator) noteComponent(op *operation, n document.Node) {
	if faults, _ := a.headerFaults(n); len(faults) > 0 {
		a.noteHeader(op, parameter{node: n, name: n.Get("name").Spelt()})
	}
}

// noteExempt notes the header of an operation that is exempt from now on. Whatever else is wrong with its parameters is
// nothing to an operation without a key.
func (a *annotator) noteExempt(op *operation) {
	if p, ok := a.keyHeader(a.declared(op, a.peek)); ok {
		a.note("exempt "+op.name(), p.item.Pos(),
			fmt.Sprintf("the header parameter %s is there already and stays, although an exempt operation has no key", p.name),
			"take it off the operation", op)
	}
}

// headerFaults says what a header is not that it should be, and what to do.
func (a *annotator) headerFaults(n document.Node) (faults, remedies []string) {
	if name := n.Get("name").Spelt(); !strings.EqualFold(name, a.header()) {
		faults = append(faults, "is not "+a.header())
		remedies = append(remedies, fmt.Sprintf("say header: %s in the document's x-idempotency if clients are to go on sending it, and run this again", name))
	}
	if required, _ := n.Get("required").Bool(); !required {
		faults = append(faults, "is not required")
		remedies = append(remedies, "mark it required")
	}
	if most, err := strconv.Atoi(a.peek(n.Get("schema")).Get("maxLength").Spelt()); err != nil || most > a.maxLength() {
		faults = append(faults, fmt.Sprintf("may be longer than %d", a.maxLength()))
		remedies = append(remedies, fmt.Sprintf("give it maxLength: %d", a.maxLength()))
	}
	return faults, remedies
}

// note is something to be known about one or more operations.
type note struct {
	first        ir.Pos
	what, remedy string
	op           *operation
	count        int
}

// note adds an operation to the note that has this id.
func (a *annotator) note(id string, pos ir.Pos, what, remedy string, op *operation) {
	n, ok := a.notes[id]
	if !ok {
		n = &note{first: pos, what: what, remedy: remedy, op: op}
		a.notes[id] = n
	}
	n.count++
}

// told are the notes, by place.
func (a *annotator) told() []ir.Problem {
	var out []ir.Problem
	for _, n := range a.notes {
		who := n.op.name()
		if n.count > 1 {
			who = fmt.Sprintf("%d operations, the first is %s", n.count, who)
		}
		out = append(out, ir.Problem{Pos: n.first, What: fmt.Sprintf("%s (%s)", n.what, who), Remedy: n.remedy})
	}
	return sorted(out)
}
