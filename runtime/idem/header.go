package idem

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// replayed marks a response that is a replay.
const replayed = "Idempotent-Replayed"

// alwaysStored are the response headers that a record keeps though no document declares them.
var alwaysStored = []string{
	"Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Location",
	"Content-Type", "Etag", "Last-Modified", "Link", "Location", "Vary",
}

// neverStored wins over what a document declares: secrets, facts about one exchange, and what a
// connection, a CORS layer or a rate limiter says each time anew.
var neverStored = []string{
	"Authentication-Info", "Authorization", "Connection", "Content-Length", "Cookie", "Date",
	"Idempotency-Key", replayed, "Keep-Alive", "Set-Cookie", "Set-Cookie2", "Te", "Traceparent",
	"Tracestate", "Trailer", "Transfer-Encoding", "Upgrade", "X-Request-Id",
}

// neverStoredPrefixes are the beginnings of names that neverStored means as well.
var neverStoredPrefixes = []string{"Access-Control-", "Proxy-", "Ratelimit", "X-Ratelimit-"}

// storedName says whether a record keeps the header of this canonical name. named are the names that
// the Connection header makes hop-by-hop.
func storedName(name string, declared, named []string) bool {
	switch {
	case slices.Contains(neverStored, name), strings.HasSuffix(name, "-Authenticate"):
		return false
	case slices.ContainsFunc(neverStoredPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }):
		return false
	case containsName(named, name):
		return false
	}
	return slices.Contains(alwaysStored, name) || containsName(declared, name)
}

func containsName(names []string, canonical string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return http.CanonicalHeaderKey(n) == canonical
	})
}

// storedHeader returns a deep copy of the headers in h that a record keeps: those always stored and
// those the document declares, unless they are never stored. Names become canonical; values become
// what net/http writes for them. It returns an empty header rather than nil.
func storedHeader(h http.Header, declared []string) http.Header {
	named := connectionNames(h)
	kept := make(http.Header)
	for _, name := range sortedNames(h) {
		canonical := http.CanonicalHeaderKey(name)
		if !validFieldName(name) || !storedName(canonical, declared, named) {
			continue
		}
		for _, value := range h[name] {
			kept[canonical] = append(kept[canonical], writtenValue(value))
		}
	}
	return kept
}

// connectionNames are the headers that h says are hop-by-hop: RFC 9110, section 7.6.1.
func connectionNames(h http.Header) []string {
	var names []string
	for name, values := range h {
		if !strings.EqualFold(name, "Connection") {
			continue
		}
		for _, value := range values {
			for option := range strings.SplitSeq(value, ",") {
				names = append(names, strings.Trim(option, " \t"))
			}
		}
	}
	return names
}

// lineEnds are what would end a header's line early. net/http writes blanks for them.
var lineEnds = strings.NewReplacer("\r", " ", "\n", " ")

// writtenValue returns value as net/http writes it.
func writtenValue(value string) string { return strings.Trim(lineEnds.Replace(value), " \t") }

// validFieldName says whether net/http writes a header of this name: a token of RFC 9110, section 5.6.2.
func validFieldName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return name != ""
}

// sortedNames makes what is done per header independent of the map's order.
func sortedNames(h http.Header) []string {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// EncodeHeader returns h as HTTP lines, which a store keeps as bytes: sorted by name, the values of a
// name in their order, each on its own line, any byte but CR and LF as it is. CR and LF become blanks,
// and a name that HTTP does not know is left out: net/http does the same. The result is never nil.
func EncodeHeader(h http.Header) []byte {
	text := []byte{}
	for _, name := range sortedNames(h) {
		if !validFieldName(name) {
			continue
		}
		for _, value := range h[name] {
			text = append(text, name...)
			text = append(text, ": "...)
			text = append(text, lineEnds.Replace(value)...)
			text = append(text, "\r\n"...)
		}
	}
	return text
}

var errHeaderLines = errors.New("stored header: malformed line")

// DecodeHeader reads what [EncodeHeader] wrote: every value byte for byte. Anything else is an error.
// The result is never nil without one.
func DecodeHeader(text []byte) (http.Header, error) {
	h := make(http.Header)
	for rest := string(text); rest != ""; {
		line, after, ended := strings.Cut(rest, "\r\n")
		name, value, colon := strings.Cut(line, ": ")
		if !ended || !colon || !validFieldName(name) || strings.ContainsAny(value, "\r\n") {
			return nil, errHeaderLines
		}
		h[name] = append(h[name], value)
		rest = after
	}
	return h, nil
}

// describesBody are the stored headers without which the stored bytes would mean something else.
var describesBody = []string{
	"Content-Disposition", "Content-Encoding", "Content-Language", "Content-Location", "Content-Type",
}

// replayHeader adds stored to dst, the header of a replay, and marks it as one. What an outer layer
// has set stays, with two exceptions that keep the replay the same response as the first: what
// describes the body belongs to the stored bytes, and members are added to a list (Link, Vary) as the
// handler added them.
func replayHeader(dst, stored http.Header) {
	for name, values := range stored {
		switch _, set := dst[name]; {
		case !set, slices.Contains(describesBody, name):
			dst[name] = slices.Clone(values)
		case name == "Link", name == "Vary":
			for _, value := range values {
				if !slices.Contains(dst[name], value) {
					dst[name] = append(dst[name], value)
				}
			}
		}
	}
	keepUntyped(dst)
	dst[replayed] = []string{"true"}
}

// keepUntyped stops net/http from sniffing a Content-Type that the first response did not have: it
// was sniffed, where it was to be, before it was stored.
func keepUntyped(h http.Header) {
	if _, set := h["Content-Type"]; !set {
		h["Content-Type"] = nil
	}
}
