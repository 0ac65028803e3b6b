package sample

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// shaped reports whether a JSON value could be of the type, judged by its outermost level.
func (s *source) shaped(t *ir.Type, v string) bool {
	switch t.Kind {
	case ir.Object, ir.Map:
		given := membersOf(v)
		if given == nil {
			return false
		}
		for _, f := range t.Fields {
			if f.Required && given[f.Name] == "" {
				return false
			}
		}
		return true
	case ir.Array:
		return len(v) > 0 && v[0] == '['
	default:
		return s.fits(t, v)
	}
}

func isScalar(t *ir.Type) bool { return t.Kind >= ir.String && t.Kind <= ir.Number }

func isContainer(v string) bool { return v != "" && (v[0] == '{' || v[0] == '[') }

// anything makes n the value that an example spells, for a place that takes any.
func anything(n *node, v string) {
	switch {
	case v[0] == '{':
		n.kind = object
		given := membersOf(v)
		for _, name := range slices.Sorted(maps.Keys(given)) {
			anything(n.add(name, false), given[name])
		}
	case v[0] == '[':
		n.kind = array
		for _, v := range itemsOf(v) {
			item := &node{given: true}
			n.items = append(n.items, item)
			anything(item, v)
		}
	default:
		all := distinct([]string{compact(v), `"one"`, `"two"`})
		n.literal, n.others = all[0], all[1:]
	}
}

// membersOf are the members of a JSON object; nil where v is none.
func membersOf(v string) map[string]string {
	var raw map[string]json.RawMessage
	if !isContainer(v) || json.Unmarshal([]byte(v), &raw) != nil {
		return nil
	}
	m := make(map[string]string, len(raw))
	for name, value := range raw {
		m[name] = string(bytes.TrimSpace(value))
	}
	return m
}

func itemsOf(v string) []string {
	var raw []json.RawMessage
	if !isContainer(v) || json.Unmarshal([]byte(v), &raw) != nil {
		return nil
	}
	items := make([]string, len(raw))
	for i, value := range raw {
		items[i] = string(bytes.TrimSpace(value))
	}
	return items
}
