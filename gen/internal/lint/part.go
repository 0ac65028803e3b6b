package lint

import (
	"slices"
	"sort"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// part is where a part of a document begins.
type part struct {
	pos  ir.Pos
	name string
}

// parts are sorted by place.
type parts []part

// partsOf are the parts of the files: operations, components, and what else stands at the top.
func partsOf(roots []document.Node, spec string) parts {
	var all parts
	for _, root := range roots {
		file := "#/"
		if root.File() != spec {
			file = root.File() + file
		}
		for key, value := range root.Members() {
			all = append(all, part{key.Pos(), file + key.Spelt()})
			switch key.Spelt() {
			case "paths":
				all.paths(value)
			case "components":
				all.components(value, file+"components/")
			}
		}
	}
	slices.SortStableFunc(all, func(a, b part) int { return compare(a.pos, b.pos) })
	return all
}

func (all *parts) paths(paths document.Node) {
	for path, item := range paths.Members() {
		*all = append(*all, part{path.Pos(), path.Spelt()})
		for key := range item.Members() {
			name := path.Spelt()
			if slices.Contains(document.Methods, key.Spelt()) {
				name = strings.ToUpper(key.Spelt()) + " " + name
			}
			*all = append(*all, part{key.Pos(), name})
		}
	}
}

func (all *parts) components(components document.Node, prefix string) {
	for section, members := range components.Members() {
		*all = append(*all, part{section.Pos(), prefix + section.Spelt()})
		for name := range members.Members() {
			*all = append(*all, part{name.Pos(), prefix + section.Spelt() + "/" + name.Spelt()})
		}
	}
}

// at is the part that a place is in; empty before the first.
func (all parts) at(pos ir.Pos) string {
	i := sort.Search(len(all), func(i int) bool { return compare(all[i].pos, pos) > 0 })
	if i == 0 || all[i-1].pos.File != pos.File {
		return ""
	}
	return all[i-1].name
}
