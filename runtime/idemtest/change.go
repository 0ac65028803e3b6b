package idemtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Change is a request that differs from a case's in one way: what a field says takes the place of what
// is there, and the rest stays.
//
//	{Name: "body.amount", At: "/amount", Value: "2"}
//	{Name: "query.notify", Query: "notify=false"}
//	{Name: "body.tags in another order", At: "/tags", Reversed: true}
type Change struct {
	Name string // what differs: "body.amount"

	Path        string   // the whole path, escaped
	Query       string   // encoded; the values of the parameters that it names
	Header      []string // "Name: value"; the values of the headers that it names
	ContentType string   // with Form or Files, these are the whole of the form
	Body        string   // the whole body, in place of a form as well
	NoBody      bool     // neither a body nor a content type
	Form        string   // encoded; the values of the fields that it names
	Files       string   // encoded; the files of the parts that it names

	// NoQuery, NoHeader and NoForm name a parameter of the query, a header, and a field or file of a form that are not sent.
	NoQuery, NoHeader, NoForm string

	// At is a JSON pointer (RFC 6901) to a value of the body: "/lines/0/sku". Value, which is JSON, takes
	// its place, or is added as a member; where Value is empty, the member or item is left out.
	At, Value string
	// Reversed has the items of the array at At, or of the body itself, the other way round. A form has the fields of
	// different names the other way round, and another boundary.
	Reversed bool
}

// apply is r with the change made.
func (ch Change) apply(r Request) (Request, error) {
	if err := ch.missing(r); err != nil {
		return Request{}, ch.failed(err)
	}
	if ch.Path != "" {
		r.Path = ch.Path
	}
	r.Query = replace(r.Query, ch.Query, ch.NoQuery)
	if len(ch.Header) > 0 || ch.NoHeader != "" {
		named := func(line string) bool {
			is := func(h string) bool { return strings.EqualFold(headerName(h), headerName(line)) }
			return slices.ContainsFunc(ch.Header, is) || is(ch.NoHeader)
		}
		r.Header = append(slices.DeleteFunc(slices.Clone(r.Header), named), ch.Header...)
	}
	if ch.ContentType != "" {
		r.ContentType = ch.ContentType
		if ch.Form != "" || ch.Files != "" { // another form
			r.Body, r.Form, r.Files = "", "", ""
		}
	}
	if ch.Body != "" {
		r.Body = ch.Body
	}
	if ch.NoBody || ch.Body != "" {
		r.Form, r.Files = "", ""
	}
	if ch.NoBody {
		r.Body, r.ContentType = "", ""
	}
	r.Form, r.Files = replace(r.Form, ch.Form, ch.NoForm), replace(r.Files, ch.Files, ch.NoForm)
	switch {
	case ch.Reversed && r.isForm():
		r.reversed = true
	case ch.At != "" || ch.Reversed:
		body, err := ch.edit(json.RawMessage(r.Body), ch.At)
		if err != nil {
			return Request{}, ch.failed(err)
		}
		r.Body = string(body)
	}
	return r, nil
}

func (ch Change) failed(err error) error {
	return fmt.Errorf("change %s: %w: generate again, or correct the change", ch.Name, err)
}

func headerName(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.TrimSpace(name)
}

// replace is query with the values of the parameters that with names, and without the parameter that is called without.
func replace(query, with, without string) string {
	name := func(pair string) string {
		text, _, _ := strings.Cut(pair, "=")
		if decoded, err := url.QueryUnescape(text); err == nil {
			return decoded
		}
		return text
	}
	var pairs, kept []string
	if with != "" {
		pairs = strings.Split(with, "&")
	}
	for _, old := range strings.Split(query, "&") {
		gone := without != "" && name(old) == without
		if old != "" && !gone && !slices.ContainsFunc(pairs, func(p string) bool { return name(p) == name(old) }) {
			kept = append(kept, old)
		}
	}
	return strings.Join(append(kept, pairs...), "&")
}

// edit is value with the change made at the place that pointer leads to. A nil result is left out. Objects
// come out with their members sorted, and nothing else about them changes.
func (ch Change) edit(value json.RawMessage, pointer string) (json.RawMessage, error) {
	if pointer == "" {
		return ch.become(value)
	}
	if pointer[0] != '/' {
		return nil, fmt.Errorf("the JSON pointer %q does not begin with a slash", ch.At)
	}
	part, rest := pointer[1:], ""
	if i := strings.IndexByte(part, '/'); i >= 0 {
		part, rest = part[:i], part[i:]
	}
	part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
	switch value = bytes.TrimSpace(value); {
	case bytes.HasPrefix(value, []byte("{")):
		return ch.editObject(value, part, rest)
	case bytes.HasPrefix(value, []byte("[")):
		return ch.editArray(value, part, rest)
	}
	return nil, ch.nowhere()
}

// errNowhere is the error of a change that a request has no place for.
var errNowhere = errors.New("the request does not have")

func (ch Change) nowhere() error { return fmt.Errorf("%w %s in its body", errNowhere, ch.At) }

// missing is the error of a change that leaves out what a request does not have; nil: it has it.
func (ch Change) missing(r Request) error {
	for _, out := range []struct {
		name, what string
		has        bool
	}{
		{ch.NoQuery, "parameter", replace(r.Query, "", ch.NoQuery) != r.Query},
		{ch.NoHeader, "header", slices.ContainsFunc(r.Header, func(line string) bool { return strings.EqualFold(headerName(line), ch.NoHeader) })},
		{ch.NoForm, "field", replace(r.Form, "", ch.NoForm) != r.Form || replace(r.Files, "", ch.NoForm) != r.Files},
	} {
		if out.name != "" && !out.has {
			return fmt.Errorf("%w the %s %s", errNowhere, out.what, out.name)
		}
	}
	return nil
}

func (ch Change) editObject(object json.RawMessage, name, rest string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil {
		return nil, err
	}
	old, ok := members[name]
	if !ok && (rest != "" || ch.Value == "") {
		return nil, ch.nowhere()
	}
	value, err := ch.edit(old, rest)
	if err != nil {
		return nil, err
	}
	if members[name] = value; value == nil {
		delete(members, name)
	}
	return compact(members)
}

func (ch Change) editArray(array json.RawMessage, index, rest string) (json.RawMessage, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(array, &items); err != nil {
		return nil, err
	}
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(items) {
		return nil, ch.nowhere()
	}
	value, err := ch.edit(items[i], rest)
	if err != nil {
		return nil, err
	}
	if items[i] = value; value == nil {
		items = slices.Delete(items, i, i+1)
	}
	return compact(items)
}

// become is what a value is changed to.
func (ch Change) become(value json.RawMessage) (json.RawMessage, error) {
	switch {
	case ch.Reversed:
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return nil, fmt.Errorf("no array to reverse: %w", err)
		}
		slices.Reverse(items)
		return compact(items)
	case ch.Value == "":
		return nil, nil
	case !json.Valid([]byte(ch.Value)):
		return nil, fmt.Errorf("the value %q is not JSON", ch.Value)
	}
	return json.RawMessage(ch.Value), nil
}

// compact writes parts of JSON together, each as it is spelt.
func compact(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
