// Package gin stands in for the router.
package gin

import "net/http"

type Context struct {
	Writer  http.ResponseWriter
	Request *http.Request
}

func (c *Context) SetCookie(name, value string) {}

type HandlerFunc func(*Context)

type RouterGroup struct{}

func (g *RouterGroup) Use(...HandlerFunc)                                    {}
func (g *RouterGroup) Group(path string, h ...HandlerFunc) *RouterGroup      { return nil }
func (g *RouterGroup) POST(path string, h ...HandlerFunc)                    {}
func (g *RouterGroup) PUT(path string, h ...HandlerFunc)                     {}
func (g *RouterGroup) Any(path string, h ...HandlerFunc)                     {}
func (g *RouterGroup) Handle(method, path string, h ...HandlerFunc)          {}
func (g *RouterGroup) Match(methods []string, path string, h ...HandlerFunc) {}

type Engine struct{ RouterGroup }

func (e *Engine) ServeHTTP(http.ResponseWriter, *http.Request) {}

func New() *Engine                         { return nil }
func WrapH(h http.Handler) HandlerFunc     { return nil }
func WrapF(f http.HandlerFunc) HandlerFunc { return nil }
