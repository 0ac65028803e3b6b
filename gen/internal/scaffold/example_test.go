package scaffold_test

import (
	"fmt"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/scaffold"
)

func ExampleFiles() {
	files, err := scaffold.Files("orderidem", "example.com/app/orderidem", &ir.Document{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range files {
		first, _, _ := strings.Cut(string(f.Data), "\n")
		fmt.Printf("%s: %s\n", f.Name, first)
	}
	// Output:
	// idempotency_test.go: package orderidem_test
}
