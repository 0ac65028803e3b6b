package echo5router // want package:"registers"

import (
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/labstack/echo/v5"
	"shop"
)

func work(c *echo.Context) error { return nil }

func logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error { return next(c) }
}

func guard(svc *idem.Service) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			shop.Middleware(svc, http.NotFoundHandler()).ServeHTTP(nil, nil)
			return next(c)
		}
	}
}

func routes(svc *idem.Service, given echo.Route) {
	e := echo.New()
	e.AddRoute(echo.Route{Method: "POST", Path: "/orders", Handler: work, Middlewares: []echo.MiddlewareFunc{logged}}) // want `POST /orders is orders.create`
	e.AddRoute(echo.Route{Method: "POST", Path: "/v1/orders", Handler: work, Middlewares: []echo.MiddlewareFunc{logged, guard(svc)}})
	e.AddRoute(echo.Route{Method: "GET", Path: "/orders", Handler: work})
	e.AddRoute(given)
	line := echo.Route{Method: "PUT", Path: "/:id/lines/:line", Handler: work}
	e.Group("/orders").AddRoute(line) // want `PUT /orders/:id/lines/:line is lines.update`
	for _, r := range []echo.Route{
		{Method: "GET", Path: "/v2/orders", Handler: work},
		{Method: "POST", Path: "/v2/orders", Handler: work}, // want `POST /v2/orders is orders.create`
	} {
		e.AddRoute(r)
	}
	_ = e.Start(":80")
}
