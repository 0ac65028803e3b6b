package usesguards // want package:"registers"

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/idemgen/idemgen/runtime/idem"
	"guards"
	"orders"
	"shop"
)

func work(w http.ResponseWriter, r *http.Request) {}

func bare() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work) // want `POST /orders is orders.create`
	return mux
}

func a(svc *idem.Service) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work)
	_ = http.ListenAndServe(":80", guards.Guard(svc, mux))
}

func b(svc *idem.Service) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work)
	_ = guards.Serve(svc, mux)
}

func c(svc *idem.Service) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work)
	_ = guards.New(guards.Logged, guards.Func(svc)).Then(mux)
	_ = guards.New(guards.Logged).Then(bare())
}

func d(svc *idem.Service) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work)
	var h http.Handler = mux
	for _, m := range []func(http.Handler) http.Handler{guards.Logged, guards.Func(svc)} {
		h = m(h)
	}
	_ = http.ListenAndServe(":80", h)
}

func e(svc *idem.Service) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work)
	protect := func(h http.Handler) http.Handler { return shop.Middleware(svc, h) }
	_ = http.ListenAndServe(":80", protect(mux))
}

func f(svc *idem.Service) {
	mux := http.NewServeMux()
	mux.Handle("POST /orders", guards.Logged(guards.Lookup("create")))
	mux.Handle("POST /v1/orders", guards.Logged(http.HandlerFunc(work))) // want `POST /v1/orders is orders.create`
	logged := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
	}
	mux.Handle("POST /v2/orders", logged(http.HandlerFunc(work))) // want `POST /v2/orders is orders.create`
	mux.Handle("POST /v3/orders", logged(shop.WrapOrdersCreate(svc, nil)))
	mux.Handle("POST /v4/orders", curried("a")(http.HandlerFunc(work))) // want `POST /v4/orders is orders.create`
	mux.Handle("POST /v5/orders", curried("a")(shop.WrapOrdersCreate(svc, nil)))
	mux.Handle("POST /v6/orders", guards.Func(svc)(http.HandlerFunc(work)))
	_ = http.ListenAndServe(":80", mux)
}

func curried(realm string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
	}
}

func g(svc *idem.Service) {
	_ = shop.Middleware(svc, orders.NewServer())
	_ = shop.Middleware(svc, orders.NewServer().Handler())
	srv := orders.NewServer() // want `NewServer registers POST /orders \(orders.create\)`
	_ = http.ListenAndServe(":80", srv)
	r := chi.NewRouter()
	r.Route("/orders", orders.Register) // want `Register registers POST /orders/ \(orders.create\)`
	r.Route("/v2/orders", func(r chi.Router) {
		r.Use(guards.Func(svc))
		orders.Register(r)
	})
	r.Route("/v3/orders", func(r chi.Router) {
		orders.Register(r) // want `Register registers POST /v3/orders/ \(orders.create\)`
	})
}

type server struct {
	mux *http.ServeMux
	svc *idem.Service
}

func newServer(svc *idem.Service) *server {
	s := &server{svc: svc}
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("POST /orders", s.create)
	return s
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func h(svc *idem.Service) { _ = shop.Middleware(svc, newServer(svc)) }

// Shop hands its router on, and its callers guard it; that a route is in no document does not depend on them.
func Shop() http.Handler { // want Shop:"bare"
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work)
	mux.HandleFunc("POST /notes", work) // want `POST /notes is in no document`
	return mux
}

func either() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work) // want `POST /orders is orders.create`
	_ = http.ListenAndServe(":80", guards.Either(mux))
}
