package linear_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/idemgen/idemgen/examples/stores/live"
)

// TestMain runs the tests, or is a process that they started.
func TestMain(m *testing.M) {
	if text := os.Getenv(orderVariable); text != "" {
		if err := own(text); err != nil {
			fmt.Fprintln(os.Stderr, "owner:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(live.Main(m))
}
