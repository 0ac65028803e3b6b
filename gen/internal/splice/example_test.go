package splice_test

import (
	"fmt"

	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

func ExampleText_Apply() {
	text, problems := splice.Open("orders.yaml", []byte("post: # places an order\n  responses:\n  - 'x'\n"))
	fmt.Println(problems)
	out, problem := text.Apply([]splice.Edit{
		{At: ir.Pos{Line: 2, Col: 3}, Key: "summary", Value: "Place an order"},
		{At: ir.Pos{Line: 3, Col: 3}, Value: splice.Map{{Key: "$ref", Value: "#/y"}}},
	})
	fmt.Printf("%s%v\n", out, problem)
	// Output:
	// []
	// post: # places an order
	//   summary: Place an order
	//   responses:
	//   - 'x'
	//   - $ref: '#/y'
	// <nil>
}
