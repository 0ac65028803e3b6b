package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/idemgen/idemgen/gen"
)

var generateCommand = command{
	name:    "generate",
	summary: "write the Go package of an OpenAPI document",
	usage: `Usage: idemgen generate [flags] SPEC

Reads the OpenAPI document SPEC (YAML or JSON) and writes a Go package for its operations with
x-idempotency-endpoint. Nothing is written unless everything succeeded. Files of ours that are no
longer needed are removed: those whose first line is our header, never others. idempotency_test.go is
yours: it is written when the package is first generated, or with --scaffold where it is missing.

idemgen.lock keeps what idempotency records were written under. An endpoint key that vanished or that another
operation carries, and rules that tell requests apart otherwise, are problems until they are accepted, once:
an accepted rename keeps the records' name for ever, and accepted rules are kept beside the older ones, by which
older records are still compared. A change of rules is deployed in two steps only if old and new processes
must not refuse each other's keys meanwhile: an old one answers 503 to a key that a new one has written.

Example, in a Go file of the package:

  //go:generate go run github.com/idemgen/idemgen/cmd/idemgen@VERSION generate ../openapi.yaml

and in CI:

  go run github.com/idemgen/idemgen/cmd/idemgen@VERSION generate --check -o internal/api api/openapi.yaml
`,
	flags: func(flags *pflag.FlagSet) func([]string, io.Writer, io.Writer) error {
		var g generate
		flags.StringVarP(&g.dir, "output", "o", ".", "write into `DIR`")
		flags.StringVar(&g.pkg, "package", "", "name the Go package `NAME` (default: that of the Go files in DIR, else the base name of DIR)")
		flags.BoolVar(&g.check, "check", false, "write nothing; show what would change, and fail if anything would")
		flags.BoolVar(&g.scaffold, "scaffold", false, "write idempotency_test.go too, where it is missing")
		flags.StringVar(&g.root, "root", "", "let $ref reach any file below `DIR` (default: the folder of SPEC)")
		flags.StringToStringVar(&g.accept.Renames, "accept-rename", nil, "let the endpoint key `OLD=NEW` change; its records stay")
		flags.StringSliceVar(&g.accept.Removals, "accept-removal", nil, "let the endpoint key `KEY` go for good")
		flags.StringSliceVar(&g.accept.Changes, "accept-change", nil, "let the rules or the route of `KEY` change")
		flags.SortFlags = false
		return g.run
	},
}

// generate is the command's flags.
type generate struct {
	dir, pkg, root  string
	check, scaffold bool
	accept          gen.Accept
}

func (g *generate) run(args []string, stdout, stderr io.Writer) error {
	if len(args) != 1 {
		return usageError{fmt.Sprintf("one SPEC expected, got %d", len(args))}
	}
	if g.check && g.scaffold {
		return usageError{"--check writes nothing, so --scaffold has no meaning with it"}
	}
	pkg, err := packageName(g.pkg, g.dir)
	if err != nil {
		return err
	}
	src, err := openSource(args[0], g.root)
	if err != nil {
		return err
	}
	defer src.close()

	lock, err := g.readLock()
	if err != nil {
		return err
	}
	out, err := gen.Generate(src.fsys(), gen.Config{
		Spec: src.name, Package: pkg, ImportPath: importPath(g.dir), Lock: lock, Accept: g.accept,
	})
	if ps := gen.Problems(nil); errors.As(err, &ps) {
		for _, p := range ps {
			fmt.Fprintln(stderr, src.place(p))
		}
		return errReported
	} else if err != nil {
		return err
	}
	if err := g.deliver(out.Files, stdout, stderr); err != nil {
		return err
	}
	reportUnkeyed(stderr, src, out.Summary)
	return nil
}

// readLock reads the folder's lock; nil where there is none.
func (g *generate) readLock() ([]byte, error) {
	if info, err := os.Stat(g.dir); err != nil || !info.IsDir() {
		return nil, nil // deliver says what is wrong with it
	}
	data, err := os.ReadFile(filepath.Join(g.dir, gen.LockName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the lock: %w", err)
	case !hasFirstLine(data, gen.LockHeader):
		return nil, nil // not ours: deliver says so
	}
	return data, nil
}

// deliver brings the files to their folder, or shows how the folder differs.
func (g *generate) deliver(files []gen.File, stdout, stderr io.Writer) error {
	p, err := compare(g.dir, files, g.scaffold)
	if err != nil {
		return err
	}
	for _, what := range p.blocked {
		fmt.Fprintln(stderr, what)
	}
	if len(p.blocked) > 0 {
		return errReported
	}
	if g.check {
		return g.judge(p, stdout, stderr)
	}
	if !p.fresh && p.creates(gen.LockName) {
		fmt.Fprintf(stderr, "idemgen generate: %s had no %s, so names and rules could not be compared with what records were written under: commit it\n",
			filepath.ToSlash(g.dir), gen.LockName)
	}
	if err := p.apply(); err != nil {
		return err
	}
	if p.fresh || g.scaffold {
		g.reportNoTest(stderr, files)
	}
	return nil
}

// usersTest is the test that a package starts with.
const usersTest = "idempotency_test.go"

// reportNoTest is one line about the test that is not written, because nothing could import the package.
func (g *generate) reportNoTest(stderr io.Writer, files []gen.File) {
	made := slices.ContainsFunc(files, func(f gen.File) bool { return f.Name == usersTest })
	if _, err := os.Lstat(filepath.Join(g.dir, usersTest)); made || err == nil {
		return
	}
	fmt.Fprintf(stderr, "idemgen generate: %s is in no Go module, so %s, which imports the package, is left out: run idemgen generate --scaffold when there is a go.mod\n",
		filepath.ToSlash(g.dir), usersTest)
}

// judge says whether a folder is what was generated, and what differs.
func (g *generate) judge(p *plan, stdout, stderr io.Writer) error {
	dir := filepath.ToSlash(g.dir)
	if p.clean() {
		fmt.Fprintf(stdout, "%s: %d files are up to date\n", dir, p.same)
		return nil
	}
	p.show(stdout)
	if p.onlyLineEnds() {
		fmt.Fprintf(stderr, "idemgen generate: %s differs from what the document generates in its line ends only, which are CRLF: say *.go text eol=lf in .gitattributes, and check the files out again\n", dir)
	} else {
		fmt.Fprintf(stderr, "idemgen generate: %s is not what the document generates: run idemgen generate and commit the result\n", dir)
	}
	return errReported
}

// reportUnkeyed is one line about the mutating operations that nobody decided about yet.
func reportUnkeyed(stderr io.Writer, src *source, s gen.Summary) {
	if len(s.Unkeyed) == 0 {
		return
	}
	first := s.Unkeyed[0]
	first.What = fmt.Sprintf("%d of %d write operations have neither x-idempotency-endpoint nor x-idempotency-exempt, the first is %s",
		len(s.Unkeyed), s.Keyed+s.Exempt+len(s.Unkeyed), first.What)
	fmt.Fprintln(stderr, src.place(first))
}
