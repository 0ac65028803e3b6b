package pgstore

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A cursor is the place of a record in the list of what is unresolved. The zero cursor is before them all,
// because every fence is above 0.
type cursor struct {
	fence int64
	key   idem.Key
}

// String is the fence and the key, as a reader reads them.
func (c cursor) String() string {
	text := binary.BigEndian.AppendUint64(nil, uint64(c.fence))
	for _, part := range []string{c.key.Scope.Tenant, c.key.Scope.Actor, string(c.key.Endpoint), c.key.Value} {
		text = append(binary.BigEndian.AppendUint32(text, uint32(len(part))), part...)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

var errCursor = errors.New("the cursor is none of this store")

func parseCursor(s string) (cursor, error) {
	if s == "" {
		return cursor{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return cursor{}, errCursor
	}
	r := reader{rest: text}
	c := cursor{r.number(), r.key()}
	if r.short || len(r.rest) > 0 {
		return cursor{}, errCursor
	}
	return c, nil
}

// A reader reads numbers, of eight bytes, and parts, each after its length in four: as int8send and int4send
// make them of numbers.
type reader struct {
	rest  []byte
	short bool // more was read than there is
}

func (r *reader) take(n uint64) []byte {
	if r.short || n > uint64(len(r.rest)) {
		r.short = true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) number() int64 {
	b := r.take(8)
	if r.short {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b))
}

func (r *reader) part() []byte {
	b := r.take(4)
	if r.short {
		return nil
	}
	return r.take(uint64(binary.BigEndian.Uint32(b)))
}

// column is one of a record that record_send made: its type, its length and its bytes; nil where it is NULL.
func (r *reader) column() []byte {
	null := []byte{0xff, 0xff, 0xff, 0xff}
	if r.take(4); bytes.HasPrefix(r.rest, null) {
		r.take(4)
		return nil
	}
	return r.part()
}

func (r *reader) key() idem.Key {
	tenant, actor, endpoint, value := r.part(), r.part(), r.part(), r.part()
	return idem.Key{Scope: idem.Scope{Tenant: string(tenant), Actor: string(actor)},
		Endpoint: idem.Endpoint(endpoint), Value: string(value)}
}
