package ir_test

import (
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

func TestShapes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"/a/{x}", "/a/{y}", true},
		{"/a/é", "/a/%C3%A9", true},
		{"/a/{x}:go", "/a/{y}:go", true},
		{"/a/{x}", "/a/{x}/", false},
		{"/a/{x}:go", "/a/{x}:stop", false},
		{"/a%2Fb", "/a/b", false},
		{"/a/{x}-{y}", "/a/{x}", false},
	} {
		a, b := ir.Route{Method: "POST", Path: tt.a}, ir.Route{Method: "POST", Path: tt.b}
		if same := a.Shape() == b.Shape(); same != tt.same {
			t.Errorf("%s and %s: same shape %t", tt.a, tt.b, same)
		}
		if a.Shape() == (ir.Route{Method: "PUT", Path: tt.a}).Shape() {
			t.Errorf("%s: the method makes no difference", tt.a)
		}
	}
}

func TestClashes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b    string
		clashes bool
	}{
		{"{a}-{b}", "{a}.{b}", true},
		{"{a}:{b}", "{a}.json", true},
		{"x{a}", "{a}y", true},
		{"{a}:go", "{a}:stop", false},       // no request matches both
		{"{a}-{b}:go", "{a}:go", false},     // the first is a special case
		{"users({a})", "users({a})", false}, // one segment
		{"users({a})", "users(n={a})", false},
		{"{a}", "{a}.json", false},
		{"a", "{a}.json", false},
		{"{a}-{b}-{c}", "{a}-{b}", false},
		{"x{a}y{b}z", "x{a}z", false},
	} {
		a, b := ir.Segments("/" + tt.a)[0], ir.Segments("/" + tt.b)[0]
		if a.Clashes(b) != tt.clashes || b.Clashes(a) != tt.clashes {
			t.Errorf("%s and %s: clashes %t, %t; want %t", tt.a, tt.b, a.Clashes(b), b.Clashes(a), tt.clashes)
		}
	}
}
