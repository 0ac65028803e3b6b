package redisstore

import (
	"errors"
	"strconv"
	"strings"
)

// A cursor is where Unresolved goes on: with the keys that are left of what SCAN returned, and then with SCAN on the
// first master whose slot is not below slot.
type cursor struct {
	slot int
	scan string
	left []string
}

var errCursor = errors.New("the cursor is none of this store's")

func parseCursor(text string) (cursor, error) {
	if text == "" {
		return cursor{scan: "0"}, nil
	}
	words := strings.Split(text, " ")
	if len(words) < 2 {
		return cursor{}, errCursor
	}
	slot, err := strconv.Atoi(words[0])
	if err != nil {
		return cursor{}, errCursor
	}
	if _, err := strconv.ParseUint(words[1], 10, 64); err != nil {
		return cursor{}, errCursor
	}
	return cursor{slot: slot, scan: words[1], left: words[2:]}, nil
}

func (c cursor) String() string {
	return strings.Join(append([]string{strconv.Itoa(c.slot), c.scan}, c.left...), " ")
}

func (c cursor) end(masters []master) bool {
	return len(c.left) == 0 && masters[len(masters)-1].slot < c.slot
}

// master is the one where SCAN goes on.
func (c cursor) master(masters []master) master {
	for _, m := range masters {
		if m.slot >= c.slot {
			return m
		}
	}
	return masters[len(masters)-1]
}
