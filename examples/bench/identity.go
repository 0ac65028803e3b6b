package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/idemgen/idemgen/runtime/canon"
)

// identityRows compare what runs before a handler, the canonical form of a body and its digest, with another canonical form
// and with the digest alone.
func identityRows() []row {
	var all []row
	for _, size := range []struct {
		name  string
		lines int
	}{{"300 B", 2}, {"3 KB", 24}, {"100 KB", 900}} {
		body := order(size.lines)
		buffer := make([]byte, 0, 2*len(body))
		ours := func() error {
			form, err := canon.Append(buffer, body, nil)
			sha256.Sum256(form)
			return err
		}
		theirs := func() error {
			form := jsontext.Value(append(buffer[:0], body...))
			err := form.Canonicalize()
			sha256.Sum256(form)
			return err
		}
		digest := func() error {
			sha256.Sum256(body)
			return nil
		}
		what := "canonical form and digest, " + size.name
		all = append(all,
			row{what: what + ", 0 allocations", baseline: "jsontext Canonicalize and SHA-256", reach: atMost(0.4), unit: microseconds, open: frugal(ours, theirs)},
			row{what: what, baseline: "SHA-256 alone", unit: microseconds, open: frugal(ours, digest)})
	}
	return all
}

// frugal opens a row whose first side allocates nothing.
func frugal(ours, baseline func() error) func(context.Context) (sides, error) {
	return func(context.Context) (sides, error) {
		if n := testing.AllocsPerRun(100, func() { ours() }); n > 0 {
			return sides{}, fmt.Errorf("it allocates %v times", n)
		}
		return sides{each(ours), each(baseline), func() {}}, nil
	}
}

// each is a side: how many microseconds one call takes.
func each(call func() error) side {
	return func(ctx context.Context, run time.Duration) (float64, error) {
		n, start := 0, time.Now()
		for time.Since(start) < run {
			for range 10 {
				if err := errors.Join(call(), ctx.Err()); err != nil {
					return 0, err
				}
			}
			n += 10
		}
		return float64(time.Since(start).Nanoseconds()) / 1e3 / float64(n), nil
	}
}

// order is a shop's order of so many lines, as a client writes it.
func order(lines int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"reference":"PO-2026-001977","customer":{"name":"Zoë Müller","id":77},"lines":[`)
	for i := range lines {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"sku":"AB-%05d","quantity":%d,"unitPrice":%d.5,"description":"A thing of some sort","tags":["new","sale"]}`, i, i%9+1, i)
	}
	b.WriteString(`],"notes":"leave at the door\nring twice"}`)
	return b.Bytes()
}
