package echorouter // want package:"registers"

import (
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/labstack/echo/v4"
	"shop"
)

func work(c echo.Context) error { return nil }

func good(svc *idem.Service) {
	e := echo.New()
	e.POST("/orders", echo.WrapHandler(shop.WrapOrdersCreate(svc, nil)))
	middleware := echo.WrapMiddleware(func(next http.Handler) http.Handler { return shop.Middleware(svc, next) })
	e.Add("POST", "/v1/orders", work, middleware)
	e.Group("/v2", middleware).PUT("/orders/:id/lines/:line", work)

	all := echo.New()
	all.Use(middleware)
	all.POST("/orders", work)
	all.Group("/v1").PUT("/orders/:id/lines/:line", work)
}

func bad() {
	e := echo.New()
	e.POST("/orders", work)                               // want `POST /orders is orders.create`
	e.Add("POST", "/v1/orders", work)                     // want `POST /v1/orders is orders.create`
	e.Group("/v1/orders").PUT("/:id/lines/:line", work)   // want `PUT /v1/orders/:id/lines/:line is lines.update`
	e.Match([]string{"POST"}, "/orders/:id:cancel", work) // want `POST /orders/:id:cancel is orders.cancel`
}

func logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error { return next(c) }
}

func decorated(svc *idem.Service) {
	e := echo.New()
	e.POST("/orders", logged(echo.WrapHandler(shop.WrapOrdersCreate(svc, nil))))
	e.POST("/v1/orders", logged(work)) // want `POST /v1/orders is orders.create`
	e.POST("/v2/orders", work, logged) // want `POST /v2/orders is orders.create`
}

func injected(before func(http.Handler) http.Handler, own echo.MiddlewareFunc) {
	e := echo.New()
	e.POST("/orders", work, echo.WrapMiddleware(before))
	e.POST("/v1/orders", work, own)
	e.Group("/v2", own).POST("/orders", work)
	e.POST("/v3/orders", work, echo.WrapMiddleware(func(next http.Handler) http.Handler { return next })) // want `POST /v3/orders is orders.create`
}
