package usesoapi // want package:"registers"

import (
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
	"oapi"
	"shop"
)

func good(si oapi.ServerInterface, svc *idem.Service) {
	_ = shop.Middleware(svc, oapi.HandlerWithOptions(si, oapi.Options{}))
	h := oapi.HandlerWithOptions(si, oapi.Options{BaseURL: "/v1"})
	_ = shop.Middleware(svc, h)
	_ = oapi.HandlerWithOptions(si, oapi.Options{Middlewares: []func(http.Handler) http.Handler{
		func(next http.Handler) http.Handler { return shop.Middleware(svc, next) },
	}})
}

func bad(si oapi.ServerInterface) {
	h := oapi.HandlerWithOptions(si, oapi.Options{}) // want `HandlerWithOptions registers POST …/orders \(orders.create\), and no wrapper guards it`
	_ = http.ListenAndServe(":80", h)
}

func short(si oapi.ServerInterface) {
	_ = http.ListenAndServe(":80", oapi.Handler(si)) // want `Handler registers POST …/orders \(orders.create\), and no wrapper guards it`
}

func handed(si oapi.ServerInterface) {
	mux := http.NewServeMux()
	_ = oapi.HandlerFromMux(si, mux) // want `HandlerFromMux registers POST …/orders \(orders.create\)`
}
