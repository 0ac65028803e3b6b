package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	"github.com/idemgen/idemgen/runtime/idem"
)

func headerLinesStayLines(ctx context.Context, b *Bench) error {
	return b.keeps(ctx, key("k"), idem.Response{Status: 201, Header: http.Header{
		"Link":                {"<b>; rel=next", "<a>; rel=prev", "<b>; rel=next"},
		"Content-Disposition": {`attachment; filename="a,b.txt"`},
		"Warning":             {`199 - "x, y"`},
		"X-Empty":             {""},
		"X-Twice-Empty":       {"", ""},
		"x-raw":               {"not canonical"},
	}, Body: []byte("done")})
}

func bytesSurvive(ctx context.Context, b *Bench) error {
	var every [256]byte
	for i := range every {
		every[i] = byte(i)
	}
	bodies := [][]byte{
		every[:],
		[]byte("\x00"),
		[]byte("\xff\xfe\xfd \xed\xa0\x80"),
		[]byte("{\"b\":1, \"a\":2,\"a\":3 ,\"n\":1.0,\"m\":12345678901234567890}\r\n "),
		bytes.Repeat(every[:], 1<<12), // 1 MiB: the largest response that is stored by default
	}
	for i, body := range bodies {
		r := idem.Response{Status: 200, Header: http.Header{"X-Bytes": {"caf\xe9 \x00 \xc3\xa9"}}, Body: body}
		if err := b.keeps(ctx, key(fmt.Sprintf("body-%d", i)), r); err != nil {
			return err
		}
	}
	return nil
}

func emptyBodyIsAResult(ctx context.Context, b *Bench) error {
	return errors.Join(
		b.keeps(ctx, key("nil"), idem.Response{Status: 204}),
		b.keeps(ctx, key("empty"), idem.Response{Status: 204, Header: http.Header{}, Body: []byte{}}),
	)
}

// keeps finalizes k with r and compares what a replay gets.
func (b *Bench) keeps(ctx context.Context, k idem.Key, r idem.Response) error {
	if err := b.finalized(ctx, k, r, keep); err != nil {
		return err
	}
	o, err := b.begin(ctx, reservation(k), idem.Replay)
	if err != nil {
		return err
	}
	return same(o.Response, r)
}

// same is an error unless got is r. Nil and empty are one.
func same(got, r idem.Response) error {
	switch {
	case got.Status != r.Status:
		return fmt.Errorf("the status is %d, not %d", got.Status, r.Status)
	case len(got.Header)+len(r.Header) > 0 && !reflect.DeepEqual(got.Header, r.Header):
		return fmt.Errorf("the header is\n%q, not\n%q", got.Header, r.Header)
	case !bytes.Equal(got.Body, r.Body):
		return fmt.Errorf("the body of %d bytes is not the %d bytes that were stored: %.80q",
			len(got.Body), len(r.Body), got.Body)
	}
	return nil
}

// alike are keys that a careless encoding or comparison takes for one another.
var alike = []idem.Key{
	{Scope: idem.Scope{Tenant: "a", Actor: "bc"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "ab", Actor: "c"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "a", Actor: "b"}, Endpoint: "ce", Value: "k"},
	{Scope: idem.Scope{Tenant: "a", Actor: "b"}, Endpoint: "c", Value: "ek"},
	{Scope: idem.Scope{Tenant: "a:b", Actor: "c"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "a", Actor: "b:c"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "a|b", Actor: "c"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "a", Actor: "b|c"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "a\x00b", Actor: "c"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "a", Actor: "b\x00c"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "K"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "k "},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "k\x00"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "k\x00\x00"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "\x00k"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "{k}"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "%"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "1"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "01"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "1.0"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "\xff"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "\xfe"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "\ufffd"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "caf\u00e9"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u"}, Endpoint: "e", Value: "cafe\u0301"},
	{Scope: idem.Scope{Tenant: "t", Actor: "u\xff"}, Endpoint: "e", Value: "k"},
	{Scope: idem.Scope{Tenant: "t\xff", Actor: "u"}, Endpoint: "e", Value: "k"},
}

func keysAreBytes(ctx context.Context, b *Bench) error {
	for i, k := range alike {
		if err := b.finalized(ctx, k, response(fmt.Sprint(i)), keep); err != nil {
			return fmt.Errorf("key %q: %w", k, err)
		}
	}
	for i, k := range alike {
		if err := b.replays(ctx, k, fmt.Sprint(i)); err != nil {
			return fmt.Errorf("key %q: %w", k, err)
		}
	}
	return nil
}

func fingerprintsAreWhole(ctx context.Context, b *Bench) error {
	first := reservation(key("k"))
	first.Fingerprint = idem.Fingerprint{Canon: 0xff, Rules: [4]byte{0, 1, 0xfe, 3}, Sum: [32]byte{0: 0, 15: 7, 31: 0xff}}
	if _, err := b.begin(ctx, first, idem.Reserved); err != nil {
		return err
	}
	whole := first.Fingerprint.Bytes()
	differing := func(i int) idem.Reservation {
		other := whole
		other[i] ^= 0x80
		r := reservation(first.Key)
		r.Fingerprint, _ = idem.ParseFingerprint(other[:])
		return r
	}
	// A store that sees no conflict at all breaks other rules. Here it is about the odd byte.
	if o, err := b.Begin(ctx, differing(5)); err == nil && o.State != idem.Conflict {
		return nil
	}
	for i := range whole {
		o, err := b.begin(ctx, differing(i), idem.Conflict)
		if err != nil {
			return fmt.Errorf("byte %d differs: %w", i, err)
		}
		if o.Fingerprint != first.Fingerprint {
			return fmt.Errorf("fingerprint %x is told with a conflict, not the record's %x", o.Fingerprint.Bytes(), whole)
		}
	}
	return nil
}

func slicesAreCopied(ctx context.Context, b *Bench) error {
	k, given := key("k"), response("done")
	if err := b.finalized(ctx, k, given, keep); err != nil {
		return err
	}
	spoil := func(r idem.Response) {
		if len(r.Body) > 0 {
			r.Body[0] = '!'
		}
		for _, values := range r.Header {
			values[0] = "spoilt"
		}
	}
	want := response("done")
	for _, whose := range []string{"Finalize was given", "Begin returned"} {
		spoil(given)
		o, err := b.begin(ctx, reservation(k), idem.Replay)
		if err != nil {
			return err
		}
		if !bytes.Equal(o.Response.Body, want.Body) || o.Response.Header.Get("Content-Type") != want.Header.Get("Content-Type") {
			return fmt.Errorf("the record changed with the slices that %s", whose)
		}
		given = o.Response
	}
	return nil
}

func lookupChangesNothing(ctx context.Context, b *Bench) error {
	k := key("k")
	if err := b.look(ctx, k, idem.Absent); err != nil {
		return err
	}
	if _, _, err := b.reserve(ctx, k); err != nil {
		return err
	}
	b.advance(lease * 2 / 3)
	if err := b.look(ctx, k, idem.InProgress); err != nil {
		return err
	}
	b.advance(lease * 2 / 3)
	for range 2 {
		if err := b.look(ctx, k, idem.Unknown); err != nil {
			return err
		}
	}
	done := key("done")
	if err := b.finalized(ctx, done, response("done"), keep); err != nil {
		return err
	}
	b.advance(keep * 2 / 3)
	if err := b.replays(ctx, done, "done"); err != nil {
		return err
	}
	b.advance(keep * 2 / 3)
	return b.look(ctx, done, idem.Absent)
}

func fullRefusesNewKeys(ctx context.Context, b *Bench) error {
	if b.bounded == nil {
		return nil
	}
	full := b.bounded(2)
	running, done := key("running"), key("done")
	owner, _, err := full.reserve(ctx, running)
	if err != nil {
		return err
	}
	if err := full.finalized(ctx, done, response("done"), keep); err != nil {
		return err
	}
	for range 3 {
		if o, err := full.Begin(ctx, reservation(key("new"))); !errors.Is(err, idem.ErrFull) {
			return fmt.Errorf("begin of a new key in a full store says %s, %v, not ErrFull", StateName(o.State), err)
		}
	}
	if _, err := full.begin(ctx, reservation(running), idem.InProgress); err != nil {
		return err
	}
	err = errors.Join(
		full.replays(ctx, done, "done"),
		succeeds("finalize", full.Finalize(ctx, running, owner.Token, response("done too"), 9*keep)),
		full.replays(ctx, running, "done too"),
	)
	if err != nil {
		return err
	}
	full.advance(2 * keep)
	if _, _, err := full.reserve(ctx, key("new")); err != nil {
		return fmt.Errorf("when a record is past its retention: %w", err)
	}
	return full.replays(ctx, running, "done too")
}
