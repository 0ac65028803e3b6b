package redisstore

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A reply is what a script returned. Clients differ in the types that they make of it.
type reply []any

var errShort = errors.New("the reply is too short")

// text is the reply's element i, any bytes.
func (r reply) text(i int) (string, error) {
	if i >= len(r) {
		return "", errShort
	}
	switch v := r[i].(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	default:
		return "", fmt.Errorf("the reply's element %d is a %T, not text", i, v)
	}
}

// number is the reply's element i, a whole number.
func (r reply) number(i int) (int64, error) {
	text, err := r.text(i)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the reply's element %d is not a number", i)
	}
	return n, nil
}

// instant is the reply's element i, microseconds since 1970.
func (r reply) instant(i int) (time.Time, error) {
	n, err := r.number(i)
	return time.UnixMicro(n), err
}

func (r reply) fingerprint(i int) (idem.Fingerprint, error) {
	text, err := r.text(i)
	if err != nil {
		return idem.Fingerprint{}, err
	}
	return idem.ParseFingerprint([]byte(text))
}

// done is the answer of a verb that changes a record: nil or [idem.ErrLost].
func (r reply) done() error {
	word, err := r.text(0)
	switch {
	case err != nil:
		return err
	case word == "done":
		return nil
	case word == "lost":
		return idem.ErrLost
	}
	return fmt.Errorf("the reply is %q", word)
}

// states are the words of the scripts.
var states = map[string]idem.State{
	"absent": idem.Absent, "reserved": idem.Reserved, "replay": idem.Replay, "conflict": idem.Conflict,
	"in progress": idem.InProgress, "unknown": idem.Unknown, "tombstone": idem.Tombstone,
}

// outcome is the answer of Begin and Lookup: state, now and, unless absent, fence and fingerprint, and then what
// there is of a response.
func (r reply) outcome() (idem.Outcome, error) {
	var o idem.Outcome
	word, err := r.text(0)
	if err != nil {
		return o, err
	}
	state, known := states[word]
	if !known {
		return o, fmt.Errorf("the reply is %q", word)
	}
	if o.Now, err = r.instant(1); err != nil {
		return o, err
	}
	if state != idem.Absent {
		if o.Fence, err = r.number(2); err != nil {
			return o, err
		}
		if o.Fingerprint, err = r.fingerprint(3); err != nil {
			return o, err
		}
	}
	if state == idem.Replay || state == idem.Tombstone {
		if o.Response, err = r.response(4, state == idem.Tombstone); err != nil {
			return o, err
		}
	}
	o.State = state
	return o, nil
}

// response is status, header and body from element i on, or a tombstone's status.
func (r reply) response(i int, tombstone bool) (idem.Response, error) {
	status, err := r.number(i)
	if err != nil || tombstone {
		return idem.Response{Status: int(status), Tombstone: true}, err
	}
	lines, err := r.text(i + 1)
	if err != nil {
		return idem.Response{}, err
	}
	header, err := idem.DecodeHeader([]byte(lines))
	if err != nil {
		return idem.Response{}, err
	}
	body, err := r.text(i + 2)
	return idem.Response{Status: int(status), Header: header, Body: []byte(body)}, err
}
