package openapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
)

// enum are the values that a schema admits, in document order.
type enum struct{ values []literal }

// literal is a value of the document.
type literal struct {
	node document.Node
	json string // empty: JSON cannot hold it as it is spelt
	same string // equal for equal values: 1.0 and 1e0
	mask mask
}

func (e *enum) types() mask {
	var m mask
	for _, v := range e.values {
		m |= v.mask
	}
	return m
}

// literals takes the enum and the const of v. Several enums have to be met together.
func (c *converter) literals(s *shape, v view, label string) {
	if list := v.node.Get("enum"); !list.IsZero() {
		if !list.IsList() || list.Len() == 0 {
			c.bad(list, "enum is "+list.What()+", not a list of values", "list the values, or remove enum")
			return
		}
		c.intersect(s, list, list.Items(), label)
	}
	if n := v.node.Get("const"); !n.IsZero() {
		c.intersect(s, n, []document.Node{n}, label)
	}
}

func (c *converter) intersect(s *shape, at document.Node, items []document.Node, label string) {
	seen := map[string]bool{}
	e := &enum{}
	for _, n := range items {
		l := readLiteral(n)
		if !seen[l.same] {
			e.values = append(e.values, l)
		}
		seen[l.same] = true
	}
	if s.enum == nil {
		s.enum = e
		return
	}
	var both []literal
	for _, l := range s.enum.values {
		if seen[l.same] {
			both = append(both, l)
		}
	}
	if len(both) == 0 {
		if !s.failed && !s.quiet {
			first := s.enum.values[0].node.Pos()
			c.bad(at, fmt.Sprintf("%s has no value in common with the enum on %s", label, on(first, at.Pos())), "make the schemas of allOf agree")
		}
		s.failed = true
		return
	}
	s.enum = &enum{both}
}

func readLiteral(n document.Node) literal {
	l := literal{node: n}
	l.json, _ = n.JSON()
	l.same = l.json
	switch _, isBoolean := n.Bool(); {
	case n.IsNull():
		l.mask = isNull
	case isBoolean:
		l.mask = isBool
	case n.IsNumber():
		l.mask = isFraction
		var whole bool
		if l.same, whole = decimal(l.json); whole {
			l.mask = isWhole
		}
		if l.json == "" {
			l.same = "spelt " + n.Spelt()
		}
	case n.IsMapping():
		l.mask = isObject
	case n.IsList():
		l.mask = isArray
	default:
		l.mask = isString
	}
	return l
}

// decimal is a JSON number in one spelling, and whether it is whole.
func decimal(text string) (string, bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	exp := 0
	if exponent != "" {
		var err error
		if exp, err = strconv.Atoi(exponent); err != nil || exp > 1e6 || exp < -1e6 {
			return text, exp > 0
		}
	}
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exp -= len(fraction)
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", text != ""
	}
	short := strings.TrimRight(digits, "0")
	exp += len(digits) - len(short)
	return fmt.Sprintf("%s%se%d", sign, short, exp), exp >= 0
}

// admitted are the literals of an enum that are of one of the types m, without null. Those that are of
// none of the types that the schema has are problems.
func (c *converter) admitted(s *shape, m mask) []string {
	if s.enum == nil || m&(isArray|isObject) != 0 {
		return nil
	}
	var out []string
	for _, l := range s.enum.values {
		switch {
		case l.mask == isNull:
		case s.typed && l.mask&s.types == 0 && l.mask&(isWhole|isFraction|isBool) != 0 && s.types&isString != 0:
			c.bad(l.node, fmt.Sprintf("the enum of a string has %s", l.node.What()), "quote it: "+l.node.Spell("'"+l.node.Spelt()+"'", document.Quote(l.node.Spelt())))
		case s.typed && l.mask&s.types == 0:
			c.bad(l.node, fmt.Sprintf("the enum of %s has %s", s.types&^isNull, l.node.What()), "correct the value or the type")
		case l.json == "":
			c.bad(l.node, fmt.Sprintf("the enum has %s, which readers of YAML understand differently", l.node.What()), "write the number in decimal, or quote a text")
		case l.mask&m != 0:
			out = append(out, l.json)
		}
	}
	return out
}
