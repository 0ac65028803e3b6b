package idemtest

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// Stub stands in for a service: it answers every request with 201 and a JSON body that is never the
// same twice, so that only a replay can repeat it.
func Stub() http.Handler {
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id":"stub-%d"}`+"\n", n.Add(1))
	})
}
