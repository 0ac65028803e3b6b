package live

import (
	"os"
	"sync"
	"testing"
)

var servers struct {
	sync.Mutex
	running []*process
}

// Main runs the tests and then ends the servers that they started.
func Main(m *testing.M) int {
	defer stopAll()
	return m.Run()
}

func stopAll() {
	servers.Lock()
	defer servers.Unlock()
	for _, p := range servers.running {
		p.stop()
	}
	servers.running = nil
}

// keep leaves p running until the test binary ends.
func keep(p *process) {
	servers.Lock()
	defer servers.Unlock()
	servers.running = append(servers.running, p)
}

// unavailable ends a test that has no server.
func unavailable(t testing.TB, what string, err error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s: %v", what, err)
	}
	t.Skipf("%s: %v", what, err)
}
