package stores_test

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// crashFile names the database of a process that is to crash in the middle of its work.
const crashFile = "IDEMGEN_TEST_CRASH_FILE"

// TestSQLiteCrash lets a process die, with a leased attempt and within the transaction of a joined one.
func TestSQLiteCrash(t *testing.T) {
	if file := os.Getenv(crashFile); file != "" {
		crash(t, file)
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ledger.db")
	s := openSQLite(t, file)
	process := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSQLiteCrash$")
	process.Env = append(os.Environ(), crashFile+"="+file)
	if out, err := process.CombinedOutput(); process.ProcessState.ExitCode() != -1 {
		t.Fatalf("the process was not killed: %v\n%s", err, out)
	}

	begin(t, s, joined("joined"), idem.InProgress)
	begin(t, s, reservation("leased"), idem.InProgress)
	advance(t, s, 2*time.Minute)
	for value, want := range map[string]idem.State{"joined": idem.Absent, "leased": idem.Unknown} {
		if o, err := s.Lookup(t.Context(), reservation(value).Key); err != nil || o.State != want {
			t.Errorf("%s: Lookup says %s, %v", value, storetest.StateName(o.State), err)
		}
	}
	begin(t, s, reservation("leased"), idem.Unknown)
	if n, err := effects(t.Context(), s.db, "joined"); n != 0 || err != nil {
		t.Errorf("the dead process left %d effects, %v", n, err)
	}
	if err := attempt(t.Context(), s, joined("joined")); err != nil {
		t.Error(err)
	}
	if n, err := effects(t.Context(), s.db, "joined"); n != 1 || err != nil {
		t.Errorf("the next attempt had %d effects, %v", n, err)
	}
}

// crash never returns.
func crash(t *testing.T, file string) {
	s, r, ctx := openSQLite(t, file), joined("joined"), context.Background()
	begin(t, s, reservation("leased"), idem.Reserved)
	begin(t, s, r, idem.Reserved)
	err := s.InTx(ctx, r.Key, r.Token, func(tx *sql.Tx) error {
		if err := writeEffect(ctx, tx, "joined"); err != nil {
			return err
		}
		if err := s.FinalizeTx(ctx, tx, r.Key, r.Token, idem.Response{Status: 201}, 0); err != nil {
			return err
		}
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		if err := self.Kill(); err != nil {
			return err
		}
		select {}
	})
	t.Fatalf("InTx returns %v", err)
}
