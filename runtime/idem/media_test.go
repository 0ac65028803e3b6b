package idem

import (
	"net/http"
	"testing"
)

func TestContentTypeMatchesTheDeclaredBodies(t *testing.T) {
	t.Parallel()
	json := Body{"application/json", Document}
	patch := Body{"application/merge-patch+json", Document}
	csv := Body{"text/csv", Digest}
	image := Body{"image/*", Digest}
	png := Body{"image/png", Digest}
	all := Body{"*/*", Digest}
	suffixed := Body{"application/*+json", Document}
	application := Body{"application/*", Digest}
	tests := []struct {
		name     string
		bodies   []Body
		header   http.Header
		declared string
		text     string
		refused  string
	}{
		{"verbatim", []Body{json}, ct("application/json"), "application/json", "application/json", ""},
		{"letter case", []Body{json}, ct("Application/JSON"), "application/json", "application/json", ""},
		{"charset utf-8", []Body{json}, ct(`application/json; charset="UTF-8"`), "application/json", "application/json", ""},
		{"charset utf8", []Body{json}, ct("application/json;charset=utf8"), "application/json", "application/json", ""},
		{"other parameters", []Body{json}, ct("application/json; profile=x"), "application/json", "application/json", ""},
		{"one of several", []Body{json, patch}, ct("application/merge-patch+json"), "application/merge-patch+json", "application/merge-patch+json", ""},
		{"a range keeps the request's own", []Body{json, image}, ct("Image/GIF"), "image/*", "image/gif", ""},
		{"the most specific first", []Body{all, image, png}, ct("image/png"), "image/png", "image/png", ""},
		{"then the narrower range", []Body{all, image, png}, ct("image/gif"), "image/*", "image/gif", ""},
		{"a range of a suffix", []Body{json, {"application/*+json", Document}}, ct("application/vnd.a.b+json; charset=UTF-8"), "application/*+json", "application/vnd.a.b+json", ""},
		{"which is narrower than one of all", []Body{{"application/*", Digest}, {"application/*+json", Document}}, ct("application/x+json"), "application/*+json", "application/x+json", ""},
		{"and has something in it", []Body{{"application/*+json", Document}}, ct("application/+json"), "", "", "the operation does not take this content type"},
		{"then the rest", []Body{all, image, png}, ct("text/plain"), "*/*", "text/plain", ""},
		{"a range of a suffix", []Body{json, suffixed}, ct("application/vnd.acme+json; v=1"), "application/*+json", "application/vnd.acme+json", ""},
		{"it is the narrower one", []Body{all, application, suffixed}, ct("application/vnd.acme+json"), "application/*+json", "application/vnd.acme+json", ""},
		{"another charset is another body", []Body{csv}, ct("text/csv; charset=ISO-8859-1"), "text/csv", "text/csv; charset=iso-8859-1", ""},
		{"its utf-8 spelling is not", []Body{csv}, ct("text/csv; charset=UTF-8"), "text/csv", "text/csv", ""},
		{"none: the only declared one", []Body{json}, http.Header{}, "application/json", "application/json", ""},
		{"blank: the only declared one", []Body{json}, ct(" "), "application/json", "application/json", ""},
		{"none and everything is declared", []Body{all}, http.Header{}, "*/*", "application/octet-stream", ""},
		{"identity is no coding", []Body{json}, http.Header{"Content-Encoding": {"identity, Identity"}}, "application/json", "application/json", ""},

		{"none of several", []Body{json, csv}, http.Header{}, "", "", "content type is required: the operation takes several"},
		{"none and a range", []Body{image}, http.Header{}, "", "", "content type is required: the operation takes image/*"},
		{"none and a range of a suffix", []Body{suffixed}, http.Header{}, "", "", "content type is required: the operation takes application/*+json"},
		{"outside a range of a suffix", []Body{suffixed}, ct("text/x+json"), "", "", "the operation does not take this content type"},
		{"another suffix", []Body{suffixed}, ct("application/x+xml"), "", "", "the operation does not take this content type"},
		{"undeclared", []Body{json}, ct("text/plain"), "", "", "the operation does not take this content type"},
		{"no body declared", nil, ct("application/json"), "", "", "the operation takes no body"},
		{"JSON in another charset", []Body{json}, ct("application/json; charset=utf-16"), "", "", "charset must be utf-8"},
		{"encoded", []Body{json}, http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, "", "", "the body must not have a content encoding"},
		{"encoded in a list", []Body{json}, http.Header{"Content-Encoding": {"identity", "identity,br"}}, "", "", "the body must not have a content encoding"},
		{"sent twice", []Body{json}, http.Header{"Content-Type": {"application/json", "application/json"}}, "", "", "content type must be sent once"},
		{"malformed", []Body{json}, ct("application/json; charset"), "", "", "content type is malformed"},
		{"not a type", []Body{all}, ct("json"), "", "", "content type is malformed"},
		{"a range of a suffix is no type", []Body{suffixed}, ct("application/*+json"), "", "", "content type is malformed"},
		{"a range is no type", []Body{image}, ct("image/*"), "", "", "content type is malformed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, problem := matchMedia(&Operation{Bodies: tt.bodies}, tt.header)
			if tt.refused != "" {
				if problem == nil || *problem != *unsupportedMedia(tt.refused) {
					t.Fatalf("got %+v, %+v, want 415 %s", m, problem, tt.refused)
				}
				return
			}
			if problem != nil || m.declared != tt.declared || m.text != tt.text {
				t.Fatalf("got %+v, %v, want %s as %s", m, problem, tt.declared, tt.text)
			}
		})
	}
}

func ct(contentType string) http.Header { return http.Header{"Content-Type": {contentType}} }
