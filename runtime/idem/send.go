package idem

import (
	"net/http"
	"slices"
	"strconv"
)

// bodyAllowed says whether a response of this status has a body: RFC 9110, section 6.4.1.
func bodyAllowed(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// sniff sets the Content-Type that net/http would find out when it sends body, so that it can be
// stored: a replay does not depend on the next version's guess, nor on who sends it.
func sniff(h http.Header, status int, body []byte) {
	_, typed := h["Content-Type"]
	if typed || h.Get("Content-Encoding") != "" || len(body) == 0 || !bodyAllowed(status) {
		return
	}
	h["Content-Type"] = []string{http.DetectContentType(body)}
}

// writeResponse sends r, whose header names are canonical, over the headers that outer layers set, as its
// handler made it. An error is
// the connection's: the record is none the worse for it.
func writeResponse(w http.ResponseWriter, r Response) error {
	h := w.Header()
	for name, values := range r.Header {
		if name == "Vary" { // what an outer layer varies by goes on being true
			h[name] = append(slices.Clone(h[name]), values...)
			continue
		}
		h[name] = slices.Clone(values)
	}
	return sendBody(w, r.Status, r.Body)
}

// writeReplay sends a stored response again. An error is the connection's.
func writeReplay(w http.ResponseWriter, r Response) error {
	replayHeader(w.Header(), r.Header)
	return sendBody(w, r.Status, r.Body)
}

// sendBody sends status and body, with the body's own Content-Length whatever was set before. Where
// the status allows no body, neither is sent.
func sendBody(w http.ResponseWriter, status int, body []byte) error {
	h := w.Header()
	if !bodyAllowed(status) {
		h.Del("Content-Length")
		w.WriteHeader(status)
		return nil
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if len(body) == 0 {
		return nil
	}
	_, err := w.Write(body)
	return err
}
