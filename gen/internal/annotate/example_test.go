package annotate_test

import (
	"fmt"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/annotate"
)

// What is exempt needs nothing beside its reason, so that this document is annotated without shared components.
func ExampleRun() {
	fsys := fstest.MapFS{"openapi.json": {Data: []byte(`{
  "openapi": "3.1.0",
  "info": {"title": "Orders", "version": "1"},
  "paths": {
    "/orders/preview": {
      "post": {"responses": {"200": {"description": "shown"}}}
    }
  }
}
`)}}
	out, err := annotate.Run(fsys, annotate.Config{
		Spec:     "openapi.json",
		Style:    annotate.FromPath,
		Exempt:   []string{"POST:/orders/preview=a preview changes nothing"},
		Names:    func(key string) []string { return []string{key} },
		Template: func(string) (what, remedy string) { return "", "" },
	})
	if err != nil || len(out.Refused) > 0 {
		fmt.Println(err, out.Refused)
		return
	}
	fmt.Printf("%s", out.Files[0].New)
	// Output:
	// {
	//   "openapi": "3.1.0",
	//   "info": {"title": "Orders", "version": "1"},
	//   "paths": {
	//     "/orders/preview": {
	//       "post": {"x-idempotency-exempt": "a preview changes nothing", "responses": {"200": {"description": "shown"}}}
	//     }
	//   }
	// }
}
