package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/idemgen/idemgen/gen"
)

var diffCommand = command{
	name:    "diff",
	summary: "tell what changed between two OpenAPI documents",
	usage: `Usage: idemgen diff [flags] OLD NEW

Tells for two OpenAPI documents what changed that idempotency records or clients feel, each with its class:

  neutral   every request is told apart and answered as before
  additive  there is more than before, and what was there is as it was
  breaking  requests are told apart otherwise, refused, or not recognised when they are sent again

What a schema accepts is not judged.

Exit status: 0 without breaking changes, 1 with some, or where a document is at fault, 2 wrong use.

Example, for a pull request:

  git show origin/main:api/openapi.yaml > old.yaml && idemgen diff old.yaml api/openapi.yaml
`,
	flags: func(flags *pflag.FlagSet) func([]string, io.Writer, io.Writer) error {
		var d diff
		flags.StringVar(&d.format, "format", "text", "print `text or json`")
		flags.StringVar(&d.root, "root", "", "let $ref of both documents reach any file below `DIR` (default: the folder of each)")
		flags.SortFlags = false
		return d.run
	},
}

// diff is the command's flags.
type diff struct{ format, root string }

func (d *diff) run(args []string, stdout, stderr io.Writer) error {
	if len(args) != 2 {
		return usageError{fmt.Sprintf("OLD and NEW expected, got %d", len(args))}
	}
	if d.format != "text" && d.format != "json" {
		return usageError{fmt.Sprintf("--format %q: use text or json", d.format)}
	}
	var sources [2]*source
	for i, spec := range args {
		src, err := openSource(spec, d.root)
		if err != nil {
			return err
		}
		defer src.close()
		sources[i] = src
	}
	before, after := sources[0], sources[1]
	changes, old, err := gen.Diff(before.fsys(), before.name, after.fsys(), after.name)
	if ps := gen.Problems(nil); errors.As(err, &ps) {
		src := after
		if old {
			src = before
		}
		for _, p := range ps {
			fmt.Fprintln(stderr, src.place(p))
		}
		return errReported
	} else if err != nil {
		return err
	}
	breaking := false
	for i := range changes {
		c := &changes[i]
		breaking = breaking || c.Class == gen.Breaking
		if c.Old {
			c.Place = before.place(c.Place)
		} else {
			c.Place = after.place(c.Place)
		}
	}
	if err := printChanges(stdout, d.format, changes); err != nil {
		return err
	}
	if breaking {
		return errReported
	}
	return nil
}

func printChanges(w io.Writer, format string, changes []gen.DiffChange) error {
	if format == "text" {
		for _, c := range changes {
			c.Place.What = fmt.Sprintf("%s: %s %s", c.Class, c.Endpoint, c.Place.What)
			fmt.Fprintln(w, c.Place)
		}
		return nil
	}
	type change struct {
		Class    string `json:"class"`
		Endpoint string `json:"endpoint"`
		What     string `json:"what"`
		File     string `json:"file"`
		Line     int    `json:"line"`
		Column   int    `json:"column"`
	}
	list := []change{} // [], not null
	for _, c := range changes {
		list = append(list, change{c.Class, c.Endpoint, c.Place.What, c.Place.File, c.Place.Line, c.Place.Col})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"changes": list})
}
