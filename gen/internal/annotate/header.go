package annotate

import (
	"fmt"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/contract"
	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// parameter adds the header to an operation, unless it has one of that purpose. That one stays as it is.
func (a *annotator) parameter(op *operation) []splice.Edit {
	if p, ok := a.KeyHeader(op.parameters); ok {
		a.noteHeader(op, p)
		return nil
	}
	if c := a.shared.parameter; c.there {
		a.noteComponent(op, a.Peek(a.Section(c.section).Get(c.name)))
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
func (a *annotator) noteHeader(op *operation, p contract.Parameter) {
	what := fmt.Sprintf("the header parameter %s is there already and stays", p.Name)
	var faults, remedies []string
	for _, f := range a.HeaderFaults(p.Node) {
		faults, remedies = append(faults, f.What), append(remedies, f.Remedy)
	}
	if len(faults) > 0 {
		what += ", although it " + strings.Join(faults, ", and ")
	}
	a.note("header "+what, p.Node.Pos(), what, strings.Join(remedies, "; "), op)
}

// noteComponent notes a header that operations refer to from now on, where it is not what it should be.
func (a *annotator) noteComponent(op *operation, n document.Node) {
	if len(a.HeaderFaults(n)) > 0 {
		a.noteHeader(op, contract.Parameter{Node: n, Name: n.Get("name").Spelt()})
	}
}

// noteExempt notes the header of an operation that is exempt from now on. Whatever else is wrong with its parameters is
// nothing to an operation without a key.
func (a *annotator) noteExempt(op *operation) {
	if p, ok := a.KeyHeader(contract.Parameters(op.path, op.Node, a.Peek)); ok {
		a.note("exempt "+op.name(), p.Item.Pos(),
			fmt.Sprintf("the header parameter %s is there already and stays, although an exempt operation has no key", p.Name),
			"take it off the operation", op)
	}
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
