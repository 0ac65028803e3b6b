package sqlitestore

import (
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

// String holds the fence and the key's parts, each after its length: they may have any bytes.
func (c cursor) String() string {
	text := binary.AppendVarint(nil, c.fence)
	for _, part := range []string{c.key.Scope.Tenant, c.key.Scope.Actor, string(c.key.Endpoint), c.key.Value} {
		text = append(binary.AppendUvarint(text, uint64(len(part))), part...)
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
	fence, n := binary.Varint(text)
	if n <= 0 {
		return cursor{}, errCursor
	}
	var parts [4]string
	rest := text[n:]
	for i := range parts {
		length, n := binary.Uvarint(rest)
		if n <= 0 || length > uint64(len(rest)-n) {
			return cursor{}, errCursor
		}
		end := n + int(length)
		parts[i], rest = string(rest[n:end]), rest[end:]
	}
	if len(rest) > 0 {
		return cursor{}, errCursor
	}
	key := idem.Key{Scope: idem.Scope{Tenant: parts[0], Actor: parts[1]}, Endpoint: idem.Endpoint(parts[2]), Value: parts[3]}
	return cursor{fence, key}, nil
}
