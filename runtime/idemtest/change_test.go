package idemtest

import (
	"reflect"
	"testing"
)

func TestChanges(t *testing.T) {
	t.Parallel()
	base := Request{
		Method: "POST", Path: "/orders/1", Query: "a=1&b=2&a=3", ContentType: "application/json",
		Header: []string{"X-Source: web", "X-Other: 1"},
		Body:   `{"a/b":{"~c":[1.50,"<é>"]},"tags":["x","y",9007199254740993]}`,
	}
	with := func(change func(*Request)) Request {
		r := base
		change(&r)
		return r
	}
	body := func(s string) Request { return with(func(r *Request) { r.Body = s }) }
	for _, tt := range []struct {
		change Change
		want   Request
	}{
		{Change{Path: "/orders/2"}, with(func(r *Request) { r.Path = "/orders/2" })},
		{Change{Query: "a=4&c=5"}, with(func(r *Request) { r.Query = "b=2&a=4&c=5" })},
		{Change{NoQuery: "a"}, with(func(r *Request) { r.Query = "b=2" })},
		{Change{NoHeader: "x-source"}, with(func(r *Request) { r.Header = []string{"X-Other: 1"} })},
		{Change{ContentType: "multipart/form-data", Form: "a=1", Files: "b=2"}, with(func(r *Request) {
			r.ContentType, r.Body, r.Form, r.Files = "multipart/form-data", "", "a=1", "b=2"
		})},
		{Change{Query: "%62=x"}, with(func(r *Request) { r.Query = "a=1&a=3&%62=x" })},
		{Change{Header: []string{"x-source: app"}}, with(func(r *Request) { r.Header = []string{"X-Other: 1", "x-source: app"} })},
		{Change{ContentType: "image/png", Body: "one"}, with(func(r *Request) { r.ContentType, r.Body = "image/png", "one" })},
		{Change{NoBody: true}, with(func(r *Request) { r.ContentType, r.Body = "", "" })},
		{Change{At: "/a~1b/~0c/0", Value: "1.5"}, body(`{"a/b":{"~c":[1.5,"<é>"]},"tags":["x","y",9007199254740993]}`)},
		{Change{At: "/tags", Reversed: true}, body(`{"a/b":{"~c":[1.50,"<é>"]},"tags":[9007199254740993,"y","x"]}`)},
		{Change{At: "/new", Value: "1"}, body(`{"a/b":{"~c":[1.50,"<é>"]},"new":1,"tags":["x","y",9007199254740993]}`)},
		{Change{At: "/tags"}, body(`{"a/b":{"~c":[1.50,"<é>"]}}`)},
		{Change{At: "/tags/1"}, body(`{"a/b":{"~c":[1.50,"<é>"]},"tags":["x",9007199254740993]}`)},
		{Change{At: "/tags", Value: "null"}, body(`{"a/b":{"~c":[1.50,"<é>"]},"tags":null}`)},
	} {
		before := base
		got, err := tt.change.apply(base)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%+v:\n got %+v, %v\nwant %+v", tt.change, got, err, tt.want)
		}
		if !reflect.DeepEqual(base, before) || base.Header[0] != "X-Source: web" {
			t.Fatalf("%+v changed the case's request", tt.change)
		}
	}
	if got, err := (Change{Reversed: true}).apply(Request{Body: "[1,2]"}); err != nil || got.Body != "[2,1]" {
		t.Errorf("the whole body reversed: %v, %v", got.Body, err)
	}
}

// Of a form, fields are replaced and left out by their names; another type has fields of its own.
func TestChangesOfForms(t *testing.T) {
	t.Parallel()
	base := Request{ContentType: "multipart/form-data", Form: "a=1&b%5Bc%5D=2&a=3", Files: "f=x&g=y"}
	for _, tt := range []struct {
		change                   Change
		contentType, form, files string
	}{
		{Change{Form: "a=4"}, base.ContentType, "b%5Bc%5D=2&a=4", base.Files},
		{Change{NoForm: "b[c]"}, base.ContentType, "a=1&a=3", base.Files},
		{Change{NoForm: "f"}, base.ContentType, base.Form, "g=y"},
		{Change{ContentType: "application/x-www-form-urlencoded", Form: "d=1"}, "application/x-www-form-urlencoded", "d=1", ""},
	} {
		got, err := tt.change.apply(base)
		if want := (Request{ContentType: tt.contentType, Form: tt.form, Files: tt.files}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v:\n got %+v, %v\nwant %+v", tt.change, got, err, want)
		}
	}
}

func TestChangesThatCannotBeMade(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		change Change
		want   string
	}{
		{Change{At: "/b"}, "change c: the request does not have /b in its body: generate again, or correct the change"},
		{Change{At: "/b/c", Value: "1"}, "change c: the request does not have /b/c in its body: generate again, or correct the change"},
		{Change{At: "/a/2", Value: "1"}, "change c: the request does not have /a/2 in its body: generate again, or correct the change"},
		{Change{At: "/a/0/x", Value: "1"}, "change c: the request does not have /a/0/x in its body: generate again, or correct the change"},
		{Change{NoQuery: "z"}, "change c: the request does not have the parameter z: generate again, or correct the change"},
		{Change{NoHeader: "X-Z"}, "change c: the request does not have the header X-Z: generate again, or correct the change"},
		{Change{NoForm: "z"}, "change c: the request does not have the field z: generate again, or correct the change"},
		{Change{At: "a", Value: "1"}, `change c: the JSON pointer "a" does not begin with a slash: generate again, or correct the change`},
		{Change{At: "/a", Value: "x"}, `change c: the value "x" is not JSON: generate again, or correct the change`},
		{Change{At: "/a/0", Reversed: true}, "change c: no array to reverse: json: cannot unmarshal number into Go value of type []json.RawMessage: generate again, or correct the change"},
	} {
		tt.change.Name = "c"
		if _, err := tt.change.apply(Request{Body: `{"a":[1]}`}); err == nil || err.Error() != tt.want {
			t.Errorf("%+v:\n got %v\nwant %s", tt.change, err, tt.want)
		}
	}
}
