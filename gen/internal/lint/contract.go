package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/contract"
	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// header looks at the header parameter of a keyed operation.
func (l *linter) header(op *operation) {
	var all []contract.Parameter
	for _, p := range op.parameters {
		if l.IsHeader(p.Node) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		l.noHeader(op)
		return
	}
	p := all[0]
	if len(all) > 1 && p.Node.Same(all[1].Node) { // otherwise the document was refused before
		l.report(ir.LintHeaderTwice, all[1].Item.Pos(), fmt.Sprintf("%s refers to the header parameter %s twice", op.name(), p.Name), "keep one")
	}
	if !l.first("header", p.Node) {
		return
	}
	if p.Item.Same(p.Node) {
		l.report(ir.LintHeaderInline, p.Item.Pos(), fmt.Sprintf("the header parameter %s is written out here", p.Name), "move it to components/parameters, and refer to it from each operation")
	}
	for _, f := range l.HeaderFaults(p.Node) {
		l.report(f.Lint, f.At.Pos(), fmt.Sprintf("the header parameter %s %s", p.Name, f.What), f.Remedy)
	}
}

// noHeader reports an operation that does not declare the header, or one that looks as if it were meant.
func (l *linter) noHeader(op *operation) {
	if p, ok := l.KeyHeader(op.parameters); ok {
		f := l.HeaderFaults(p.Node)[0]
		l.report(f.Lint, p.Item.Pos(), fmt.Sprintf("%s has the header parameter %s, which %s", op.name(), p.Name, f.What), f.Remedy)
		return
	}
	l.report(ir.LintHeaderMissing, op.Key.Pos(), fmt.Sprintf("%s does not declare the header %s", op.name(), l.Header()), "refer to one required header parameter in components/parameters: idemgen annotate shows how")
}

// definitions reports a header parameter that components define more than once.
func (l *linter) definitions() {
	if l.keyed == 0 {
		return
	}
	var before document.Node
	for _, n := range l.Section("parameters").Members() {
		if n = l.Peek(n); !l.IsHeader(n) || n.Same(before) {
			continue
		}
		if before.IsZero() {
			before = n
			continue
		}
		l.report(ir.LintHeaderTwice, n.Pos(), fmt.Sprintf("the header parameter %s is defined on line %d already", n.Get("name").Spelt(), before.Pos().Line), "keep one definition, and refer to it")
	}
}

// responses looks at what a keyed operation tells of refusals and replays.
func (l *linter) responses(op *operation) {
	all := l.Peek(op.Node.Get("responses"))
	var missing []string
	for _, status := range l.Statuses() {
		code := strconv.Itoa(status)
		have := all.Get(code)
		if have.IsZero() {
			missing = append(missing, code)
			continue
		}
		if n := l.Response(have); !n.IsZero() && l.first("response", n) && !l.SaysCode(n) {
			l.report(ir.LintResponseCode, n.Pos(), fmt.Sprintf("the response %s of %s declares no member code", code, op.name()), "declare code, which tells a client's program one refusal from the other")
		}
	}
	if len(missing) > 0 {
		l.report(ir.LintResponse, op.Key.Pos(), fmt.Sprintf("%s does not document %s", op.name(), strings.Join(missing, " and ")), "refer to shared responses with a member code: idemgen annotate shows how")
	}
	for code, response := range all.Members() {
		for name := range l.Response(response).Get("headers").Members() {
			if strings.HasPrefix(code.Spelt(), "2") && strings.EqualFold(name.Spelt(), "Idempotent-Replayed") {
				l.told++
				return
			}
		}
	}
	l.silent = append(l.silent, op.Key.Pos())
}

// first tells whether this is the first time that something shared is looked at.
func (l *linter) first(what string, n document.Node) bool {
	key := fmt.Sprintf("%s %v", what, n.Pos())
	before := l.once[key]
	l.once[key] = true
	return !before
}
