package redisstore

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/runtime/idem"
)

// frame writes a key's parts with their lengths, so that no two keys are framed alike:
// "4:acme,4:u-17,13:claims.create,4:5f1c,".
func frame(k idem.Key) string {
	framed := make([]byte, 0, 128)
	for _, part := range [...]string{k.Scope.Tenant, k.Scope.Actor, string(k.Endpoint), k.Value} {
		framed = strconv.AppendInt(framed, int64(len(part)), 10)
		framed = append(framed, ':')
		framed = append(framed, part...)
		framed = append(framed, ',')
	}
	return string(framed)
}

var errFrame = errors.New("a record's key is malformed")

// unframe reads what frame wrote.
func unframe(framed string) (idem.Key, error) {
	var parts [4]string
	for i := range parts {
		length, rest, found := strings.Cut(framed, ":")
		n, err := strconv.Atoi(length)
		if !found || err != nil || n < 0 || n >= len(rest) || rest[n] != ',' {
			return idem.Key{}, errFrame
		}
		parts[i], framed = rest[:n], rest[n+1:]
	}
	if framed != "" {
		return idem.Key{}, errFrame
	}
	return idem.Key{Scope: idem.Scope{Tenant: parts[0], Actor: parts[1]},
		Endpoint: idem.Endpoint(parts[2]), Value: parts[3]}, nil
}

// place is the Redis key of the record of a framed key. No byte of it is the user's: see the package's comment.
func (s *Store) place(framed string) string {
	digest := sha256.Sum256([]byte(framed))
	return s.prefix + "{" + base64.RawURLEncoding.EncodeToString(digest[:]) + "}"
}
