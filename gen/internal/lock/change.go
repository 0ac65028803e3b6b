package lock

import (
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// differences tells in words how an identity table became another.
func differences(old, new ir.Identity) []string {
	var out []string
	lists := func(before, after []string, lost, won string) {
		for _, name := range before {
			if !slices.Contains(after, name) {
				out = append(out, name+" "+lost)
			}
		}
		for _, name := range after {
			if !slices.Contains(before, name) {
				out = append(out, name+" "+won)
			}
		}
	}
	lists(prefixed("query.", old.IgnoredQuery), prefixed("query.", new.IgnoredQuery), "counts now", "is ignored now")
	lists(prefixed("header ", old.IncludedHeaders), prefixed("header ", new.IncludedHeaders), "does not count any more", "counts now")
	lists(prefixed("the caller's ", old.Scope), prefixed("the caller's ", new.Scope), "does not count any more", "counts now")
	before, after := places(old), places(new)
	lists(before.ignored, after.ignored, "counts now", "is ignored now")
	lists(before.sets, after.sets, "is compared in its order now", "is compared as a set now")
	if len(out) == 0 {
		out = append(out, "rules for bodies are told apart otherwise")
	}
	return out
}

func prefixed(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = prefix + name
	}
	return out
}

// placed are the places of bodies that have a rule: "body.lines[].note".
type placed struct{ ignored, sets []string }

// deepest is how far places are followed into schemas that recurse.
const deepest = 6

// places are those of all bodies. Where there are bodies of several media types, each place has its type.
func places(id ir.Identity) placed {
	var out placed
	for _, b := range id.Body {
		where := "body"
		if b.MediaType != "application/json" {
			where = b.MediaType + " body"
		}
		var walk func(where string, rule, depth int)
		walk = func(where string, rule, depth int) {
			if depth > deepest || rule >= len(b.Rules) {
				return
			}
			r := b.Rules[rule]
			if r.Unordered {
				out.sets = append(out.sets, where)
			}
			for _, name := range r.Ignore {
				out.ignored = append(out.ignored, where+"."+name)
			}
			for _, m := range r.Members {
				walk(where+"."+m.Name, m.Rule, depth+1)
			}
			if r.Items != 0 {
				walk(where+"[]", r.Items, depth+1)
			}
			if r.Rest != 0 {
				walk(where+".*", r.Rest, depth+1)
			}
		}
		walk(where, 0, 0)
	}
	for _, names := range []*[]string{&out.ignored, &out.sets} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return out
}

// Class is what a change means for requests that were sent before it.
type Class string

// The classes.
const (
	Neutral  Class = "neutral"  // every request is told apart and answered as before
	Additive Class = "additive" // there is more than before, and what was there is as it was
	Breaking Class = "breaking" // requests are told apart otherwise, refused, or not recognised when they are sent again
)

// A Change is one difference between two documents.
type Change struct {
	Class    Class
	Endpoint string // the key that it is about, by its new name; empty: none
	What     string
	Pos      ir.Pos // in the new document; of what is gone, in the old one
	Old      bool   // Pos is in the old one
}
