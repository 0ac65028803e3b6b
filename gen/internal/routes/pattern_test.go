package routes

import "testing"

// A pattern takes the routes of the document that it can be meant for, in the spelling of any router.
func TestTakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, route string
		want           bool
	}{
		{"POST /orders", "/orders", true},
		{"POST /orders", "/orders/{id}", false},
		{"GET /orders", "/orders", false},
		{"POST example.com/orders", "/orders", true},
		{"POST /api/v1/orders", "/orders", true},
		{"POST /api/v1/orders", "/v1/orders", true},
		{"POST /reorders", "/orders", false},
		{"POST /orgs/{org}/orders", "/orders", false}, // a base path has no parameters
		{"POST /{id}", "/{order}", true},
		{"POST /things/{id}", "/{order}", false}, // a route of nothing but parameters stands for itself
		{"POST /orders/{id:[0-9]{2,}}/refunds", "/orders/{order}/refunds", true},
		{"POST /orders/:id/refunds", "/orders/{order}/refunds", true},
		{"POST /orders/{id}", "/orders/{id}:cancel", true},
		{"POST /orders/{id}:cancel", "/orders/{order}:cancel", true},
		{"POST /orders/mine", "/orders/{id}", false},
		{"POST /orders/{$}", "/orders", true},
		{"POST /orders/", "/orders", false}, // a subtree
		{"POST /files/{rest...}", "/files/{name}", false},
		{"POST " + unknown + "/orders", "/orders", true},
		{"POST " + unknown + "/refunds", "/orders/{id}/refunds", true},
		{"POST " + unknown + "/{id}", "/orders/{id}/refunds/{n}", false},
		{"POST " + unknown, "/orders", false},
		{unknown + " /orders", "/orders", true}, // it may
		{unknown + " /orders", "/notes", false},
	} {
		if got := httpPattern(tt.pattern).takes(Route{"POST", tt.route}); got != tt.want {
			t.Errorf("%q takes %q: %t", tt.pattern, tt.route, got)
		}
	}
}

// A group's path stands before the pattern's own, and messages have both as they are written.
func TestPrefixed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ prefix, path, want string }{
		{"", "/orders", "/orders"},
		{"/api", "/orders/{id:[0-9]+}", "/api/orders/{id:[0-9]+}"},
		{"/api/", "orders", "/api/orders"},
		{"/api", "", "/api"},
		{"/api", "/", "/api/"},
		{unknown, "/orders", "…/orders"},
		{"/api", unknown + "/orders", "/api/…/orders"},
	} {
		p := pattern{methods: []string{"POST"}}
		p.setPath(tt.path)
		if got := p.prefixed(tt.prefix).String(); got != "POST "+tt.want {
			t.Errorf("%q behind %q is %q", tt.path, tt.prefix, got)
		}
	}
}
