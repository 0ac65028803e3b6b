package canon

import (
	"errors"
	"fmt"
)

// Rules is a graph of rules by index; 0 is the root. The zero value compares everything, and arrays
// in their order. Schemas recurse, so rules may refer to one another in circles.
type Rules []Rule

// Rule says what the identity does with one value. What does not fit the value at hand (Members of
// an array, Unordered on a string) has no effect.
type Rule struct {
	Ignore    []string // members that are no part of the identity, sorted
	Unordered bool     // an array compared as a multiset
	Members   []Member // members that have rules of their own, sorted by name
	Items     int      // rule of an array's items; 0: none
	Rest      int      // rule of the members that Members and Ignore do not name; 0: none
}

// Member is a member with a rule of its own.
type Member struct {
	Name string
	Rule int // never 0: the root is repeated where a schema recurses to it
}

// Check reports what makes the table unusable: an index that leads nowhere, or names that are not in
// strictly ascending byte order. [Append] checks too; a caller that keeps a table checks it early.
func (r Rules) Check() error {
	for i := range r {
		if err := r[i].check(len(r)); err != nil {
			return fmt.Errorf("canon: rule %d: %w", i, err)
		}
	}
	return nil
}

func (r *Rule) check(n int) error {
	if uint(r.Items) >= uint(n) {
		return fmt.Errorf("items refer to rule %d of %d", r.Items, n)
	}
	if uint(r.Rest) >= uint(n) {
		return fmt.Errorf("the rest refers to rule %d of %d", r.Rest, n)
	}
	for i := range r.Members {
		m := &r.Members[i]
		if m.Rule == 0 || uint(m.Rule) >= uint(n) {
			return fmt.Errorf("member %q refers to rule %d of %d", m.Name, m.Rule, n)
		}
		if i > 0 && r.Members[i-1].Name >= m.Name {
			return errors.New("members are not in order")
		}
	}
	for i := 1; i < len(r.Ignore); i++ {
		if r.Ignore[i-1] >= r.Ignore[i] {
			return errors.New("ignored members are not in order")
		}
	}
	return nil
}

// root returns the rule of the document, nil where there is none.
func (r Rules) root() *Rule {
	if len(r) == 0 {
		return nil
	}
	return &r[0]
}

// child returns the rule that an index of another rule refers to.
func (r Rules) child(i int) *Rule {
	if i == 0 {
		return nil
	}
	return &r[i]
}

// member returns what becomes of the member with this unescaped name.
func (r Rules) member(of *Rule, name []byte) (rule *Rule, ignored bool) {
	lo, hi := 0, len(of.Ignore)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if of.Ignore[mid] < string(name) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(of.Ignore) && of.Ignore[lo] == string(name) {
		return nil, true
	}
	lo, hi = 0, len(of.Members)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if of.Members[mid].Name < string(name) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(of.Members) && of.Members[lo].Name == string(name) {
		return r.child(of.Members[lo].Rule), false
	}
	return r.child(of.Rest), false
}
