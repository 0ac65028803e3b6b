package golang

import "github.com/idemgen/idemgen/gen/internal/ir"

// forms is a document with every form that a type can have.
func forms() *ir.Document {
	node := component("Node", object())
	node.Fields = []*ir.Field{
		may("next", node), may("parent", orNull(node)), may("children", listOf(node)), may("byName", dictOf(node)),
	}
	tree := component("Tree", &ir.Type{Kind: ir.Array})
	tree.Items = tree
	labels := component("Labels", dictOf(str()))
	labels.Doc = "Free text by name"
	tags := component("Tags", listOf(enum(`"red"`, `"blue"`)))
	tags.Unordered = true
	words := component("Words", listOf(orNull(enum(`"a"`, `"b"`)))) // in a parameter nothing is null
	card := component("Card", object(required("pan", str())))
	bank := component("Bank", object(required("iban", str())))
	code := component("Code", str()) // no enum: written as what it is
	maybe := component("Maybe", orNull(object(may("x", str()))))
	measured := object(required("sku", str()))
	measured.Rest = integer(64)
	component("Measured", measured)
	nothing := component("Nothing", &ir.Type{Kind: ir.Map, Closed: true})

	every := component("Every", object(
		required("text", str()), required("flag", &ir.Type{Kind: ir.Bool}),
		required("i32", integer(32)), required("i64", integer(64)),
		required("u32", &ir.Type{Kind: ir.Int, Bits: 32, Unsigned: true}),
		required("u64", &ir.Type{Kind: ir.Int, Bits: 64, Unsigned: true}),
		required("big", &ir.Type{Kind: ir.Integer}), required("number", &ir.Type{Kind: ir.Number}),
		required("any", &ir.Type{}), may("mayAny", orNull(&ir.Type{})),
		required("pay", &ir.Type{Branches: []*ir.Type{card, bank}}),
		required("null", orNull(str())), may("mayNull", orNull(integer(32))),
		required("grid", listOf(listOf(&ir.Type{}))), may("mayList", listOf(str())), may("nullList", orNull(listOf(orNull(str())))),
		required("free", dictOf(nil)), required("counts", dictOf(orNull(integer(64)))),
		required("lines", listOf(object(required("qty", integer(32)), required("unit", enum(`"kg"`, `"l"`))))),
		required("byDay", dictOf(object(required("hours", &ir.Type{Kind: ir.Number})))),
		required("empty", &ir.Type{Kind: ir.Map, Closed: true}),
		required("node", node), required("tree", tree), required("labels", labels), required("tags", tags),
		required("code", code), required("maybe", maybe), required("measured", measured), required("nothing", nothing),
		required("step", orNull(&ir.Type{Kind: ir.Int, Bits: 32, Enum: []string{"-1", "0", "1.0", "1", "1.5"}})),
		required("rate", &ir.Type{Kind: ir.Number, Enum: []string{"0.5", "-0.5", "1e3"}}),
		required("size", &ir.Type{Kind: ir.Integer, Enum: []string{"9007199254740993", "9007199254740992"}}),
		required("agreed", &ir.Type{Kind: ir.Bool, Enum: []string{"true"}}),
		required("mixed", &ir.Type{Enum: []string{`"a"`, "1", "true", `{"b":[2]}`}}),
		required("word", &ir.Type{Enum: []string{`"yes"`, `"no"`}}),
		required("pair", &ir.Type{Kind: ir.Array, Items: integer(32), Enum: []string{"[1,2]", "[2,1]"}}),
	))
	extra := object(required("id", str()))
	extra.Rest = object(required("v", str()))
	loop := &ir.Type{Kind: ir.Array}
	loop.Items = loop

	var ops []*ir.Operation
	body := func(key string, required bool, bodies ...*ir.Body) *ir.Operation {
		op := post(key, "/"+key)
		op.Bodies, op.Required = bodies, required
		ops = append(ops, op)
		return op
	}
	json := func(t *ir.Type) *ir.Body { return &ir.Body{MediaType: "application/json", Type: t} }
	patch := func(t *ir.Type) *ir.Body { return &ir.Body{MediaType: "application/merge-patch+json", Type: t} }
	body("every.create", true, json(every))
	body("body.optional", false, json(node))
	body("body.null", true, json(maybe))
	body("body.same", true, json(object(required("a", str()), may("b", str()))), patch(object(may("b", str()), required("a", str()))))
	body("body.different", true, json(card), patch(bank))
	body("body.mixed", false, json(card), &ir.Body{MediaType: "text/csv", Form: ir.Digest})
	body("body.range", true, &ir.Body{MediaType: "application/*", Type: card})
	body("body.any", true, json(&ir.Type{}))
	body("body.list", true, json(listOf(object(required("a", enum(`"x"`))))))
	body("body.scalar", true, json(integer(64)))
	body("body.extra", true, json(extra))
	body("body.tags", true, json(tags))
	body("body.loop", true, json(loop))
	// One inline schema in two places is one type, called after the first of them.
	shared := object(may("x", enum(`"1"`)))
	body("body.shared", true, json(object(may("right", shared), may("left", shared), may("deep", listOf(shared)))))

	params := post("params.all", "/params/{id}/{n}")
	params.PathParams = []*ir.Parameter{
		{Name: "id", Required: true, Type: str()}, {Name: "n", Required: true, Type: integer(64)},
	}
	params.QueryParams = []*ir.Parameter{
		{Name: "big", Type: &ir.Type{Kind: ir.Integer}}, {Name: "rate", Required: true, Type: &ir.Type{Kind: ir.Number}},
		{Name: "kind", Type: enum(`"a"`, `"b"`)}, {Name: "step", Type: &ir.Type{Kind: ir.Int, Bits: 32, Enum: []string{"1", "2"}}},
		{Name: "tag", Type: tags}, {Name: "ids", Required: true, Type: listOf(integer(32))},
		{Name: "sort", Type: listOf(enum(`"up"`, `"down"`))}, {Name: "filter", Type: object()},
		{Name: "words", Type: words}, {Name: "null", Type: orNull(&ir.Type{Kind: ir.Bool})},
	}
	ops = append(ops, params)
	return &ir.Document{
		File: "forms.yaml", Operations: ops,
		Types: []*ir.Type{bank, card, code, every, labels, maybe, measured, node, nothing, tags, tree, words},
	}
}
