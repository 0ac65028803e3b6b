package annotate

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// answer is a status that the runtime answers with, and the response that says so.
type answer struct {
	status   int
	response *component
}

func (a *annotator) answers() []answer {
	s := &a.shared
	var all []answer
	for _, status := range a.Statuses() {
		all = append(all, answer{status, map[int]*component{400: &s.invalid, 409: &s.conflict, 422: &s.mismatch}[status]})
	}
	return all
}

// responses adds the responses that an operation does not have. Those that it has stay. The bool is false where it cannot
// have any.
func (a *annotator) responses(op *operation) ([]splice.Edit, bool) {
	key, all := op.Node.Member("responses")
	if at, _, ok := all.Ref(); ok {
		return nil, a.refuse(op, at.Pos(), "its responses are a $ref", "write them out")
	}
	if !all.IsZero() && !all.IsMapping() && !all.IsNull() {
		return nil, a.refuse(op, all.Pos(), "its responses are "+all.What(), "write statuses with their responses")
	}
	var missing splice.Map
	var edits []splice.Edit
	for _, r := range a.answers() {
		code := strconv.Itoa(r.status)
		if have := all.Get(code); !have.IsZero() {
			a.noteResponse(op, code, have)
			continue
		}
		ref := a.reference(op.Node.File(), r.response)
		missing = append(missing, splice.Member{Key: code, Value: ref})
		edits = append(edits, splice.Edit{At: all.Pos(), Key: code, Value: ref, After: before(all, r.status)})
	}
	if all.IsMapping() || len(missing) == 0 {
		return edits, true
	}
	after := predecessor(op.Node, document.Node{})
	if !key.IsZero() {
		after = ""
	}
	return []splice.Edit{{At: op.Node.Pos(), Key: "responses", Value: missing, After: after}}, true
}

var status = regexp.MustCompile(`^[1-5]([0-9][0-9]|XX)$`)

// before is the last of the responses whose status is lower.
func before(all document.Node, than int) string {
	last := ""
	for key := range all.Members() {
		if code := key.Spelt(); status.MatchString(code) && code < strconv.Itoa(than) {
			last = code
		}
	}
	return last
}

// noteResponse notes a response that is there and does not tell clients which problem it is.
func (a *annotator) noteResponse(op *operation, code string, response document.Node) {
	if a.SaysCode(response) {
		return
	}
	a.note("response "+code, response.Pos(),
		fmt.Sprintf("the response %s is there already and stays, although it declares no member code", code),
		"declare code, which tells a client's program one refusal from the other", op)
}
