package faults_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/idemgen/idemgen/examples/stores/live"
)

// soak is how long each store's soak lasts.
var soak = flag.Duration("soak", soakByDefault(), "how long the soak of each store lasts")

func soakByDefault() time.Duration {
	if os.Getenv("CI") == "true" {
		return 30 * time.Second
	}
	return 5 * time.Second
}

// TestMain runs the tests, or is a worker that they started.
func TestMain(m *testing.M) {
	if text := os.Getenv(jobVariable); text != "" {
		if err := serve(text); err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
		return
	}
	// Most tests wait, for leases and for faults: more of them than there are cores run at a time.
	if err := flag.Set("test.parallel", "4"); err != nil { // unless the command line says otherwise
		panic(err)
	}
	os.Exit(live.Main(m))
}
