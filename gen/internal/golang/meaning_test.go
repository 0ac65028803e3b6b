package golang

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// What is added to a document may end a name that users have written, which the compiler tells them, but
// never gives it another meaning.
func TestAnAdditionNeverChangesAMeaning(t *testing.T) {
	t.Parallel()
	shared := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 0))
		drawn := make(map[string]float64)
		draw := func(share float64) func(string) bool {
			return func(what string) bool {
				if _, ok := drawn[what]; !ok {
					drawn[what] = r.Float64()
				}
				return drawn[what] < share
			}
		}
		some := r.Float64()
		before := meanings(t, crowd(draw(some)))
		after := meanings(t, crowd(draw(some+(1-some)*r.Float64())))
		for name, what := range before {
			switch now, ok := after[name]; {
			case !ok:
			case now != what:
				t.Fatalf("seed %d: %s was %q and is %q", seed, name, what, now)
			default:
				shared++
			}
		}
	}
	if shared == 0 {
		t.Error("no name outlived an addition")
	}
}

// An addition ends the name that it collides with, and what had it is called after itself.
func TestACollisionEndsTheName(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		has, added    []string
		ends, instead string
	}{
		"fields": {
			[]string{"Tax", "Tax.tax_id"}, []string{"Tax.taxId"},
			"field Tax.TaxID", "field Tax.TaxID_tax_id",
		},
		"components":               {[]string{"Tax"}, []string{"tax"}, "type Tax", "type Tax_Tax"},
		"components of two files":  {[]string{"other.yaml#Tax"}, []string{"Tax"}, "type Tax", "type Tax_other_x2E_yaml_x23_Tax"},
		"a component's constants":  {[]string{"TaxKind", "TaxKind=low"}, []string{"tax_kind", "tax-", "tax-=kindLow"}, "const TaxKindLow", "const TaxKind_TaxKindLow"},
		"constants":                {[]string{"TaxKind", "TaxKind=high"}, []string{"TaxKind=high-"}, "const TaxKindHigh", "const TaxKindHigh_high"},
		"a constant and a type":    {[]string{"TaxKind", "TaxKind=high"}, []string{"TaxKindHigh"}, "const TaxKindHigh", "const TaxKindHigh_high"},
		"inline and component":     {[]string{"Tax", "Tax.kind"}, []string{"TaxKind"}, "type TaxKind", "type TaxKind_Tax_x2F_kind"},
		"component and inline":     {[]string{"Tax", "TaxKind"}, []string{"Tax.kind"}, "type TaxKind", "type TaxKind_TaxKind"},
		"inline and inline":        {[]string{"Tax", "Tax.kind"}, []string{"Tax.Kind"}, "type TaxKind", "type TaxKind_Tax_x2F_kind"},
		"parameters":               {[]string{"?page-size"}, []string{"?page_size"}, "field TaxSetQuery.PageSize", "field TaxSetQuery.PageSize_page_x2D_size"},
		"facts":                    {[]string{"!role-id"}, []string{"!roleId"}, "field TaxSetScope.RoleID", "field TaxSetScope.RoleID_role_x2D_id"},
		"what a struct has itself": {[]string{"Tax", "Tax.extra"}, []string{"Tax.ExtraField"}, "field Tax.ExtraField", "field Tax.ExtraField_extra"},
		"operations":               {nil, []string{"select.operation"}, "var selectOperation", "var selectOperation_select"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := func(sets ...[]string) map[string]string {
				return meanings(t, crowd(func(what string) bool { return slices.Contains(slices.Concat(sets...), what) }))
			}
			before, after := in(test.has), in(test.has, test.added)
			if what := before[test.ends]; what == "" || after[test.instead] != what {
				t.Errorf("%s is %q, and then %s is %q", test.ends, what, test.instead, after[test.instead])
			}
			if what, ok := after[test.ends]; ok {
				t.Errorf("%s is still a name, of %q", test.ends, what)
			}
		})
	}
}

// crowd is a document of things that want the same names, as far as has says that they are there.
func crowd(has func(string) bool) *ir.Document {
	fields := func(prefix string, all ...*ir.Field) []*ir.Field {
		return slices.DeleteFunc(all, func(f *ir.Field) bool { return !has(prefix + f.Name) })
	}
	params := func(prefix string, all ...string) (out []*ir.Parameter) {
		for _, name := range all {
			if has(prefix + name) {
				out = append(out, &ir.Parameter{Name: name, Type: enum(`"x"`, `"X"`)})
			}
		}
		return out
	}
	values := func(prefix string, all ...string) *ir.Type {
		t := enum(`"other"`)
		for _, v := range all {
			if has(prefix + v) {
				t.Enum = append(t.Enum, quote(v))
			}
		}
		return t
	}
	inline := func() *ir.Type { return object(may("a", enum(`"1"`)), may("A", enum(`"1"`, `"-1"`))) }
	types := []*ir.Type{
		component("Tax", object(fields("Tax.", may("tax_id", str()), may("taxId", str()), may("tax-id", inline()), may("TaxID", inline()),
			may("kind", inline()), may("Kind", inline()), may("extra", inline()), may("ExtraField", inline()), may("kind_a", inline()),
			may("items", listOf(inline())), may("itemsItem", inline()))...)),
		component("tax", object(fields("tax.", may("kind", inline()), may("Kind", inline()))...)),
		component("TAX", listOf(inline())),
		component("other.yaml#Tax", object(fields("other.", may("kind", enum(`"high"`)))...)),
		component("TaxKind", values("TaxKind=", "high", "High", "high-", "HIGH", "low", "kind")),
		component("tax_kind", values("tax_kind=", "high", "low")),
		component("tax-", values("tax-=", "kind high", "kindLow", "kind")),
		component("TaxKindHigh", object()),
		component("TaxKindLow", dictOf(str())),
		component("TaxKind_Tax_kind", object()),
		component("Middleware", object()),
		component("MiddlewareSchema", enum(`"x"`)),
		component("x", enum(`"1"`)), component("x1", object()), component("1", object()),
		component("TaxSetBody", object()), component("tax.set", dictOf(inline())),
	}
	doc := &ir.Document{}
	body := object(may("kind", inline()), may("Kind", inline()))
	body.Fields = fields("body.", body.Fields...)
	for _, t := range types {
		if has(t.Name) {
			if t.Name == "other.yaml#Tax" {
				t.Name, t.Ref = "Tax", "other.yaml#/components/schemas/Tax"
			}
			doc.Types = append(doc.Types, t)
			body.Fields = append(body.Fields, may("of "+t.Ref, t))
		}
	}
	op := taking(post("tax.set", "/tax"), body)
	op.QueryParams = params("?", "page-size", "page_size", "PageSize")
	op.Headers = params("@", "x-kind", "x_kind")
	for _, fact := range []string{"role-id", "roleId"} {
		if has("!" + fact) {
			op.Scope = append(op.Scope, fact)
		}
	}
	doc.Operations = []*ir.Operation{op, post("select", "/select")}
	if has("select.operation") {
		doc.Operations = append(doc.Operations, post("select.operation", "/operation"))
	}
	return doc
}

// meanings are all names that a document gives but those of its endpoint keys, and what each stands for.
func meanings(t *testing.T, doc *ir.Document) map[string]string {
	t.Helper()
	plan, problems := NewPlan(doc)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	names := scope{}
	takeOperations(plan.operations, names)
	types := nameTypes(doc, plan.operations, names)
	ids := make(map[string]string)
	for ref, name := range types.named {
		ids[name] = ref
	}
	for _, in := range types.inlines {
		ids[in.name] = in.id()
	}
	out := make(map[string]string)
	met := make(map[string]bool)
	add := func(kind, in, name, what string) {
		if met[in+name] {
			t.Fatalf("%s%s is declared twice", in, name)
		}
		met[in+name] = true
		out[kind+" "+in+name] = what
	}
	fields := func(s *structType, id string) {
		for _, f := range s.fields {
			add("field", s.name+".", f.name, id+" "+f.wire)
		}
	}
	for _, op := range plan.operations {
		add("var", "", op.variable, op.Endpoint)
		for _, part := range op.parts {
			fields(part, part.name)
		}
	}
	for _, d := range declared(plan) {
		id := ids[d.typeName()]
		add("type", "", d.typeName(), id)
		switch d := d.(type) {
		case *structType:
			fields(d, id)
		case *enumType:
			for _, c := range d.constants {
				add("const", "", c.name, id+" "+c.literal)
			}
		}
	}
	return out
}

// declared are all declared types of a plan.
func declared(plan *Plan) []declaration {
	var out []declaration
	for _, op := range plan.operations {
		out = append(out, op.types...)
	}
	for _, s := range plan.schemas {
		out = append(out, s.types...)
	}
	return out
}
