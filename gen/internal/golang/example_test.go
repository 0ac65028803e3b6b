package golang_test

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/golang"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

func ExampleNewPlan() {
	doc := &ir.Document{Operations: []*ir.Operation{{
		Route:    ir.Route{Method: "POST", Path: "/claims"},
		Endpoint: "claims.create",
		Summary:  "Open a claim",
		Required: true,
		Bodies: []*ir.Body{{MediaType: "application/json", Type: &ir.Type{Kind: ir.Object, Fields: []*ir.Field{
			{Name: "amount", Required: true, Type: &ir.Type{Kind: ir.Number}},
			{Name: "sent-at", Ignore: true, Type: &ir.Type{Kind: ir.String}},
		}}}},
	}}}
	plan, problems := golang.NewPlan(doc)
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}
	files, err := plan.Files("ledgeridem", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range files {
		if f.Name == "payloads.gen.go" {
			data, _ := format.Source(f.Data)
			_, types, _ := strings.Cut(string(data), "\n)\n")
			fmt.Println(strings.TrimSpace(types))
		}
	}
	// Output:
	// // ClaimsCreatePayload is everything that makes two requests of claims.create the same.
	// type ClaimsCreatePayload struct {
	// 	Query idem.Query       `json:"query,omitzero"`
	// 	Body  ClaimsCreateBody `json:"body"`
	// }
	//
	// // ClaimsCreateBody is the body of claims.create.
	// type ClaimsCreateBody struct {
	// 	Amount canon.Number           `json:"amount"`
	// 	SentAt canon.Optional[string] `json:"sent-at,omitzero"` // not part of the identity
	// 	Extra  canon.Extra            `json:"-"`
	// }
	//
	// func (v ClaimsCreateBody) MarshalJSON() ([]byte, error)     { return canon.Marshal(v) }
	// func (v *ClaimsCreateBody) UnmarshalJSON(data []byte) error { return canon.Unmarshal(data, v) }
}
