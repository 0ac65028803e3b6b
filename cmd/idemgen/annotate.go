package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/spf13/pflag"

	"github.com/idemgen/idemgen/gen"
)

var annotateCommand = command{
	name:    "annotate",
	summary: "propose endpoint keys for an OpenAPI document",
	usage: `Usage: idemgen annotate [flags] SPEC

Proposes x-idempotency-endpoint for each write operation of the OpenAPI document SPEC (YAML or JSON) that
has neither that nor x-idempotency-exempt, and adds what goes with it: a reference to one header
parameter, and to shared 400 and 409 responses. Every other byte stays as it is. Shows the difference;
with --write it writes it. Keys are proposals: change them before the first record is written, not after.

What is there already stays: a header of the same purpose, a 400 or a 409. Notes on stderr say where it
is not what it should be. An operation that cannot have a key is reported, the others get theirs, and
the exit status is 1. A second run changes nothing.

Example:

  idemgen annotate --exempt "POST:/orders/preview=a preview changes nothing" api/openapi.yaml
  idemgen annotate --write --exempt "POST:/orders/preview=a preview changes nothing" api/openapi.yaml
`,
	flags: func(flags *pflag.FlagSet) func([]string, io.Writer, io.Writer) error {
		var a annotate
		flags.BoolVar(&a.write, "write", false, "write the document instead of showing the difference")
		flags.StringVar(&a.style, "key-style", gen.KeysFromPath, "make keys from `STYLE`: "+gen.KeysFromPath+" or "+gen.KeysFromOperationID)
		flags.StringArrayVar(&a.exempt, "exempt", nil, "exempt an operation, and say why: `METHOD:/path=reason`; may be repeated")
		flags.StringVar(&a.root, "root", "", "let $ref reach any file below `DIR` (default: the folder of SPEC)")
		flags.SortFlags = false
		return a.run
	},
}

// annotate is the command's flags.
type annotate struct {
	write       bool
	style, root string
	exempt      []string
}

func (a *annotate) run(args []string, stdout, stderr io.Writer) error {
	if len(args) != 1 {
		return usageError{fmt.Sprintf("one SPEC expected, got %d", len(args))}
	}
	src, err := openSource(args[0], a.root)
	if err != nil {
		return err
	}
	defer src.close()
	out, err := gen.Annotate(src.fsys(), gen.AnnotateConfig{Spec: src.name, KeyStyle: a.style, Exempt: a.exempt})
	if errors.Is(err, gen.ErrAnnotateConfig) {
		return usageError{err.Error()}
	} else if err != nil {
		return err
	}
	if a.write {
		if err := writeEdits(src, out.Files); err != nil {
			return err
		}
	} else {
		for _, f := range out.Files {
			name := src.place(gen.Problem{File: f.Name}).File
			stdout.Write(unified(name, name, f.Old, f.New))
		}
	}
	for _, n := range out.Notes {
		fmt.Fprintln(stderr, src.place(n))
	}
	for _, p := range out.Refused {
		fmt.Fprintln(stderr, src.place(p))
	}
	if len(out.Refused) > 0 {
		return errReported
	}
	return nil
}

// writeEdits replaces the files of a document: all of the new text is on the disk before the first is replaced.
func writeEdits(src *source, files []gen.EditedFile) error {
	if len(files) == 0 {
		return nil
	}
	var all []staged
	defer func() {
		for _, s := range all {
			src.root.Remove(s.temp) // gone already where it was renamed
		}
	}()
	shown := func(name string) string { return src.place(gen.Problem{File: name}).File }
	for _, f := range files {
		info, err := src.root.Lstat(f.Name)
		if err != nil {
			return fmt.Errorf("replace %s: %w", shown(f.Name), withoutPath(err))
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("replace %s: it is a symbolic link: name the file itself", shown(f.Name))
		}
		now, err := src.root.ReadFile(f.Name)
		if err != nil {
			return fmt.Errorf("replace %s: %w", shown(f.Name), withoutPath(err))
		}
		if !bytes.Equal(now, f.Old) {
			return fmt.Errorf("replace %s: it was changed meanwhile: run the command again", shown(f.Name))
		}
		all = append(all, staged{path.Join(path.Dir(f.Name), newTemp()), f.Name, f.New, info.Mode().Perm()})
	}
	for _, s := range all {
		if err := s.write(src.root); err != nil {
			return fmt.Errorf("write %s: %w", shown(s.name), withoutPath(err))
		}
	}
	for _, s := range all {
		if err := src.root.Rename(s.temp, s.name); err != nil {
			return fmt.Errorf("replace %s: %w", shown(s.name), withoutPath(err))
		}
	}
	return syncFolder(src.root)
}
