package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/idemgen/idemgen/gen"
)

var routesCommand = command{
	name:    "routes",
	summary: "check that every route of a keyed operation is guarded",
	usage: `Usage: idemgen routes [flags] [PACKAGES]

Reads the Go packages PACKAGES (default ./...) and what they import, and finds routes of keyed operations that
neither stand in a generated wrapper nor behind Middleware, routes with another operation's wrapper, keyed
operations that are registered nowhere, http.TimeoutHandler inside of a wrapper, and cookies set by keyed
handlers. It knows the routers of net/http, chi, gin, echo and gorilla, and what oapi-codegen and ogen
generate for them. The operations are those of the generated packages that the program imports.

A comment on the line, or on the line above, takes a route out, with a reason:

  //idemgen:exempt telemetry: losing or doubling an event is harmless
  mux.HandleFunc("POST /metrics", collect)

It is a vet tool as well, without what only a whole program shows:

  go vet -vettool=$(which idemgen) ./...
`,
	flags: func(flags *pflag.FlagSet) func([]string, io.Writer, io.Writer) error {
		var r routes
		flags.StringVar(&r.format, "format", "text", "write `FORMAT`: "+strings.Join(formatNames(), ", "))
		flags.SortFlags = false
		return r.run
	},
}

// routes is the command's flags.
type routes struct{ format string }

func (r *routes) run(args []string, stdout, stderr io.Writer) error {
	write, ok := formats[r.format]
	if !ok {
		return usageError{fmt.Sprintf("there is no format %q: use %s", r.format, strings.Join(formatNames(), ", "))}
	}
	if len(args) == 0 {
		args = []string{"./..."}
	}
	report, err := gen.Routes(".", args...)
	if err != nil {
		return err
	}
	for _, e := range report.Errors {
		fmt.Fprintln(stderr, e)
	}
	if len(report.Errors) > 0 {
		return errReported
	}
	var found []finding
	for _, f := range report.Findings {
		f.File = fromHere(f.File)
		found = append(found, finding{Finding: f})
	}
	if err := write(stdout, found, gen.RouteRules()); err != nil {
		return err
	}
	if len(found) > 0 {
		return errReported
	}
	switch {
	case report.Operations == 0:
		fmt.Fprintln(stderr, "idemgen routes: the packages import no generated package, so there was nothing to look for: name those of the program")
		return errReported
	case r.format == "text":
		fmt.Fprintf(stdout, "%d keyed operations, %d registrations of routes: nothing found\n", report.Operations, report.Routes)
	}
	return nil
}

// fromHere is a file's path from the working directory, where it lies below it.
func fromHere(file string) string {
	here, err := os.Getwd()
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(here, file)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

// isVet says whether go vet runs the command as its tool.
func isVet(args []string) bool {
	return len(args) == 1 && (strings.HasPrefix(args[0], "-V=") || args[0] == "-flags") ||
		len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}
