package chirouter // want package:"registers"

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

func work(w http.ResponseWriter, r *http.Request) {}

func good(svc *idem.Service) {
	r := chi.NewRouter()
	r.Use(func(next http.Handler) http.Handler { return shop.Middleware(svc, next) })
	r.Post("/orders", work)
	r.Route("/v1", func(r chi.Router) {
		r.Group(func(r chi.Router) { r.Put("/orders/{id}/lines/{line}", work) })
	})

	bare := chi.NewRouter()
	bare.Method("POST", "/orders", shop.WrapOrdersCreate(svc, http.HandlerFunc(work)))
	bare.Post("/orders/{id:[0-9]{3}}:cancel", shop.WrapOrdersCancel(svc, http.HandlerFunc(work)).ServeHTTP)
	bare.With(guard(svc)).Put("/orders/{id}/lines/{line}", work)
}

func guard(svc *idem.Service) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return shop.Middleware(svc, next) }
}

func bad() {
	r := chi.NewRouter()
	r.Post("/orders", work) // want `POST /orders is orders.create`
	r.Route("/v1/orders", func(r chi.Router) {
		r.Use(func(next http.Handler) http.Handler { return next })
		r.Post("/{id}:cancel", work) // want `POST /v1/orders/{id}:cancel is orders.cancel`
		r.Group(func(r chi.Router) {
			r.MethodFunc("PUT", "/{id}/lines/{line}", work) // want `PUT /v1/orders/{id}/lines/{line} is lines.update`
		})
	})
	sub := chi.NewRouter()
	sub.Handle("/", http.HandlerFunc(work)) // want `/shop/orders/ is orders.create`
	r.Mount("/shop/orders", sub)
	register(r)
}

func register(r chi.Router) {
	r.Post("/v2/orders", work) // want `POST …/v2/orders is orders.create|POST /v2/orders is orders.create`
}

// Nobody knows whether these write.
func methods(all []string) {
	r := chi.NewRouter()
	for _, m := range all {
		r.MethodFunc(m, "/orders", work)
	}
	_ = http.ListenAndServe(":80", r)
}
