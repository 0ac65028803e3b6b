package lock

import (
	"fmt"
	"slices"
)

// firstNames are the first names of the parameters of next's path, of which e knows those before: a parameter keeps its
// own by its name, and those that are left over by their order, where there are as many. Nil: they are the names they
// have.
func firstNames(next, e *Entry) []string {
	now, before, firsts := params(next.Path), params(e.Path), e.firsts()
	out := make([]string, len(now))
	var newcomers []int
	var left []string
	for i, name := range now {
		if at := slices.Index(before, name); at >= 0 {
			out[i] = firsts[at]
		} else {
			newcomers = append(newcomers, i)
		}
	}
	for i, name := range before {
		if !slices.Contains(now, name) {
			left = append(left, firsts[i])
		}
	}
	for n, i := range newcomers {
		if len(newcomers) == len(left) {
			out[i] = left[n]
			continue
		}
		out[i] = now[i]
		for n := 2; slices.Contains(out[:i], out[i]) || slices.Contains(out[i+1:], out[i]); n++ {
			out[i] = fmt.Sprintf("%s.%d", now[i], n)
		}
	}
	if slices.Equal(out, now) {
		return nil
	}
	return out
}
