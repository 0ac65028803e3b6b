package idemtest

import "github.com/idemgen/idemgen/runtime/idem"

// Case is what is known of one keyed operation.
type Case struct {
	Endpoint idem.Endpoint
	// Policy is the operation's, for a suite whose Operations do not have it; zero fields mean the defaults, as
	// everywhere.
	Policy  idem.Policy
	Request Request // a valid one
	// Changed are changes of Request in one field each, so that its key refuses them.
	Changed []Change
	// Same are changes only of what the identity leaves out: an ignored field, the order of
	// an unordered array, another spelling of the same JSON.
	Same []Change
}
