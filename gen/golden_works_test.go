package gen

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/openapi"
	"github.com/idemgen/idemgen/gen/internal/sample"
)

// Every golden output compiles on the runtime's own Go version, passes vet, and passes the tests that were generated
// with it: replay, conflict, missing key, key too long for each operation. Beside them stands a test that
// a payload and the request it was decoded from have one fingerprint, over random requests.
func TestGoldenOutputsWork(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	t.Parallel()
	runtime, err := filepath.Abs(filepath.Join("..", "runtime"))
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	writeFile(t, filepath.Join(module, "go.mod"), fmt.Appendf(nil, `module example.com/golden

go 1.24

require github.com/idemgen/idemgen/runtime v0.0.0

replace github.com/idemgen/idemgen/runtime => %s
`, runtime))
	for _, name := range goldenCases(t) {
		dir := filepath.Join(module, name)
		var handlers []byte
		for _, f := range generateCase(t, name).Files {
			writeFile(t, filepath.Join(dir, f.Name), f.Data)
			if f.Name == "handlers.gen.go" {
				handlers = f.Data
			}
		}
		writeProperty(t, dir, name, handlers)
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
		goIn(t, module, args...)
	}
}

var fingerprintFunc = regexp.MustCompile(`(?m)^func Fingerprint(\w+)\(p \w+\) .*\n\treturn idem\.FingerprintOf\(&(\w+), p\)$`)

// writeProperty writes the property test of a package, and the trials that it runs.
func writeProperty(t *testing.T, dir, name string, handlers []byte) {
	t.Helper()
	const each = 1000
	doc, problems := openapi.Load(os.DirFS(filepath.Join(goldenDir, name)), "openapi.yaml")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	found := fingerprintFunc.FindAllSubmatch(handlers, -1)
	if len(found) != len(doc.Operations) {
		t.Fatalf("%s: found %d of %d fingerprint functions", name, len(found), len(doc.Operations))
	}
	var calls strings.Builder
	for _, m := range found {
		fmt.Fprintf(&calls, "t.Run(%q, func(t *testing.T) { agree(t, &%s, Fingerprint%s, trials[%s.Endpoint]) })\n", m[1], m[2], m[1], m[2])
	}
	source, err := os.ReadFile(filepath.Join("..", "testdata", "property", "property_test.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	test := strings.NewReplacer("NAME", name, "CALLS", calls.String()).Replace(string(source))
	writeFile(t, filepath.Join(dir, "property_test.go"), []byte(test))
	trials, err := json.Marshal(sample.Trials(doc, each, 1))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "trials.json"), trials)
}

// goIn runs the go command in a module, without a network.
func goIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
