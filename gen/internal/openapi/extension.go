package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// place is where extensions may stand.
type place int

const (
	elsewhere place = iota
	onDocument
	onOperation
	onSchema
	onPath
	onQuery
	onHeader
)

// names are the extensions, and where each belongs.
var names = []struct {
	name   string
	places []place
	home   string
}{
	{"x-idempotency", []place{onDocument, onOperation}, "the document or an operation"},
	{"x-idempotency-endpoint", []place{onOperation}, "an operation"},
	{"x-idempotency-exempt", []place{onOperation}, "an operation"},
	{"x-idempotency-ignore", []place{onSchema, onQuery}, "a property or a query parameter"},
	{"x-idempotency-unordered", []place{onSchema}, "an array"},
	{"x-idempotency-include", []place{onHeader}, "a header parameter"},
}

// extensions reports the extensions of n that are misspelt or have no business there. A document that
// means to say something must not be silently ignored.
func (l *loader) extensions(n document.Node, at place) {
	if !n.IsMapping() || l.checked[n.ID()] {
		return
	}
	l.checked[n.ID()] = true
	for key := range n.Members() {
		name := key.Spelt()
		if !strings.HasPrefix(name, "x-") && !strings.HasPrefix(name, "X-") {
			continue
		}
		known := false
		for _, e := range names {
			if e.name == name {
				if known = true; at == onPath && name == "x-idempotency-ignore" {
					l.breaks(ir.LintPlace, key, "x-idempotency-ignore on a path parameter, which says what is changed", "remove it")
				} else if !slices.Contains(e.places, at) {
					l.breaks(ir.LintPlace, key, fmt.Sprintf("%s belongs on %s", name, e.home), "move or remove it")
				}
			}
		}
		if remedy, ok := nearest(name); !known && ok {
			l.breaks(ir.LintMisspelt, key, fmt.Sprintf("%s is not an extension", name), remedy)
		}
	}
}

// nearest says what a name should be that looks like a misspelling.
func nearest(name string) (remedy string, ok bool) {
	name = strings.ToLower(name)
	best, least := "", 1<<30
	var all []string
	for _, e := range names {
		if d := distance(name, e.name); d < least {
			best, least = e.name, d
		}
		all = append(all, e.name)
	}
	policy := strings.TrimPrefix(name, "x-idempotency-")
	switch {
	case slices.Contains(documentKeys, policy):
		return fmt.Sprintf("write %s as a key of x-idempotency", policy), true
	case least <= 4 && (least <= 2 || strings.HasPrefix(name, "x-idem")):
		return fmt.Sprintf("did you mean %s?", best), true
	}
	return "use one of " + strings.Join(all, ", "), strings.HasPrefix(name, "x-idem")
}

// distance is the Levenshtein distance of two short texts.
func distance(a, b string) int {
	if len(a) > 80 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// flag reads an extension that is true or false, of the first of the nodes that has it.
func (l *loader) flag(name string, nodes ...document.Node) (value bool, key document.Node) {
	for _, n := range nodes {
		key, v := n.Member(name)
		if v.IsZero() {
			continue
		}
		b, ok := v.Bool()
		if !ok {
			l.breaks(ir.LintValue, v, fmt.Sprintf("%s is %s, not true or false", name, v.What()), "write true or false, without quotes")
			return false, document.Node{}
		}
		return b, key
	}
	return false, document.Node{}
}
