package redisstore

import (
	"context"
	"errors"
	"slices"
	"strconv"
)

// A master is a server that has records: the only one, or one of a cluster's.
type master struct {
	slot int    // its lowest
	key  string // of that slot, so that Eval asks this master
}

// masters are all masters, in the order of their slots.
func (s *Store) masters(ctx context.Context) ([]master, error) {
	whoever := s.prefix + "{}" // every server knows all slots
	answer, err := s.run(ctx, mastersScript, whoever)
	if err != nil {
		return nil, err
	}
	if len(answer) == 0 {
		return []master{{key: whoever}}, nil
	}
	lowest := map[string]int{}
	for i := 0; i < len(answer); i += 2 {
		slot, err := answer.number(i)
		if err != nil {
			return nil, err
		}
		id, err := answer.text(i + 1)
		if err != nil {
			return nil, err
		}
		if former, met := lowest[id]; !met || int(slot) < former {
			lowest[id] = int(slot)
		}
	}
	var found []master
	for _, slot := range lowest {
		tag, err := tagOf(slot)
		if err != nil {
			return nil, err
		}
		found = append(found, master{slot: slot, key: s.prefix + "{" + tag + "}"})
	}
	slices.SortFunc(found, func(a, b master) int { return a.slot - b.slot })
	return found, nil
}

const slots = 16384

// tagOf is a hash tag of this slot.
func tagOf(slot int) (string, error) {
	for n := range 1 << 20 { // of the first 200,000 numbers, some fall into each slot
		if tag := strconv.Itoa(n); slotOf(tag) == slot {
			return tag, nil
		}
	}
	return "", errors.New("a slot is out of range")
}

// slotOf is the slot of a hash tag: its CRC-16 (XMODEM) modulo the number of slots, as the Redis Cluster
// specification has it ("Key distribution model").
func slotOf(tag string) int {
	var crc uint16
	for i := range len(tag) {
		crc ^= uint16(tag[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int(crc) % slots
}
