// Package handlers has handlers that other packages register.
package handlers

import (
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

func Bare(w http.ResponseWriter, r *http.Request) {}

func Create(svc *idem.Service) http.Handler {
	return shop.WrapOrdersCreate(svc, http.HandlerFunc(Bare))
}

type ByHand struct{ svc *idem.Service }

func (h *ByHand) Create(w http.ResponseWriter, r *http.Request) {
	attempt, err := shop.BeginOrdersCreate(r.Context(), h.svc)
	_, _ = attempt, err
}
