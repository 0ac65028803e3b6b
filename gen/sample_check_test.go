package gen

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/sample"
)

// validRequest validates a request part by part: path, query, declared headers, and a body of JSON or a form.
func validRequest(op *openapi3.Operation, item *openapi3.PathItem, template string, r sample.Request) error {
	query, err := url.ParseQuery(r.Query)
	if err != nil {
		return err
	}
	header := url.Values{}
	for _, line := range r.Header {
		header.Add(strings.ToLower(nameOf(line)), strings.TrimPrefix(line, nameOf(line)+": "))
	}
	path := pathValuesOf(template, r.Path)
	for _, ref := range append(slices.Clone(op.Parameters), item.Parameters...) {
		p := ref.Value
		if p.Schema == nil || p.Schema.Value == nil || p.Style != "" && p.Style != "form" && p.Style != "simple" {
			continue
		}
		texts := map[string][]string{"path": path[p.Name], "query": query[p.Name], "header": header[strings.ToLower(p.Name)]}[p.In]
		object := p.Schema.Value.Type.Is("object") || len(p.Schema.Value.Properties) > 0
		switch {
		case object && p.In != "path":
			continue // its members have parameters of their own
		case len(texts) == 0 && p.Required && (p.In == "path" && path != nil || p.In == "query"):
			return fmt.Errorf("required: the %s parameter %s is missing", p.In, p.Name)
		case len(texts) == 0:
			continue
		case p.In != "query" || p.Explode != nil && !*p.Explode:
			texts = strings.Split(texts[0], ",")
			if !p.Schema.Value.Type.Is("array") {
				texts = []string{strings.Join(texts, ",")}
			}
		}
		if err := visit(p.Schema.Value, typed(p.Schema.Value, &field{texts: texts})); err != nil {
			return fmt.Errorf("%s parameter %s: %w", p.In, p.Name, err)
		}
	}
	if op.RequestBody == nil || op.RequestBody.Value == nil {
		return nil
	}
	return validBody(op.RequestBody.Value, r)
}

func validBody(body *openapi3.RequestBody, r sample.Request) error {
	if r.ContentType == "" {
		if body.Required {
			return errors.New("required: the body is missing")
		}
		return nil
	}
	media := body.Content.Get(r.ContentType)
	switch {
	case media == nil || media.Schema == nil || media.Schema.Value == nil:
		return nil
	case strings.Contains(r.ContentType, "json"):
		v, err := parsed(r.Body)
		if err != nil {
			return err
		}
		return visit(media.Schema.Value, v)
	case r.Form != "" || r.Files != "":
		return validForm(media, r)
	}
	return nil
}

// parsed is a JSON value as kin-openapi knows them.
func parsed(text string) (any, error) {
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	return plainNumbers(v), err
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, _ := strconv.ParseFloat(v.String(), 64)
		return f
	case map[string]any:
		for k := range v {
			v[k] = plainNumbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	}
	return v
}

func visit(s *openapi3.Schema, v any) error {
	return s.VisitJSON(v, openapi3.VisitAsRequest(), openapi3.SetSchemaRegexCompiler(asMeant), openapi3.EnableFormatValidation(),
		openapi3.WithStringFormatValidators(formats))
}

// formats are what kin-openapi checks only where it is asked to.
var formats = map[string]openapi3.StringFormatValidator{
	"uuid":     openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForUUIDOfRFC9562),
	"email":    openapi3.NewCallbackValidator(func(s string) error { _, err := mail.ParseAddress(s); return err }),
	"ipv4":     openapi3.NewIPValidator(true),
	"ipv6":     openapi3.NewIPValidator(false),
	"ip":       openapi3.NewCallbackValidator(func(s string) error { _, err := netip.ParseAddr(s); return err }),
	"uri":      openapi3.NewCallbackValidator(absolute),
	"url":      openapi3.NewCallbackValidator(absolute),
	"hostname": openapi3.NewRegexpFormatValidator(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`),
	"time":     openapi3.NewRegexpFormatValidator(`^[0-2]\d:[0-5]\d:[0-6]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`),
	"duration": openapi3.NewRegexpFormatValidator(`^P[0-9YMWDTHS.]+$`),
}

func absolute(s string) error {
	if u, err := url.Parse(s); err != nil || u.Scheme == "" {
		return fmt.Errorf("%q is no absolute URI: %w", s, err)
	}
	return nil
}

// asMeant compiles a pattern for kin-openapi, whose own compiler takes Go's alone. What begins with conditions has them
// checked; any other that Go does not have accepts everything.
func asMeant(pattern string) (openapi3.RegexMatcher, error) {
	if inner, ok := strings.CutPrefix(pattern, "/"); ok && strings.HasSuffix(strings.TrimSuffix(inner, "i"), "/") {
		pattern = "(?i)" + strings.TrimSuffix(strings.TrimSuffix(inner, "i"), "/")
	}
	if re, err := regexp.Compile(pattern); err == nil {
		return re, nil
	}
	if m := oneCondition.FindStringSubmatch(pattern); m != nil {
		refused, err := regexp.Compile("^(?:" + m[1] + ")")
		if rest, e := regexp.Compile("^" + m[2]); err == nil && e == nil {
			return both{refused, rest}, nil
		}
	}
	return regexp.MustCompile(""), nil
}

var oneCondition = regexp.MustCompile(`^\^\(\?!([a-z_\\.^$]*)\)(.*)$`)

type both struct{ refused, wanted *regexp.Regexp }

func (b both) MatchString(s string) bool {
	return !b.refused.MatchString(s) && b.wanted.MatchString(s)
}

// pathValuesOf takes the values of a template's whole segments; nil where a segment has more than one.
func pathValuesOf(template, path string) map[string][]string {
	out := map[string][]string{}
	segments := strings.Split(path, "/")
	for i, s := range strings.Split(template, "/") {
		name, ok := strings.CutPrefix(s, "{")
		if name, whole := strings.CutSuffix(name, "}"); ok && whole && !strings.Contains(name, "{") && i < len(segments) {
			if text, err := url.PathUnescape(segments[i]); err == nil {
				out[name] = []string{text}
			}
		} else if strings.Contains(s, "{") {
			return nil
		}
	}
	return out
}
