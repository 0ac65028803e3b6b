package lock

import (
	"fmt"
	"slices"
	"strings"
)

// firstNames are the first names of the parameters of next's path, of which e knows those before. On the same route a
// parameter is the one at its place, whatever it is called now: the requests are the same. On another one a parameter
// keeps its own by its name, and those that are left over by their order, where there are as many. Nil: they are the
// names they have.
func firstNames(next, e *Entry) []string {
	now, firsts := params(next.Path), e.firsts()
	if next.shape() == e.shape() {
		return unlessEqual(firsts, now)
	}
	before := params(e.Path)
	out := make([]string, len(now))
	added, gone := without(now, before), without(before, now)
	for i, name := range now {
		switch at := slices.Index(before, name); {
		case at >= 0:
			out[i] = firsts[at]
		case len(added) == len(gone):
			heir := gone[slices.Index(added, name)]
			out[i] = firsts[slices.Index(before, heir)]
		}
	}
	for i, name := range now {
		if out[i] != "" {
			continue
		}
		out[i] = name
		for n := 2; slices.Contains(out[:i], out[i]) || slices.Contains(out[i+1:], out[i]); n++ {
			out[i] = fmt.Sprintf("%s.%d", name, n)
		}
	}
	return unlessEqual(out, now)
}

func unlessEqual(firsts, now []string) []string {
	if slices.Equal(firsts, now) {
		return nil
	}
	return slices.Clone(firsts)
}

// without are the names of a that b does not have, in their order.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return slices.Contains(b, name) })
}

// otherParams tells in words that a path has more or fewer parameters than the one before, so that no request of before
// can be sent again; empty: each has an heir.
func otherParams(next, e *Entry) string {
	now, before := params(next.Path), params(e.Path)
	added, gone := without(now, before), without(before, now)
	if len(added) == len(gone) {
		return ""
	}
	var out []string
	if len(gone) > 0 {
		out = append(out, "had "+strings.Join(gone, ", "))
	}
	if len(added) > 0 {
		out = append(out, "has "+strings.Join(added, ", ")+" now")
	}
	return "its path " + strings.Join(out, ", and ")
}
