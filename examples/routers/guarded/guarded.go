// Package guarded has services whose keyed operations are all guarded.
package guarded

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	shop "github.com/idemgen/idemgen/examples/generations/one"
	"github.com/idemgen/idemgen/examples/routers/oapi"
	"github.com/idemgen/idemgen/runtime/idem"
)

func order(context.Context, shop.OrdersCreatePayload) (*idem.Response, error) {
	return idem.JSON(http.StatusCreated, "ordered")
}

func refund(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) }

func list(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

// NetHTTP has a wrapper for each operation.
func NetHTTP(svc *idem.Service) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /orders", shop.HandleOrdersCreate(svc, order))
	mux.Handle("POST /orders/{id}/refunds", logged(shop.WrapRefundsCreate(svc, http.HandlerFunc(refund))))
	mux.HandleFunc("GET /orders", list)
	//idemgen:exempt clicks are counted roughly
	mux.HandleFunc("POST /clicks", list)
	return mux
}

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

// Chi has Middleware among the router's own.
func Chi(svc *idem.Service) http.Handler {
	r := chi.NewRouter()
	r.Get("/orders", list)
	r.Group(func(r chi.Router) {
		r.Use(guard(svc))
		r.Route("/orders", func(r chi.Router) {
			r.Post("/", refund)
			r.Post("/{id:[0-9]+}/refunds", refund)
		})
	})
	return r
}

func guard(svc *idem.Service) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return shop.Middleware(svc, next) }
}

// Gin has wrappers behind its adapters.
func Gin(svc *idem.Service) http.Handler {
	e := gin.New()
	orders := e.Group("/orders", gin.Recovery())
	orders.POST("", gin.WrapH(shop.HandleOrdersCreate(svc, order)))
	wrapped := shop.WrapRefundsCreate(svc, http.HandlerFunc(refund))
	orders.POST("/:id/refunds", func(c *gin.Context) { wrapped.ServeHTTP(c.Writer, c.Request) })
	return e
}

// Echo4 has Middleware as a middleware of its own.
func Echo4(svc *idem.Service) http.Handler {
	e := echo.New()
	e.Use(echo.WrapMiddleware(guard(svc)))
	e.POST("/orders", func(c echo.Context) error { return c.NoContent(http.StatusCreated) })
	e.Group("/orders").POST("/:id/refunds", func(c echo.Context) error { return c.NoContent(http.StatusCreated) })
	return e
}

// Echo5 stands behind Middleware.
func Echo5(svc *idem.Service) http.Handler {
	e := echo5.New()
	e.POST("/orders", func(c *echo5.Context) error { return c.NoContent(http.StatusCreated) })
	e.POST("/orders/:id/refunds", func(c *echo5.Context) error { return c.NoContent(http.StatusCreated) })
	return shop.Middleware(svc, e)
}

// Gorilla has wrappers on a subrouter.
func Gorilla(svc *idem.Service) http.Handler {
	r := mux.NewRouter()
	r.HandleFunc("/orders", list).Methods("GET")
	v1 := r.PathPrefix("/v1").Subrouter()
	v1.Handle("/orders", shop.HandleOrdersCreate(svc, order)).Methods("POST")
	v1.Path("/orders/{id:[0-9]+}/refunds").Methods("POST").Handler(shop.WrapRefundsCreate(svc, http.HandlerFunc(refund)))
	return r
}

// OAPI puts Middleware before what oapi-codegen registers.
func OAPI(svc *idem.Service, si oapi.ServerInterface) http.Handler {
	return shop.Middleware(svc, oapi.HandlerFromMux(si, http.NewServeMux()))
}
