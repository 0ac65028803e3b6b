package redisstore

import (
	"regexp"
	"testing"
	"testing/quick"

	"github.com/idemgen/idemgen/runtime/idem"
)

func TestFramedKeysAreReadBack(t *testing.T) {
	t.Parallel()
	same := func(tenant, actor, endpoint, value []byte) bool {
		k := idem.Key{Scope: idem.Scope{Tenant: string(tenant), Actor: string(actor)},
			Endpoint: idem.Endpoint(endpoint), Value: string(value)}
		got, err := unframe(frame(k))
		return err == nil && got == k
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"", "4:acme", "1:a,1:b,1:c,1:d", "1:a,1:b,1:c,1:d,x", "1:a,1:b,1:c,2:d,",
		"-1:a,1:b,1:c,1:d,", "1:a,1:b,1:c,99999999999999999999:d,"} {
		if k, err := unframe(text); err == nil {
			t.Errorf("%q is read as %+v", text, k)
		}
	}
}

// The user's bytes must neither move a record to another slot nor make two keys one.
func TestPlacesHaveNoUsersBytes(t *testing.T) {
	t.Parallel()
	s := &Store{prefix: DefaultPrefix}
	shape := regexp.MustCompile(`^idem:\{[A-Za-z0-9_-]{43}\}$`)
	seen := map[string]string{}
	values := []string{"k", "{k}", "}{", "{}", "\x00", "\xff", "\xfe", "k\x00", "1:k,", ",1:k", "café", "cafe\u0301"}
	for _, value := range values {
		for i := range 4 {
			var parts [4]string
			parts[i] = value
			framed := frame(idem.Key{Scope: idem.Scope{Tenant: parts[0], Actor: parts[1]},
				Endpoint: idem.Endpoint(parts[2]), Value: parts[3]})
			place := s.place(framed)
			if !shape.MatchString(place) {
				t.Errorf("the record of %q is at %q", framed, place)
			}
			if other, met := seen[place]; met {
				t.Errorf("%q and %q are one record", framed, other)
			}
			seen[place] = framed
		}
	}
}

// The values are those of the Redis Cluster specification and of CLUSTER KEYSLOT.
func TestSlots(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]int{"": 0, "123456789": 12739, "foo": 12182, "user1000": 3443} {
		if got := slotOf(tag); got != want {
			t.Errorf("%q is in slot %d, not %d", tag, got, want)
		}
	}
	for _, slot := range []int{0, 1, 5461, slots - 1} {
		tag, err := tagOf(slot)
		if err != nil || slotOf(tag) != slot {
			t.Errorf("slot %d gets tag %q, %v", slot, tag, err)
		}
	}
	if tag, err := tagOf(slots); err == nil {
		t.Errorf("slot %d gets tag %q", slots, tag)
	}
}
