package linear_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// enough is how long the checker may think about one key's calls. It needs some milliseconds.
const enough = 30 * time.Second

// check is an error where no order of the calls explains their answers.
func (m model) check(h *history) error {
	if h.err != nil {
		return h.err
	}
	if err := h.bracket(); err != nil {
		return err
	}
	byKey := map[string][]call{}
	for _, c := range h.calls {
		byKey[c.key] = append(byKey[c.key], c)
	}
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		if err := m.checkKey(byKey[key]); err != nil {
			return fmt.Errorf("key %s: %w", key, err)
		}
	}
	return nil
}

func (m model) checkKey(calls []call) error {
	operations := make([]porcupine.Operation, len(calls))
	for i, c := range calls {
		operations[i] = porcupine.Operation{
			ClientId: c.client, Call: int64(c.called), Return: int64(c.answered), Input: c.ask, Output: c.answer, Metadata: i,
		}
	}
	result, info := porcupine.CheckOperationsVerbose(porcupine.Model{
		Init: func() any { return record{} },
		Step: func(state, input, output any) (bool, any) {
			next, ok := m.step(state.(record), input.(ask), output.(answer))
			return ok, next
		},
	}, operations, enough)
	switch result {
	case porcupine.Ok:
		return nil
	case porcupine.Illegal:
		return fmt.Errorf("no order of the calls explains their answers:\n%s", m.explain(calls, info))
	default:
		return fmt.Errorf("the checker has no answer after %v", enough)
	}
}

// explain shows the end of the longest order that the model accepts, and the calls that do not fit after it.
func (m model) explain(calls []call, info porcupine.LinearizationInfo) string {
	var longest []porcupine.Operation
	for _, order := range info.PartialLinearizationsOperations()[0] {
		if len(order) > len(longest) {
			longest = order
		}
	}
	const shown = 8
	var text strings.Builder
	var r record
	placed := map[int]bool{}
	for i, o := range longest {
		n := o.Metadata.(int)
		placed[n] = true
		r, _ = m.step(r, calls[n].ask, calls[n].answer)
		if i >= len(longest)-shown {
			fmt.Fprintln(&text, calls[n])
		}
	}
	fmt.Fprintf(&text, "then it is %v, and none of these can be next:\n", r)
	var left []call
	for i, c := range calls {
		if !placed[i] {
			left = append(left, c)
		}
	}
	slices.SortFunc(left, byCall)
	for _, c := range left[:min(shown, len(left))] {
		fmt.Fprintln(&text, c)
	}
	return text.String()
}
