package usesoapiecho // want package:"registers"

import (
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/labstack/echo/v4"
	"oapiecho"
	"shop"
)

type impl struct{}

func (impl) CreateOrder(ctx echo.Context) error                 { return nil }
func (impl) UpdateLine(ctx echo.Context, id, line string) error { return nil }

// byHand wraps in the methods themselves.
type byHand struct {
	impl
	create http.Handler
}

func newByHand(svc *idem.Service) *byHand { return &byHand{create: shop.WrapOrdersCreate(svc, nil)} }

func (b *byHand) CreateOrder(ctx echo.Context) error { // want CreateOrder:"guards"
	b.create.ServeHTTP(ctx.Response(), ctx.Request())
	return nil
}

func service(svc *idem.Service) {
	e := echo.New()
	oapiecho.RegisterHandlers(e, impl{})                               // want `RegisterHandlers registers POST …/orders \(orders.create\); PUT …/orders/:id/lines/:line \(lines.update\), and no wrapper`
	oapiecho.RegisterHandlersWithBaseURL(e.Group("/v1"), impl{}, "/x") // want `RegisterHandlersWithBaseURL registers POST /v1/…/orders \(orders.create\)`
	_ = e.Start(":80")
}

func guarded(svc *idem.Service) {
	e := echo.New()
	e.Use(echo.WrapMiddleware(func(next http.Handler) http.Handler { return shop.Middleware(svc, next) }))
	oapiecho.RegisterHandlers(e, impl{})
	_ = e.Start(":80")
}

func methods(svc *idem.Service) {
	e := echo.New()
	oapiecho.RegisterHandlers(e, newByHand(svc))
	_ = e.Start(":80")
}

func handler(svc *idem.Service) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := svcErr
		return err
	}
}

var svcErr error

func closures(svc *idem.Service) {
	e := echo.New()
	e.POST("/orders", handler(svc)) // want `POST /orders is orders.create`
	_ = e.Start(":80")
}
