// Package echo stands in for the router.
package echo

type Context struct{}

type HandlerFunc func(*Context) error
type MiddlewareFunc func(HandlerFunc) HandlerFunc

type Route struct {
	Method, Path, Name string
	Handler            HandlerFunc
	Middlewares        []MiddlewareFunc
}

type RouteInfo struct{}

type Echo struct{}

func New() *Echo                                       { return nil }
func (e *Echo) Group(string, ...MiddlewareFunc) *Group { return nil }
func (e *Echo) AddRoute(Route) (RouteInfo, error)      { return RouteInfo{}, nil }
func (e *Echo) Start(string) error                     { return nil }

type Group struct{}

func (g *Group) AddRoute(Route) (RouteInfo, error) { return RouteInfo{}, nil }
