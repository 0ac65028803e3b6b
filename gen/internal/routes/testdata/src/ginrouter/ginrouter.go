package ginrouter // want package:"registers"

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/idemgen/idemgen/runtime/idem"
	"shop"
)

func work(c *gin.Context) {}

func audit(c *gin.Context) {}

func good(svc *idem.Service) http.Handler {
	e := gin.New()
	e.POST("/orders", audit, gin.WrapH(shop.WrapOrdersCreate(svc, nil)))
	lines := shop.WrapLinesUpdate(svc, nil)
	e.Group("/v1").PUT("/orders/:id/lines/:line", func(c *gin.Context) { lines.ServeHTTP(c.Writer, c.Request) })

	behind := gin.New()
	behind.POST("/orders", work)
	return shop.Middleware(svc, behind)
}

func bad(svc *idem.Service) {
	e := gin.New()
	e.POST("/orders", audit, work) // want `POST /orders is orders.create`
	g := e.Group("/v1/orders")
	g.Handle("PUT", "/:id/lines/:line", work)         // want `PUT /v1/orders/:id/lines/:line is lines.update`
	g.Any("", work)                                   // want `/v1/orders is orders.create`
	e.Match([]string{"GET", "POST"}, "/orders", work) // want `GET, POST /orders is orders.create`
	e.POST("/v2/orders", gin.WrapF(shop.WrapOrdersCreate(svc, http.HandlerFunc(nil)).ServeHTTP), cookie)
}

func cookie(c *gin.Context) { c.SetCookie("a", "b") } // want `orders.create sets a cookie`

type api interface{ Create(c *gin.Context) }

func injected(a api, before gin.HandlerFunc) {
	e := gin.New()
	e.POST("/orders", a.Create)
	e.POST("/v1/orders", before, work)
	e.POST("/v2/orders", audit, work) // want `POST /v2/orders is orders.create`
}

func other(svc *idem.Service) {
	e := gin.New()
	e.POST("/orders", gin.WrapH(shop.WrapOrdersCancel(svc, nil)))          // want `POST /orders is orders.create, and is registered with the wrapper of orders.cancel`
	e.POST("/v1/orders", audit, gin.WrapH(shop.WrapLinesUpdate(svc, nil))) // want `POST /v1/orders is orders.create, and is registered with the wrapper of lines.update`
}

func helped(svc *idem.Service) {
	e := gin.New()
	post := func(path string, handlers ...gin.HandlerFunc) { e.POST(path, handlers...) }
	post("/orders", audit, gin.WrapH(shop.WrapOrdersCreate(svc, nil)))
}
