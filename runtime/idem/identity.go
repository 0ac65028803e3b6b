package idem

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/idemgen/idemgen/runtime/canon"
)

// Opaque is a body that is compared by its bytes, not as JSON.
type Opaque []byte

// appendCanonical appends the canonical form of a request: RFC 8785 JSON of
//
//	{"body":…,"header":{…},"path":{…},"query":{…},"scope":{…},"type":…}
//
// with what is empty left out; the body only where there is none (null and {} are bodies). Path,
// query and header are lists of decoded texts by name, and so are forms, where a part that is not a
// plain text is {"header":{…},"name":…,"sha256":…,"type":…}. Any other body is {"sha256":"…"}.
// The type is left out for application/json.
//
// An error is a [*Problem]: 400 for what the client sent, 500 for a fact that the service did not give.
func appendCanonical(dst []byte, id *Identity, rq *request) ([]byte, error) {
	e := envelope{dst: append(dst, '{'), start: len(dst) + 1}
	e.body(id, rq)
	e.headers(id, rq)
	e.lists("path", rq.firstPath(), nil)
	e.lists("query", rq.query, id.IgnoredQuery)
	e.facts(id, rq)
	if rq.hasBody && rq.mediaType != jsonType {
		e.member("type")
		e.text("type", rq.mediaType)
	}
	if e.problem != nil {
		return dst, e.problem
	}
	return append(e.dst, '}'), nil
}

// envelope writes the canonical form, until something is wrong.
type envelope struct {
	dst     []byte
	start   int // where the object's first member begins
	problem *Problem
}

// member begins a member of the outer object.
func (e *envelope) member(name string) {
	if len(e.dst) > e.start {
		e.dst = append(e.dst, ',')
	}
	e.dst = appendText(e.dst, name)
	e.dst = append(e.dst, ':')
}

// text writes a string, which where is the name of.
func (e *envelope) text(where, text string) {
	if !utf8.ValidString(text) && e.problem == nil {
		e.problem = invalid(where + " is not valid UTF-8")
	}
	e.dst = appendText(e.dst, text)
}

func (e *envelope) body(id *Identity, rq *request) {
	if !rq.hasBody {
		return
	}
	e.member("body")
	var rules canon.Rules
	for i := range id.Body {
		if id.Body[i].MediaType == rq.declared {
			rules = id.Body[i].Rules
		}
	}
	switch rq.form {
	case Document:
		dst, err := canon.Append(e.dst, rq.body.data, rules)
		if err != nil {
			e.problem = bodyProblem(err)
			return
		}
		e.dst = dst
	case Fields:
		appendForm(e, rules, rq.fields, e.field)
	case Multipart:
		appendForm(e, rules, rq.parts, e.part)
	default:
		sum, err := rq.body.digest()
		if err != nil {
			e.problem = internalError("the request's body could not be read again")
		}
		e.dst = append(e.dst, `{"sha256":"`...)
		e.dst = hex.AppendEncode(e.dst, sum[:])
		e.dst = append(e.dst, `"}`...)
	}
}

// bodyProblem is the answer to an error of canon: the client's fault where it says so.
func bodyProblem(err error) *Problem {
	var malformed *canon.Error
	if errors.As(err, &malformed) {
		return invalid("body: " + err.Error())
	}
	return internalError("the body could not be read by the operation's rules")
}

// headers writes the included ones that were sent.
func (e *envelope) headers(id *Identity, rq *request) {
	some := false
	for _, name := range id.IncludedHeaders {
		if values := rq.header[name]; len(values) > 0 {
			e.openList("header", &some, name, values)
		}
	}
	e.closeLists(some)
}

// lists writes all but the ignored ones, by name.
func (e *envelope) lists(where string, v Values, ignored []string) {
	var few [16]string
	names := few[:0]
	for name, values := range v {
		if len(values) > 0 && !leavesOut(ignored, name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, compareNames)
	some := false
	for _, name := range names {
		e.openList(where, &some, name, v[name])
	}
	e.closeLists(some)
}

// leavesOut says whether name is among those ignored, of which "meta[" means all that begin so.
func leavesOut(ignored []string, name string) bool {
	return slices.ContainsFunc(ignored, func(i string) bool {
		return i == name || strings.HasSuffix(i, "[") && strings.HasPrefix(name, i)
	})
}

// openList writes one name and its list into the object called where, which it opens unless there is
// some of it already.
func (e *envelope) openList(where string, some *bool, name string, values []string) {
	if !*some {
		e.member(where)
		e.dst = append(e.dst, '{')
		*some = true
	} else {
		e.dst = append(e.dst, ',')
	}
	e.text(where, name)
	e.dst = append(e.dst, ':', '[')
	for i, value := range values {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		e.text(where, value)
	}
	e.dst = append(e.dst, ']')
}

func (e *envelope) closeLists(some bool) {
	if some {
		e.dst = append(e.dst, '}')
	}
}

// facts writes those that the operation compares.
func (e *envelope) facts(id *Identity, rq *request) {
	for i, name := range id.Scope {
		fact, given := rq.scope[name]
		if (!given || !utf8.ValidString(fact)) && e.problem == nil {
			e.problem = scopeMissing("a fact about the actor is missing: " + name)
		}
		if i == 0 {
			e.member("scope")
			e.dst = append(e.dst, '{')
		} else {
			e.dst = append(e.dst, ',')
		}
		e.text("scope", name)
		e.dst = append(e.dst, ':')
		e.text("scope", fact)
	}
	e.closeLists(len(id.Scope) > 0)
}

// canonicalBuffers hold canonical forms while they are hashed. They never reach a handler or a store.
var canonicalBuffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled keeps one large body from holding its memory for ever.
const maxPooled = 256 << 10

// fingerprint computes what is compared of a request. An error is a [*Problem].
func fingerprint(id *Identity, rq *request) (Fingerprint, error) {
	buffer := canonicalBuffers.Get().(*[]byte)
	form, err := appendCanonical((*buffer)[:0], id, rq)
	if cap(form) <= maxPooled {
		*buffer = form[:0]
		defer canonicalBuffers.Put(buffer)
	}
	if err != nil {
		return Fingerprint{}, err
	}
	return Fingerprint{Canon: canon.Version, Rules: identityDigest(id), Sum: sha256.Sum256(form)}, nil
}
