package sample_test

import (
	"fmt"

	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/sample"
)

func ExampleCases() {
	body := &ir.Type{Kind: ir.Object, Fields: []*ir.Field{
		{Name: "sku", Required: true, Type: &ir.Type{Kind: ir.String}},
		{Name: "sentAt", Ignore: true, Type: &ir.Type{Kind: ir.String}},
	}}
	cases, problems := sample.Cases(&ir.Document{Operations: []*ir.Operation{{
		Endpoint: "orders.create",
		Route:    ir.Route{Method: "POST", Path: "/orders"},
		Bodies:   []*ir.Body{{MediaType: "application/json", Type: body}},
	}}})
	fmt.Println(problems)
	for _, c := range cases {
		fmt.Println(c.Request.Method, c.Request.Path, c.Request.Body)
		for _, change := range c.Changed {
			fmt.Println("another:", change.Name)
		}
		for _, change := range c.Same {
			fmt.Println("the same:", change.Name)
		}
	}
	// Output:
	// []
	// POST /orders {"sentAt":"one","sku":"one"}
	// another: body.sku
	// another: body with another member
	// another: body left out
	// the same: body.sentAt
	// the same: body.sentAt left out
}
