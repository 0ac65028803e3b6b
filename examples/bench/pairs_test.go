package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A stage records which side ran, and gives each run the next of its side's figures.
type stage struct {
	order string
	runs  []time.Duration
}

func (s *stage) side(name string, figures ...float64) side {
	return func(_ context.Context, run time.Duration) (float64, error) {
		s.order += name
		s.runs = append(s.runs, run)
		figure := figures[0]
		figures = figures[1:]
		return figure, nil
	}
}

func TestRunsTakeTurns(t *testing.T) {
	t.Parallel()
	const warm = 0
	var s stage
	both := sides{ours: s.side("A", warm, 1, 2, 3), baseline: s.side("B", warm, 10, 20, 30)}
	got, err := measure(t.Context(), plan{run: time.Second, pairs: 3}, both)
	if err != nil {
		t.Fatal(err)
	}
	if want := "AB" + "AB" + "BA" + "AB"; s.order != want {
		t.Errorf("the sides run in the order %s, not %s", s.order, want)
	}
	if want := []pair{{1, 10}, {2, 20}, {3, 30}}; !slices.Equal(got, want) {
		t.Errorf("the pairs are %v, not %v", got, want)
	}
	if s.runs[0] >= time.Second || s.runs[2] != time.Second || s.runs[7] != time.Second {
		t.Errorf("the runs are asked to last %v", s.runs)
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values                  []float64
		median, least, greatest float64
	}{
		{[]float64{3}, 3, 3, 3},
		{[]float64{5, 1, 3}, 3, 1, 5},
		{[]float64{4, 1, 100, 2}, 3, 1, 100},
		{[]float64{0.9, 7, 1, 1.1, 0.2, 1.2, 0.8}, 1, 0.2, 7},
	} {
		given := slices.Clone(c.values)
		median, least, greatest := spread(c.values)
		if median != c.median || least != c.least || greatest != c.greatest {
			t.Errorf("spread of %v is %v (%v-%v), not %v (%v-%v)", c.values, median, least, greatest, c.median, c.least, c.greatest)
		}
		if !slices.Equal(c.values, given) {
			t.Errorf("spread has sorted its argument %v", given)
		}
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]time.Duration{1: 1, 50: 50, 100: 99, 200: 198, 1000: 990} {
		var all []time.Duration
		for i := range n {
			all = append(all, time.Duration(n-i))
		}
		if got := percentile99(all); got != want {
			t.Errorf("of 1 to %d it is %d, not %d", n, got, want)
		}
	}
}

// The median is of the pairs' ratios, and not the ratio of the medians.
func TestTable(t *testing.T) {
	t.Parallel()
	var s stage
	closed := 0
	compare := func(what string, r reach, u unit) row {
		return row{what: what, baseline: "by hand", reach: r, unit: u, longer: 2, open: func(context.Context) (sides, error) {
			return sides{s.side("A", 0, 50, 20, 300), s.side("B", 0, 100, 10, 400), func() { closed++ }}, nil
		}}
	}
	rows := []row{
		compare("hit", atLeast(0.75), perSecond), compare("miss", atLeast(0.76), perSecond),
		compare("slow", atMost(0.74), p99), compare("fast", atMost(0.75), p99), compare("figure", reach{}, perSecond),
		{what: "gone", baseline: "by hand", open: func(context.Context) (sides, error) { return sides{}, errors.New("no server:\nport taken") }},
		{what: "skipped", baseline: "other"},
	}
	var out strings.Builder
	printed := table{&out, io.Discard, regexp.MustCompile("hand"), plan{run: time.Second, pairs: 3}}
	if err := printed.print(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	const want = `| what | baseline in the same run | ratio: median (min-max) | reach | here | baseline here |
| --- | --- | --- | --- | --- | --- |
| hit | by hand | 0.75 (0.50-2.00) | at least 0.75 | 50/s | 100/s |
| miss | by hand | 0.75 (0.50-2.00) | at least 0.76: **missed** | 50/s | 100/s |
| slow | by hand | 0.75 (0.50-2.00) | at most 0.74: **missed** | 50.00 ms p99 | 100.00 ms p99 |
| fast | by hand | 0.75 (0.50-2.00) | at most 0.75 | 50.00 ms p99 | 100.00 ms p99 |
| figure | by hand | 0.75 (0.50-2.00) | reported | 50/s | 100/s |
| gone | by hand | not measured: no server: port taken | | | |
`
	if out.String() != want {
		t.Errorf("the table is\n%s\nand not\n%s", &out, want)
	}
	if closed != 5 {
		t.Errorf("%d rows were closed, not 5", closed)
	}
	if s.runs[2] != 2*time.Second {
		t.Errorf("a row that runs twice as long is run for %v", s.runs[2])
	}
}

func TestClientsCountWhatIsDone(t *testing.T) {
	t.Parallel()
	const n, run = 3, 100 * time.Millisecond
	slow := func(context.Context) error { time.Sleep(10 * time.Millisecond); return nil }
	rate, err := throughput(n, slow)(t.Context(), run)
	if err != nil || rate <= 0 || rate > n*100 {
		t.Errorf("%d clients whose work takes 10 ms do %v a second, %v", n, rate, err)
	}
	p99, err := slowest(t.Context(), n, run, slow)
	if err != nil || p99 < 10 {
		t.Errorf("work of 10 ms takes %v ms, %v", p99, err)
	}
}

func TestAClientsErrorEndsTheRun(t *testing.T) {
	t.Parallel()
	failure := fmt.Errorf("no connection")
	start := time.Now()
	_, err := throughput(2, func(context.Context) error { return failure })(t.Context(), time.Hour)
	if !errors.Is(err, failure) || time.Since(start) > time.Minute {
		t.Errorf("the run ends with %v after %v", err, time.Since(start))
	}
}
