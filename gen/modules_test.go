package gen

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	root    = "github.com/idemgen/idemgen"
	runtime = "github.com/idemgen/idemgen/runtime"
)

// mayImport is what each package may import beyond the standard library: imports point down only, and
// each library has one door. A path that ends in /... stands for what is below it too.
var mayImport = map[string][]string{
	root + "/cmd/idemgen":           {root + "/gen", "github.com/spf13/pflag"},
	root + "/gen":                   {root + "/gen/internal/...", "golang.org/x/tools/imports"},
	root + "/gen/internal/ir":       {},
	root + "/gen/internal/document": {root + "/gen/internal/ir", "go.yaml.in/yaml/v4"},
	root + "/gen/internal/openapi":  {root + "/gen/internal/document", root + "/gen/internal/ir", "github.com/getkin/kin-openapi/..."},
	root + "/gen/internal/splice":   {root + "/gen/internal/document", root + "/gen/internal/ir", "go.yaml.in/yaml/v4"},
	root + "/gen/internal/contract": {root + "/gen/internal/document", root + "/gen/internal/ir"},
	root + "/gen/internal/lint":     {root + "/gen/internal/contract", root + "/gen/internal/document", root + "/gen/internal/ir"},
	root + "/gen/internal/annotate": {root + "/gen/internal/contract", root + "/gen/internal/document", root + "/gen/internal/ir", root + "/gen/internal/splice"},
	root + "/gen/internal/lock":     {root + "/gen/internal/ir", "go.yaml.in/yaml/v4"},
	root + "/gen/internal/routes":   {"golang.org/x/tools/go/..."},
	root + "/gen/internal/golang":   {root + "/gen/internal/ir", "github.com/dave/jennifer/jen"},
	root + "/gen/internal/sample":   {root + "/gen/internal/ir"},
	root + "/gen/internal/scaffold": {root + "/gen/internal/ir", root + "/templates"},
	root + "/templates":             {},

	runtime + "/canon":          {},
	runtime + "/internal/probe": {},
	runtime + "/idem":           {runtime + "/canon", runtime + "/internal/probe"},
	runtime + "/idemtest":       {runtime + "/canon", runtime + "/idem", runtime + "/memstore", runtime + "/internal/probe"},
	runtime + "/storetest":      {runtime + "/idem"},
	runtime + "/memstore":       {runtime + "/idem"},
	runtime + "/sqlitestore":    {runtime + "/idem"},
	runtime + "/pgstore":        {runtime + "/idem"},
	runtime + "/redisstore":     {runtime + "/idem"},
}

func TestImportsPointDown(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"..", filepath.Join("..", "runtime")} {
		dec := json.NewDecoder(strings.NewReader(goOutput(t, dir, "list", "-json=ImportPath,Imports", "./...")))
		for dec.More() {
			var p struct {
				ImportPath string
				Imports    []string
			}
			if err := dec.Decode(&p); err != nil {
				t.Fatal(err)
			}
			allowed, ok := mayImport[p.ImportPath]
			if !ok {
				t.Errorf("%s is new: say in mayImport what it may import", p.ImportPath)
				continue
			}
			for _, i := range p.Imports {
				if !inStandardLibrary(i) && !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, i) }) {
					t.Errorf("%s imports %s, and may import only %v", p.ImportPath, i, allowed)
				}
			}
		}
	}
}

func inStandardLibrary(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func covers(allowed, path string) bool {
	if base, ok := strings.CutSuffix(allowed, "/..."); ok {
		return strings.HasPrefix(path, base+"/")
	}
	return allowed == path
}

// goMod is what `go mod edit -json` says.
type goMod struct {
	Go      string
	Require []struct{ Path string }
	Replace []struct{ Old struct{ Path string } }
	Tool    []struct{ Path string }
}

func readGoMod(t *testing.T, dir string) goMod {
	t.Helper()
	var m goMod
	if err := json.Unmarshal([]byte(goOutput(t, dir, "mod", "edit", "-json")), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// A replace would break `go install` and `go run …@VERSION`; a requirement on the runtime would tie
// the generator's release to it.
func TestGeneratorModule(t *testing.T) {
	t.Parallel()
	m := readGoMod(t, "..")
	if len(m.Replace) > 0 {
		t.Errorf("go.mod has replace directives: %v", m.Replace)
	}
	for _, r := range m.Require {
		if strings.HasPrefix(r.Path, root) {
			t.Errorf("go.mod requires %s", r.Path)
		}
	}
}

// What generated code imports must raise nothing in its user's module.
func TestRuntimeModule(t *testing.T) {
	t.Parallel()
	m := readGoMod(t, filepath.Join("..", "runtime"))
	if m.Go != "1.24" || len(m.Require)+len(m.Replace)+len(m.Tool) > 0 {
		t.Errorf("runtime/go.mod must say go 1.24 and nothing else: %+v", m)
	}
}

func goOutput(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}
