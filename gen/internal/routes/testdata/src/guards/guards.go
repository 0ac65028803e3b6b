// Package guards puts Middleware before what other packages give it.
package guards

import (
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

func Guard(svc *idem.Service, next http.Handler) http.Handler {
	return logged(shop.Middleware(svc, next))
}

func Func(svc *idem.Service) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return shop.Middleware(svc, next) }
}

func Serve(svc *idem.Service, h http.Handler) error {
	return http.ListenAndServe(":80", shop.Middleware(svc, h))
}

func Logged(next http.Handler) http.Handler { return logged(next) }

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

var table = map[string]http.Handler{}

// Lookup gives what only the running program knows.
func Lookup(name string) http.Handler { return table[name] }

// Chain applies middlewares.
type Chain struct {
	all []func(http.Handler) http.Handler
}

func New(all ...func(http.Handler) http.Handler) Chain { return Chain{all} }

func (c Chain) Then(h http.Handler) http.Handler {
	for _, m := range c.all {
		h = m(h)
	}
	return h
}

// Either guards nothing, and gives what nobody can tell.
func Either(h http.Handler) http.Handler {
	if found := table["either"]; found != nil {
		return found
	}
	return h
}
