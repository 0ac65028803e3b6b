package usesogen // want package:"registers"

import (
	"net/http"

	"github.com/idemgen/idemgen/runtime/idem"
	"ogen"
	"shop"
)

func good(h ogen.Handler, svc *idem.Service) error {
	server, err := ogen.NewServer(h)
	if err != nil {
		return err
	}
	return http.ListenAndServe(":80", shop.Middleware(svc, server))
}

func bad(h ogen.Handler) error {
	server, err := ogen.NewServer(h) // want `NewServer serves every operation of the document, and no wrapper guards it`
	if err != nil {
		return err
	}
	return http.ListenAndServe(":80", server)
}
