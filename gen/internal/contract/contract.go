// Package contract says what a document has to say of its keyed operations, so that clients know it: the header
// parameter with the key, and the responses that refuse. It finds what is there and judges it; package annotate adds
// what is missing, package lint reports it. Start with [New].
package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
)

// defaultHeader carries the idempotency key where the document does not name another header.
const defaultHeader = "Idempotency-Key"

// defaultLength is how long a key may be where the document does not say it.
const defaultLength = 200

// Contract is what one document has to say.
type Contract struct {
	lib    *document.Library
	policy document.Node
}

// New is the contract of a document. It reads only, and reports nothing.
func New(lib *document.Library) Contract { return Contract{lib, lib.Root().Get("x-idempotency")} }

// Header is the header in force.
func (c Contract) Header() string {
	if name, ok := c.policy.Get("header").Text(); ok && name != "" {
		return name
	}
	return defaultHeader
}

// MaxLength is how long a key may be.
func (c Contract) MaxLength() int {
	n := 0
	if _, err := fmt.Sscan(c.policy.Get("max-length").Spelt(), &n); err == nil && n > 0 {
		return n
	}
	return defaultLength
}

// Statuses are those that the runtime refuses with, and that every keyed operation documents.
func (c Contract) Statuses() []int {
	all := []int{400, 409}
	if c.policy.Get("conflict-status").Spelt() == "422" {
		all = append(all, 422)
	}
	return all
}

// Section is a part of the components, through a $ref where it is one.
func (c Contract) Section(name string) document.Node {
	return c.Peek(c.Peek(c.lib.Root().Get("components")).Get(name))
}

// Peek follows references, and reports nothing where they lead nowhere.
func (c Contract) Peek(n document.Node) document.Node {
	for range 64 {
		_, ref, ok := n.Ref()
		if !ok {
			return n
		}
		t, fault := c.lib.Follow(n, ref)
		if fault != nil {
			return document.Node{}
		}
		n = t.Node
	}
	return document.Node{}
}

// EventStream is the media type of an event stream among the responses of an operation.
func (c Contract) EventStream(op document.Node) document.Node {
	return c.media(op, func(name string, _ document.Node) bool { return name == "text/event-stream" })
}

// streams are media types of what is sent part by part.
var streams = []string{"application/x-ndjson", "application/jsonl", "application/json-seq", "application/geo+json-seq", "multipart/x-mixed-replace"}

// Stream is the media type of a response that is sent part by part, and yet has an end.
func (c Contract) Stream(op document.Node) document.Node {
	return c.media(op, func(name string, media document.Node) bool {
		return slices.Contains(streams, name) || name != "text/event-stream" && !media.Get("itemSchema").IsZero()
	})
}

// media is the first media type of an operation's responses that is wanted.
func (c Contract) media(op document.Node, wanted func(name string, media document.Node) bool) document.Node {
	for code, response := range op.Get("responses").Members() {
		if strings.HasPrefix(code.Spelt(), "x-") {
			continue
		}
		for key, media := range c.lib.Find(response, "responses").Get("content").Members() {
			name, _, _ := strings.Cut(key.Spelt(), ";")
			if wanted(strings.ToLower(strings.TrimSpace(name)), media) {
				return key
			}
		}
	}
	return document.Node{}
}

// Response is what a response is, through references; nothing, where they lead nowhere.
func (c Contract) Response(n document.Node) document.Node { return c.lib.Find(n, "responses") }

// SaysCode tells whether a response declares the member code, by which clients tell one refusal from the other.
func (c Contract) SaysCode(response document.Node) bool {
	for _, media := range c.Response(response).Get("content").Members() {
		if c.saysCode(media.Get("schema"), map[any]bool{}) {
			return true
		}
	}
	return false
}

// mostParts bounds in how many schemas a member code is looked for. Real ones have some ten.
const mostParts = 100

// saysCode tells whether a schema declares a member code, in a part of it or in a branch that was not seen yet.
func (c Contract) saysCode(n document.Node, seen map[any]bool) bool {
	n = c.Peek(n)
	if seen[n.ID()] || len(seen) == mostParts {
		return false
	}
	seen[n.ID()] = true
	if DeclaresCode(n) {
		return true
	}
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		for _, part := range n.Get(key).Items() {
			if c.saysCode(part, seen) {
				return true
			}
		}
	}
	return false
}

// DeclaresCode tells whether a schema has the member code itself.
func DeclaresCode(n document.Node) bool { return !n.Get("properties").Get("code").IsZero() }
