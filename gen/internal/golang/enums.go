package golang

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// A constant is a value of an enum as a Go constant.
type constant struct {
	name    string
	literal string // Go literal of the enum's underlying type
}

// nameConstants chooses the constants' names: the type's name and the value. A constant that would be
// called like a type gives way: a type in its place does not compile.
func (t *typeNames) nameConstants(names scope) {
	var wanted []candidate
	want := func(base, name string, typ *ir.Type) {
		t.constants[name] = make(map[string]string)
		for _, literal := range constantLiterals(typ) {
			value := valueText(literal)
			member := memberName(value)
			wanted = append(wanted, candidate{
				id: name + "\x00" + literal, base: name + member, wire: value, once: base + member,
			})
		}
	}
	for _, typ := range t.declared() {
		if isEnum(typ) {
			want(t.bases[refOf(typ)], t.named[refOf(typ)], typ)
		}
	}
	for _, in := range t.inlines {
		if isEnum(in.key.typ) {
			want(in.base, in.name, in.key.typ)
		}
	}
	for id, name := range names.allocate(wanted) {
		enum, literal, _ := strings.Cut(id, "\x00")
		t.constants[enum][literal] = name
	}
}

// valueText is what a JSON literal is named after.
func valueText(literal string) string {
	if s, ok := stringValue(literal); ok {
		return s
	}
	return literal
}

// stringValue is the string that a JSON literal spells, if it spells one.
func stringValue(literal string) (string, bool) {
	var s string
	if !strings.HasPrefix(literal, `"`) || json.Unmarshal([]byte(literal), &s) != nil {
		return "", false
	}
	return s, true
}

// constantLiterals are the members of an enum that can be constants, each once, in document order. A
// member that its type cannot hold, such as 1.5 in an enum of integers, is none: no request can send it.
func constantLiterals(t *ir.Type) []string {
	var out []string
	seen := make(map[string]bool)
	kind := enumKind(t)
	for _, literal := range t.Enum {
		value, ok := constantValue(t, kind, literal)
		if ok && !seen[value] {
			out = append(out, literal)
			seen[value] = true
		}
	}
	return out
}

// constantValue is the Go literal of a member of an enum that is declared over kind.
func constantValue(t *ir.Type, kind ir.Kind, literal string) (string, bool) {
	switch kind {
	case ir.String:
		s, ok := stringValue(literal)
		return quote(s), ok
	case ir.Bool:
		return literal, literal == "true" || literal == "false"
	case ir.Int:
		return intLiteral(t, literal)
	default: // canon.Number, canon.Integer and canon.Value are the literal itself
		return quote(literal), true
	}
}

// enumKind is the kind that an enum is declared over. Without a type, members that are all strings or
// all numbers make it one; objects and arrays to choose from are values.
func enumKind(t *ir.Type) ir.Kind {
	if t.Kind != ir.Any && !isComposite(t) {
		return t.Kind
	}
	all := func(first string) bool {
		return !slices.ContainsFunc(t.Enum, func(m string) bool { return m == "" || !strings.Contains(first, m[:1]) })
	}
	switch {
	case all(`"`):
		return ir.String
	case all("-0123456789"):
		return ir.Number
	default:
		return ir.Any
	}
}

// intLiteral spells 1.0 and 1e3 as Go does, where the type can hold them.
func intLiteral(t *ir.Type, literal string) (string, bool) {
	if len(literal) > 64 {
		return "", false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(literal), "e"); ok && len(strings.TrimLeft(exponent, "+-0")) > 2 {
		return "", false
	}
	r, ok := new(big.Rat).SetString(literal)
	if !ok || !r.IsInt() {
		return "", false
	}
	n, bits := r.Num(), bitsOf(t)
	if t.Unsigned {
		return n.String(), n.Sign() >= 0 && n.BitLen() <= bits
	}
	least := new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(bits-1)))
	return n.String(), n.BitLen() < bits || n.Cmp(least) == 0
}

// bitsOf is an Int's width; 64 where the document does not say.
func bitsOf(t *ir.Type) int {
	if t.Bits == 32 {
		return 32
	}
	return 64
}
