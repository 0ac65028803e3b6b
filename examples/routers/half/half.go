// Package half has one of its document's two operations.
package half

import (
	"net/http"

	shop "github.com/idemgen/idemgen/examples/generations/one"
	"github.com/idemgen/idemgen/runtime/idem"
)

// New has no refunds.
func New(svc *idem.Service, order http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /orders", shop.WrapOrdersCreate(svc, order))
	return mux
}
