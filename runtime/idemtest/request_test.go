package idemtest

import (
	"io"
	"strings"
	"testing"
)

func TestAFormIsSentAsItsTypeIs(t *testing.T) {
	t.Parallel()
	form := Request{Method: "POST", Path: "/x", ContentType: "application/x-www-form-urlencoded", Form: "b=2&a=1&b=3"}
	parts := Request{Method: "POST", Path: "/x", ContentType: "multipart/form-data", Form: "b=2&a%5B%5D=x+y&b=3", Files: "f=one&g=%22"}
	for _, c := range []struct {
		name   string
		r      Request
		change Change
		want   string // of the body of a form, and of the parts in order
	}{
		{"fields", form, Change{}, "b=2&a=1&b=3"},
		{"one changed", form, Change{Form: "a=2"}, "b=2&b=3&a=2"},
		{"in another order", form, Change{Reversed: true}, "a=1&b=2&b=3"},
		{"a body in its place", form, Change{ContentType: "text/plain", Body: "x"}, "x"},
		{"left out", form, Change{NoBody: true}, ""},
		{"parts", parts, Change{}, `b 2|a[] x y|b 3|f sample one|g sample "`},
		{"parts in another order", parts, Change{Reversed: true}, `a[] x y|b 2|b 3|g sample "|f sample one`},
		{"another file", parts, Change{Files: "f=two"}, `b 2|a[] x y|b 3|g sample "|f sample two`},
		{"parts in place of a body", Request{Method: "POST", Path: "/x", ContentType: "text/plain", Body: "x"}, Change{ContentType: "multipart/form-data", Files: "f=one"}, "f sample one"},
		{"a multipart body as it is", Request{Method: "POST", Path: "/x", ContentType: "multipart/form-data; boundary=b", Body: "--b--\r\n"}, Change{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := c.change.apply(c.r)
			if err != nil {
				t.Fatal(err)
			}
			req, err := r.HTTP("http://test")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			if reader, err := req.MultipartReader(); err == nil {
				for part, err := reader.NextPart(); err == nil; part, err = reader.NextPart() {
					data, _ := io.ReadAll(part)
					got = append(got, strings.Join(strings.Fields(part.FormName()+" "+part.FileName()+" "+string(data)), " "))
				}
			} else {
				data, _ := io.ReadAll(req.Body)
				got = append(got, string(data))
			}
			if text := strings.Join(got, "|"); text != c.want {
				t.Errorf("got %s, want %s", text, c.want)
			}
		})
	}
	if _, err := (Request{Method: "POST", ContentType: "multipart/form-data", Form: "%zz"}).HTTP("http://test"); err == nil {
		t.Error("a malformed form is sent")
	}
}
