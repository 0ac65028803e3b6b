package pgstore

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

func TestCursor(t *testing.T) {
	t.Parallel()
	for _, want := range []cursor{
		{1, idem.Key{}},
		{1 << 62, idem.Key{Scope: idem.Scope{Tenant: "a\x00", Actor: "\xff"}, Endpoint: "e", Value: strings.Repeat("k", 300)}},
	} {
		if got, err := parseCursor(want.String()); got != want || err != nil {
			t.Errorf("%+v comes back as %+v, %v", want, got, err)
		}
	}
	if got, err := parseCursor(""); got != (cursor{}) || err != nil {
		t.Errorf("the first cursor is %+v, %v", got, err)
	}
	whole, _ := base64.RawURLEncoding.DecodeString(cursor{1, idem.Key{Scope: idem.Scope{Tenant: "acme"}, Value: "k"}}.String())
	bad := []string{"!", "AA==", base64.RawURLEncoding.EncodeToString(append(whole, 0)), strings.Repeat("_", 16)}
	for n := 1; n < len(whole); n++ {
		bad = append(bad, base64.RawURLEncoding.EncodeToString(whole[:n]))
	}
	for _, text := range bad {
		if got, err := parseCursor(text); err != errCursor {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
}

func TestUnresolvedCutShort(t *testing.T) {
	t.Parallel()
	for n := 1; n < 24; n++ {
		if list, err := parseUnresolved(make([]byte, n)); err == nil {
			t.Errorf("%d bytes are %v", n, list)
		}
	}
}
