// Package orders has routers that other packages mount, and knows no document.
package orders

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func create(w http.ResponseWriter, r *http.Request) {}

// Routes is relative to where it is mounted.
func Routes() (r chi.Router) {
	r = chi.NewRouter()
	r.Post("/", create)
	//idemgen:exempt a line is set to what is sent
	r.Put("/{id}/lines/{line}", create)
	return
}

// Register puts its routes on a router that it is given.
func Register(r chi.Router) { r.Post("/", create) }

// Server hides its router.
type Server struct{ router *chi.Mux }

func NewServer() *Server {
	s := &Server{}
	s.router = chi.NewRouter()
	s.routes()
	return s
}

func (s *Server) routes() { s.router.Post("/orders", create) }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.router.ServeHTTP(w, r) }

// Handler shows it.
func (s *Server) Handler() http.Handler { return s.router }
