package openapi

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

var token = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// framing are headers that servers take for themselves: net/http removes them from a request's header.
var framing = []string{"host", "content-length", "transfer-encoding", "trailer", "connection"}

// standard are further headers that mean something else than an idempotency key, in lower case. Names that
// begin with one that ends in a hyphen are meant too.
var standard = []string{
	"accept", "accept-", "access-control-", "alt-", "authorization", "cache-control", "content-", "cookie", "cookie2", "date",
	"dnt", "etag", "expect", "expires", "forwarded", "from", "if-", "keep-alive", "last-modified", "link", "location",
	"max-forwards", "origin", "pragma", "prefer", "priority", "proxy-", "range", "referer", "sec-", "server", "set-cookie",
	"te", "traceparent", "tracestate", "upgrade", "upgrade-insecure-requests", "user-agent", "vary", "via", "warning",
	"www-authenticate", "x-forwarded-", "x-real-ip",
}

// header reads the name of the header that carries the idempotency key.
func (l *loader) header(n document.Node) string {
	text, ok := n.Text()
	if !ok || !token.MatchString(text) {
		l.breaks(ir.LintValue, n, "header is "+n.What()+", not the name of a header", "write a name such as Idempotency-Key")
		return ""
	}
	name := strings.ToLower(text)
	taken := func(s string) bool { return s == name || strings.HasSuffix(s, "-") && strings.HasPrefix(name, s) }
	if slices.Contains(framing, name) || slices.ContainsFunc(standard, taken) {
		l.breaks(ir.LintValue, n, fmt.Sprintf("header is %s, which means something else already", http.CanonicalHeaderKey(text)), "write a name of its own, such as Idempotency-Key")
		return ""
	}
	return text
}
