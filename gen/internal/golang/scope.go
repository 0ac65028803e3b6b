package golang

import (
	"cmp"
	"slices"
	"strings"
)

// A candidate is something that wants a name.
type candidate struct {
	id   string // what it is, unique among the candidates
	base string // the name it wants
	wire string // what the document calls it, unique among those that want one name
	once string // a name that it may have had before other things came; nobody else gets it
}

// A scope holds the names that are taken in one Go scope: a package, or a struct's fields.
type scope map[string]bool

// take marks names as taken.
func (s scope) take(names ...string) {
	for _, n := range names {
		s[n] = true
	}
}

// beside returns name, with the suffix as often as it takes to be none that is taken.
func (s scope) beside(name, suffix string) string {
	for s[name] {
		name += suffix
	}
	return name
}

// allocate gives each candidate a name of its own and takes it: the base if nothing else has or wants
// it, otherwise the base and the candidate's own wire name. Where several want one base, none gets it. So
// a name depends on what it names and on whether others want it, never on who they are, and an addition to
// a document can only end a name: users of the name no longer compile, rather than mean something else.
func (s scope) allocate(cands []candidate) map[string]string {
	byID := func(a, b candidate) int { return strings.Compare(a.id, b.id) }
	cands = slices.SortedFunc(slices.Values(cands), byID)
	wanted := make(map[string]string) // by whom
	crowded := make(map[string]bool)
	for _, c := range cands {
		for _, name := range []string{c.base, cmp.Or(c.once, c.base)} {
			if by, ok := wanted[name]; ok && by != c.id || s[name] {
				crowded[name] = true
			}
			wanted[name] = c.id
		}
	}
	for name := range wanted {
		s.take(name)
	}
	names := make(map[string]string, len(cands))
	for _, c := range cands {
		names[c.id] = c.base
		if crowded[c.base] {
			// Only names made to do so can still meet here; they must compile all the same.
			names[c.id] = s.beside(c.base+"_"+spell(c.wire), "_")
			s.take(names[c.id])
		}
	}
	return names
}
