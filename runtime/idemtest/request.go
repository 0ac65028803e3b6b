package idemtest

import (
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/runtime/canon"
)

// Request is one HTTP request without its idempotency key.
type Request struct {
	Method string
	Path   string // escaped, with the parameters' values: "/submissions/s1/claims"
	Query  string // encoded, without the question mark
	// ContentType is empty where there is no body. For a form in parts it has no boundary.
	ContentType string
	Header      []string // "Name: value"
	Body        string

	// Form and Files are the body of a form in place of Body: encoded pairs of names and what they hold. Files are
	// parts of a multipart body with a file name.
	Form, Files string

	reversed bool // the form's names the other way round
}

// isForm is true of a request whose body is in Form and Files. An empty form has no body either way.
func (r Request) isForm() bool { return r.Form != "" || r.Files != "" }

// like says whether two requests differ in their spelling at most.
func (r Request) like(other Request) bool {
	r, a := r.plain()
	other, b := other.plain()
	return reflect.DeepEqual(r, other) && reflect.DeepEqual(a, b)
}

// plain is the request without what can be spelt in several ways, and that.
func (r Request) plain() (rest Request, spelt []any) {
	for _, encoded := range []*string{&r.Query, &r.Form, &r.Files} {
		if values, err := url.ParseQuery(*encoded); err == nil {
			spelt, *encoded = append(spelt, values), ""
		}
	}
	header := http.Header{}
	for _, line := range r.Header {
		name, value, _ := strings.Cut(line, ":")
		header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	r.Header = nil
	if body, err := canon.Append(nil, []byte(r.Body), nil); err == nil {
		r.Body = string(body)
	}
	return r, append(spelt, header)
}

// HTTP is the request as it is sent to base, such as "http://127.0.0.1:8080".
func (r Request) HTTP(base string) (*http.Request, error) {
	target := base + r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	contentType, body, err := r.encode()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(r.Method, target, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, line := range r.Header {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Add(name, value)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	return req, nil
}

// encode returns the body, and its content type.
func (r Request) encode() (contentType, body string, err error) {
	multiparts := strings.HasPrefix(r.ContentType, "multipart/")
	if !r.isForm() && !(multiparts && r.Body == "") {
		return r.ContentType, r.Body, nil
	}
	fields, err := pairs(r.Form, r.reversed)
	if err != nil {
		return "", "", fmt.Errorf("form: %w", err)
	}
	if !multiparts {
		return r.ContentType, strings.Join(fields, "&"), nil
	}
	files, err := pairs(r.Files, r.reversed)
	if err != nil {
		return "", "", fmt.Errorf("files: %w", err)
	}
	var b strings.Builder
	w := multipart.NewWriter(&b)
	boundary := "idemtest-one"
	if r.reversed {
		boundary = "idemtest-two"
	}
	if err := w.SetBoundary(boundary); err != nil {
		return "", "", err
	}
	if err := writeParts(w, fields, files); err != nil {
		return "", "", err
	}
	return r.ContentType + "; boundary=" + boundary, b.String(), nil
}

// pairs are the pairs of an encoded form. Reversed are those of different names; those of one name keep their order.
func pairs(encoded string, reversed bool) ([]string, error) {
	if encoded == "" {
		return nil, nil
	}
	all := strings.Split(encoded, "&")
	if _, err := url.ParseQuery(encoded); err != nil {
		return nil, err
	}
	if !reversed {
		return all, nil
	}
	var names []string
	byName := map[string][]string{}
	for _, pair := range all {
		name, _, _ := strings.Cut(pair, "=")
		if _, known := byName[name]; !known {
			names = append(names, name)
		}
		byName[name] = append(byName[name], pair)
	}
	all = all[:0]
	for _, name := range slices.Backward(names) {
		all = append(all, byName[name]...)
	}
	return all, nil
}

func writeParts(w *multipart.Writer, fields, files []string) error {
	for _, list := range []struct {
		pairs []string
		file  bool
	}{{fields, false}, {files, true}} {
		for _, pair := range list.pairs {
			name, data, err := decoded(pair)
			if err != nil {
				return err
			}
			// RFC 7578, section 5.1, has names as they are, in UTF-8.
			header := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + quoted.Replace(name) + `"`}}
			if list.file {
				header["Content-Disposition"][0] += `; filename="sample"`
				header.Set("Content-Type", "application/octet-stream")
			}
			part, err := w.CreatePart(header)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(part, data); err != nil {
				return err
			}
		}
	}
	return w.Close()
}

func decoded(pair string) (name, data string, err error) {
	escaped, escapedData, _ := strings.Cut(pair, "=")
	if name, err = url.QueryUnescape(escaped); err != nil {
		return "", "", err
	}
	data, err = url.QueryUnescape(escapedData)
	return name, data, err
}

var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "%0D", "\n", "%0A")
