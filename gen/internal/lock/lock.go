// Package lock keeps what records were written under, so that no name and no rule drifts by accident. The lock file
// stands beside the generated code and is committed with it: for each endpoint key the route, the name that its records
// have, what is compared, and what was compared before. [Update] brings it up to a document and finds what must not
// change without anybody saying so; [Diff] tells what changed between two documents.
package lock

import (
	"maps"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Canon is the version of the canonical form that the runtime writes: its canon.Version.
const Canon = 1

// version is that of the file's form.
const version = 1

// File is a lock.
type File struct {
	Canon     int
	Endpoints map[string]*Entry
	Removed   map[string]*Entry // endpoint keys that are gone, and never given away
}

// Entry is what is known of an endpoint key.
type Entry struct {
	Method, Path, OperationID string
	// Record is the first name, where it is another; Names are all former ones.
	Record string
	Names  []string
	// PathNames are the first names of the path's parameters, in the path's order, where one is another.
	PathNames []string
	// Bodies are the declared media types, and how bodies of each are compared.
	Bodies   map[string]ir.Form
	Identity ir.Identity
	Former   []ir.Identity // each once, the oldest first; never Identity

	pos ir.Pos // in a document: of the endpoint key
}

// Of is the lock of a document that had none before.
func Of(doc *ir.Document) *File {
	f := &File{Canon: Canon, Endpoints: map[string]*Entry{}, Removed: map[string]*Entry{}}
	marked := ir.Marked(doc.Operations)
	for _, op := range doc.Operations {
		f.Endpoints[op.Endpoint] = &Entry{
			Method: op.Method, Path: op.Path, OperationID: op.OperationID,
			Bodies: bodies(op), Identity: ir.NewIdentity(op, marked), pos: op.EndpointPos,
		}
	}
	return f
}

// shape is equal for entries that answer the same requests.
func (e *Entry) shape() string { return ir.Route{Method: e.Method, Path: e.Path}.Shape() }

// keys are the endpoint keys, sorted.
func keys(m map[string]*Entry) []string { return slices.Sorted(maps.Keys(m)) }

// params are the names of a path's parameters, in its order.
func params(path string) []string {
	var names []string
	for _, p := range ir.Placeholder.FindAllString(ir.RequestPath(path), -1) {
		names = append(names, p[1:len(p)-1])
	}
	return names
}

// firsts are the first names of the entry's path parameters.
func (e *Entry) firsts() []string {
	if e.PathNames != nil {
		return e.PathNames
	}
	return params(e.Path)
}
