package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// report is what became of all documents.
type report struct {
	results []result
	least   int // the share of mutating operations that must end as code, in percent
	start   time.Time
}

func newReport() *report { return &report{least: 99, start: time.Now()} }

func (rp *report) add(r result) {
	rp.results = append(rp.results, r)
}

// print writes the table, what is refused, and what failed.
func (rp *report) print(w io.Writer) error {
	tab := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "document\tmutating\tcode\trefused\texempt\tlines\tgenerate\tgofmt\tbuild\tvet\ttest\tunwrapped\t")
	var mutating, code, refused, exempt, lines int
	for _, r := range rp.results {
		if r.whole != "" {
			continue
		}
		mutating, code, refused = mutating+r.mutating, code+r.generated(), refused+r.dropped()
		exempt, lines = exempt+r.exempt, lines+r.lines
		fmt.Fprintf(tab, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t\n", r.name, r.mutating, r.generated(), r.dropped(), r.exempt, r.lines, r.times())
	}
	fmt.Fprintf(tab, "all\t%d\t%d\t%d\t%d\t%d\t\t\t\t\t\t\t\n", mutating, code, refused, exempt, lines)
	tab.Flush()
	fmt.Fprintf(w, "in %.0f s\n\n", time.Since(rp.start).Seconds())
	for _, r := range rp.results {
		r.printRefused(w)
	}
	var errs []error
	for _, r := range rp.results {
		if r.err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r.name, r.err))
		}
	}
	if due := mutating - exempt; due > 0 && code*100 < rp.least*due {
		errs = append(errs, fmt.Errorf("%d of %d operations end as code: less than %d %%", code, due, rp.least))
	}
	return errors.Join(errs...)
}

// times are the steps in the table: how long each took, or that it failed.
func (r *result) times() string {
	cells := []string{"-", "-", "-", "-", "-", "-"}
	done := 0
	if r.out != nil || r.err == nil {
		cells[0] = fmt.Sprintf("%.2fs", r.took.Seconds())
		done = 1
	}
	for _, s := range r.steps {
		cells[done] = fmt.Sprintf("%.1fs", s.took.Seconds())
		done++
	}
	if r.err != nil && done < len(cells) {
		cells[done] = "FAIL"
	}
	return strings.Join(cells, "\t")
}

// printRefused lists why operations are refused.
func (r *result) printRefused(w io.Writer) {
	if r.whole != "" {
		fmt.Fprintf(w, "%s, as a whole:\n  %s\n", r.name, r.whole)
	}
	if len(r.refused) == 0 {
		return
	}
	fmt.Fprintf(w, "%s, in %d rounds:\n", r.name, r.rounds)
	for _, f := range r.refused {
		fmt.Fprintf(w, "  %s\n", f.problem)
		for _, o := range f.ops {
			if !strings.Contains(f.problem.What, o.path) {
				fmt.Fprintf(w, "    %s\n", o)
			}
		}
	}
}
