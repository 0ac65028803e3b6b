package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// A reach is what a ratio ought to be; the zero value asks for nothing.
type reach struct {
	limit float64
	most  bool // the limit is the highest ratio and not the lowest
}

func atLeast(limit float64) reach { return reach{limit: limit} }
func atMost(limit float64) reach  { return reach{limit: limit, most: true} }

// says is the reach, and whether a ratio misses it.
func (r reach) says(ratio float64) string {
	switch {
	case r.limit == 0:
		return "reported"
	case r.most && ratio > r.limit:
		return fmt.Sprintf("at most %g: **missed**", r.limit)
	case r.most:
		return fmt.Sprintf("at most %g", r.limit)
	case ratio < r.limit:
		return fmt.Sprintf("at least %g: **missed**", r.limit)
	default:
		return fmt.Sprintf("at least %g", r.limit)
	}
}

// A unit is what a side's figure counts.
type unit string

const (
	perSecond unit = "/s"     // operations; more is better
	p99       unit = "ms p99" // less is better

	cpuSeconds   unit = "s of CPU"
	cpuMillis    unit = "ms of CPU"
	megabytes    unit = "MB"
	microseconds unit = "µs"
)

func (u unit) text(figure float64) string {
	if u == perSecond {
		return fmt.Sprintf("%.0f%s", figure, u)
	}
	return fmt.Sprintf("%.2f %s", figure, u)
}

// A table prints rows as they are measured.
type table struct {
	out, progress io.Writer
	wanted        *regexp.Regexp
	plan          plan
}

func (t table) print(ctx context.Context, rows []row) error {
	fmt.Fprintln(t.out, "| what | baseline in the same run | ratio: median (min-max) | reach | here | baseline here |")
	fmt.Fprintln(t.out, "| --- | --- | --- | --- | --- | --- |")
	for _, r := range rows {
		if !t.wanted.MatchString(r.what) && !t.wanted.MatchString(r.baseline) {
			continue
		}
		start := time.Now()
		line := r.measured(ctx, t.plan)
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(t.out, line); err != nil {
			return err
		}
		fmt.Fprintf(t.progress, "%v for %s\n", time.Since(start).Round(time.Second), r.what)
	}
	return nil
}

// measured is the row's line.
func (r row) measured(ctx context.Context, p plan) string {
	pairs, err := r.pairs(ctx, p)
	if err != nil {
		why := strings.Join(strings.Fields(err.Error()), " ") // a server's last words are lines, and a cell is one
		return fmt.Sprintf("| %s | %s | not measured: %s | | | |", r.what, r.baseline, why)
	}
	var ratios, ours, baseline []float64
	for _, p := range pairs {
		ratios, ours, baseline = append(ratios, p.ratio()), append(ours, p.ours), append(baseline, p.baseline)
	}
	ratio, least, greatest := spread(ratios)
	our, _, _ := spread(ours)
	base, _, _ := spread(baseline)
	return fmt.Sprintf("| %s | %s | %.2f (%.2f-%.2f) | %s | %s | %s |",
		r.what, r.baseline, ratio, least, greatest, r.reach.says(ratio), r.unit.text(our), r.unit.text(base))
}

func (r row) pairs(ctx context.Context, p plan) ([]pair, error) {
	s, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	p.run *= time.Duration(max(r.longer, 1))
	if r.most > 0 {
		p.pairs = min(p.pairs, r.most)
	}
	return measure(ctx, p, s)
}
