package main

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

const lease = time.Minute

// answer is what every record keeps; answerHeader is its header as a store writes it.
var (
	answer = idem.Response{
		Status: http.StatusCreated,
		Header: http.Header{"Content-Type": {"application/json"}},
		Body: []byte(`{"id":"0192f0c1-7a3e-7cc2-9d52-8f6f1d0a4b11","submission":"S-2026-004711","kind":"dispute",` +
			`"amount":"1250.00","currency":"EUR","state":"open","evidence":["invoice.pdf","photo-1.jpg"],` +
			`"note":"the second delivery was incomplete","created":"2026-03-01T12:00:00Z"}`),
	}
	answerHeader = idem.EncodeHeader(answer.Header)
)

var fingerprint = idem.Fingerprint{Canon: 1, Rules: [4]byte{1, 2, 3, 4}, Sum: [32]byte{5}}

// newcomer is a reservation of a key that nobody has had.
func newcomer() idem.Reservation {
	t := token()
	return reservation(hex.EncodeToString(t[:]))
}

// token is as random as one must be here, and costs little beside what is measured.
func token() (t idem.Token) {
	binary.NativeEndian.PutUint64(t[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(t[8:], rand.Uint64())
	return t
}

func reservation(key string) idem.Reservation {
	return idem.Reservation{
		Key:         idem.Key{Scope: idem.Scope{Tenant: "acme", Actor: "u-17"}, Endpoint: "claims.create", Value: key},
		Token:       token(),
		Fingerprint: fingerprint,
		Lease:       lease,
	}
}

// begin reserves, and is an error where the answer is another one.
func begin(ctx context.Context, s idem.Store, r idem.Reservation) error {
	return expect(ctx, s, r, idem.Reserved)
}

func expect(ctx context.Context, s idem.Store, r idem.Reservation, want idem.State) error {
	o, err := s.Begin(ctx, r)
	if err == nil && o.State != want {
		err = fmt.Errorf("begin says state %d, not %d", o.State, want)
	}
	return err
}

// beginFinalize is a new key's way through a store, without the work between.
func beginFinalize(s idem.Store, keep time.Duration) operation {
	return func(ctx context.Context) error {
		r := newcomer()
		if err := begin(ctx, s, r); err != nil {
			return err
		}
		return s.Finalize(ctx, r.Key, r.Token, answer, keep)
	}
}

// changed is an error unless a statement of ours has changed one row.
func changed(n int64, err error) error {
	if err == nil && n != 1 {
		err = fmt.Errorf("%d rows changed, not 1", n)
	}
	return err
}
