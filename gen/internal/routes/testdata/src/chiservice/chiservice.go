// Package chiservice is built as chi documents it: resources with routers of their own. // want package:"registers"
package chiservice

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/idemgen/idemgen/runtime/idem"
	"orders"
	"shop"
)

type resource struct{ svc *idem.Service }

func (rs resource) create(w http.ResponseWriter, r *http.Request) {}

func (rs resource) routes() chi.Router {
	r := chi.NewRouter()
	r.Post("/", rs.create)                 // want `POST /api/orders/ is orders.create, and no wrapper`
	r.Put("/{id}/lines/{line}", rs.create) // want `PUT /api/orders/{id}/lines/{line} is lines.update`
	r.Get("/", rs.create)
	return r
}

func (rs resource) guarded() http.Handler {
	r := chi.NewRouter()
	r.Post("/", rs.create)
	return r
}

func service(svc *idem.Service) {
	r := chi.NewRouter()
	r.Route("/api", func(r chi.Router) {
		r.Mount("/orders", resource{svc}.routes())
		r.With(guard(svc)).Mount("/v2/orders", resource{svc}.guarded())
		r.Mount("/v3/orders", orders.Routes()) // want `Routes registers POST /api/v3/orders/ \(orders.create\), and no wrapper`
		r.With(guard(svc)).Mount("/v4/orders", orders.Routes())
		r.Mount("/v5/orders", shop.Middleware(svc, orders.Routes()))
	})
	r.Route("/v6/orders", named)
	r.Route("/v7/orders", closed(svc))
	r.Group(func(r chi.Router) {
		r.Use(guard(svc))
		r.Route("/v8/orders", namedGuarded)
		r.Route("/v9/orders", closedGuarded(svc))
	})
	r.Handle("POST /v10/orders", http.HandlerFunc(resource{svc}.create)) // want `POST /v10/orders is orders.create`
	r.HandleFunc("GET /v11/orders", resource{svc}.create)
	r.With(guardCreate(svc)).Post("/v12/orders", resource{svc}.create)
	r.Handle("/files/*", http.NotFoundHandler())
	_ = http.ListenAndServe(":80", r)
}

func guard(svc *idem.Service) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return shop.Middleware(svc, next) }
}

func guardCreate(svc *idem.Service) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return shop.WrapOrdersCreate(svc, next) }
}

func named(r chi.Router) {
	r.Post("/", resource{}.create) // want `POST /v6/orders/ is orders.create`
}

func closed(svc *idem.Service) func(chi.Router) {
	return func(r chi.Router) {
		r.Post("/", resource{svc}.create) // want `POST /v7/orders/ is orders.create`
	}
}

func namedGuarded(r chi.Router) { r.Post("/", resource{}.create) }

func closedGuarded(svc *idem.Service) func(chi.Router) {
	return func(r chi.Router) { r.Post("/", resource{svc}.create) }
}
