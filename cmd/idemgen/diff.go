package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// unified returns the difference of two files in unified form, with three lines of context; nothing
// where they are equal. It is anchored at lines that occur once in both files, which takes n log n and
// keeps generated declarations whole.
func unified(oldName, newName string, old, new []byte) []byte {
	if bytes.Equal(old, new) {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", oldName, newName)
	edits := editsOf(lines(old), lines(new))
	for _, h := range hunks(edits) {
		h.print(&b, edits)
	}
	return b.Bytes()
}

// lines splits after each newline.
func lines(data []byte) []string {
	l := strings.SplitAfter(string(data), "\n")
	if l[len(l)-1] == "" {
		l = l[:len(l)-1]
	}
	return l
}

// edit is a line that stays (' '), goes ('-') or comes ('+').
type edit struct {
	op   byte
	text string
}

func editsOf(a, b []string) []edit {
	var edits []edit
	emit := func(op byte, lines []string) {
		for _, l := range lines {
			edits = append(edits, edit{op, l})
		}
	}
	i, j := 0, 0
	for _, at := range append(anchors(a, b), anchor{len(a), len(b)}) {
		start := i
		for i < at.a && j < at.b && a[i] == b[j] {
			i, j = i+1, j+1
		}
		emit(' ', a[start:i])
		k := 0 // equal lines before the anchor
		for at.a-k > i && at.b-k > j && a[at.a-k-1] == b[at.b-k-1] {
			k++
		}
		emit('-', a[i:at.a-k])
		emit('+', b[j:at.b-k])
		emit(' ', a[at.a-k:at.a])
		i, j = at.a, at.b
	}
	return edits
}

// anchor is a line's index in both files.
type anchor struct{ a, b int }

// anchors is the longest run of lines that are unique in both files and come in the same order.
func anchors(a, b []string) []anchor {
	type seen struct{ inA, inB, at int }
	count := map[string]seen{}
	for _, l := range a {
		s := count[l]
		s.inA++
		count[l] = s
	}
	for j, l := range b {
		s := count[l]
		s.inB++
		s.at = j
		count[l] = s
	}
	var unique []anchor
	for i, l := range a {
		if s := count[l]; s.inA == 1 && s.inB == 1 {
			unique = append(unique, anchor{i, s.at})
		}
	}
	return longestRising(unique)
}

// longestRising keeps the longest subsequence whose b rises; a rises already.
func longestRising(all []anchor) []anchor {
	var ends []int // ends[n]: the anchor that ends the best run of n+1
	before := make([]int, len(all))
	for i, x := range all {
		n := sort.Search(len(ends), func(n int) bool { return all[ends[n]].b >= x.b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	var run []anchor
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			run = append(run, all[i])
		}
	}
	slices.SortFunc(run, func(x, y anchor) int { return cmp.Compare(x.a, y.a) })
	return run
}

// hunk is a range of edits, with the lines of both files before it.
type hunk struct{ from, to, oldBefore, newBefore int }

// hunks cuts edits into ranges that keep three unchanged lines on each side of a change.
func hunks(edits []edit) []hunk {
	const context = 3
	var hs []hunk
	oldLine, newLine, lastChange := 0, 0, 0
	for i, e := range edits {
		if e.op != ' ' {
			if n := len(hs); n == 0 || i-lastChange > 2*context+1 {
				from := max(i-context, 0)
				if n > 0 {
					from = max(from, hs[n-1].to)
				}
				hs = append(hs, hunk{from, 0, oldLine - (i - from), newLine - (i - from)})
			}
			lastChange = i
			hs[len(hs)-1].to = min(i+1+context, len(edits))
		}
		if e.op != '+' {
			oldLine++
		}
		if e.op != '-' {
			newLine++
		}
	}
	return hs
}

func (h hunk) print(b *bytes.Buffer, edits []edit) {
	oldLines, newLines := 0, 0
	for _, e := range edits[h.from:h.to] {
		if e.op != '+' {
			oldLines++
		}
		if e.op != '-' {
			newLines++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(h.oldBefore, oldLines), span(h.newBefore, newLines))
	for _, e := range edits[h.from:h.to] {
		b.WriteByte(e.op)
		b.WriteString(e.text)
		if !strings.HasSuffix(e.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// span is a range as hunk headers write it: an empty one names the line before it.
func span(before, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", before)
	}
	return fmt.Sprintf("%d,%d", before+1, n)
}
