package main

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits STATUS COMMAND...: the command ends with this very status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// longAgo is no time that a file gets by being written.
var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// age FILE...: the files were last written long ago.
func age(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		ts.Check(os.Chtimes(ts.MkAbs(name), longAgo, longAgo))
	}
}

// aged FILE...: the files were not written since age.
func aged(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if same := info.ModTime().Equal(longAgo); same == neg {
			ts.Fatalf("%s: written at %s", name, info.ModTime())
		}
	}
}

// listing DIR NAME...: the folder holds these files and no others, hidden ones included.
func listing(ts *testscript.TestScript, neg bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := slices.Sorted(slices.Values(args[1:]))
	if !slices.Equal(names, want) {
		ts.Fatalf("%s holds %s, want %s", args[0], strings.Join(names, " "), strings.Join(want, " "))
	}
}
