package document

import (
	"maps"
	"slices"
)

// Roots are the roots of the files that were read, by name.
func (l *Library) Roots() []Node {
	var all []Node
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		if f := l.files[name]; f.tree != nil {
			all = append(all, Node{f, f.tree})
		}
	}
	return all
}
