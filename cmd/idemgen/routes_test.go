package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The command is a tool of go vet, which runs it once for each package and for what that imports.
func TestVetTool(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the command")
	}
	examples := filepath.Join("..", "..", "examples")
	tool, err := filepath.Abs(filepath.Join(t.TempDir(), "idemgen"))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	vet := func(packages ...string) (string, error) {
		cmd := exec.Command("go", append([]string{"vet", "-vettool=" + tool}, packages...)...)
		cmd.Dir, cmd.Env = examples, append(os.Environ(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := vet("./routers/guarded", "./ledger/..."); err != nil {
		t.Errorf("go vet of what is guarded: %v\n%s", err, out)
	}
	out, err := vet("./routers/bare")
	if want := "bare.go:33:6: POST /orders is orders.create, and no wrapper guards it"; err == nil || !strings.Contains(out, want) {
		t.Errorf("go vet of what is not: %v, without %q\n%s", err, want, out)
	}
}

func TestRoutesCommand(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "examples"))
	for _, tt := range []struct {
		args           []string
		status         int
		stdout, stderr string // what they begin with
	}{
		{[]string{"./routers/guarded"}, exitFine, "2 keyed operations, ", ""},
		{[]string{"./routers/bare"}, exitProblems, "routers/bare/bare.go:24:40: orders.create sets a cookie", ""},
		{[]string{"--format", "json", "./routers/half"}, exitProblems, "[\n  {\n    \"rule\": \"route-none\",", ""},
		{[]string{"--format", "sarif", "./routers/half"}, exitProblems, "{\n  \"$schema\"", ""},
		{[]string{"--format", "xml"}, exitUsage, "", "idemgen routes: there is no format"},
		{[]string{"./canon"}, exitProblems, "", "idemgen routes: the packages import no generated package"},
		{[]string{"./nowhere"}, exitProblems, "", "-: stat "},
	} {
		var stdout, stderr bytes.Buffer
		status := run(append([]string{"routes"}, tt.args...), &stdout, &stderr)
		if status != tt.status || !strings.HasPrefix(stdout.String(), tt.stdout) || !strings.HasPrefix(stderr.String(), tt.stderr) ||
			tt.stdout == "" && stdout.Len() > 0 || tt.stderr == "" && stderr.Len() > 0 {
			t.Errorf("%v: status %d\n%s\n%s", tt.args, status, stdout.String(), stderr.String())
		}
	}
}
