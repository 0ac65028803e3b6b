package main

import (
	"errors"
	"fmt"
	"io"

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
