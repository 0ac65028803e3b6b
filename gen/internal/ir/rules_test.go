package ir_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

func object(fields ...*ir.Field) *ir.Type { return &ir.Type{Kind: ir.Object, Fields: fields} }

func field(name string, t *ir.Type) *ir.Field { return &ir.Field{Name: name, Type: t} }

func ignored(name string) *ir.Field {
	return &ir.Field{Name: name, Type: &ir.Type{Kind: ir.String}, Ignore: true}
}

func text() *ir.Type { return &ir.Type{Kind: ir.String} }

func array(items *ir.Type) *ir.Type { return &ir.Type{Kind: ir.Array, Items: items} }

func set(items *ir.Type) *ir.Type { return &ir.Type{Kind: ir.Array, Items: items, Unordered: true} }

func anyOf(branches ...*ir.Type) *ir.Type { return &ir.Type{Kind: ir.Any, Branches: branches} }

func TestRules(t *testing.T) {
	t.Parallel()
	line := object(ignored("at"), field("sku", text()))
	tree := object(ignored("at"))
	tree.Fields = append(tree.Fields, field("children", array(tree)), field("name", text()))
	// a leads to b and b back to a, and only a has something to ignore.
	a, b := object(ignored("x")), object()
	a.Fields = append(a.Fields, field("b", b))
	b.Fields = append(b.Fields, field("a", a))
	loop := object()
	loop.Fields = append(loop.Fields, field("next", loop))
	for _, c := range []struct {
		name string
		typ  *ir.Type
		want []ir.Rule
	}{
		{"nothing to say", object(field("a", array(text()))), nil},
		{"a text", text(), nil},
		{"no type", nil, nil},
		{"recursion without a rule", loop, nil},
		{"ignored members are sorted", object(ignored("b"), ignored("a")), []ir.Rule{{Ignore: []string{"a", "b"}}}},
		{"an unordered body", set(text()), []ir.Rule{{Unordered: true}}},
		{"only what leads to a rule", object(field("z", line), field("q", object(field("p", text()))), field("a", set(text()))), []ir.Rule{
			{Members: []ir.RuleMember{{Name: "a", Rule: 1}, {Name: "z", Rule: 2}}}, {Unordered: true}, {Ignore: []string{"at"}},
		}},
		{"used twice, there once", object(field("a", line), field("b", line)), []ir.Rule{
			{Members: []ir.RuleMember{{Name: "a", Rule: 1}, {Name: "b", Rule: 1}}}, {Ignore: []string{"at"}},
		}},
		{"equal inline, there once", object(field("a", object(ignored("at"))), field("b", line)), []ir.Rule{
			{Members: []ir.RuleMember{{Name: "a", Rule: 1}, {Name: "b", Rule: 1}}}, {Ignore: []string{"at"}},
		}},
		{"the root is repeated where it recurs", tree, []ir.Rule{
			{Ignore: []string{"at"}, Members: []ir.RuleMember{{Name: "children", Rule: 1}}},
			{Items: 2},
			{Ignore: []string{"at"}, Members: []ir.RuleMember{{Name: "children", Rule: 1}}},
		}},
		{"a circle of two", b, []ir.Rule{
			{Members: []ir.RuleMember{{Name: "a", Rule: 1}}},
			{Ignore: []string{"x"}, Members: []ir.RuleMember{{Name: "b", Rule: 2}}},
			{Members: []ir.RuleMember{{Name: "a", Rule: 1}}},
		}},
		{"undeclared members", &ir.Type{Kind: ir.Map, Rest: line}, []ir.Rule{{Rest: 1}, {Ignore: []string{"at"}}}},
		{"declared beside undeclared ones", &ir.Type{Kind: ir.Object, Rest: line, Fields: []*ir.Field{field("plain", text()), field("same", line)}}, []ir.Rule{
			{Members: []ir.RuleMember{{Name: "plain", Rule: 1}}, Rest: 2}, {}, {Ignore: []string{"at"}},
		}},
		{"branches that agree", anyOf(object(ignored("at"), field("a", set(text()))), object(ignored("at")), text()), []ir.Rule{
			{Ignore: []string{"at"}, Members: []ir.RuleMember{{Name: "a", Rule: 1}}}, {Unordered: true},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := ir.Rules(c.typ); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v\nwant %+v", got, c.want)
			}
			if got := ir.Disagreements(c.typ); len(got) > 0 {
				t.Errorf("disagreements %v", got)
			}
		})
	}
}

// Names of components, the order of members, and members without rules leave a table as it is: its
// digest is part of every fingerprint.
func TestRulesDependOnRulesAlone(t *testing.T) {
	t.Parallel()
	line := object(ignored("at"), field("tags", set(text())))
	before := object(field("lines", array(line)), ignored("trace"), field("first", line))
	named := object(field("tags", set(text())), field("more", object(field("x", text()))), ignored("at"))
	named.Ref, named.Name = "#/components/schemas/Line", "Line"
	nullable := *named
	nullable.Nullable = true
	after := object(field("first", &nullable), field("extra", array(text())), ignored("trace"), field("lines", array(named)))
	if a, b := ir.Rules(before), ir.Rules(after); a == nil || !reflect.DeepEqual(a, b) {
		t.Errorf("before %+v\nafter %+v", a, b)
	}
}

func TestDisagreements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		typ  *ir.Type
		want int
	}{
		{"ignored in one", anyOf(object(ignored("at")), object(field("at", text()))), 1},
		{"ignored in one, absent in the other", anyOf(object(ignored("at")), object(field("a", text()))), 0},
		{"ignored in one, any in the other", anyOf(object(ignored("at")), &ir.Type{Kind: ir.Map}), 0},
		{"ignored in one, of a schema in the other", anyOf(object(ignored("at")), &ir.Type{Kind: ir.Map, Rest: text()}), 1},
		{"unordered in one", anyOf(set(text()), array(text())), 1},
		{"further down", object(field("a", anyOf(object(field("b", object(ignored("at")))), object(field("b", object(field("at", text()))))))), 1},
		{"in branches of branches", anyOf(anyOf(set(text()), text()), object(), array(text())), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := ir.Disagreements(c.typ); len(got) != c.want {
				t.Errorf("got %v, want %d", got, c.want)
			}
		})
	}
}

func ExampleRules() {
	line := object(ignored("scannedAt"), field("sku", text()))
	order := object(field("lines", array(line)), field("tags", set(text())))
	for i, r := range ir.Rules(order) {
		fmt.Printf("%d: %+v\n", i, r)
	}
	// Output:
	// 0: {Ignore:[] Unordered:false Members:[{Name:lines Rule:1} {Name:tags Rule:2}] Items:0 Rest:0}
	// 1: {Ignore:[] Unordered:false Members:[] Items:3 Rest:0}
	// 2: {Ignore:[] Unordered:true Members:[] Items:0 Rest:0}
	// 3: {Ignore:[scannedAt] Unordered:false Members:[] Items:0 Rest:0}
}

func TestRulesOfAForm(t *testing.T) {
	t.Parallel()
	form := func(fields ...*ir.Parameter) *ir.Body { return &ir.Body{Form: ir.Fields, Fields: fields} }
	skipped := func(name string) *ir.Parameter { return &ir.Parameter{Name: name, Ignore: true, Type: text()} }
	all := form(skipped("z"), &ir.Parameter{Name: "tags", Type: set(text())}, &ir.Parameter{Name: "a", Type: text()}, skipped("meta[a]"), skipped("metal"))
	all.Ignored = []string{"meta[", "meta", "deep[x][", "z"}
	for _, c := range []struct {
		name string
		body *ir.Body
		want []ir.Rule
	}{
		{"nothing to say", form(&ir.Parameter{Name: "a", Type: text()}), nil},
		{"what a prefix covers is not named", all, []ir.Rule{
			{Ignore: []string{"deep[x][", "meta", "meta[", "metal", "z"}, Members: []ir.RuleMember{{Name: "tags", Rule: 1}}}, {Unordered: true},
		}},
		{"only ignored", form(skipped("b"), skipped("a")), []ir.Rule{{Ignore: []string{"a", "b"}}}},
	} {
		if got := c.body.Rules(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

func TestIsLeftOut(t *testing.T) {
	t.Parallel()
	names := ir.LeftOut([]string{"meta[", "meta[a]", "z", "deep[x][", "meta"})
	for name, want := range map[string]bool{
		"meta": true, "meta[": true, "meta[b]": true, "deep[x][y]": true, "z": true,
		"metal": false, "deep[x]": false, "deep": false, "a": false, "zz": false, "": false,
	} {
		if got := ir.IsLeftOut(names, name); got != want {
			t.Errorf("%q: got %t", name, got)
		}
	}
}
