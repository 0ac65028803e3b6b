// Package tables has its routes in tables. // want package:"registers"
package tables

import (
	"net/http"

	"github.com/gorilla/mux"
	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

type route struct {
	name, method, pattern string
	handler               http.HandlerFunc
}

func work(w http.ResponseWriter, r *http.Request) {}

func logged(next http.Handler) http.Handler { return next }

func table(svc *idem.Service) []route {
	return []route{
		{"list", "GET", "/orders", work},
		{"create", http.MethodPost, "/orders", work}, // want `POST /v1/orders is orders.create, and no wrapper`
		{name: "cancel", method: "POST", pattern: "/orders/{id}:cancel", handler: shop.WrapOrdersCancel(svc, nil).ServeHTTP},
		{"line", "PUT", "/orders/{id}/lines/{line}", shop.WrapOrdersCancel(svc, nil).ServeHTTP}, // want `PUT /v1/orders/{id}/lines/{line} is lines.update, and is registered with the wrapper of orders.cancel`
		{"note", "POST", "/notes", work}, // want `POST /v1/notes is in no document`
		//idemgen:exempt clicks are counted roughly
		{"click", "POST", "/clicks", work},
	}
}

func generated(svc *idem.Service) {
	router := mux.NewRouter()
	for _, r := range table(svc) {
		router.Methods(r.method).Path("/v1" + r.pattern).Name(r.name).Handler(logged(r.handler))
	}
	_ = http.ListenAndServe(":80", router)
}

func byPattern(svc *idem.Service) {
	m := http.NewServeMux()
	for pattern, h := range map[string]http.Handler{
		"POST /orders":                  shop.WrapOrdersCreate(svc, nil),
		"PUT /orders/{id}/lines/{line}": http.HandlerFunc(work), // want `PUT /orders/{id}/lines/{line} is lines.update`
	} {
		m.Handle(pattern, h)
	}
	_ = http.ListenAndServe(":80", m)
}

func behind(svc *idem.Service, more []route) {
	m := http.NewServeMux()
	for _, r := range []*route{{method: "POST", pattern: "/orders", handler: work}} {
		m.HandleFunc(r.method+" "+r.pattern, r.handler)
	}
	for _, r := range more {
		m.HandleFunc(r.method+" "+r.pattern, r.handler)
	}
	_ = http.ListenAndServe(":80", shop.Middleware(svc, m))
}

// The method of a line may be told after its path.
func after(svc *idem.Service) {
	router := mux.NewRouter()
	for _, r := range []route{
		{"list", "GET", "/orders", work},
		{"create", "POST", "/orders", work}, // want `POST /orders is orders.create, and no wrapper`
	} {
		router.HandleFunc(r.pattern, r.handler).Methods(r.method)
	}
	_ = http.ListenAndServe(":80", router)
}

// Nobody knows whether these write.
func methods(svc *idem.Service, all []string) {
	router, m := mux.NewRouter(), http.NewServeMux()
	router.HandleFunc("/orders", work).Methods(all...)
	for _, method := range all {
		m.HandleFunc(method+" /orders", work)
		m.Handle(method+" /orders", shop.WrapOrdersCancel(svc, nil))
	}
	_ = http.ListenAndServe(":80", router)
	_ = http.ListenAndServe(":81", m)
}
