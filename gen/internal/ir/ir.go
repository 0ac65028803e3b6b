// Package ir is what the generator knows of a document once it is read: plain structs that every
// later pass works from. It depends on nothing but the standard library.
package ir

import "time"

// Pos is a place in a document. Line and Col start at 1; Col counts characters.
type Pos struct {
	File      string
	Line, Col int
}

// Document is an OpenAPI document, reduced to what is in scope.
type Document struct {
	File       string
	Title      string
	Operations []*Operation // keyed ones, in document order
	Types      []*Type      // named component schemas that they use, sorted by Ref
	Exempt     []Exempt     // mutating operations with x-idempotency-exempt, in document order
	Unkeyed    []Route      // mutating operations that are neither, in document order
}

// Route is a method and path template of the document.
type Route struct {
	Pos          Pos
	Method, Path string
}

// Exempt is a mutating operation without a key, and why.
type Exempt struct {
	Route
	Reason string
}

// Operation is a keyed operation.
type Operation struct {
	Route
	Endpoint    string
	EndpointPos Pos    // of the x-idempotency-endpoint value
	OperationID string // empty: none
	Summary     string
	PathParams  []*Parameter // in template order
	QueryParams []*Parameter // declared order, path level first
	Headers     []*Parameter // only those with x-idempotency-include
	Bodies      []*Body      // declared media types in document order
	Required    bool         // requestBody.required
	Scope       []string     // facts, sorted
	Ignored     []string     // query names that are no part of the identity beside parameters: "filter[" is all that begin so
	Stored      []string     // declared response headers in canonical spelling, sorted, unique
	Policy      Policy       // operation over document; zero where neither says

	// What the lock keeps; zero without one.
	Record    string     // the endpoint's first name, where it was renamed
	PathNames []PathName // path parameters that had another name first
	Former    []Identity // what was compared before
}

// PathName is a path parameter's name, and the first one it had.
type PathName struct{ Name, First string }

// Policy is x-idempotency, of the operation over the document's.
type Policy struct {
	Lease, Timeout, Retention time.Duration
	OnUnknown                 string // "", reject, reexecute, reconcile
	MaxBody, MaxResponse      int64
	Header                    string
	MaxLength                 int
	ConflictStatus            int
}

// Parameter is a path, query or header parameter, or a field of a form.
type Parameter struct {
	Pos      Pos
	Name     string
	Doc      string
	Required bool
	Ignore   bool
	Type     *Type  // a scalar, or an Array of scalars where repeated; else String: the text as sent
	Part     bool   // of a multipart body: not a text, but what has a media type of its own
	Example  string // a JSON value that the document gives for this parameter: for samples
	JSON     *Type  // the type of what the text is the JSON of: for samples; nil where it is no JSON
	Kept     bool   // what it is a member of requires it: a sample has it
	Text     *Type  // the type of the texts among what it may be, where Type takes any: for samples; may be nil
}

// Form is how a body enters the identity; it mirrors the runtime's idem.Form.
type Form uint8

// The forms of a body.
const (
	JSON      Form = iota
	Digest         // opaque
	Fields         // application/x-www-form-urlencoded
	Multipart      // multipart/form-data and its kin
)

// Body is one media type of a request body.
type Body struct {
	Pos       Pos
	MediaType string // lower case, no parameters
	Form      Form
	Type      *Type        // of JSON
	Fields    []*Parameter // of Fields and Multipart, in document order
	Closed    bool         // of those: no other fields
	Example   string       // a JSON value that the document gives for the body: for samples
	// Undeclared are names that a form's deeper objects and lists may be sent under, which are compared as they are: for
	// samples.
	Undeclared []*Parameter
	Ignored    []string // of those: names that are no part of the identity beside fields: "meta[" is all that begin so
}

// Kind is what a type is.
type Kind uint8

// The kinds of a type.
const (
	Any    Kind = iota // untyped, oneOf, anyOf, several types: canon.Value
	String             // any format: the text as sent
	Bool
	Int     // integer with Bits
	Integer // integer of any size
	Number
	Array
	Map    // an object without declared members
	Object // an object with declared members
)

// Type is a schema. A component schema is one Type however often it is referred to, so a recursive
// schema is a cyclic graph.
type Type struct {
	Pos      Pos
	Ref      string // "#/components/schemas/NewClaim" (or file.yaml#/…); empty: inline
	Name     string // "NewClaim"; empty: inline
	Doc      string // description, else title
	Kind     Kind
	Bits     int      // Int: 32 or 64
	Unsigned bool     // Int
	Enum     []string // JSON literals as the document spells the values, exact, without null
	Nullable bool
	Fields   []*Field // Object: in document order
	Closed   bool     // Object, Map: additionalProperties: false
	Rest     *Type    // Object, Map: additionalProperties' schema; nil: any
	Items    *Type    // Array
	// Unordered is x-idempotency-unordered on this array.
	Unordered bool
	// Branches are the schemas of oneOf or anyOf, of Kind Any: for rules and samples.
	Branches []*Type
	// What follows helps to make up a value that a service takes; zero where the document says nothing of it.

	// Example is a JSON value that the document gives (example, examples, const, default), and MoreExamples are others.
	Example      string
	MoreExamples []string

	MinLength, MaxLength   int
	Pattern, Format        string
	MorePatterns           []string // of allOf: a value has to match them too
	Media                  string   // String: contentMediaType of what is not encoded as text
	Minimum, Maximum       string
	AboveMinimum           bool   // the minimum itself is none of the values
	BelowMaximum           bool   // nor the maximum
	MultipleOf             string // one of them, where allOf has several
	MinItems, MaxItems     int
	Unique                 bool // no two items are equal
	MinMembers, MaxMembers int
	Wanted                 []string // members of the first of several lists, one of which a value must have
	Unwanted               []string // members of the others, where a value must have one list alone

	// Tag is the member that tells of which branch a value is, and Tags what it says: of each branch, one text or more, or
	// none where the branch says so itself; or of an object, when there are no branches.
	Tag  string
	Tags [][]string
}

// Field is a declared member of an object.
type Field struct {
	Pos      Pos
	Name     string
	Doc      string
	Required bool // and not ReadOnly
	ReadOnly bool // no request is to have it; one that does is another request
	Ignore   bool
	Type     *Type
}
