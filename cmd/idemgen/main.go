// Command idemgen makes write operations safe to retry: it reads an OpenAPI document whose operations
// carry x-idempotency-endpoint and writes a Go package for them.
//
//	//go:generate go run github.com/idemgen/idemgen/cmd/idemgen@VERSION generate ../openapi.yaml
//
// Run "idemgen help" for the commands.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/idemgen/idemgen/gen"
)

func main() {
	if isVet(os.Args[1:]) {
		gen.VetRoutes()
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Exit statuses.
const (
	exitFine     = 0
	exitProblems = 1 // with the document, or with what is written
	exitUsage    = 2 // a wrong command line
)

// A command is one verb of idemgen.
type command struct {
	name    string
	summary string
	usage   string // the whole help text; the flags follow it
	// flags declares the command's flags and returns what runs once they are parsed.
	flags func(*pflag.FlagSet) func(args []string, stdout, stderr io.Writer) error
}

var commands = []command{generateCommand, lintCommand, annotateCommand, diffCommand, routesCommand, versionCommand}

// usageError is a wrong command line.
type usageError struct{ what string }

func (e usageError) Error() string { return e.what }

// errReported is a failure whose reasons were printed already.
var errReported = errors.New("reported")

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, help())
		return exitUsage
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		if len(args) > 1 {
			return run([]string{args[1], "--help"}, stdout, stderr)
		}
		fmt.Fprint(stdout, help())
		return exitFine
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "idemgen: there is no command %q: run idemgen help\n", args[0])
	return exitUsage
}

func (c command) run(args []string, stdout, stderr io.Writer) int {
	flags := pflag.NewFlagSet(c.name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed below, once
	do := c.flags(flags)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprintf(stdout, "%s\nFlags:\n%s", c.usage, flags.FlagUsages())
		return exitFine
	case err != nil:
		err = usageError{err.Error()}
	default:
		err = do(flags.Args(), stdout, stderr)
	}
	var wrong usageError
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "idemgen %s: %s: run idemgen help %s\n", c.name, wrong.what, c.name)
		return exitUsage
	case !errors.Is(err, errReported):
		fmt.Fprintf(stderr, "idemgen %s: %v\n", c.name, err)
	}
	return exitProblems
}

func help() string {
	var b strings.Builder
	b.WriteString("idemgen makes write operations safe to retry.\n\nUsage: idemgen COMMAND\n\nCommands:\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.summary)
	}
	b.WriteString("\nExit status: 0 fine, 1 problems found, 2 wrong use. Run idemgen help COMMAND for more.\n")
	return b.String()
}
