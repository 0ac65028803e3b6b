package httpservice // want package:"registers"

import (
	"net/http"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

func work(w http.ResponseWriter, r *http.Request) {}

type app struct {
	svc     *idem.Service
	handler http.Handler
	next    http.HandlerFunc
	log     func(string)
}

func (a *app) json(fn func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a.log("in")
		_, _ = fn(r)
	}
}

func (a *app) create(r *http.Request) (any, error) { return nil, nil }

func (a *app) byHand(r *http.Request) (any, error) {
	return shop.BeginOrdersCreate(r.Context(), a.svc)
}

func session(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{})
		next.ServeHTTP(w, r)
	})
}

// routes is a router as most programs have it.
func (a *app) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/orders", work) // GET: what writes has its own
	mux.Handle("POST /orders", session(shop.WrapOrdersCreate(a.svc, http.HandlerFunc(work))))
	mux.HandleFunc("POST /v1/orders", a.json(a.create)) // want `POST /v1/orders is orders.create`
	mux.HandleFunc("POST /v2/orders", a.json(a.byHand))
	mux.Handle("POST /v3/orders", a.handler)
	mux.Handle("POST /v4/orders", session(a.handler))
	mux.HandleFunc("POST /v5/orders", func(w http.ResponseWriter, r *http.Request) { a.next(w, r) })
	mux.HandleFunc("POST /users/{id}/orders", work)   // want `POST /users/{id}/orders is in no document`
	mux.HandleFunc("/orders/{id}/lines/{line}", work) // want `/orders/{id}/lines/{line} is lines.update`
	mux.HandleFunc("POST /files/{rest...}", work)     // want `POST /files/{rest...} is in no document`
	return mux
}

func run(svc *idem.Service, h http.Handler) {
	a := &app{svc: svc, handler: h}
	_ = http.ListenAndServe(":80", a.routes())
}

func twoRouters(svc *idem.Service) {
	inside := http.NewServeMux()
	inside.Handle("POST /orders", http.TimeoutHandler(http.HandlerFunc(work), time.Second, "")) // want `http.TimeoutHandler stands inside`
	outside := http.NewServeMux()
	outside.HandleFunc("POST /orders", work) // want `POST /orders is orders.create`
	_ = http.ListenAndServe(":80", session(shop.Middleware(svc, logged(inside))))
	_ = http.ListenAndServe(":81", logged(outside))
}

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

func switched(svc *idem.Service) {
	create := shop.WrapOrdersCreate(svc, http.HandlerFunc(work))
	http.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPost:
			create.ServeHTTP(w, r)
		default:
			work(w, r)
		}
	})
}
