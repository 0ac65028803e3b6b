package lock

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// formNames are the names of the ways in which bodies are compared.
var formNames = map[ir.Form]string{ir.JSON: "json", ir.Digest: "bytes", ir.Fields: "fields", ir.Multipart: "parts"}

// inWords is how a body of a form is compared.
var inWords = map[ir.Form]string{ir.JSON: "as JSON", ir.Digest: "by their bytes", ir.Fields: "by their fields", ir.Multipart: "by their parts"}

// bodies are an operation's declared media types, and how bodies of each are compared.
func bodies(op *ir.Operation) map[string]ir.Form {
	out := map[string]ir.Form{}
	for _, b := range op.Bodies {
		out[b.MediaType] = b.Form
	}
	return out
}

// A taken is what an operation does with the bodies of a media type: the declaration that they come under, and what is
// compared by it.
type taken struct {
	declared string
	form     ir.Form
	rules    []ir.Rule
}

// takes finds the most specific declaration for bodies of a media type, which may be a range, as the runtime does.
func (e *Entry) takes(mediaType string) (t taken, ok bool) {
	one := strings.ReplaceAll(mediaType, "*", "x") // of the range
	for _, declared := range slices.Sorted(maps.Keys(e.Bodies)) {
		if matches(declared, one) && (!ok || narrower(declared, t.declared)) {
			t, ok = taken{declared: declared, form: e.Bodies[declared]}, true
		}
	}
	for _, b := range e.Identity.Body {
		if b.MediaType == t.declared {
			t.rules = b.Rules
		}
	}
	return t, ok
}

func matches(declared, essence string) bool {
	if declared == essence || declared == "*/*" {
		return true
	}
	before, behind, isRange := strings.Cut(declared, "*")
	return isRange && len(essence) > len(before)+len(behind) && strings.HasPrefix(essence, before) && strings.HasSuffix(essence, behind)
}

func narrower(a, b string) bool {
	stars, others := strings.Count(a, "*"), strings.Count(b, "*")
	return stars < others || stars == others && len(a) > len(b)
}

// otherBodies tells in words which bodies are compared in another form than before, or come under another declaration
// with other rules. No rule of the identity's table says so, and records of before cannot be told from those of now.
func otherBodies(next, e *Entry) []string {
	all := maps.Clone(e.Bodies)
	maps.Copy(all, next.Bodies)
	var out []string
	for _, mediaType := range slices.Sorted(maps.Keys(all)) {
		before, had := e.takes(mediaType)
		now, has := next.takes(mediaType)
		switch {
		case !had || !has:
		case before.form != now.form:
			out = append(out, fmt.Sprintf("%s bodies are compared %s now, and were %s", mediaType, inWords[now.form], inWords[before.form]))
		case before.declared != now.declared && !sameRules(before.rules, now.rules):
			out = append(out, fmt.Sprintf("%s bodies follow the rules of %s now, and followed those of %s", mediaType, now.declared, before.declared))
		}
	}
	return out
}

func sameRules(a, b []ir.Rule) bool {
	return len(a)+len(b) == 0 || reflect.DeepEqual(a, b)
}
