package main

import (
	"bytes"
	"fmt"
)

// synthetic is a document of so many operations, two for each resource: one takes a schema of its own that refers to its
// neighbour's and to a shared one, the other an inline body.
func synthetic(operations int) []byte {
	resources := operations / 2
	var paths, schemas bytes.Buffer
	for i := range resources {
		fmt.Fprintf(&paths, `  /areas/%[1]d/things-%[2]d/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    put:
      summary: Replace thing %[2]d
      x-idempotency-endpoint: area%[1]d.things-%[2]d.replace
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Thing%[2]d"}
      responses:
        "200": {description: replaced}
    post:
      summary: Act upon thing %[2]d
      x-idempotency-endpoint: area%[1]d.things-%[2]d.act
      parameters:
        - {name: notify, in: query, schema: {type: boolean}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [action]
              properties:
                action: {type: string, enum: [open, close, archive]}
                reason: {type: string, description: Why it is done}
                amount: {$ref: "#/components/schemas/Money"}
      responses:
        "200": {description: done}
`, i/50, i)
		fmt.Fprintf(&schemas, `    Thing%d:
      type: object
      required: [name, lines]
      properties:
        name: {type: string, description: What it is called}
        count: {type: integer, format: int64}
        ratio: {type: number}
        price: {$ref: "#/components/schemas/Money"}
        neighbour: {$ref: "#/components/schemas/Thing%d"}
        lines:
          type: array
          items:
            type: object
            properties:
              sku: {type: string}
              quantity: {type: integer, format: int32}
`, i, (i+1)%resources)
	}
	return fmt.Appendf(nil, `openapi: 3.0.3
info: {title: Synthetic, version: "1"}
paths:
%scomponents:
  schemas:
    Money:
      type: object
      required: [amount, currency]
      properties:
        amount: {type: string}
        currency: {type: string, enum: [EUR, SEK, USD]}
%s`, &paths, &schemas)
}
