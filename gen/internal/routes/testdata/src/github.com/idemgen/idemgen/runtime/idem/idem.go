// Package idem stands in for the runtime.
package idem

import (
	"context"
	"net/http"
)

type (
	Endpoint  string
	Service   struct{}
	Scope     struct{}
	Handler   struct{}
	Attempt   struct{}
	Response  struct{}
	Operation struct {
		Endpoint     Endpoint
		Method, Path string
	}
	Route      struct{ Method, Path string }
	Operations struct {
		Keyed []*Operation
		Other []Route
	}
)

func (h *Handler) ServeHTTP(http.ResponseWriter, *http.Request) {}
func (h *Handler) Operation() *Operation                        { return nil }

func Handle(s *Service, op *Operation, fn any) *Handler                      { return nil }
func WrapOne(s *Service, op *Operation, next http.Handler) *Handler          { return nil }
func Wrap(s *Service, ops Operations, next http.Handler) *Handler            { return nil }
func Begin(ctx context.Context, s *Service, op *Operation) (*Attempt, error) { return nil, nil }
