package pgstore

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

// sent is a record as record_send makes it; nil is NULL.
func sent(columns ...[]byte) []byte {
	text := binary.BigEndian.AppendUint32(nil, uint32(len(columns)))
	for _, c := range columns {
		const bytea = 17
		text = binary.BigEndian.AppendUint32(text, bytea)
		length := uint32(len(c))
		if c == nil {
			length = 1<<32 - 1
		}
		text = append(binary.BigEndian.AppendUint32(text, length), c...)
	}
	return text
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func TestParseRecord(t *testing.T) {
	t.Parallel()
	token, print := make([]byte, 16), make([]byte, idem.FingerprintSize)
	row := func(status, header, body, expiresAt []byte) []byte {
		return sent(number(5), token, number(7), []byte{1}, print, status, header, body, number(8), expiresAt)
	}
	finalized := row([]byte{0, 0, 0, 201}, []byte("A: b\r\n"), []byte{}, number(9))
	for _, c := range []struct {
		text             []byte
		state            idem.State
		now, fence, ends int64
	}{
		{number(6), idem.Absent, 6, 0, 0},
		{row(nil, nil, nil, nil), idem.Absent, 946684800000005, 7, 0},
		{row([]byte{0, 0, 0, 201}, nil, nil, nil), idem.Tombstone, 946684800000005, 7, 0},
		{row([]byte{0, 0, 0, 201}, nil, []byte{}, nil), idem.Replay, 946684800000005, 7, 0},
		{finalized, idem.Absent, 946684800000005, 7, 9},
	} {
		rec, err := parseRecord(c.text)
		if err != nil || rec.state() != c.state || rec.now != c.now || rec.fence != c.fence || rec.expiresAt != c.ends {
			t.Errorf("%x is %+v, %v", c.text, rec, err)
		}
	}
	for n := range finalized {
		if n == 8 {
			continue // a time
		}
		if rec, err := parseRecord(finalized[:n]); err == nil {
			t.Errorf("%d bytes are %+v", n, rec)
		}
	}
	if rec, err := parseRecord(append(bytes.Clone(finalized), 0)); err == nil {
		t.Errorf("one byte more is %+v", rec)
	}
}
