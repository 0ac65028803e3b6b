package helpers // want package:"registers"

import (
	"net/http"

	"github.com/gorilla/mux"
	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

type server struct {
	svc    *idem.Service
	router *mux.Router
}

func work(w http.ResponseWriter, r *http.Request) {}

func logged(name string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

func (s *server) handle(method, path string, h http.Handler) {
	s.router.Handle("/v1"+path, logged(path, h)).Methods(method)
}

func (s *server) get(path string, h http.HandlerFunc) { s.handle("GET", path, h) }

func (s *server) post(path string, h http.Handler) { s.handle(http.MethodPost, path, h) }

func (s *server) routes() {
	s.get("/orders", work)
	s.post("/orders", http.HandlerFunc(work)) // want `POST /v1/orders is orders.create, and no wrapper`
	s.post("/orders/{id}:cancel", shop.WrapOrdersCancel(s.svc, nil))
	s.handle("PUT", "/orders/{id}/lines/{line}", shop.WrapOrdersCancel(s.svc, nil)) // want `PUT /v1/orders/{id}/lines/{line} is lines.update, and is registered with the wrapper of orders.cancel`
	s.post("/notes", http.HandlerFunc(work))                                        // want `POST /v1/notes is in no document`
	//idemgen:exempt clicks are counted roughly
	s.post("/clicks", http.HandlerFunc(work))
	for _, p := range []string{
		"/orders",                   // want `PUT /v1/orders is in no document`
		"/orders/{id}/lines/{line}", // want `PUT /v1/orders/{id}/lines/{line} is lines.update, and no wrapper`
	} {
		s.handle("PUT", p, http.HandlerFunc(work))
	}
	_ = http.ListenAndServe(":80", s.router)
}

// One of two routers stands behind Middleware; a handler may be in a wrapper already, or come to be in the helper.
func two(svc *idem.Service) {
	good, bad := http.NewServeMux(), http.NewServeMux()
	add := func(m *http.ServeMux, path string, h http.Handler) { m.Handle("POST "+path, h) }
	add(good, "/orders", http.HandlerFunc(work))
	add(bad, "/orders", http.HandlerFunc(work)) // want `POST /orders is orders.create, and no wrapper`
	create := func(m *http.ServeMux, path string, h http.Handler) {
		m.Handle("POST "+path, shop.WrapOrdersCreate(svc, h))
	}
	create(bad, "/v2/orders", http.HandlerFunc(work))
	_ = http.ListenAndServe(":80", shop.Middleware(svc, good))
	_ = http.ListenAndServe(":81", bad)
}

// Nobody sees what else these are given.
func more(paths []string, again func(string)) {
	m := http.NewServeMux()
	var nested func(string, int)
	nested = func(path string, n int) {
		m.HandleFunc("POST "+path, work)
		nested(path, n-1)
	}
	for _, p := range paths {
		nested(p+"/orders", 3) // want `POST …/orders is orders.create`
		again(p)
	}
	_ = http.ListenAndServe(":80", m)
}

// What a helper changes is not what it was given.
func changed(svc *idem.Service) {
	m := http.NewServeMux()
	add := func(path string, h http.Handler, before ...func(http.Handler) http.Handler) {
		for _, b := range before {
			h = b(h)
		}
		m.Handle("POST "+path, h)
	}
	guard := func(next http.Handler) http.Handler { return shop.Middleware(svc, next) }
	add("/orders", http.HandlerFunc(work), guard)
	add("/v1/orders", http.HandlerFunc(work))
	below := func(path string) {
		path = "/users/{id}" + path
		m.HandleFunc("POST "+path, work)
	}
	below("/orders")
	chain := func(path string, before ...func(http.Handler) http.Handler) {
		m.Handle("POST "+path, before[0](http.HandlerFunc(work)))
	}
	chain("/orders", guard)
	_ = http.ListenAndServe(":80", m)
}

// Helpers that call each other often, and one that says all to its router before the handler.
func circles(n int) {
	r := mux.NewRouter()
	var a, b, c func(path string)
	a = func(path string) {
		b(path)
		b(path + "/x")
		c(path)
		c(path + "/x")
	}
	b = func(path string) {
		a(path)
		a(path + "/x")
		c(path)
		c(path + "/x")
	}
	c = func(path string) {
		r.Methods("POST").Path(path).HandlerFunc(work)
		a(path)
		a(path + "/x")
		b(path)
		b(path + "/x")
	}
	a("/notes") // want `POST /notes is in no document`
	first := func(method, path string) { r.Methods(method).Path(path).HandlerFunc(work) }
	first("GET", "/orders")
	first("POST", "/v1/orders") // want `POST /v1/orders is orders.create`
	_ = http.ListenAndServe(":80", r)
}

// One helper for the router of the document and another one.
func beside(svc *idem.Service) {
	add := func(m *http.ServeMux, path string, h http.Handler) { m.Handle("POST "+path, h) }
	service, metrics := http.NewServeMux(), http.NewServeMux()
	add(service, "/orders", shop.WrapOrdersCreate(svc, nil))
	add(service, "/notes", http.HandlerFunc(work)) // want `POST /notes is in no document`
	add(metrics, "/reload", http.HandlerFunc(work))
	_ = http.ListenAndServe(":80", service)
	_ = http.ListenAndServe(":81", metrics)
}
