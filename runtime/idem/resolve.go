package idem

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"
)

// errNoResolver: the store cannot list what is unknown.
var errNoResolver = errors.New("the store does not resolve unknown outcomes")

// Unresolved lists records whose outcome is unknown: at most limit of them (100 when it is 0), after the
// cursor of the last call. The cursor is "" at first, and when there are no more.
func (s *Service) Unresolved(ctx context.Context, after string, limit int) ([]Unresolved, string, error) {
	r, ok := s.store.(Resolver)
	if !ok {
		return nil, "", errNoResolver
	}
	if limit == 0 {
		limit = 100
	}
	return r.Unresolved(ctx, after, limit)
}

// Resolve settles a record that [Service.Unresolved] listed, after somebody found out what became of its
// work: with the response that retries shall get (a tombstone, where it cannot be told any more), kept
// this long (0: as long as the store keeps records), or with nil where the work was not done and may run again. [ErrLost] means that it is not
// unknown any more.
func (s *Service) Resolve(ctx context.Context, u Unresolved, r *Response, keep time.Duration) error {
	store, ok := s.store.(Resolver)
	if !ok {
		return errNoResolver
	}
	if r != nil {
		resp, err := final(r)
		if err != nil {
			return fmt.Errorf("resolve %s: %w", u.Key.Endpoint, err)
		}
		// What is given by hand is meant to be kept, but never what no record keeps.
		resp.Header = storedHeader(resp.Header, sortedNames(resp.Header))
		if r.Tombstone {
			resp = Response{Status: resp.Status, Tombstone: true}
		}
		r = &resp
	}
	if err := store.Resolve(ctx, u.Key, u.Fence, r, keep); err != nil {
		return fmt.Errorf("resolve %s: %w", u.Key.Endpoint, err)
	}
	s.observe(ctx, Event{Kind: EventResolved, Endpoint: u.Key.Endpoint, Fence: u.Fence})
	return nil
}

// SettlementToken is for stores: the token that a record has once [Resolver.Resolve] settled the fence with this
// response. It stands in the place of the owner's, who is one no more, and by it the same settlement again is
// known, and another told from it. Of a tombstone only the status counts, because no more is kept.
func SettlementToken(fence int64, r *Response) Token {
	var header, body []byte
	if !r.Tombstone {
		header, body = EncodeHeader(r.Header), r.Body
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %t %d\n", fence, r.Status, r.Tombstone, len(header))
	h.Write(header)
	h.Write(body)
	return Token(h.Sum(nil)[:len(Token{})])
}
