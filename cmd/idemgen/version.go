package main

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/pflag"
)

var versionCommand = command{
	name:    "version",
	summary: "print the version of this command",
	usage:   "Usage: idemgen version\n\nPrints the module version that this command was built from.\n",
	flags: func(*pflag.FlagSet) func([]string, io.Writer, io.Writer) error {
		return func(args []string, stdout, _ io.Writer) error {
			if len(args) != 0 {
				return usageError{"no arguments expected"}
			}
			fmt.Fprintln(stdout, "idemgen", version())
			return nil
		}
	},
}

// version is what the go command recorded: a tag under `go run …@VERSION`, "(devel)" in a checkout.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
