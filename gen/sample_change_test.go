package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/sample"
)

// changed is a request with a change made, as the runtime's idemtest makes it: that is in another module.
func changed(r sample.Request, ch sample.Change) (sample.Request, error) {
	if ch.Path != "" {
		r.Path = ch.Path
	}
	r.Query = replaced(r.Query, ch.Query, ch.NoQuery)
	if len(ch.Header) > 0 || ch.NoHeader != "" {
		kept := slices.DeleteFunc(slices.Clone(r.Header), func(line string) bool {
			named := func(h string) bool { return strings.EqualFold(nameOf(h), nameOf(line)) }
			return slices.ContainsFunc(ch.Header, named) || named(ch.NoHeader)
		})
		r.Header = append(kept, ch.Header...)
	}
	if ch.ContentType != "" {
		r.ContentType = ch.ContentType
		if ch.Form != "" || ch.Files != "" {
			r.Body, r.Form, r.Files = "", "", ""
		}
	}
	if ch.Body != "" || ch.NoBody {
		r.Body, r.Form, r.Files = ch.Body, "", ""
	}
	if ch.NoBody {
		r.ContentType = ""
	}
	r.Form, r.Files = replaced(r.Form, ch.Form, ch.NoForm), replaced(r.Files, ch.Files, ch.NoForm)
	if ch.At == "" && !ch.Reversed || r.Body == "" {
		return r, nil
	}
	body, err := edited(json.RawMessage(r.Body), ch.At, ch)
	r.Body = string(body)
	return r, err
}

func nameOf(headerLine string) string {
	name, _, _ := strings.Cut(headerLine, ":")
	return name
}

// replaced are encoded pairs with those of other in place of those of their names, and without those of the name out.
func replaced(pairs, other, out string) string {
	name := func(pair string) string {
		escaped, _, _ := strings.Cut(pair, "=")
		text, _ := url.QueryUnescape(escaped)
		return text
	}
	all := strings.FieldsFunc(pairs, func(c rune) bool { return c == '&' })
	more := strings.FieldsFunc(other, func(c rune) bool { return c == '&' })
	kept := slices.DeleteFunc(all, func(pair string) bool {
		return out != "" && name(pair) == out || slices.ContainsFunc(more, func(m string) bool { return name(m) == name(pair) })
	})
	return strings.Join(append(kept, more...), "&")
}

// edited is a value with a change made at the place that a JSON pointer leads to; nil: left out.
func edited(v json.RawMessage, pointer string, ch sample.Change) (json.RawMessage, error) {
	if pointer == "" {
		return became(v, ch)
	}
	name, rest, deeper := strings.Cut(pointer[1:], "/")
	if deeper {
		rest = "/" + rest
	}
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	if bytes.HasPrefix(bytes.TrimSpace(v), []byte("[")) {
		var items []json.RawMessage
		if err := json.Unmarshal(v, &items); err != nil {
			return nil, err
		}
		i, err := strconv.Atoi(name)
		if err != nil || i >= len(items) {
			return nil, fmt.Errorf("no item %s", name)
		}
		if items[i], err = edited(items[i], rest, ch); items[i] == nil {
			items = slices.Delete(items, i, i+1)
		}
		out, _ := json.Marshal(items)
		return out, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(v, &members); err != nil {
		return nil, err
	}
	old, known := members[name]
	if !known && (rest != "" || ch.Value == "") {
		return nil, fmt.Errorf("no member %s", name)
	}
	value, err := edited(old, rest, ch)
	if members[name] = value; value == nil {
		delete(members, name)
	}
	out, _ := json.Marshal(members)
	return out, err
}

// became is what a value is changed to.
func became(v json.RawMessage, ch sample.Change) (json.RawMessage, error) {
	if !ch.Reversed {
		if ch.Value == "" {
			return nil, nil
		}
		return json.RawMessage(ch.Value), nil
	}
	var items []json.RawMessage
	err := json.Unmarshal(v, &items)
	slices.Reverse(items)
	out, _ := json.Marshal(items)
	return out, err
}
