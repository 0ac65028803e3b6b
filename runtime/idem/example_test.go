package idem_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/memstore"
)

// What generated code declares for an operation.
var paymentsCreate = idem.Operation{
	Endpoint: "payments.create",
	Method:   "POST",
	Path:     "/payments",
	Bodies:   []idem.Body{{MediaType: "application/json", Form: idem.Document}},
}

type (
	PaymentsCreatePayload struct {
		Query idem.Query `json:"query,omitzero"`
		Body  NewPayment `json:"body"`
	}
	NewPayment struct {
		Amount canon.Number `json:"amount"`
		Extra  canon.Extra  `json:"-"`
	}
)

func newService() *idem.Service {
	store := memstore.New(memstore.Options{Capacity: 10_000, Retention: 24 * time.Hour})
	return idem.New(store, func(r *http.Request) (idem.Scope, error) {
		// In a service these come from authentication.
		return idem.Scope{Tenant: "acme", Actor: "alice"}, nil
	})
}

func post(h http.Handler, key, body string) {
	r := httptest.NewRequest("POST", "/payments", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Idempotent-Replayed"), strings.TrimSpace(w.Body.String()))
}

func ExampleHandle() {
	payments := 0
	h := idem.Handle(newService(), &paymentsCreate, func(ctx context.Context, p PaymentsCreatePayload) (*idem.Response, error) {
		payments++
		return idem.JSON(201, map[string]any{"payment": payments, "amount": p.Body.Amount})
	})
	post(h, "k1", `{"amount": 10.50}`)
	post(h, "k1", `{ "amount" : 10.5 }`) // the client retries
	fmt.Println("payments:", payments)
	// Output:
	// 201  {"amount":10.50,"payment":1}
	// 201 true {"amount":10.50,"payment":1}
	// payments: 1
}

// A handler that reads the request itself is guarded as it is.
func ExampleWrapOne() {
	h := idem.WrapOne(newService(), &paymentsCreate, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, "queued")
	}))
	post(h, "k1", `{"amount": 1}`)
	post(h, "k1", `{"amount": 1}`)
	// Output:
	// 202  queued
	// 202 true queued
}

// Work that does not come over HTTP begins and finalizes by hand.
func ExampleBegin() {
	svc := newService()
	pay := func(ctx context.Context) error {
		payload := PaymentsCreatePayload{Body: NewPayment{Amount: "10.50"}}
		a, err := idem.Begin(ctx, svc, &paymentsCreate, idem.Scope{Tenant: "acme", Actor: "billing"}, "invoice-7", payload)
		if err != nil {
			return err // the key is refused, or the store gave no answer: nothing has happened
		}
		defer a.Close()
		switch a.State() {
		case idem.Reserved:
			// The work, under a.Context().
			fmt.Println("paid")
			return a.Finalize(ctx, &idem.Response{Status: 201})
		case idem.Replay:
			fmt.Println("was paid:", a.Response().Status)
			return nil
		default:
			return a.Problem()
		}
	}
	for range 2 {
		if err := pay(context.Background()); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// paid
	// was paid: 201
}

// A domain error is an answer: it is stored, and a retry gets it again.
func ExampleService_mapError() {
	errFunds := errors.New("insufficient funds")
	svc := newService()
	svc.MapError = func(_ context.Context, err error) *idem.Response {
		if errors.Is(err, errFunds) {
			return &idem.Response{Status: http.StatusPaymentRequired, Body: []byte("insufficient funds")}
		}
		return nil // not mapped: 500, and the outcome is unknown
	}
	h := idem.Handle(svc, &paymentsCreate, func(context.Context, PaymentsCreatePayload) (*idem.Response, error) {
		return nil, errFunds
	})
	post(h, "k1", `{"amount": 1000000}`)
	post(h, "k1", `{"amount": 1000000}`)
	// Output:
	// 402  insufficient funds
	// 402 true insufficient funds
}
