package storetest_test

import (
	"fmt"

	"github.com/idemgen/idemgen/runtime/storetest"
)

// What does a retry get of an attempt whose lease is over?
func Example() {
	for _, c := range storetest.Cells {
		if c.Record == storetest.LeaseOver && c.Request == storetest.Same && c.Newcomer == c.Owner {
			fmt.Printf("%s, %s: %s\n", c.Owner, c.TakeOver, storetest.StateName(c.Want))
		}
	}
	// Output:
	// leased, no fence: Unknown
	// leased, its fence: Reserved
	// leased, other fence: Unknown
	// joined, no fence: Reserved
	// joined, its fence: Reserved
	// joined, other fence: Reserved
}
