package idem

import (
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
)

// Contract1 is the version of the contract between generated code and this package. Generated code
// refers to the version it was written for, so that it does not compile against an older runtime.
const Contract1 = 1

// Endpoint is a stable endpoint key such as "programmes.requirements.update": what
// x-idempotency-endpoint says, verbatim. It stays the same when routes and handlers are renamed.
type Endpoint string

// Operation describes one keyed operation. Generated code declares it; nothing changes it afterwards.
type Operation struct {
	Endpoint Endpoint
	// Record is the name that records are written under: the endpoint's first name, where it was
	// renamed since. Empty: Endpoint.
	Record Endpoint
	Method string
	// Path is the template as the document spells it: "/submissions/{submissionId}/claims".
	Path string
	// Bodies are the declared request bodies, in document order. None: a request with a body is refused.
	Bodies []Body
	// Identity says which parts of a request are compared.
	Identity Identity
	// PathNames are the path parameters that had another name first, which is the one that is compared: renaming one
	// makes no other request.
	PathNames []PathName
	// Former are the identities that this operation had before, so that records written under them
	// are compared by the rules they were written under.
	Former []Identity
	// Stored are the response headers that the document declares, beside those always stored.
	Stored []string
	Policy Policy
}

// A PathName is a path parameter's name, and the first one it had.
type PathName struct{ Name, First string }

// A Body is one declared media type of a request body.
type Body struct {
	// MediaType is a media type without parameters in lower case, or a range: "image/*", "application/*+json", "*/*".
	MediaType string
	Form      Form
}

// Form is how a body enters the identity.
type Form uint8

// The forms of a body.
const (
	Document  Form = iota // JSON, by its canonical form
	Digest                // any other, by its media type and SHA-256
	Fields                // application/x-www-form-urlencoded, by its fields
	Multipart             // multipart/form-data and its kin, by their parts
)

// Identity is the table that decides which requests are the same. The zero value compares everything
// that a handler can observe: path, query and body, with arrays in their order.
type Identity struct {
	IgnoredQuery    []string    // query parameters that are no part of it, sorted; "filter[" is all that begin so
	IncludedHeaders []string    // headers that are, in canonical spelling, sorted
	Scope           []string    // facts about the actor that are, sorted
	Body            []BodyRules // members ignored and arrays compared as multisets, sorted by media type
}

// BodyRules are the rules for bodies of one declared media type. For a form they are those of an object of its
// fields: the first one's Ignore names fields ("meta[" all that begin so), its Members those whose values are
// compared as a multiset.
type BodyRules struct {
	MediaType string
	Rules     canon.Rules
}

// Policy holds an operation's limits. In an [Operation] a zero field means the [Service]'s value, and
// there the default.
type Policy struct {
	// Lease is how long a reservation lives without a heartbeat: 30 s by default.
	// In joined mode it only covers the time until the record is locked: 5 s by default.
	Lease time.Duration
	// Timeout bounds the handler's work. None by default.
	Timeout time.Duration
	// Retention is how long a finalized record is kept, from finalize on. For ever by default, on
	// stores that can; setting one ends the guarantee when it is over.
	Retention time.Duration
	OnUnknown OnUnknown
	// MaxBody bounds the request body in bytes: 1 MiB by default; more is 413.
	MaxBody int64
	// MaxResponse bounds the stored response body in bytes: 1 MiB by default. More is sent and
	// leaves a tombstone.
	MaxResponse int64
	// Header carries the key: "Idempotency-Key" by default.
	Header string
	// MaxLength bounds the decoded key in bytes: 200 by default.
	MaxLength int
	// ConflictStatus answers a key reused with another payload: 409 by default; the IETF draft's is 422.
	ConflictStatus int
}

// OnUnknown says what a retry gets when an earlier attempt ended without a result.
type OnUnknown uint8

// The answers to an unknown outcome.
const (
	UnknownDefault OnUnknown = iota // the service's, and there Reject
	Reject                          // 409 idempotency_outcome_unknown, until someone resolves the record
	Reexecute                       // take the record over and run again: only for work that is safe to repeat
	Reconcile                       // take the record over and ask the service whether the work was done
)

// A Route is a method and a path template of the document.
type Route struct{ Method, Path string }

// Operations are a document's write operations, as [Wrap] needs them.
type Operations struct {
	Keyed []*Operation
	Other []Route // mutating operations without a key: exempt, or not annotated yet
}
