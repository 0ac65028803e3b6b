package stores_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A store must be made of a pool. Of anything else it would work until two requests came at once; so it must
// not compile.
func TestPgStoreTakesOnlyPools(t *testing.T) {
	t.Parallel()
	cases := []struct{ parameter, call, want string }{
		{"pool *pgxpool.Pool", "var _ idem.TxStore[pgx.Tx] = pgstore.New(pool, pgstore.Prefix(`a_`))", ""},
		{"db *sql.DB", "var _ idem.TxStore[*sql.Tx] = pgstore.NewDB(db)", ""},
		{"tx pgx.Tx", "pgstore.New(tx)", `type pgx.Tx of tx does not match`},
		{"tx *pgxpool.Tx", "pgstore.New(tx)", `type \*pgxpool.Tx of tx does not match`},
		{"conn *pgx.Conn", "pgstore.New(conn)", `type \*pgx.Conn of conn does not match`},
		{"conn *pgxpool.Conn", "pgstore.New(conn)", `type \*pgxpool.Conn of conn does not match`},
		{"db *sql.DB", "pgstore.New(db)", `type \*sql.DB of db does not match`},
		{"tx *sql.Tx", "pgstore.NewDB(tx)", `cannot use tx .*as \*sql.DB`},
		{"conn *sql.Conn", "pgstore.NewDB(conn)", `cannot use conn .*as \*sql.DB`},
	}
	// One line a case, so that the line of an error says whose it is.
	const head = 11
	text := `package snippet

import (
	"database/sql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)
`
	for _, c := range cases {
		text += "\nfunc _(" + c.parameter + ") { " + c.call + " }"
	}
	said := compile(t, text+"\n")
	for i, c := range cases {
		var got string
		if m := regexp.MustCompile(`(?m)^\S*snippet\.go:` + strconv.Itoa(head+i) + `:\d+: (.*(?:\n\t.*)*)`).FindStringSubmatch(said); m != nil {
			got = strings.ReplaceAll(m[1], "\n", " ")
		}
		switch {
		case c.want == "" && got != "":
			t.Errorf("%s with %s does not compile: %s", c.call, c.parameter, got)
		case c.want != "" && !regexp.MustCompile(c.want).MatchString(got):
			t.Errorf("of %s with %s the compiler says %q, not %q", c.call, c.parameter, got, c.want)
		}
	}
}

// compile says what the compiler has against a package of this module.
func compile(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "snippet.go")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-e", "-o", os.DevNull, file)
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return string(out)
}
