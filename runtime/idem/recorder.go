package idem

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// errClosed is what a write gets that comes after the handler has returned.
var errClosed = errors.New("idem: write after the handler has returned")

// recorder is the [http.ResponseWriter] that a wrapped handler gets. It holds the response back until
// it is finalized. Informational statuses go through at once and are not recorded; the first final
// status wins; headers changed after it are neither sent nor stored; a handler that writes nothing
// has answered 200.
//
// A body over limit is not held back: status, headers and what there is are sent, and the rest goes
// through as it is written.
//
// Trailers are dropped: what the Trailer header names, and names with [http.TrailerPrefix]. A replay
// could not repeat them, and sent as headers they would be something else.
//
// There is no Unwrap, no Flush and no Hijack: each would let the handler past the record.
//
// The methods are safe to call from a goroutine that outlives the handler: it gets errClosed. The
// header map is the handler's own, as net/http's is.
type recorder struct {
	w      http.ResponseWriter
	limit  int64
	outer  http.Header // what outer layers had set, to tell what the handler changed
	header http.Header // what the handler sees and changes

	mu     sync.Mutex
	closed bool
	status int         // 0: no final status yet
	sent   http.Header // header as it was at the final status
	body   []byte

	overflowed bool        // the body was over limit: it is sent already, and cannot be stored
	lost       func() bool // whether the response must not be sent any more; nil: no
}

// newRecorder returns a recorder in front of w that holds back at most limit bytes of body. Headers that
// outer layers have set on w are in the handler's sight, to change or delete.
func newRecorder(w http.ResponseWriter, limit int64) *recorder {
	outer := w.Header().Clone()
	return &recorder{w: w, limit: limit, outer: outer, header: outer.Clone()}
}

// Header returns the header map of the response.
func (rec *recorder) Header() http.Header { return rec.header }

// WriteHeader records the first final status and the headers of that moment. It panics, as net/http
// does, on what is no status; and on 101, since a connection cannot change its protocol here.
func (rec *recorder) WriteHeader(status int) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.writeHeader(status)
}

func (rec *recorder) writeHeader(status int) {
	switch {
	case status < 100 || status > 999:
		panic(fmt.Sprintf("idem: invalid status code %d", status))
	case status == http.StatusSwitchingProtocols:
		panic("idem: 101 Switching Protocols cannot be recorded")
	case rec.status != 0: // so it is after close
		return
	case status < 200:
		rec.sendInformational(status)
	default:
		rec.status = status
		rec.sent = withoutTrailers(rec.header, rec.outer)
	}
}

// sendInformational sends a 1xx with the handler's headers, and leaves the real header as it was.
func (rec *recorder) sendInformational(status int) {
	header := withoutTrailers(rec.header, rec.outer)
	applyHeader(rec.w.Header(), rec.outer, header)
	rec.w.WriteHeader(status)
	applyHeader(rec.w.Header(), header, rec.outer)
}

// withoutTrailers returns a copy of h without the handler's trailers. An outer layer's stay. A
// Transfer-Encoding goes too: the body is sent whole, with its length.
func withoutTrailers(h, outer http.Header) http.Header {
	kept := h.Clone()
	drop := func(name string) {
		delete(kept, name)
		if values, set := outer[name]; set {
			kept[name] = slices.Clone(values)
		}
	}
	if !slices.Equal(h["Trailer"], outer["Trailer"]) {
		for _, value := range h["Trailer"] {
			for name := range strings.SplitSeq(value, ",") {
				drop(http.CanonicalHeaderKey(strings.Trim(name, " \t")))
			}
		}
		drop("Trailer")
	}
	for name := range h {
		if strings.HasPrefix(name, http.TrailerPrefix) {
			drop(name)
		}
	}
	drop("Transfer-Encoding")
	return kept
}

// applyHeader makes to dst the changes that lead from before to after.
func applyHeader(dst, before, after http.Header) {
	for name := range before {
		if _, kept := after[name]; !kept {
			delete(dst, name)
		}
	}
	for name, values := range after {
		if old, set := before[name]; !set || !slices.Equal(old, values) {
			dst[name] = slices.Clone(values)
		}
	}
}

// Write records data, or sends it where the body is over limit. A status without a body refuses it with
// [http.ErrBodyNotAllowed].
func (rec *recorder) Write(data []byte) (int, error) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.closed {
		return 0, errClosed
	}
	rec.writeHeader(http.StatusOK) // does nothing after the first
	switch {
	case len(data) == 0:
		return 0, nil
	case !bodyAllowed(rec.status):
		return 0, http.ErrBodyNotAllowed
	case !rec.overflowed && int64(len(rec.body))+int64(len(data)) <= rec.limit:
		rec.body = append(rec.body, data...)
		return len(data), nil
	case !rec.overflowed:
		if err := rec.overflow(); err != nil {
			return 0, err
		}
	}
	return rec.w.Write(data)
}

// overflow sends what was held back, since the next write would make it too much to store. The server
// sniffs its type.
func (rec *recorder) overflow() error {
	if rec.lost != nil && rec.lost() {
		return ErrLost
	}
	rec.overflowed = true
	applyHeader(rec.w.Header(), rec.outer, rec.sent)
	rec.w.WriteHeader(rec.status)
	held := rec.body
	rec.body = nil
	if len(held) == 0 {
		return nil
	}
	_, err := rec.w.Write(held)
	return err
}

// close ends the recording: from here on writes fail. A handler that wrote nothing has answered 200.
func (rec *recorder) close() {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.closed {
		return
	}
	if rec.status == 0 {
		rec.status = http.StatusOK
		rec.sent = withoutTrailers(rec.header, rec.outer)
	}
	sniff(rec.sent, rec.status, rec.body)
	rec.closed = true
}

// response closes the recorder and returns what a record keeps: of the headers that the handler set or
// changed those that may be stored, declared being the document's. It is a tombstone where the body
// was over limit. The body is shared with the recorder, and neither changes it.
func (rec *recorder) response(declared []string) Response {
	rec.close()
	if rec.overflowed {
		return Response{Status: rec.status, Tombstone: true}
	}
	return Response{Status: rec.status, Header: storedHeader(rec.changed(), declared), Body: rec.body}
}

// changed returns the headers that the handler set or changed. Where it added values to an outer
// layer's, those it added.
func (rec *recorder) changed() http.Header {
	changed := make(http.Header)
	for name, values := range rec.sent {
		outer := rec.outer[name]
		if len(outer) > 0 && len(outer) <= len(values) && slices.Equal(outer, values[:len(outer)]) {
			values = values[len(outer):]
		}
		if len(values) > 0 {
			changed[name] = values
		}
	}
	return changed
}

// send closes the recorder and sends the response as the handler made it, not what a record keeps of
// it. Where the body was over limit it is sent already.
func (rec *recorder) send() error {
	rec.close()
	if rec.overflowed {
		return nil
	}
	applyHeader(rec.w.Header(), rec.outer, rec.sent)
	return sendBody(rec.w, rec.status, rec.body)
}

// FlushError refuses to flush: what the client has seen cannot be taken back when the attempt is lost.
func (rec *recorder) FlushError() error { return http.ErrNotSupported }

// SetReadDeadline is for [http.ResponseController].
func (rec *recorder) SetReadDeadline(deadline time.Time) error {
	return http.NewResponseController(rec.w).SetReadDeadline(deadline)
}

// SetWriteDeadline is for [http.ResponseController].
func (rec *recorder) SetWriteDeadline(deadline time.Time) error {
	return http.NewResponseController(rec.w).SetWriteDeadline(deadline)
}
