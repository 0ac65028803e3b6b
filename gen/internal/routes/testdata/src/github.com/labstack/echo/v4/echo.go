// Package echo stands in for the router.
package echo

import "net/http"

type Context interface {
	Response() http.ResponseWriter
	Request() *http.Request
}

type Route struct{}

type HandlerFunc func(Context) error
type MiddlewareFunc func(HandlerFunc) HandlerFunc

type Echo struct{}

func New() *Echo                                                                        { return nil }
func (e *Echo) ServeHTTP(http.ResponseWriter, *http.Request)                            {}
func (e *Echo) Use(...MiddlewareFunc)                                                   {}
func (e *Echo) Pre(...MiddlewareFunc)                                                   {}
func (e *Echo) Group(prefix string, m ...MiddlewareFunc) *Group                         { return nil }
func (e *Echo) POST(path string, h HandlerFunc, m ...MiddlewareFunc) *Route             { return nil }
func (e *Echo) PUT(path string, h HandlerFunc, m ...MiddlewareFunc) *Route              { return nil }
func (e *Echo) Start(string) error                                                      { return nil }
func (e *Echo) Add(method, path string, h HandlerFunc, m ...MiddlewareFunc)             {}
func (e *Echo) Match(methods []string, path string, h HandlerFunc, m ...MiddlewareFunc) {}

type Group struct{}

func (g *Group) PUT(path string, h HandlerFunc, m ...MiddlewareFunc) *Route  { return nil }
func (g *Group) POST(path string, h HandlerFunc, m ...MiddlewareFunc) *Route { return nil }

func WrapHandler(h http.Handler) HandlerFunc                          { return nil }
func WrapMiddleware(m func(http.Handler) http.Handler) MiddlewareFunc { return nil }
