package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	numbered := func(n int, change map[int]string) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			if line, ok := change[i]; ok {
				b.WriteString(line)
			} else {
				fmt.Fprintf(&b, "%d\n", i)
			}
		}
		return b.String()
	}
	for _, tt := range []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", ""},
		{"from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"to nothing", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		{"no newline at the end", "a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{"one line in the middle", numbered(9, nil), numbered(9, map[int]string{5: "five\n"}),
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"near changes share a hunk", numbered(20, nil), numbered(20, map[int]string{5: "", 11: "11\nmore\n"}),
			"@@ -2,13 +2,13 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n 9\n 10\n 11\n+more\n 12\n 13\n 14\n"},
		{"far ones do not", numbered(20, nil), numbered(20, map[int]string{5: "", 13: "13\nmore\n"}),
			"@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n@@ -11,6 +10,7 @@\n 11\n 12\n 13\n+more\n 14\n 15\n 16\n"},
	} {
		want := tt.want
		if want != "" {
			want = "--- old\n+++ new\n" + want
		}
		if got := string(unified("old", "new", []byte(tt.old), []byte(tt.new))); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.name, got, want)
		}
	}
}

// A diff applied to the old text gives the new one, whatever they are.
func TestUnifiedCanBeApplied(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			fmt.Fprintf(&b, "%c\n", 'a'+r.IntN(12))
		}
		return b.String()
	}
	for range 2000 {
		old, new := text(), text()
		diff := string(unified("old", "new", []byte(old), []byte(new)))
		if got, err := patch(old, diff); err != nil || got != new {
			t.Fatalf("%v\nold:\n%s\nnew:\n%s\ndiff:\n%s", err, old, new, diff)
		}
	}
}

// Text that only gets longer is shown as additions, although its lines repeat.
func TestInsertionsAreNothingElse(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var old, new strings.Builder
		for i := range 100 {
			if i%10 == 0 {
				fmt.Fprintf(&old, "/path/%d\n", i)
				fmt.Fprintf(&new, "/path/%d\n", i)
			}
			line := fmt.Sprintf("%c\n", 'a'+r.IntN(4))
			old.WriteString(line)
			new.WriteString(line)
			if r.IntN(5) == 0 {
				new.WriteString("a\nb\nnew\n"[:2*(1+r.IntN(2))])
			}
		}
		diff := string(unified("old", "new", []byte(old.String()), []byte(new.String())))
		if strings.Contains(diff, "\n-") {
			t.Fatalf("old:\n%s\nnew:\n%s\n%s", &old, &new, diff)
		}
	}
}

var hunkHead = regexp.MustCompile(`^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n$`)

// patch applies a diff, strictly.
func patch(old, diff string) (string, error) {
	rest := lines([]byte(old))
	var out strings.Builder
	taken := 0
	all := lines([]byte(diff))
	for len(all) > 0 {
		line := all[0]
		all = all[1:]
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		case line[0] == '@':
			m := hunkHead.FindStringSubmatch(line)
			if m == nil {
				return "", fmt.Errorf("bad head %q", line)
			}
			start, _ := strconv.Atoi(m[1])
			if m[2] != "0" {
				start--
			}
			for ; taken < start; taken++ {
				out.WriteString(rest[taken])
			}
		case line[0] == '+':
			out.WriteString(line[1:])
		default:
			if rest[taken] != line[1:] {
				return "", fmt.Errorf("line %d is %q, want %q", taken+1, rest[taken], line[1:])
			}
			if line[0] == ' ' {
				out.WriteString(rest[taken])
			}
			taken++
		}
	}
	for ; taken < len(rest); taken++ {
		out.WriteString(rest[taken])
	}
	return out.String(), nil
}

// Of a long difference the start is shown, and how much more there is.
func TestLongDifferencesAreCut(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		1:            "",
		mostDiff:     "",
		mostDiff + 1: "… and 1 more lines of this difference\n",
		5000:         fmt.Sprintf("… and %d more lines of this difference\n", 5000-mostDiff),
	} {
		diff := strings.Repeat("+line\n", n)
		var b strings.Builder
		writeStart(&b, []byte(diff))
		if got := b.String(); got != diff[:6*min(n, mostDiff)]+want {
			t.Errorf("%d lines: %d lines, ending in %q", n, strings.Count(got, "\n"), got[max(0, len(got)-50):])
		}
	}
}
