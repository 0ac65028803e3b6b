// Package oapi is like what oapi-codegen generates.
package oapi

import "net/http"

type ServerInterface interface {
	CreateOrder(w http.ResponseWriter, r *http.Request)
}

type wrapper struct{ handler ServerInterface }

func (s *wrapper) CreateOrder(w http.ResponseWriter, r *http.Request) { s.handler.CreateOrder(w, r) }

type Options struct {
	BaseURL     string
	BaseRouter  *http.ServeMux
	Middlewares []func(http.Handler) http.Handler
}

func Handler(si ServerInterface) http.Handler { return HandlerWithOptions(si, Options{}) }

func HandlerFromMux(si ServerInterface, m *http.ServeMux) http.Handler {
	return HandlerWithOptions(si, Options{BaseRouter: m})
}

func HandlerWithOptions(si ServerInterface, options Options) http.Handler {
	m := options.BaseRouter
	if m == nil {
		m = http.NewServeMux()
	}
	w := wrapper{si}
	m.HandleFunc("POST "+options.BaseURL+"/orders", w.CreateOrder)
	return m
}
