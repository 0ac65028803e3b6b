package main

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const (
	rootModule    = "github.com/idemgen/idemgen"
	runtimeModule = rootModule + "/runtime"
	testVersion   = "v0.0.0-test"
)

const usersDocument = `openapi: 3.0.3
info: {title: Orders, version: "1"}
paths:
  /orders:
    post:
      x-idempotency-endpoint: orders.create
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [sku]
              properties:
                sku: {type: string}
      responses:
        "201": {description: placed}
`

// The documented ways to run the command, in a user's module at the runtime's Go version: the output
// compiles and passes its tests, and neither go.mod nor go.sum moves.
func TestGoGenerate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command from a module proxy")
	}
	t.Parallel()
	env := proxyEnv(t)
	t.Run("go run at a version", func(t *testing.T) {
		u := newUser(t, env, "go run "+rootModule+"/cmd/idemgen@"+testVersion)
		u.generate(t)
	})
	t.Run("go tool with a modfile of its own", func(t *testing.T) {
		u := newUser(t, env, "go tool -modfile=../tools.mod idemgen")
		u.run(t, "mod", "init", "-modfile=tools.mod", "example.com/user/tools")
		u.run(t, "get", "-modfile=tools.mod", "-tool", rootModule+"/cmd/idemgen@"+testVersion)
		u.generate(t)
	})
}

// user is a module that uses the generator.
type user struct {
	dir string
	env []string
}

func newUser(t *testing.T, env []string, command string) *user {
	t.Helper()
	u := &user{t.TempDir(), env}
	for name, text := range map[string]string{
		"go.mod":           "module example.com/user\n\ngo 1.24\n\nrequire " + runtimeModule + " " + testVersion + "\n",
		"openapi.yaml":     usersDocument,
		"main.go":          "package main\n\nimport _ \"" + runtimeModule + "/idem\"\n\nfunc main() {}\n",
		"orderidem/doc.go": "package orderidem\n\n//go:generate " + command + " generate ../openapi.yaml\n",
	} {
		file := filepath.Join(u.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	u.run(t, "mod", "tidy") // fills in go.sum
	return u
}

func (u *user) generate(t *testing.T) {
	t.Helper()
	mod, sum := u.read(t, "go.mod"), u.read(t, "go.sum")
	u.run(t, "generate", "./...")
	u.run(t, "vet", "./...")
	u.run(t, "test", "./...")
	if got := u.read(t, "go.mod"); got != mod {
		t.Errorf("go.mod moved:\n%s\nwas:\n%s", got, mod)
	}
	if got := u.read(t, "go.sum"); got != sum {
		t.Errorf("go.sum moved:\n%s\nwas:\n%s", got, sum)
	}
	if n := strings.Count(mod, "require"); n != 1 || !strings.Contains(mod, "\ngo 1.24\n") {
		t.Errorf("go.mod requires more than the runtime, or another Go:\n%s", mod)
	}
}

func (u *user) run(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = u.dir
	cmd.Env = u.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (u *user) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(u.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// proxyEnv publishes both modules to a module proxy in a folder. What they require comes from this
// machine's module cache, and everything is unpacked into a cache of the test's own.
func proxyEnv(t *testing.T) []string {
	t.Helper()
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	proxy := t.TempDir()
	publish(t, proxy, rootModule, repo)
	publish(t, proxy, runtimeModule, filepath.Join(repo, "runtime"))
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	downloads := filepath.Join(strings.TrimSpace(string(out)), "cache", "download")
	return append(os.Environ(),
		"GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(downloads)+",off",
		"GOSUMDB=off", "GONOSUMDB=", "GOPRIVATE=", "GOTOOLCHAIN=local", "GOWORK=off",
		"GOMODCACHE="+t.TempDir(),
		// trimpath lets the build cache serve a module cache that is somewhere else each time.
		"GOFLAGS=-mod=mod -modcacherw -trimpath")
}

// publish writes a module's proxy files.
func publish(t *testing.T, proxy, module, dir string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"list":                testVersion + "\n",
		testVersion + ".info": fmt.Sprintf(`{"Version":%q,"Time":"2026-01-02T03:04:05Z"}`, testVersion),
		testVersion + ".mod":  string(mod),
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := zipModule(filepath.Join(at, testVersion+".zip"), module, dir); err != nil {
		t.Fatal(err)
	}
}

// zipModule packs what the go command would: no other module's files, nothing hidden.
func zipModule(target, module, dir string) error {
	f, err := os.Create(target)
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != dir && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || isModule(name)):
			return fs.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		w, err := z.Create(path.Join(module+"@"+testVersion, filepath.ToSlash(rel)))
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
