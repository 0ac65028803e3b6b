package idem

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"time"
)

// Scope names who acts. A key means nothing outside its scope: another tenant's or another actor's
// equal key is another key.
type Scope struct {
	Tenant string // 1 to 255 bytes
	Actor  string // 1 to 255 bytes; a stable user id, never a token that can be renewed
}

// Key is what a record is unique by (policy: "Persistence and scope").
type Key struct {
	Scope    Scope
	Endpoint Endpoint // the operation's Record
	Value    string   // the decoded idempotency key
}

// Fingerprint is what is compared of two requests with one key.
type Fingerprint struct {
	Canon byte     // version of the canonical form
	Rules [4]byte  // first bytes of the digest of the identity table
	Sum   [32]byte // SHA-256 of the canonical form
}

// FingerprintSize is the length of a fingerprint's binary form.
const FingerprintSize = 1 + 4 + 32

// Bytes returns the binary form, which a store keeps.
func (f Fingerprint) Bytes() [FingerprintSize]byte {
	var b [FingerprintSize]byte
	b[0] = f.Canon
	copy(b[1:5], f.Rules[:])
	copy(b[5:], f.Sum[:])
	return b
}

// ParseFingerprint reads the binary form. It is an error where b has another length.
func ParseFingerprint(b []byte) (Fingerprint, error) {
	var f Fingerprint
	if len(b) != FingerprintSize {
		return f, errors.New("fingerprint: wrong length")
	}
	f.Canon = b[0]
	copy(f.Rules[:], b[1:5])
	copy(f.Sum[:], b[5:])
	return f, nil
}

// sameRules says whether two fingerprints can be compared.
func (f Fingerprint) sameRules(g Fingerprint) bool { return f.Canon == g.Canon && f.Rules == g.Rules }

// Token is what owns a reservation. The caller makes it before Begin, so that a Begin whose answer
// was lost can be repeated or released.
type Token [16]byte

// NewToken returns a random token.
func NewToken() Token {
	var t Token
	rand.Read(t[:]) // never fails
	return t
}

// Response is what a record keeps and a replay sends.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	// Tombstone marks a response that was sent and could not be stored. Header and Body are empty.
	Tombstone bool
}

// State is what a store says of a key.
type State uint8

// The states. Conflict and Reserved are answers of Begin alone, Absent of Lookup alone.
const (
	Absent     State = iota // no live record, or a joined reservation that has no owner any more
	Reserved                // the caller owns the record now
	Replay                  // finalized, same fingerprint
	Conflict                // a live record, another fingerprint
	InProgress              // reserved by a live lease, or locked
	Unknown                 // the lease is over and nothing was finalized: it may have run or not
	Tombstone               // finalized, same fingerprint, but the response could not be stored
)

// Outcome is the answer of Begin and Lookup.
type Outcome struct {
	State State
	// Fence grows with each owner of a key, over release, sweep and crash too.
	Fence int64
	// Fingerprint is the record's; the reservation's own when Reserved.
	Fingerprint Fingerprint
	Response    Response  // set in Replay; only Status and Tombstone in Tombstone
	Now         time.Time // the store's clock when it decided
}

// Reservation is what Begin asks for.
type Reservation struct {
	Key         Key
	Token       Token
	Fingerprint Fingerprint
	Lease       time.Duration // more than 0
	// Joined marks a reservation whose effect and result commit in one transaction.
	Joined bool
	// TakeOver is the fence of an Unknown record to take over. 0: none is taken over.
	TakeOver int64
}

// Errors of a store. Stores wrap them; use errors.Is.
var (
	// ErrLost: the record is not reserved under this token.
	ErrLost = errors.New("idempotency reservation lost")
	// ErrFull: the store takes no new keys for now.
	ErrFull = errors.New("idempotency store is full")
	// ErrUncertain: a commit was sent and its answer did not arrive.
	ErrUncertain = errors.New("commit outcome uncertain")
	// ErrTxEnded: the transaction is not open any more, and the store did not end it.
	ErrTxEnded = errors.New("transaction ended by its handler")
)

// A Store keeps records. Each verb is atomic, decides on the store's own clock, and gives the same
// answer when the same caller repeats it with the same token, so that a lost acknowledgement costs
// nothing. A record is live while it is present and not past its retention.
//
// Begin answers, in this order:
//   - no live record: a new reservation, Reserved. Its fence is the greater of the former fence + 1
//     and the store's clock in microseconds;
//   - a live record of another fingerprint: Conflict, in flight and after its lease too;
//   - finalized: Replay, or Tombstone;
//   - reserved under this very token: Reserved with the same fence; its lease starts again;
//   - a live lease: InProgress;
//   - lease over, joined: nothing has happened, so it is reserved anew, with a higher fence. Where the
//     owner's transaction may still hold the record (a lock not to be had at once): InProgress;
//   - lease over, not joined: Unknown; or, where TakeOver is the record's fence, Reserved under the new
//     token with a higher fence.
//
// Begin never waits for another caller's transaction to answer a live record.
//
// Renew, Finalize and Release are for the owner: the record is reserved under this token, whether its
// lease is over or not. Anyone else gets ErrLost and changes nothing.
//
// A key's, scope's, header's or body's bytes may be any, NUL and invalid UTF-8 included. A store must
// not keep the caller's slices. Every method is safe for concurrent use.
type Store interface {
	Begin(ctx context.Context, r Reservation) (Outcome, error)
	// Lookup says what is there and changes nothing of it: Absent, InProgress, Unknown, Replay or Tombstone.
	Lookup(ctx context.Context, k Key) (Outcome, error)
	// Renew lets the lease end this long from now on; 0 ends it.
	Renew(ctx context.Context, k Key, t Token, lease time.Duration) error
	// Finalize stores the response and keeps it this long; 0 is for ever, or the store's own
	// retention where it demands one. Finalizing again under the same token changes nothing and succeeds.
	Finalize(ctx context.Context, k Key, t Token, r Response, keep time.Duration) error
	// Release removes the reservation, as if it had never been. It succeeds when there is no record.
	Release(ctx context.Context, k Key, t Token) error
}

// A TxStore keeps its records beside the business rows, so that both commit together.
type TxStore[Tx any] interface {
	Store
	// InTx opens a transaction, locks the record as its first statement (ErrLost unless it is
	// reserved under t), calls fn and commits. An error or panic of fn rolls back; the error is
	// returned as it is. A commit that may or may not have happened is ErrUncertain.
	InTx(ctx context.Context, k Key, t Token, fn func(Tx) error) error
	// FinalizeTx is Finalize as part of tx. ErrTxEnded where tx is not open any more: what was written
	// in it may be committed.
	FinalizeTx(ctx context.Context, tx Tx, k Key, t Token, r Response, keep time.Duration) error
}

// A Sweeper removes records that are past their retention.
type Sweeper interface {
	// Sweep removes at most limit of them, in one short transaction, and says how many. It never
	// touches a record that was not finalized.
	Sweep(ctx context.Context, limit int) (int, error)
}

// Unresolved is a record whose outcome is unknown.
type Unresolved struct {
	Key         Key
	Fence       int64
	Fingerprint Fingerprint
	Reserved    time.Time // when its last owner began, on the store's clock
	LeaseEnded  time.Time // when its lease was over, on the store's clock
}

// A Resolver lists the records whose outcome is unknown, and settles them. Nothing else ends them: a
// sweep does not, and a retry only where the operation's on-unknown says so.
type Resolver interface {
	// Unresolved lists at most limit of them after a cursor, "" to begin with, and returns the cursor of
	// the next call, "" when there are no more. A record that is unknown throughout the calls is listed at
	// least once. Joined records are never unknown.
	Unresolved(ctx context.Context, after string, limit int) ([]Unresolved, string, error)
	// Resolve settles the unknown record that has this fence: it is finalized with r and kept this long,
	// as by Finalize, or released where r is nil. ErrLost: it is not unknown under this fence any more.
	// The same call again succeeds again.
	Resolve(ctx context.Context, k Key, fence int64, r *Response, keep time.Duration) error
}
