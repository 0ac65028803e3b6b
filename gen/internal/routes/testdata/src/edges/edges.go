// Package edges has what is less usual. // want package:"registers"
package edges

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

func work(w http.ResponseWriter, r *http.Request) {}

// The router of net/http itself stands behind Middleware.
func global(svc *idem.Service) {
	http.HandleFunc("POST /orders", work)
	_ = http.ListenAndServe(":80", shop.Middleware(svc, http.DefaultServeMux))
}

type app struct{ *chi.Mux }

func embedded() {
	a := app{chi.NewRouter()}
	a.Post("/orders", work) // want `POST /orders is orders.create`
	_ = http.ListenAndServe(":80", a)
}

// Poster is an interface of the program's own.
type Poster interface {
	Post(pattern string, h http.HandlerFunc)
}

func own(r Poster) {
	r.Post("/orders", work) // want `POST /orders is orders.create`
}

func owned() {
	r := chi.NewRouter()
	own(r)
	_ = http.ListenAndServe(":80", r)
}

type container struct{ constructors []any }

func (c *container) invoke(f any) { c.constructors = append(c.constructors, f) }

// Nobody sees who gives it its router.
func injected(r chi.Router) { r.Post("/orders", work) }

func inject() { new(container).invoke(injected) }

// One handler for all methods, which finds the wrapper itself.
func switched(svc *idem.Service) {
	create, cancel := shop.WrapOrdersCreate(svc, nil), shop.WrapOrdersCancel(svc, nil)
	mux := http.NewServeMux()
	mux.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			create.ServeHTTP(w, r)
		}
	})
	mux.HandleFunc("/orders/{id}:cancel", func(w http.ResponseWriter, r *http.Request) { cancelled(cancel, w, r) })
	_ = http.ListenAndServe(":80", mux)
}

func cancelled(h http.Handler, w http.ResponseWriter, r *http.Request) { h.ServeHTTP(w, r) }

// Two routers through one function: only one of them stands behind Middleware.
func two(svc *idem.Service) {
	good, bad := chi.NewRouter(), chi.NewRouter()
	both(good)
	both(bad)
	_ = http.ListenAndServe(":80", shop.Middleware(svc, good))
	_ = http.ListenAndServe(":81", bad)
}

func both(r chi.Router) {
	r.Post("/orders", work) // want `POST /orders is orders.create`
}

// What a router is to use may be given to the function that builds it.
func given(svc *idem.Service) {
	r := with(chi.NewRouter(), func(next http.Handler) http.Handler { return shop.Middleware(svc, next) })
	_ = http.ListenAndServe(":80", r)
}

func with(r chi.Router, middlewares ...func(http.Handler) http.Handler) chi.Router {
	for _, m := range middlewares {
		r.Use(m)
	}
	r.Post("/v1/orders", work)
	return r
}

// Options hold what another package says.
type Options struct {
	Before func(http.Handler) http.Handler
}

func option(o Options) {
	r := chi.NewRouter()
	r.Use(o.Before)
	r.Post("/orders", work)
	r.With(o.Before).Post("/v1/orders", work)
	_ = http.ListenAndServe(":80", r)
	s := chi.NewRouter()
	s.With(o.Before).Post("/orders", work)
	s.Post("/v1/orders", work) // want `POST /v1/orders is orders.create`
	_ = http.ListenAndServe(":80", s)
}

func chain(h http.Handler, middlewares ...func(http.Handler) http.Handler) http.Handler {
	for _, m := range middlewares {
		h = m(h)
	}
	return h
}

// A chain puts its middlewares before one handler, or before a router.
func chained(svc *idem.Service) {
	guard := func(next http.Handler) http.Handler { return shop.Middleware(svc, next) }
	mux := http.NewServeMux()
	mux.Handle("POST /orders", chain(http.HandlerFunc(work), logged, guard))
	mux.Handle("POST /v1/orders", chain(http.HandlerFunc(work), logged)) // want `POST /v1/orders is orders.create`
	_ = http.ListenAndServe(":80", mux)
	inside := http.NewServeMux()
	inside.HandleFunc("POST /orders", work)
	_ = http.ListenAndServe(":81", chain(inside, logged, guard))
}

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

type endpoint struct{ next http.Handler }

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) { w.WriteHeader(201) }

type around struct{ next http.Handler }

func (a around) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.next.ServeHTTP(w, r) }

// A handler of which only the type is known is what that does.
func typed(e *endpoint, a around) {
	mux := http.NewServeMux()
	var zero endpoint
	mux.Handle("POST /orders", e)                // want `POST /orders is orders.create`
	mux.Handle("POST /v1/orders", &zero)         // want `POST /v1/orders is orders.create`
	mux.Handle("POST /v2/orders", new(endpoint)) // want `POST /v2/orders is orders.create`
	mux.Handle("POST /v3/orders", a)
	_ = http.ListenAndServe(":80", mux)
}
