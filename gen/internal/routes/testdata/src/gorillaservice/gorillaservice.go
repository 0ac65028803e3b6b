package gorillaservice // want package:"registers"

import (
	"net/http"

	"github.com/gorilla/mux"
	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

func work(w http.ResponseWriter, r *http.Request) {}

func service(svc *idem.Service) {
	r := mux.NewRouter()
	r.HandleFunc("/orders", work).Name("list").Methods(http.MethodGet)
	r.HandleFunc("/v1/orders", work).Name("create").Methods(http.MethodPost) // want `POST /v1/orders is orders.create`
	get := r.Methods(http.MethodGet).Subrouter()
	get.HandleFunc("/orders", work)
	post := r.Methods(http.MethodPost).Subrouter()
	post.HandleFunc("/orders", work) // want `POST /orders is orders.create`
	safe := r.Methods("POST").Subrouter()
	safe.Use(func(next http.Handler) http.Handler { return shop.Middleware(svc, next) })
	safe.HandleFunc("/orders", work)
	r.Methods("POST").Path("/v2/orders").HandlerFunc(work) // want `POST /v2/orders is orders.create`
	r.PathPrefix("/static/").Handler(http.NotFoundHandler())
	_ = http.ListenAndServe(":80", r)
}
