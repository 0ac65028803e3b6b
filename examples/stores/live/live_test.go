package live_test

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/examples/stores/live"
)

// child makes the test binary one that starts a server, names its folder and waits to be killed.
const child = "IDEMGEN_LIVE_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(child) == "" {
		os.Exit(live.Main(m))
	}
	s, err := live.StartPostgres(live.PostgresOptions{Settings: map[string]string{"fsync": "off"}})
	if err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Stdout.WriteString(s.Dir + "\n" + s.Addr() + "\n")
	select {}
}

func gone(t *testing.T, dir, addr string) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		_, err := os.Stat(dir)
		if os.IsNotExist(err) {
			break
		}
		if time.Since(begun) > 10*time.Second {
			t.Fatalf("%s is left behind: %v", dir, err)
		}
	}
	if conn, err := net.Dial("tcp", addr); err == nil {
		conn.Close()
		t.Errorf("something listens on %s", addr)
	}
}

func TestPostgresStops(t *testing.T) {
	t.Parallel()
	live.Postgres(t) // skips where there is none
	s, err := live.StartPostgres(live.PostgresOptions{Settings: map[string]string{"fsync": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Error(err)
	} else {
		defer conn.Close()
	}
	s.Stop()
	gone(t, s.Dir, s.Addr())
}

// A test binary that is killed, as by a timeout, stops nothing any more.
func TestPostgresEndsWithTheTestBinary(t *testing.T) {
	t.Parallel()
	live.Postgres(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), child+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	dir := lines.Text()
	lines.Scan()
	addr := lines.Text()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if dir == "" || addr == "" {
		t.Fatal("the child has no server")
	}
	gone(t, dir, addr)
}

func TestPostgresSaysWhyItDoesNotStart(t *testing.T) {
	t.Parallel()
	live.Postgres(t)
	s, err := live.StartPostgres(live.PostgresOptions{Settings: map[string]string{"no_such_setting": "1"}})
	if err == nil {
		s.Stop()
		t.Fatal("it starts")
	}
	if want := `unrecognized configuration parameter "no_such_setting"`; !strings.Contains(err.Error(), want) {
		t.Errorf("it says %v, not %s", err, want)
	}
}
