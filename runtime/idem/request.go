package idem

import "net/http"

// request is what the identity and the typed payload are made of. Its slices and maps may be the
// caller's: nothing here changes them.
type request struct {
	path   Values     // by the names of today
	named  []PathName // those that had another name first
	query  Values
	header Values            // all of them, by canonical name; the identity takes those it includes
	scope  map[string]string // facts about the actor
	typed  bool              // it is a payload's, which has the headers that the identity of today includes and no other

	hasBody   bool
	declared  string // the declared media type, or range, that the body matched
	mediaType string // what the identity calls it
	form      Form
	body      content // of a Document or Digest
	fields    Values  // of Fields
	parts     Parts   // of Multipart
}

// newRequest takes apart a request whose route, facts and body are known. An empty body is none.
func newRequest(op *Operation, r *http.Request, path Values, facts map[string]string, m match, body content) (*request, *Problem) {
	query, problem := parsePairs(r.URL.RawQuery, "query")
	if problem != nil {
		return nil, problem
	}
	rq := &request{path: path, named: op.PathNames, query: query, header: Values(r.Header), scope: facts}
	switch {
	case body.size == 0:
		return rq, nil
	case m.problem != nil:
		return nil, m.problem
	}
	if problem := rq.setBody(m.medium, body); problem != nil {
		return nil, problem
	}
	return rq, nil
}

// firstPath is the path by the names that its parameters had first.
func (rq *request) firstPath() Values {
	if len(rq.named) == 0 {
		return rq.path
	}
	first := make(Values, len(rq.path))
	for name, values := range rq.path {
		for _, n := range rq.named {
			if n.Name == name {
				name = n.First
				break
			}
		}
		first[name] = values
	}
	return first
}

// setBody takes the body apart, as far as its form has parts.
func (rq *request) setBody(m medium, body content) (problem *Problem) {
	rq.setMedium(m)
	switch m.form {
	case Fields:
		rq.fields, problem = parsePairs(string(body.data), "form")
		rq.hasBody = len(rq.fields) > 0 // no field, no body: an empty form has no bytes
	case Multipart:
		rq.parts, problem = parseParts(m, body)
	default:
		rq.body = body
	}
	return problem
}

func (rq *request) setMedium(m medium) {
	rq.hasBody = true
	rq.declared, rq.mediaType, rq.form = m.declared, m.text, m.form
}
