package ir

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Rule says what the identity does with one value; it mirrors the runtime's canon.Rule.
type Rule struct {
	Ignore    []string     // members that are no part of the identity, sorted
	Unordered bool         // an array compared as a multiset
	Members   []RuleMember // members that have rules of their own, sorted by name
	Items     int          // rule of an array's items; 0: none
	Rest      int          // rule of the members that Members and Ignore do not name; 0: none
}

// RuleMember is a member with a rule of its own.
type RuleMember struct {
	Name string
	Rule int // never 0: the root is repeated where a schema recurses to it
}

// Rules are the rules for values of t: a graph by index, 0 the root. It is nil where everything counts
// in its order. The table depends on nothing but what is ignored and unordered, and where: it is the
// smallest there is, numbered from the root in the order of names, so that it stays the same when
// schemas are renamed, moved into components or given further members.
func Rules(t *Type) []Rule {
	g := newRuleGraph(t)
	return g.table()
}

// Rules are the rules for the body: those of its JSON, or of the fields of a form.
func (b *Body) Rules() []Rule {
	if b.Form == JSON {
		return Rules(b.Type)
	}
	root := Rule{Ignore: slices.Clone(b.Ignored)}
	for _, f := range b.Fields {
		switch {
		case f.Ignore:
			root.Ignore = append(root.Ignore, f.Name)
		case f.Type != nil && f.Type.Unordered:
			root.Members = append(root.Members, RuleMember{f.Name, 1})
		}
	}
	if len(root.Ignore)+len(root.Members) == 0 {
		return nil
	}
	root.Ignore = LeftOut(root.Ignore)
	if len(root.Members) == 0 {
		return []Rule{root}
	}
	sort.Slice(root.Members, func(i, j int) bool { return root.Members[i].Name < root.Members[j].Name })
	return []Rule{root, {Unordered: true}}
}

// LeftOut are the names that are no part of the identity, sorted. A name that another covers, as "meta[" covers "meta[a]",
// is not among them: the table must not change with what is declared there.
func LeftOut(names []string) []string {
	slices.Sort(names)
	var out []string
	cover := "" // the last one that covers others: they stand right behind it
	for _, name := range slices.Compact(names) {
		if cover != "" && strings.HasPrefix(name, cover) {
			continue
		}
		if out = append(out, name); strings.HasSuffix(name, "[") {
			cover = name
		}
	}
	return out
}

// IsLeftOut tells whether a name is among names as [LeftOut] gives them, or covered by one.
func IsLeftOut(names []string, name string) bool {
	i, found := slices.BinarySearch(names, name)
	return found || i > 0 && strings.HasSuffix(names[i-1], "[") && strings.HasPrefix(name, names[i-1])
}

// Disagreements are members and arrays below oneOf, anyOf or several types that one branch wants
// ignored or unordered and another does not: the identity cannot know which branch a value is.
func Disagreements(t *Type) []Problem {
	g := newRuleGraph(t)
	return g.problems
}

// ruleState is what a value at some place of a body can be. Without branches it is one type.
type ruleState struct {
	types     []*Type
	ignore    []string
	unordered bool
	members   map[string]int
	names     []string // of members, sorted
	items     int
	rest      int
	leads     bool // to something ignored or unordered
}

// ruleGraph are the states that a body's values can be in. State 0 is a value without rules.
type ruleGraph struct {
	states   []*ruleState
	index    map[string]int
	numbers  map[*Type]int
	problems []Problem
}

// maxRuleStates bounds what branches inside branches can combine to.
const maxRuleStates = 100_000

// newRuleGraph has the states of t; the first is state 0, the root is state 1 if it is not that.
func newRuleGraph(t *Type) *ruleGraph {
	g := &ruleGraph{index: map[string]int{"": 0}, numbers: map[*Type]int{}}
	g.states = append(g.states, &ruleState{})
	g.state([]*Type{t})
	for i := 1; i < len(g.states); i++ { // the list grows while states are expanded
		g.expand(g.states[i])
	}
	return g
}

// state is the state of values that can be any of types.
func (g *ruleGraph) state(types []*Type) int {
	leaves := map[*Type]bool{}
	var list []*Type
	var add func(t *Type)
	add = func(t *Type) {
		if t == nil || leaves[t] {
			return
		}
		leaves[t] = true
		for _, b := range t.Branches {
			add(b)
		}
		switch t.Kind {
		case Array, Map, Object:
			list = append(list, t)
		}
	}
	for _, t := range types {
		add(t)
	}
	key := ""
	numbers := make([]int, len(list))
	for i, t := range list {
		n, ok := g.numbers[t]
		if !ok {
			n = len(g.numbers) + 1
			g.numbers[t] = n
		}
		numbers[i] = n
	}
	sort.Ints(numbers)
	for _, n := range numbers {
		key += fmt.Sprint(n, " ")
	}
	i, ok := g.index[key]
	if !ok {
		if len(g.states) > maxRuleStates {
			g.problem(list[0].Pos, "the branches of oneOf and anyOf combine to too many cases", "use fewer of them inside each other")
			return 0
		}
		i = len(g.states)
		g.index[key] = i
		g.states = append(g.states, &ruleState{types: list})
	}
	return i
}

func (g *ruleGraph) problem(pos Pos, what, remedy string) {
	if p := (Problem{Pos: pos, What: what, Remedy: remedy, Lint: LintPlace}); !slices.Contains(g.problems, p) {
		g.problems = append(g.problems, p)
	}
}

// expand finds what s ignores and where its parts lead.
func (g *ruleGraph) expand(s *ruleState) {
	s.members = map[string]int{}
	var items, rest []*Type
	first := map[string]*Field{}
	var array *Type
	for _, t := range s.types {
		switch t.Kind {
		case Array:
			items = append(items, t.Items)
			if array != nil && array.Unordered != t.Unordered {
				g.problem(t.Pos, "an array is unordered in one branch and ordered in another", "give all branches the same x-idempotency-unordered")
			}
			array, s.unordered = t, s.unordered || t.Unordered
		case Map, Object:
			rest = append(rest, t.Rest)
			for _, f := range t.Fields {
				if first[f.Name] == nil {
					first[f.Name] = f
					s.names = append(s.names, f.Name)
				}
			}
		}
	}
	sort.Strings(s.names)
	s.items, s.rest = g.state(items), g.state(rest)
	for _, name := range s.names {
		g.member(s, name, first[name])
	}
}

// member finds what s does with the member name. A branch has it where it declares it, or where it has
// a schema for undeclared members.
func (g *ruleGraph) member(s *ruleState, name string, first *Field) {
	var types []*Type
	for _, t := range s.types {
		if t.Kind != Map && t.Kind != Object {
			continue
		}
		i := slices.IndexFunc(t.Fields, func(f *Field) bool { return f.Name == name })
		var ignored bool
		var pos Pos
		switch {
		case i >= 0:
			f := t.Fields[i]
			types, ignored, pos = append(types, f.Type), f.Ignore, f.Pos
		case t.Rest != nil:
			types, pos = append(types, t.Rest), t.Pos
		default:
			continue
		}
		if ignored != first.Ignore {
			g.problem(pos, fmt.Sprintf("%q is ignored in one branch and counts in another", name), "give the member the same x-idempotency-ignore in all branches")
		}
	}
	if first.Ignore {
		s.ignore = append(s.ignore, name)
		return
	}
	s.members[name] = g.state(types)
}
