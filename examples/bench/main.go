// Command bench compares the stores with the same work done by hand, on real servers that it starts itself, and the generator
// with the least that its library has to do for it:
//
//	go run ./bench
//
// A figure of one machine says little about another, so every figure has its baseline in the same run, and what is
// judged is their ratio: the median over pairs of runs that take turns (A B, B A, A B, …), so that what else the machine
// does meets both. Nothing fails for being slow; a row that misses its reach says so. A row whose server is
// not installed is not measured, and says why.
//
// With -growth it also compares stores of 10,000 and of 1,000,000 records, and prints what a record takes.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := func() error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) }
	if len(os.Args) == 4 && os.Args[1] == "task" {
		do = func() error { return work(os.Args[2], os.Args[3]) }
	}
	if err := do(); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	var (
		each   = flags.Duration("run", 250*time.Millisecond, "how long each run lasts; those of Sweep four times as long")
		pairs  = flags.Int("pairs", 11, "how many pairs of runs each ratio is the median of")
		only   = flags.String("only", "", "measure the rows alone whose name or baseline this regular expression matches")
		corpus = flags.String("corpus", filepath.Join("..", "..", "shared", "corpus"), "find public documents in this `folder`")
		growth = flags.Bool("growth", false, "compare stores of 10,000 and 1,000,000 records too, which takes minutes")
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if *each <= 0 || *pairs <= 0 {
		return fmt.Errorf("-run and -pairs must be more than 0")
	}
	s := &servers{}
	defer s.stop()
	fmt.Fprintf(out, "%d processors, %v a run, %d pairs.\n\n", runtime.GOMAXPROCS(0), *each, *pairs)
	t := table{out: out, progress: progress, wanted: wanted, plan: plan{run: *each, pairs: *pairs}}
	if err := t.print(ctx, rows(s, *corpus)); err != nil || !*growth {
		return err
	}
	var sizes []size
	fmt.Fprintln(out)
	if err := t.print(ctx, growthRows(s, &sizes)); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return printSizes(out, sizes)
}

// rows are what is measured by default.
func rows(s *servers, corpus string) []row {
	var all []row
	for _, connections := range []int{1, 8, 32} {
		all = append(all, postgresRow(s, connections))
	}
	for _, connections := range []int{1, 8, 32} {
		all = append(all, postgresReplayRow(s, connections))
	}
	for _, connections := range []int{1, 8, 32} {
		all = append(all, joinedRow(s, connections), joinedCostRow(s, connections))
	}
	all = append(all, redisRow(s, 1), redisRow(s, 8), sqliteRow(), memoryRow(), sweepRow(s))
	return slices.Concat(all, identityRows(), generatorRows(corpus))
}
