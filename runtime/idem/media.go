package idem

import (
	"math"
	"mime"
	"net/http"
	"strings"
)

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
)

// medium is what a request's body is.
type medium struct {
	declared string // the declared media type or range that matched
	text     string // what the identity calls it; the request's own where declared is a range
	form     Form
	boundary string // of a Multipart
}

// match is what a request's headers say of its body, before it is known whether there is one.
type match struct {
	medium
	problem *Problem // where there is a body
}

func matchBody(op *Operation, r *http.Request) match {
	m, problem := matchMedia(op, r.Header)
	return match{m, problem}
}

// inMemory is how much of the body is kept in memory: all of what is read as a text, and the beginning of another.
func (m match) inMemory() int64 {
	if m.problem == nil && (m.form == Document || m.form == Fields) {
		return math.MaxInt64
	}
	return spoolAbove + 1
}

// matchMedia finds the declared media type of a request that has a body: letter case and parameters
// do not matter, and the most specific one wins. Without a Content-Type it is the only declared one.
func matchMedia(op *Operation, h http.Header) (medium, *Problem) {
	if len(op.Bodies) == 0 {
		return medium{}, unsupportedMedia("the operation takes no body")
	}
	for _, line := range h["Content-Encoding"] {
		for coding := range strings.SplitSeq(line, ",") {
			if coding = strings.Trim(coding, " \t"); coding != "" && !strings.EqualFold(coding, "identity") {
				return medium{}, unsupportedMedia("the body must not have a content encoding")
			}
		}
	}
	switch lines := h["Content-Type"]; {
	case len(lines) > 1:
		return medium{}, unsupportedMedia("content type must be sent once")
	case len(lines) == 1 && strings.Trim(lines[0], " \t") != "":
		return parseMedia(op, lines[0])
	}
	return onlyMedium(op)
}

// onlyMedium is what a body without a Content-Type is.
func onlyMedium(op *Operation) (medium, *Problem) {
	if len(op.Bodies) > 1 {
		return medium{}, unsupportedMedia("content type is required: the operation takes several")
	}
	b := op.Bodies[0]
	m := medium{declared: b.MediaType, text: b.MediaType, form: b.Form}
	switch {
	case m.declared == "*/*":
		m.text = "application/octet-stream" // RFC 9110, section 8.3
	case isRange(m.declared):
		return medium{}, unsupportedMedia("content type is required: the operation takes " + m.declared)
	}
	return m, nil
}

// parseMedia finds the declared media type that the text of a Content-Type means.
func parseMedia(op *Operation, text string) (medium, *Problem) {
	essence, parameters := text, map[string]string(nil)
	if b := findBody(op, text); b == nil || isRange(b.MediaType) { // not the common case: verbatim what is declared
		parsed, named, err := mime.ParseMediaType(text)
		if err != nil || !strings.Contains(parsed, "/") || strings.Contains(parsed, "*") {
			return medium{}, unsupportedMedia("content type is malformed")
		}
		essence, parameters = parsed, named
	}
	b := findBody(op, essence)
	if b == nil {
		return medium{}, unsupportedMedia("the operation does not take this content type")
	}
	m := medium{declared: b.MediaType, text: essence, form: b.Form}
	charset := strings.ToLower(parameters["charset"])
	utf8 := charset == "" || charset == "utf-8" || charset == "utf8"
	switch {
	case b.Form == Document, b.Form == Fields:
		if !utf8 {
			return medium{}, unsupportedMedia("charset must be utf-8")
		}
		return m, nil
	case b.Form == Multipart:
		m.boundary = parameters["boundary"] // two requests that differ in it alone are the same
		delete(parameters, "boundary")
		if essence == "multipart/form-data" {
			return m, nil // RFC 7578 gives it no other parameter that means anything
		}
	case strings.HasPrefix(essence, "multipart/") || essence == formType:
		return medium{}, unsupportedMedia("the operation takes no forms") // a range lets them in, and their form is not known
	}
	// The bytes may mean something else under other parameters. FormatMediaType sorts them.
	if utf8 {
		delete(parameters, "charset")
	} else {
		parameters["charset"] = charset
	}
	if len(parameters) > 0 {
		if m.text = mime.FormatMediaType(essence, parameters); m.text == "" {
			return medium{}, unsupportedMedia("content type is malformed")
		}
	}
	return m, nil
}

// findBody returns the most specific declared body that essence, in lower case, matches.
func findBody(op *Operation, essence string) *Body {
	var found *Body
	for i := range op.Bodies {
		b := &op.Bodies[i]
		if !matchesMedia(b.MediaType, essence) {
			continue
		}
		if found == nil || moreSpecific(b.MediaType, found.MediaType) {
			found = b
		}
	}
	return found
}

// moreSpecific says whether a, which has no more in it than b, is to be preferred: text/csv to text/*, and that to */*;
// application/*+json to application/*.
func moreSpecific(a, b string) bool {
	stars, others := strings.Count(a, "*"), strings.Count(b, "*")
	return stars < others || stars == others && len(a) > len(b)
}

func isRange(mediaType string) bool { return strings.Contains(mediaType, "*") }

// matchesMedia says whether essence is declared, or in the range that is.
func matchesMedia(declared, essence string) bool {
	if declared == essence || declared == "*/*" {
		return true
	}
	before, behind, isRange := strings.Cut(declared, "*")
	return isRange && len(essence) > len(before)+len(behind) && strings.HasPrefix(essence, before) && strings.HasSuffix(essence, behind)
}
