package document

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// guard checks a tree against the limits and, in place, makes it plain: aliases become the nodes that
// they stand for, merge keys become members, foreign tags go.
func (l *Library) guard(f *file, tree *yaml.Node) {
	g := &guard{lib: l, file: f, shared: map[*yaml.Node]measure{}, open: map[*yaml.Node]bool{}}
	m := g.visit(tree, 1)
	if !g.full && m.size > maxExpanded+2*g.nodes {
		g.refuse(tree, "the aliases of the file expand to too many values", "write fewer aliases of aliases")
	}
}

type guard struct {
	lib    *Library
	file   *file
	nodes  int
	full   bool // a limit is passed: nothing more is looked at
	shared map[*yaml.Node]measure
	open   map[*yaml.Node]bool
}

// measure is the size of a node and its levels, both with aliases expanded.
type measure struct{ size, height int }

func (g *guard) pos(n *yaml.Node) ir.Pos {
	return ir.Pos{File: g.file.name, Line: max(n.Line, 1), Col: max(n.Column, 1)}
}

func (g *guard) refuse(n *yaml.Node, what, remedy string) measure {
	g.full = true
	g.lib.Report(g.pos(n), what, remedy)
	return measure{1, 1}
}

// visit makes n plain and measures it.
func (g *guard) visit(n *yaml.Node, depth int) measure {
	if g.full {
		return measure{1, 1}
	}
	if m, ok := g.shared[n]; ok {
		if depth+m.height-1 > maxDepth {
			return g.tooDeep(n)
		}
		return m
	}
	if g.nodes++; g.nodes > maxNodes {
		return g.refuse(n, fmt.Sprintf("the file has more than %d values", maxNodes), "split the document")
	}
	if depth > maxDepth {
		return g.tooDeep(n)
	}
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") || n.Tag == "!!binary" {
		n.Tag, n.Style = "", n.Style&^yaml.TaggedStyle // ShortTag works out what the text is
		n.Tag = n.ShortTag()
	}
	if n.Anchor != "" {
		g.open[n] = true
	}
	m := measure{1, 1}
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			if g.open[c.Alias] {
				return g.refuse(c, fmt.Sprintf("the alias *%s stands inside its own anchor", c.Value), "write the value out, or use a $ref")
			}
			n.Content[i] = c.Alias
			c = c.Alias
		}
		cm := g.visit(c, depth+1)
		m.size = min(m.size+cm.size, 1<<40)
		m.height = max(m.height, 1+cm.height)
	}
	if n.Kind == yaml.MappingNode && !g.full {
		g.mapping(n)
	}
	if n.Anchor != "" {
		delete(g.open, n)
		g.shared[n] = m
	}
	return m
}

func (g *guard) tooDeep(n *yaml.Node) measure {
	return g.refuse(n, fmt.Sprintf("values are nested more than %d deep", maxDepth), "flatten the document, with $ref for instance")
}

// mapping checks the keys of a mapping and merges what its << keys name.
func (g *guard) mapping(n *yaml.Node) {
	seen := make(map[string]*yaml.Node, len(n.Content)/2)
	var merges []*yaml.Node
	pairs := n.Content[:0:len(n.Content)]
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode:
			g.lib.Report(g.pos(key), "a key is not a text", "write a plain key")
			continue
		case key.Tag == "!!merge":
			merges = append(merges, value)
			continue
		case key.Tag == "!!null":
			g.lib.Report(g.pos(key), "a key is null", "write a name; quote it if it is \"null\" or \"~\"")
			continue
		}
		if first, ok := seen[key.Value]; ok {
			g.lib.Report(g.pos(key), fmt.Sprintf("%s is there twice, first on line %d", quote(key.Value), first.Line), "keep one of them")
			continue
		}
		seen[key.Value] = key
		pairs = append(pairs, key, value)
	}
	for _, m := range merges {
		pairs = g.merge(pairs, seen, m)
	}
	n.Content = pairs
	if len(pairs)/2 > maxWidth {
		g.refuse(n, fmt.Sprintf("a mapping has %d members, more than %d", len(pairs)/2, maxWidth), "split it")
	}
}

// merge adds to pairs the members of m that are not there yet: an earlier one wins.
func (g *guard) merge(pairs []*yaml.Node, seen map[string]*yaml.Node, m *yaml.Node) []*yaml.Node {
	sources := []*yaml.Node{m}
	if m.Kind == yaml.SequenceNode {
		sources = m.Content
	}
	for _, s := range sources {
		if s.Kind != yaml.MappingNode {
			g.lib.Report(g.pos(m), "<< does not name a mapping", "merge an alias of a mapping, or a list of such")
			return pairs
		}
		for i := 0; i+1 < len(s.Content); i += 2 {
			if key := s.Content[i]; seen[key.Value] == nil {
				seen[key.Value] = key
				pairs = append(pairs, key, s.Content[i+1])
				g.nodes++
			}
		}
	}
	return pairs
}
