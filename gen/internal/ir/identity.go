package ir

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// Identity is the table of an operation that says what is compared; it mirrors the runtime's idem.Identity. The zero
// value compares everything that a handler can observe.
type Identity struct {
	IgnoredQuery    []string    // sorted; "filter[" is all that begin so
	IncludedHeaders []string    // in canonical spelling, sorted
	Scope           []string    // sorted
	Body            []BodyRules // those with rules, sorted by media type
}

// BodyRules are the rules for bodies of one declared media type.
type BodyRules struct {
	MediaType string
	Rules     []Rule
}

// NewIdentity collects what an operation's document says of its identity. Bodies of types that are not marked ([Marked])
// have no rules.
func NewIdentity(op *Operation, marked map[*Type]bool) Identity {
	var id Identity
	for _, p := range op.QueryParams {
		if p.Ignore {
			id.IgnoredQuery = append(id.IgnoredQuery, p.Name)
		}
	}
	for _, h := range op.Headers {
		id.IncludedHeaders = append(id.IncludedHeaders, http.CanonicalHeaderKey(h.Name))
	}
	id.IgnoredQuery = append(id.IgnoredQuery, op.Ignored...)
	id.Scope = slices.Clone(op.Scope)
	id.IgnoredQuery = LeftOut(id.IgnoredQuery)
	for _, names := range []*[]string{&id.IncludedHeaders, &id.Scope} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	for _, b := range op.Bodies {
		if b.Form == JSON && !marked[b.Type] {
			continue
		}
		if rules := b.Rules(); len(rules) > 0 {
			id.Body = append(id.Body, BodyRules{b.MediaType, rules})
		}
	}
	slices.SortFunc(id.Body, func(a, b BodyRules) int { return strings.Compare(a.MediaType, b.MediaType) })
	return id
}

// Empty tells whether everything counts.
func (id Identity) Empty() bool {
	return len(id.IgnoredQuery)+len(id.IncludedHeaders)+len(id.Scope)+len(id.Body) == 0
}

// Equal tells whether two tables compare the same.
func (id Identity) Equal(other Identity) bool {
	return reflect.DeepEqual(id.plain(), other.plain())
}

// plain is the table with no difference between a list that is empty and none.
func (id Identity) plain() Identity {
	drop := func(names []string) []string {
		if len(names) == 0 {
			return nil
		}
		return names
	}
	out := Identity{IgnoredQuery: drop(id.IgnoredQuery), IncludedHeaders: drop(id.IncludedHeaders), Scope: drop(id.Scope)}
	for _, b := range id.Body {
		rules := make([]Rule, len(b.Rules))
		for i, r := range b.Rules {
			if r.Ignore = drop(r.Ignore); len(r.Members) == 0 {
				r.Members = nil
			}
			rules[i] = r
		}
		out.Body = append(out.Body, BodyRules{b.MediaType, rules})
	}
	return out
}
