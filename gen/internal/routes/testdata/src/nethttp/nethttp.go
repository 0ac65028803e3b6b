package nethttp // want package:"registers"

import (
	"context"
	"net/http"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"handlers"
	"shop"
)

func work(w http.ResponseWriter, r *http.Request) {}

func auth(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

func create(context.Context) (*idem.Response, error) { return nil, nil }

type server struct {
	create http.Handler
	any    http.Handler
}

func good(svc *idem.Service) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /orders", auth(shop.HandleOrdersCreate(svc, create)))
	cancel := shop.WrapOrdersCancel(svc, http.HandlerFunc(work))
	mux.HandleFunc("POST /v1/orders/{id}:cancel", func(w http.ResponseWriter, r *http.Request) { cancel.ServeHTTP(w, r) })
	s := server{create: shop.WrapLinesUpdate(svc, http.HandlerFunc(work))}
	mux.Handle("PUT /orders/{order}/lines/{n}", s.create)
	mux.Handle("PUT /v2/orders/{order}/lines/{n}", s.any)
	mux.Handle("POST /v3/orders", handlers.Create(svc))
	mux.HandleFunc("POST /v4/orders", new(handlers.ByHand).Create)
	mux.HandleFunc("POST /login", work)
	mux.HandleFunc("GET /orders", work)
	for _, h := range []*idem.Handler{cancel} {
		mux.Handle(h.Operation().Method+" "+h.Operation().Path, h)
	}
	return mux
}

func bad(svc *idem.Service, methods map[string]http.Handler) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work)                                         // want `POST /orders is orders.create, and no wrapper guards it: register the generated wrapper of orders.create, or put Middleware before the router`
	mux.HandleFunc("POST /v4/orders", handlers.Bare)                             // want `POST /v4/orders is orders.create, and no wrapper`
	mux.Handle("/v5/orders", auth(http.HandlerFunc(work)))                       // want `/v5/orders is orders.create, and no wrapper`
	mux.Handle("PUT /orders/{id}/lines/{line}", shop.WrapOrdersCreate(svc, nil)) // want `PUT /orders/{id}/lines/{line} is lines.update, and is registered with the wrapper of orders.create: register its own`
	mux.HandleFunc("POST /metrics", work)                                        // want `POST /metrics is in no document: add it to the document, or say //idemgen:exempt and why`
	mux.HandleFunc("DELETE /metrics", work)                                      //idemgen:exempt operators only
	//idemgen:exempt losing or doubling an event is harmless
	mux.HandleFunc("POST /orders/{id}:cancel", work)
	mux.Handle("POST /v9/orders", methods["create"])
	http.HandleFunc("POST /orders", work) // want `POST /orders is orders.create`
}

//idemgen:exempt nothing is here // want `there is nothing here to exempt: remove the comment`

func unexplained() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work) /* want `an exemption needs its reason` `POST /orders is orders.create` */ //idemgen:exempt
}

func behind(svc *idem.Service) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", work)
	api := http.NewServeMux()
	api.HandleFunc("PUT /orders/{id}/lines/{line}", work)
	mux.Handle("/api/", http.StripPrefix("/api", api))
	return auth(shop.Middleware(svc, auth(mux)))
}

func cookies(svc *idem.Service) {
	session := func(w http.ResponseWriter, r *http.Request) { signIn(w) }
	_ = shop.WrapOrdersCreate(svc, http.HandlerFunc(session))
	_ = shop.WrapOrdersCreate(svc, http.TimeoutHandler(http.HandlerFunc(work), time.Second, "")) // want `http.TimeoutHandler stands inside of a wrapper, so that`
	late := http.TimeoutHandler(http.HandlerFunc(work), time.Second, "")                         // want `http.TimeoutHandler stands inside of a wrapper`
	_ = shop.Middleware(svc, late)
	_ = http.TimeoutHandler(shop.WrapOrdersCreate(svc, nil), time.Second, "")
}

func signIn(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{}) // want `orders.create sets a cookie, which no replay repeats`
}
