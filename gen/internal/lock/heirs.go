package lock

import "github.com/idemgen/idemgen/gen/internal/ir"

// heirs finds what became of operations whose endpoint key is gone: a key that is new, with the same route or else the
// same operationId.
type heirs struct{ byShape, byID map[string]string }

// newHeirs looks at each entry once: a document may have got other keys throughout.
func newHeirs(old, next *File) heirs {
	h := heirs{map[string]string{}, map[string]string{}}
	for _, key := range keys(next.Endpoints) {
		if old.Endpoints[key] != nil {
			continue
		}
		e := next.Endpoints[key]
		for m, is := range map[*map[string]string]string{&h.byShape: e.shape(), &h.byID: e.OperationID} {
			if (*m)[is] == "" {
				(*m)[is] = key
			}
		}
	}
	return h
}

// of is the new endpoint key of an entry that is gone; empty: it has none.
func (h heirs) of(e *Entry) string {
	if key := h.byShape[e.shape()]; key != "" {
		return key
	}
	if e.OperationID == "" {
		return ""
	}
	return h.byID[e.OperationID]
}

// holders finds the key of an operation that both a file and an older one know by another: one that has the route now,
// or the operationId of an operation that left its route.
type holders struct{ byShape, byID map[string]string }

func newHolders(f *File) holders {
	h := holders{map[string]string{}, map[string]string{}}
	for _, key := range keys(f.Endpoints) {
		e := f.Endpoints[key]
		h.byShape[e.shape()] = key
		h.byID[e.OperationID] = key
	}
	return h
}

// other is the key that holds now what e was, whose key is now at next; empty: the same.
func (h holders) other(key string, e, next *Entry) string {
	if other := h.byShape[e.shape()]; other != "" {
		if other == key {
			return ""
		}
		return other
	}
	if e.OperationID == "" || e.OperationID == next.OperationID || h.byID[e.OperationID] == key {
		return ""
	}
	return h.byID[e.OperationID]
}

// unkeyedShapes are the routes of a document's write operations without a key.
func unkeyedShapes(doc *ir.Document) map[string]bool {
	out := map[string]bool{}
	for _, r := range doc.Unkeyed {
		out[r.Shape()] = true
	}
	for _, e := range doc.Exempt {
		out[e.Shape()] = true
	}
	return out
}
