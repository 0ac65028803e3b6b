package idem

import "net/http"

// request is what the identity and the typed payload are made of. Its slices and maps may be the
// caller's: nothing here changes them.
type request struct {
	path   Values
	query  Values
	header Values            // all of them, by canonical name; the identity takes those it includes
	scope  map[string]string // facts about the actor

	hasBody   bool
	declared  string // the declared media type, or range, that the body matched
	mediaType string // what the identity calls it
	form      Form
	body      []byte
}

// newRequest takes apart a request whose route, facts and body are known. An empty body is none.
func newRequest(op *Operation, r *http.Request, path Values, facts map[string]string, body []byte) (*request, *Problem) {
	query, problem := parseQuery(r.URL.RawQuery)
	if problem != nil {
		return nil, problem
	}
	rq := &request{path: path, query: query, header: Values(r.Header), scope: facts}
	if len(body) == 0 {
		return rq, nil
	}
	m, problem := matchMedia(op, r.Header)
	if problem != nil {
		return nil, problem
	}
	rq.setBody(m, body)
	return rq, nil
}

func (rq *request) setBody(m medium, body []byte) {
	rq.hasBody = true
	rq.declared, rq.mediaType, rq.form = m.declared, m.text, m.form
	rq.body = body
}
