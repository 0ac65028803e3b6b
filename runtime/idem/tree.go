package idem

import (
	"fmt"
	"slices"
	"strings"
)

// node is a place in the tree of templates: what may come next, and what ends here.
type node struct {
	fixed   map[string]*node
	mixed   []branch // parameters and literals in one segment: most literal bytes first
	plain   *node    // any segment that is not empty
	targets map[string]*target
	below   map[string]*target // "/hooks/{rest...}" of PassThrough: any path from here on
}

// branch is a segment that is neither a literal nor a single parameter.
type branch struct {
	segment segment
	next    *node
}

// target is what a route leads to. Its operation is nil where the request passes.
type target struct {
	op       *Operation
	template *pathTemplate
}

func setTarget(targets *map[string]*target, method string, t *target) {
	if *targets == nil {
		*targets = make(map[string]*target)
	}
	(*targets)[method] = t
}

// grow returns the node at the end of segments, which it makes.
func (n *node) grow(segments []segment) *node {
	for _, s := range segments {
		n = n.child(s)
	}
	return n
}

func (n *node) child(s segment) *node {
	switch {
	case s.fixed():
		if n.fixed == nil {
			n.fixed = make(map[string]*node)
		}
		if n.fixed[s.literals[0]] == nil {
			n.fixed[s.literals[0]] = new(node)
		}
		return n.fixed[s.literals[0]]
	case s.plain():
		if n.plain == nil {
			n.plain = new(node)
		}
		return n.plain
	}
	for _, b := range n.mixed {
		if slices.Equal(b.segment.literals, s.literals) {
			return b.next
		}
	}
	n.mixed = append(n.mixed, branch{segment: s, next: new(node)})
	return n.mixed[len(n.mixed)-1].next
}

// sort puts the mixed segments of each node in order: what matches less comes first. It reports those
// that have none, unless requests pass either way.
func (n *node) sort() []error {
	var errs []error
	slices.SortFunc(n.mixed, func(a, b branch) int { return compareSegments(&a.segment, &b.segment) })
	for i, a := range n.mixed {
		for _, b := range n.mixed[i+1:] {
			if a.segment.overlaps(&b.segment) && !a.segment.within(&b.segment) && (a.next.guards() || b.next.guards()) {
				errs = append(errs, fmt.Errorf("path segments %q and %q: a request can match both, and neither is the special case",
					a.segment.String(), b.segment.String()))
			}
		}
		errs = append(errs, a.next.sort()...)
	}
	names := make([]string, 0, len(n.fixed))
	for name := range n.fixed {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		errs = append(errs, n.fixed[name].sort()...)
	}
	if n.plain != nil {
		errs = append(errs, n.plain.sort()...)
	}
	return errs
}

// guards says whether a keyed operation is here or below.
func (n *node) guards() bool {
	for _, t := range n.targets {
		if t.op != nil {
			return true
		}
	}
	for _, next := range n.fixed {
		if next.guards() {
			return true
		}
	}
	mixed := slices.ContainsFunc(n.mixed, func(b branch) bool { return b.next.guards() })
	return mixed || n.plain != nil && n.plain.guards()
}

// find returns the target of the first route that matches: literals first, then segments with a
// literal in them, then parameters. Where a way ends without the method, the next one is tried. Each
// node is visited at most once.
func (n *node) find(method string, segments []string) *target {
	if len(segments) == 0 {
		return pick(n.targets, method)
	}
	text, rest := segments[0], segments[1:]
	if next := n.fixed[text]; next != nil {
		if found := next.find(method, rest); found != nil {
			return found
		}
	}
	for i := range n.mixed {
		if n.mixed[i].segment.match(text, nil) {
			if found := n.mixed[i].next.find(method, rest); found != nil {
				return found
			}
		}
	}
	if n.plain != nil && text != "" {
		if found := n.plain.find(method, rest); found != nil {
			return found
		}
	}
	if slices.Contains(segments, "") {
		return nil
	}
	return pick(n.below, method)
}

func pick(targets map[string]*target, method string) *target {
	if t := targets[method]; t != nil {
		return t
	}
	return targets[anyMethod]
}

// compareSegments orders by bytes of literals, most first; among equals by text, so that the order
// never depends on the document's.
func compareSegments(a, b *segment) int {
	size := func(s *segment) int { return len(strings.Join(s.literals, "")) }
	if d := size(b) - size(a); d != 0 {
		return d
	}
	return slices.Compare(a.literals, b.literals)
}

// overlaps says whether a text exists that matches both: both ends must agree, and between them a
// parameter can hold whatever the other needs.
func (s *segment) overlaps(other *segment) bool {
	agree := func(has func(string, string) bool, a, b string) bool { return has(a, b) || has(b, a) }
	return agree(strings.HasPrefix, s.literals[0], other.literals[0]) &&
		agree(strings.HasSuffix, s.literals[len(s.literals)-1], other.literals[len(other.literals)-1])
}

// within says whether all that s matches, other matches too. A byte that no literal has stands for
// each parameter.
func (s *segment) within(other *segment) bool {
	return other.match(strings.Join(s.literals, "\xff"), nil)
}

// String returns the segment as a template spells it.
func (s *segment) String() string {
	var b strings.Builder
	for i, literal := range s.literals {
		b.WriteString(literal)
		if i < len(s.parameters) {
			b.WriteString("{" + s.parameters[i] + "}")
		}
	}
	return b.String()
}
