package idemtest

import "github.com/idemgen/idemgen/runtime/idem"

// Case is what is known of one keyed operation.
type Case struct {
	Endpoint idem.Endpoint
	// Policy is the operation's. Header, MaxLength and ConflictStatus are used; zero fields mean the
	// defaults, as everywhere.
	Policy  idem.Policy
	Request Request // a valid one
	// Changed are changes of Request in one field each, so that its key refuses them.
	Changed []Change
	// Same are changes only of what the identity leaves out: an ignored field, the order of
	// an unordered array, another spelling of the same JSON.
	Same []Change
}

func (c Case) header() string {
	if c.Policy.Header != "" {
		return c.Policy.Header
	}
	return "Idempotency-Key"
}

func (c Case) maxLength() int {
	if c.Policy.MaxLength != 0 {
		return c.Policy.MaxLength
	}
	return 200 // policy: "Request contract"
}

func (c Case) conflictStatus() int {
	if c.Policy.ConflictStatus != 0 {
		return c.Policy.ConflictStatus
	}
	return 409
}
