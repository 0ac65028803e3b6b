// Package bare has services whose guards are forgotten, each in another way. Nobody should run them.
package bare

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	shop "github.com/idemgen/idemgen/examples/generations/one"
	"github.com/idemgen/idemgen/examples/routers/oapi"
	"github.com/idemgen/idemgen/runtime/idem"
)

func work(w http.ResponseWriter, r *http.Request) {
	remember(w)
	w.WriteHeader(http.StatusCreated)
}

func remember(w http.ResponseWriter) { http.SetCookie(w, &http.Cookie{Name: "last", Value: "order"}) }

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

// NetHTTP forgets a wrapper, has a wrong one, and a route that nobody has decided about.
func NetHTTP(svc *idem.Service) {
	mux := http.NewServeMux()
	mux.Handle("POST /orders", logged(http.HandlerFunc(work)))
	mux.Handle("POST /orders/{id}/refunds", shop.WrapOrdersCreate(svc, http.TimeoutHandler(http.HandlerFunc(work), time.Second, "")))
	mux.HandleFunc("DELETE /orders", work)
	_ = http.ListenAndServe("", mux)
}

// Chi guards one group and not the other.
func Chi(svc *idem.Service) {
	r := chi.NewRouter()
	r.Group(func(r chi.Router) {
		r.Use(func(next http.Handler) http.Handler { return shop.Middleware(svc, next) })
		r.Get("/orders", work)
	})
	r.Route("/orders", func(r chi.Router) {
		r.Post("/", work)
		r.Post("/{id:[0-9]+}/refunds", work)
	})
	_ = http.ListenAndServe("", r)
}

// Gin has a wrapper beside the handler that it forgets.
func Gin(svc *idem.Service) {
	e := gin.New()
	_ = shop.WrapRefundsCreate(svc, http.HandlerFunc(work))
	e.POST("/orders/:id/refunds", gin.WrapF(work))
	_ = e.Run()
}

// Echo4 uses middlewares, and not this one.
func Echo4() {
	e := echo.New()
	e.Use(echo.WrapMiddleware(logged))
	e.Group("/v1").POST("/orders", func(c echo.Context) error { return nil })
	_ = e.Start("")
}

// Echo5 does not either.
func Echo5() {
	e := echo5.New()
	e.Add("POST", "/orders", func(c *echo5.Context) error { return nil })
	_ = http.ListenAndServe("", e)
}

// Gorilla takes every method.
func Gorilla() {
	r := mux.NewRouter()
	r.Handle("/orders", logged(http.HandlerFunc(work)))
	r.PathPrefix("/v1").Subrouter().HandleFunc("/orders", work).Methods("POST")
	_ = http.ListenAndServe("", r)
}

// OAPI registers everything that the document has, and guards nothing.
func OAPI(si oapi.ServerInterface) {
	_ = http.ListenAndServe("", oapi.Handler(si))
}
