package gorillarouter // want package:"registers"

import (
	"net/http"

	"github.com/gorilla/mux"
	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

func work(w http.ResponseWriter, r *http.Request) {}

func good(svc *idem.Service) http.Handler {
	r := mux.NewRouter()
	r.Handle("/orders", shop.WrapOrdersCreate(svc, nil)).Methods("POST")
	r.HandleFunc("/orders", work).Methods("GET")
	s := r.PathPrefix("/v1").Subrouter()
	s.Use(func(next http.Handler) http.Handler { return shop.Middleware(svc, next) })
	s.HandleFunc("/orders/{id}/lines/{line:[0-9]+}", work).Methods("PUT")
	return r
}

func bad() {
	r := mux.NewRouter()
	r.HandleFunc("/orders", work).Methods("POST", "GET") // want `POST, GET /orders is orders.create`
	s := r.PathPrefix("/v1/orders").Subrouter()
	s.HandleFunc("/{id}/lines/{line:[0-9]+}", work).Methods("PUT") // want `PUT /v1/orders/{id}/lines/{line:\[0-9\]\+} is lines.update`
	s.Path("/{id}:cancel").Methods("POST").HandlerFunc(work)       // want `POST /v1/orders/{id}:cancel is orders.cancel`
}
