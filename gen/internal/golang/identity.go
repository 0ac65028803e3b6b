package golang

import (
	"net/http"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// An identity is the table of an operation that says what is compared, as it is printed.
type identity struct {
	ignoredQuery    []string
	includedHeaders []string
	scope           []string
	bodies          []bodyRules // those with rules, sorted by media type
}

type bodyRules struct {
	mediaType string
	rules     []ir.Rule
}

// newIdentity collects what an operation's document says of its identity. Bodies of types that are not marked have
// no rules.
func newIdentity(op *ir.Operation, marked map[*ir.Type]bool) identity {
	var id identity
	for _, p := range op.QueryParams {
		if p.Ignore {
			id.ignoredQuery = append(id.ignoredQuery, p.Name)
		}
	}
	for _, h := range op.Headers {
		id.includedHeaders = append(id.includedHeaders, http.CanonicalHeaderKey(h.Name))
	}
	id.ignoredQuery = append(id.ignoredQuery, op.Ignored...)
	id.scope = slices.Clone(op.Scope)
	id.ignoredQuery = ir.LeftOut(id.ignoredQuery)
	for _, names := range []*[]string{&id.includedHeaders, &id.scope} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	for _, b := range op.Bodies {
		if b.Form == ir.JSON && !marked[b.Type] {
			continue
		}
		if rules := b.Rules(); len(rules) > 0 {
			id.bodies = append(id.bodies, bodyRules{b.MediaType, rules})
		}
	}
	slices.SortFunc(id.bodies, func(a, b bodyRules) int { return strings.Compare(a.mediaType, b.mediaType) })
	return id
}

func (id identity) empty() bool {
	return len(id.ignoredQuery)+len(id.includedHeaders)+len(id.scope)+len(id.bodies) == 0
}
