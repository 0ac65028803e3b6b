package ir

import (
	"fmt"
	"slices"
	"sort"
)

// mark finds the states that lead to a rule: in most documents few do, and only they are compared.
func (g *ruleGraph) mark() {
	from := make([][]int, len(g.states))
	var todo []int
	for i, s := range g.states {
		from[s.items] = append(from[s.items], i)
		from[s.rest] = append(from[s.rest], i)
		for _, to := range s.members {
			from[to] = append(from[to], i)
		}
		if s.unordered || len(s.ignore) > 0 {
			s.leads = true
			todo = append(todo, i)
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, f := range from[i] {
			if s := g.states[f]; !s.leads {
				s.leads = true
				todo = append(todo, f)
			}
		}
	}
}

// classes puts states into one class that no value tells apart, by refining until nothing changes.
// The class of state 0, a value without rules, is class 0.
func (g *ruleGraph) classes() []int {
	class := make([]int, len(g.states))
	for count := 1; ; {
		next := make([]int, len(g.states))
		seen := map[string]int{"": 0}
		for i, s := range g.states {
			if !s.leads {
				continue
			}
			sig := g.signature(s, class)
			c, ok := seen[sig]
			if !ok {
				c = len(seen)
				seen[sig] = c
			}
			next[i] = c
		}
		class = next
		if len(seen) == count {
			return class
		}
		count = len(seen)
	}
}

// signature is what s does, in terms of classes. Members that do as the rest does are left out.
func (g *ruleGraph) signature(s *ruleState, class []int) string {
	sig := fmt.Sprintf("%q %t %d %d", s.ignore, s.unordered, class[s.items], class[s.rest])
	for _, name := range s.names {
		if to, ok := s.members[name]; ok && class[to] != class[s.rest] {
			sig += fmt.Sprintf(" %q %d", name, class[to])
		}
	}
	return sig
}

// table writes the classes that have rules as a table.
func (g *ruleGraph) table() []Rule {
	g.mark()
	if len(g.states) == 1 || !g.states[1].leads {
		return nil
	}
	class := g.classes()
	root := class[1]
	example := map[int]*ruleState{} // states of a class differ in nothing that matters here
	for i, s := range slices.Backward(g.states) {
		example[class[i]] = s
	}
	example[0] = g.states[0]
	var rules []Rule
	var order []int
	index := map[int]int{}
	// at is the index of a class: 0 for none. Index 0 is the root's, and can be nobody's child.
	at := func(c int, named bool) int {
		if c == 0 && !named {
			return 0
		}
		i, ok := index[c]
		if !ok {
			order = append(order, c)
			i = len(order)
			index[c] = i
		}
		return i
	}
	rule := func(c int) Rule {
		s := example[c]
		r := Rule{Ignore: s.ignore, Unordered: s.unordered}
		for _, name := range s.names {
			to, ok := s.members[name]
			if !ok || class[to] == class[s.rest] {
				continue
			}
			// Where undeclared members have a rule, a declared one without says so by an empty rule.
			r.Members = append(r.Members, RuleMember{name, at(class[to], class[s.rest] != 0)})
		}
		r.Items, r.Rest = at(class[s.items], false), at(class[s.rest], false)
		sort.Slice(r.Members, func(i, j int) bool { return r.Members[i].Name < r.Members[j].Name })
		return r
	}
	rules = append(rules, rule(root))
	for i := 0; i < len(order); i++ {
		rules = append(rules, rule(order[i]))
	}
	return rules
}
