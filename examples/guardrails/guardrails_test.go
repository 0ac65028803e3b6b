package guardrails

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen"
)

const (
	document = "../ledger/openapi.yaml"
	lockFile = "../ledger/ledgeridem/" + gen.LockName
)

// A fault makes old, which stands once in a file, new.
type fault struct {
	name, old, new string
	want           string // how the finding begins
}

// in is the text with the fault in it.
func (f fault) in(t *testing.T, text string) string {
	t.Helper()
	if n := strings.Count(text, f.old); f.old != "" && n != 1 {
		t.Fatalf("the file has this %d times, not once: bring the fault up to date:\n%s", n, f.old)
	}
	if f.old == "" {
		return text
	}
	return strings.Replace(text, f.old, f.new, 1)
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func folder(text string) fs.FS { return fstest.MapFS{"openapi.yaml": {Data: []byte(text)}} }

// judge compares what was found with what a fault is to give.
func judge(t *testing.T, f fault, found []string) {
	t.Helper()
	switch {
	case f.want == "" && len(found) > 0:
		t.Errorf("without a fault: %q", found)
	case f.want == "":
	default:
		for _, line := range found {
			if strings.HasPrefix(line, f.want) {
				return
			}
		}
		t.Errorf("found %q, want %q", found, f.want)
	}
}

func TestLint(t *testing.T) {
	t.Parallel()
	text := read(t, document)
	for _, f := range []fault{
		{name: "none"},
		{"no decision", "      x-idempotency-endpoint: claims.create\n", "", "unkeyed: POST /submissions/{submissionId}/claims"},
		{"a key that is malformed", "x-idempotency-endpoint: claims.create\n", "x-idempotency-endpoint: Claims Create\n", "endpoint-malformed: "},
		{"a key that is there twice", "x-idempotency-endpoint: disputes.create\n", "x-idempotency-endpoint: claims.create\n", "endpoint-twice: "},
		{"an extension that is misspelt", "x-idempotency-endpoint: claims.create\n", "x-idempotency-endpiont: claims.create\n", "extension-misspelt: "},
		{"a header that is optional", "name: Idempotency-Key\n      in: header\n      required: true\n", "name: Idempotency-Key\n      in: header\n", "header-optional: "},
		{"a key on an exempt operation", "      x-idempotency-endpoint: claims.create\n", "      x-idempotency-endpoint: claims.create\n      x-idempotency-exempt: it is both\n", "exempt-keyed: "},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			report, err := gen.Lint(folder(f.in(t, text)), gen.LintConfig{Spec: "openapi.yaml"})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, finding := range report.Findings {
				if !finding.Note {
					found = append(found, finding.Rule+": "+finding.What)
				}
			}
			judge(t, f, found)
		})
	}
}

var drifts = []fault{
	{name: "none"},
	{"a key that is renamed", "x-idempotency-endpoint: claims.create\n", "x-idempotency-endpoint: claims.open\n",
		"POST /submissions/{submissionId}/claims carries claims.open now, and carried claims.create"},
	{"a key that is gone", "      x-idempotency-endpoint: claims.create\n", "      x-idempotency-exempt: claims are rare\n",
		"the endpoint key claims.create is gone"},
	{"a member that is ignored", "statement: {type: string, minLength: 1, example: Question 4", "statement: {x-idempotency-ignore: true, type: string, minLength: 1, example: Question 4", "claims.create compares other things"},
}

func TestLock(t *testing.T) {
	t.Parallel()
	text, lock := read(t, document), read(t, lockFile)
	for _, f := range drifts {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			_, err := gen.Generate(folder(f.in(t, text)), gen.Config{Spec: "openapi.yaml", Package: "ledgeridem", Lock: []byte(lock)})
			var found []string
			if problems, ok := err.(gen.Problems); ok {
				for _, p := range problems {
					found = append(found, p.What)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			judge(t, f, found)
		})
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	text := read(t, document)
	for _, f := range drifts {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			changes, _, err := gen.Diff(folder(text), "openapi.yaml", folder(f.in(t, text)), "openapi.yaml")
			if err != nil {
				t.Fatal(err)
			}
			breaking := 0
			for _, c := range changes {
				if c.Class == gen.Breaking {
					breaking++
				}
			}
			if (breaking > 0) != (f.want != "") || f.want == "" && len(changes) > 0 {
				t.Errorf("%d changes, %d of them breaking", len(changes), breaking)
			}
		})
	}
}

// The routes are looked at in a copy of the service, in a module of its own.
func TestRoutes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		text := strings.NewReplacer("=> ../runtime", "=> "+abs(t, "../../runtime"), "=> ../", "=> "+abs(t, "../..")).Replace(read(t, filepath.Join("..", name)))
		write(t, filepath.Join(dir, name), text)
	}
	for _, pkg := range []string{"ledger/service", "ledger/ledgeridem"} {
		if err := os.CopyFS(filepath.Join(dir, pkg), os.DirFS(filepath.Join("..", pkg))); err != nil {
			t.Fatal(err)
		}
	}
	if found := routesIn(t, dir); len(found) > 0 {
		t.Errorf("without a fault: %q", found)
	}
	// Each fault is in a place of its own; to load the program once for all of them is quicker.
	faults := []struct {
		file string
		fault
	}{
		{"service.go", fault{"a route without its wrapper", "	exempt(mux)\n", "	exempt(mux)\n	mux.HandleFunc(\"POST /v2/roles\", noteIt)\n",
			"route-bare: POST /v2/roles is roles.create"}},
		{"service.go", fault{"a route that nobody has decided about", "	reads(mux, db)\n", "	reads(mux, db)\n	mux.HandleFunc(\"POST /notes\", noteIt)\n",
			"route-unknown: POST /notes is in no document"}},
		{"service.go", fault{"what the two register", "// mapError makes", "func noteIt(w http.ResponseWriter, r *http.Request) {}\n\n// mapError makes", ""}},
		{"routes.go", fault{"a handler that is not registered", "		ledger.HandleGroupsCreateTx(svc, store, createGroup),\n", "",
			"route-none: POST /groups is groups.create, and is registered nowhere"}},
		{"routes.go", fault{"a wrapper that has a timeout inside", "		ledger.HandleRolesUpdateTx(svc, store, updateRole),\n",
			"		ledger.WrapRolesUpdate(svc, http.TimeoutHandler(http.NotFoundHandler(), 1, \"\")),\n", "timeout-inside: "}},
		{"routes.go", fault{"a handler that sets a cookie", "		ledger.HandleRolesDeleteTx(svc, store, deleteRole),\n",
			"		ledger.WrapRolesDelete(svc, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.SetCookie(w, nil) })),\n", "cookie: roles.delete sets a cookie"}},
		{"routes.go", fault{"what the two import", "import (\n", "import (\n	\"net/http\"\n", ""}},
	}
	for _, f := range faults {
		path := filepath.Join(dir, "ledger", "service", f.file)
		write(t, path, f.in(t, read(t, path)))
	}
	found := routesIn(t, dir)
	for _, f := range faults {
		if f.want != "" {
			t.Run(f.name, func(t *testing.T) { judge(t, f.fault, found) })
		}
	}
}

// routesIn are the findings in the ledger of a module.
func routesIn(t *testing.T, dir string) []string {
	t.Helper()
	report, err := gen.Routes(dir, "./ledger/...")
	if err != nil || len(report.Errors) > 0 {
		t.Fatal(err, report.Errors)
	}
	var found []string
	for _, finding := range report.Findings {
		found = append(found, finding.Rule+": "+finding.What)
	}
	return found
}

func abs(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What a team of its own would run in CI is green.
func TestLintArch(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("make", "-s", "-C", filepath.Join("..", "ledger"), "lint-arch", "OLD=openapi.yaml")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("nothing found")) {
		t.Errorf("make lint-arch: %v\n%s", err, out)
	}
}
