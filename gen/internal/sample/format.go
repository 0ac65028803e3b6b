package sample

import (
	"encoding/base64"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// format is what is known of a format that a service is likely to check.
type format struct {
	texts [3]string
	fits  func(string) bool // nil: not checked
}

var formats = map[string]format{
	"date":      {[3]string{"2026-01-02", "2026-01-03", "2026-01-04"}, parsedBy(time.DateOnly)},
	"date-time": {[3]string{"2026-01-02T03:04:05Z", "2026-01-03T03:04:05Z", "2026-01-04T03:04:05Z"}, parsedBy(time.RFC3339)},
	"time":      {[3]string{"03:04:05Z", "03:04:06Z", "03:04:07Z"}, parsedBy("15:04:05Z07:00")},
	"duration":  {[3]string{"PT1S", "PT2S", "PT3S"}, regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$`).MatchString},

	"date-time-rfc-2822": {texts: [3]string{"Fri, 02 Jan 2026 03:04:05 +0000", "Sat, 03 Jan 2026 03:04:05 +0000", "Sun, 04 Jan 2026 03:04:05 +0000"}},
	"httpdate":           {texts: [3]string{"Fri, 02 Jan 2026 03:04:05 GMT", "Sat, 03 Jan 2026 03:04:05 GMT", "Sun, 04 Jan 2026 03:04:05 GMT"}},

	"uuid": {
		[3]string{"00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002", "00000000-0000-4000-8000-000000000003"},
		regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`).MatchString,
	},
	"email":     {mails, isMail},
	"idn-email": {mails, isMail},

	"hostname":     {hosts, regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$`).MatchString},
	"idn-hostname": {texts: hosts},
	"ipv4":         {[3]string{"192.0.2.1", "192.0.2.2", "192.0.2.3"}, func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() }},
	"ipv6":         {[3]string{"2001:db8::1", "2001:db8::2", "2001:db8::3"}, func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() }},
	"ip":           {[3]string{"192.0.2.1", "192.0.2.2", "192.0.2.3"}, func(s string) bool { _, err := netip.ParseAddr(s); return err == nil }},
	"cidr":         {texts: [3]string{"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"}},
	"mac":          {texts: [3]string{"02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03"}},

	"uri":           {pages, isAbsolute},
	"iri":           {pages, isAbsolute},
	"url":           {pages, isAbsolute},
	"uri-reference": {[3]string{"/one", "/two", "/three"}, isReference},
	"iri-reference": {[3]string{"/one", "/two", "/three"}, isReference},
	"uri-template":  {texts: [3]string{"/one/{id}", "/two/{id}", "/three/{id}"}},
	"endpoint":      {texts: pages},

	"json-pointer":          {texts: [3]string{"/one", "/two", "/three"}},
	"relative-json-pointer": {texts: [3]string{"0/one", "0/two", "0/three"}},
	"regex":                 {texts: [3]string{"^one$", "^two$", "^three$"}},

	"byte":      {[3]string{"b25l", "dHdv", "dGhyZWU="}, isBase64},
	"bytes":     {texts: [3]string{"b25l", "dHdv", "dGhyZWU="}},
	"base64":    {[3]string{"b25l", "dHdv", "dGhyZWU="}, isBase64},
	"base64url": {texts: [3]string{"b25l", "dHdv", "dGhyZWU"}},

	"decimal": {texts: digits}, "bigint": {texts: digits}, "int64": {texts: digits}, "int32": {texts: digits},
	"uint64": {texts: digits}, "uint32": {texts: digits}, "integer": {texts: digits}, "int": {texts: digits},
	"number": {texts: digits}, "float": {texts: digits}, "double": {texts: digits}, "unix-time": {texts: digits},

	"phone":            {texts: phones},
	"phone-number":     {texts: phones},
	"currency":         {texts: [3]string{"USD", "EUR", "GBP"}},
	"iso-country-code": {texts: [3]string{"US", "DE", "GB"}},
	"http-method":      {texts: [3]string{"GET", "POST", "PUT"}},
	"color":            {texts: [3]string{"#000001", "#000002", "#000003"}},
}

var (
	digits = [3]string{"1", "2", "3"}
	mails  = [3]string{"one@example.com", "two@example.com", "three@example.com"}
	hosts  = [3]string{"one.example.com", "two.example.com", "three.example.com"}
	pages  = [3]string{"https://example.com/one", "https://example.com/two", "https://example.com/three"}
	phones = [3]string{"+15005550001", "+15005550002", "+15005550003"}
)

// fitsFormat reports whether a format accepts a text, as far as that is known.
func fitsFormat(name, text string) bool {
	f := formats[name]
	return f.fits == nil || f.fits(text)
}

func parsedBy(layout string) func(string) bool {
	return func(s string) bool { _, err := time.Parse(layout, s); return err == nil }
}

func isMail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}

func isAbsolute(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.IsAbs()
}

func isReference(s string) bool { _, err := url.Parse(s); return err == nil }

func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(s)
	_, urlErr := base64.URLEncoding.DecodeString(s)
	return err == nil || urlErr == nil
}

// stretched is a text of a format, made at least n characters long where that is simple.
func stretched(name, text string, n int) string {
	missing := n - len(text)
	if missing <= 0 {
		return text
	}
	switch name {
	case "byte", "bytes", "base64", "base64url":
		return strings.Repeat("b25l", (missing+3)/4) + text
	case "email", "idn-email":
		local, rest, _ := strings.Cut(text, "@")
		return local + "@" + strings.Repeat("sub.", (missing+3)/4) + rest
	case "hostname", "idn-hostname":
		return strings.Repeat("sub.", (missing+3)/4) + text
	case "uri", "iri", "url", "uri-reference", "iri-reference", "uri-template", "json-pointer":
		return text + strings.Repeat("/one", (missing+3)/4)
	case "decimal", "bigint", "integer", "number":
		return strings.Repeat(text, n)
	}
	return text
}
