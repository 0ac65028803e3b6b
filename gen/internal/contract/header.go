package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// vendors are headers that carry an idempotency key, by their name in lower case without hyphens and underscores. Any
// name that speaks of idempotency is one too. For the vague ones the description has to say so: others use them to find a
// request in logs.
var vendors = map[string]struct {
	why   string
	vague bool
}{
	"paypalrequestid":        {why: "PayPal's REST APIs"},
	"repeatabilityrequestid": {why: "OASIS Repeatable Requests, as in Azure"},
	"opcretrytoken":          {why: "Oracle Cloud"},
	"requestid":              {why: "Lightspark, Square and others", vague: true},
	"xrequestid":             {why: "the Berlin Group's NextGenPSD2", vague: true},
}

// CarriesKey tells whether a header parameter is for an idempotency key, whatever its spelling.
func CarriesKey(p document.Node) bool {
	name := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(p.Get("name").Spelt()))
	if strings.Contains(name, "idempoten") {
		return true
	}
	v, ok := vendors[name]
	return ok && (!v.vague || strings.Contains(strings.ToLower(p.Get("description").Spelt()), "idempoten"))
}

// Parameter is a parameter that an operation has.
type Parameter struct {
	Item document.Node // in the list of the operation or of its path
	Node document.Node // where it is defined
	Name string
	In   string
}

// key identifies a parameter. Header names differ in more than letter case.
func (p Parameter) key() string {
	if p.In == "header" {
		return p.In + " " + strings.ToLower(p.Name)
	}
	return p.In + " " + p.Name
}

// Parameters are an operation's parameters, those of its path item first unless the operation has them itself, with
// references followed by resolve.
func Parameters(path document.PathItem, op document.Node, resolve func(item document.Node) document.Node) []Parameter {
	var out []Parameter
	for _, list := range append(slices.Clone(path.Parameters), op.Get("parameters")) {
		var own []Parameter
		keys := map[string]bool{}
		for _, item := range list.Items() {
			if n := resolve(item); n.IsMapping() {
				p := Parameter{item, n, n.Get("name").Spelt(), n.Get("in").Spelt()}
				own, keys[p.key()] = append(own, p), true
			}
		}
		out = slices.DeleteFunc(out, func(p Parameter) bool { return keys[p.key()] })
		out = append(out, own...)
	}
	return out
}

// KeyHeader is the one of an operation's parameters that is the header, or a header of that purpose.
func (c Contract) KeyHeader(all []Parameter) (Parameter, bool) {
	for _, p := range all {
		if p.In == "header" && (c.IsHeader(p.Node) || CarriesKey(p.Node)) {
			return p, true
		}
	}
	return Parameter{}, false
}

// IsHeader tells whether a parameter is the header in force.
func (c Contract) IsHeader(n document.Node) bool {
	return n.Get("in").Spelt() == "header" && strings.EqualFold(n.Get("name").Spelt(), c.Header())
}

// A Fault is something that a header parameter is not and should be.
type Fault struct {
	Lint   ir.LintID
	At     document.Node
	What   string // "is not required": behind the header's name
	Remedy string
}

// HeaderFaults says what a header is not that it should be, and what to do.
func (c Contract) HeaderFaults(n document.Node) []Fault {
	var all []Fault
	name := n.Get("name")
	switch text := name.Spelt(); {
	case !strings.EqualFold(text, c.Header()):
		all = append(all, Fault{ir.LintHeaderMissing, name, "is not " + c.Header(),
			fmt.Sprintf("say header: %s in the document's x-idempotency if clients are to go on sending it, and run this again", text)})
	case text != c.Header():
		all = append(all, Fault{ir.LintHeaderCase, name, "is not spelt " + c.Header(), "write it in these letters: generated clients and mocks compare names by letter"})
	}
	if required, _ := n.Get("required").Bool(); !required {
		all = append(all, Fault{ir.LintHeaderOption, n, "is not required", "mark it required"})
	}
	schema := c.Peek(n.Get("schema"))
	if most, err := strconv.Atoi(schema.Get("maxLength").Spelt()); err != nil || most > c.MaxLength() {
		at := n
		if err == nil {
			at = schema.Get("maxLength")
		}
		all = append(all, Fault{ir.LintHeaderLength, at, fmt.Sprintf("may be longer than %d", c.MaxLength()), fmt.Sprintf("give it maxLength: %d", c.MaxLength())})
	}
	return all
}
