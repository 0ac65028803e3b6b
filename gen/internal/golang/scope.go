package golang

import (
	"cmp"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// A candidate is something that wants a name.
type candidate struct {
	id   string // what it is, unique among the candidates: where names clash, the order of ids decides
	base string // the name it wants
	wire string // the text that the name comes from: who is spelt like the name itself goes first
}

// A scope holds the names that are taken in one Go scope: a package, or a struct's fields and methods.
type scope map[string]bool

// take marks names as taken.
func (s scope) take(names ...string) {
	for _, n := range names {
		s[n] = true
	}
}

// allocate gives each candidate a name of its own and takes it. A name that was taken before gets the
// suffix; of several candidates for one name the first keeps it and the others get numbers. Only the
// set of candidates matters, never their order.
func (s scope) allocate(suffix string, cands []candidate) map[string]string {
	cands = slices.Clone(cands)
	slices.SortFunc(cands, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.base, b.base), compareBool(b.wire == b.base, a.wire == a.base), cmp.Compare(a.id, b.id))
	})
	names := make(map[string]string, len(cands))
	before := make(map[string]bool)
	var rest []candidate
	for i, c := range cands {
		if i == 0 || cands[i-1].base != c.base {
			before[c.base] = s[c.base]
			if !s[c.base] {
				names[c.id] = c.base
				continue
			}
		}
		rest = append(rest, c)
	}
	// Whoever is alone with its name has it by now, so that NewClaim2 stays NewClaim2.
	for _, c := range cands {
		if n, ok := names[c.id]; ok {
			s.take(n)
		}
	}
	for _, c := range rest {
		name := c.base
		if before[c.base] {
			name += suffix
		}
		names[c.id] = s.free(name)
		s.take(names[c.id])
	}
	return names
}

// free returns name, or the first numbered form of it that is not taken.
func (s scope) free(name string) string {
	if !s[name] {
		return name
	}
	stem := name
	if last, _ := utf8.DecodeLastRuneInString(stem); unicode.IsDigit(last) {
		stem += "_"
	}
	for n := 2; ; n++ {
		if numbered := stem + strconv.Itoa(n); !s[numbered] {
			return numbered
		}
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}
