package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/idemgen/idemgen/gen"
)

// buildRow compares compiling what is generated for a document with compiling its structs alone.
func buildRow(corpus string, p public) row {
	return row{
		what: "go build, an operation of " + p.name, baseline: "the same structs with json tags alone",
		reach: atMost(2), unit: cpuMillis, most: 5,
		open: func(context.Context) (sides, error) {
			text, err := p.document(corpus)
			if err != nil {
				return sides{}, err
			}
			out, err := generate(text)
			if err != nil {
				return sides{}, err
			}
			dir, err := writeModule(out.Files)
			if err != nil {
				return sides{}, err
			}
			n := out.Summary.Keyed
			return sides{build{dir, "ours", n}.millis, build{dir, "structs", n}.millis, func() { os.RemoveAll(dir) }}, nil
		},
	}
}

// isCode says whether a file is Go, and no test.
func isCode(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// writeModule is a module with two packages: the files that are no tests, and what structsOf makes of them.
func writeModule(files []gen.File) (dir string, err error) {
	runtime, err := filepath.Abs(filepath.Join("..", "runtime"))
	if err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("", "idemgen-bench-"); err != nil {
		return "", err
	}
	write := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644))
	}
	write("go.mod", fmt.Appendf(nil, `module example.com/bench

go 1.24

require github.com/idemgen/idemgen/runtime v0.0.0

replace github.com/idemgen/idemgen/runtime => %s
`, runtime))
	for _, f := range files {
		if !isCode(f.Name) {
			continue
		}
		structs, fault := structsOf(f)
		err = errors.Join(err, fault)
		write(filepath.Join("ours", f.Name), f.Data)
		write(filepath.Join("structs", f.Name), structs)
	}
	if err != nil {
		os.RemoveAll(dir)
	}
	return dir, err
}

// A build is a package of so many operations.
type build struct {
	dir, pkg   string
	operations int
}

// millis is a side: the processor time of go build, an operation. The package is other than before each time, so that
// it is compiled, and what it imports is not.
func (b build) millis(ctx context.Context, _ time.Duration) (float64, error) {
	text := fmt.Appendf(nil, "package bench\n\nconst other = %d\n", time.Now().UnixNano())
	if err := os.WriteFile(filepath.Join(b.dir, b.pkg, "other.go"), text, 0o644); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "./"+b.pkg)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build %s: %w: %.300s", b.pkg, err, out)
	}
	return cpuOf(cmd).Seconds() * 1e3 / float64(b.operations), nil
}
