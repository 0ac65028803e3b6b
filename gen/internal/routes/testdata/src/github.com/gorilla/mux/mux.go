// Package mux stands in for the router.
package mux

import "net/http"

type Router struct{}
type Route struct{}
type MiddlewareFunc func(http.Handler) http.Handler

func NewRouter() *Router                                       { return nil }
func (r *Router) ServeHTTP(http.ResponseWriter, *http.Request) {}
func (r *Router) Use(...MiddlewareFunc)                        {}
func (r *Router) Handle(path string, h http.Handler) *Route    { return nil }
func (r *Router) HandleFunc(path string, f func(http.ResponseWriter, *http.Request)) *Route {
	return nil
}
func (r *Router) PathPrefix(tpl string) *Route                                 { return nil }
func (r *Router) Path(tpl string) *Route                                       { return nil }
func (r *Route) Methods(...string) *Route                                      { return nil }
func (r *Route) Subrouter() *Router                                            { return nil }
func (r *Route) Handler(http.Handler) *Route                                   { return nil }
func (r *Route) HandlerFunc(f func(http.ResponseWriter, *http.Request)) *Route { return nil }
func (r *Route) Name(string) *Route                                            { return nil }
func (r *Route) Path(tpl string) *Route                                        { return nil }
func (r *Router) Methods(...string) *Route                                     { return nil }
