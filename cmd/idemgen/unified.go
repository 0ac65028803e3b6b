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
// where they are equal. It is anchored at lines that occur once in both files, then at those that occur once between
// two such lines, and so on: that keeps declarations whole. Where no line does, it is the shortest.
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
	var d differ
	d.compare(a, b, 0)
	return d.edits
}

type differ struct{ edits []edit }

func (d *differ) emit(op byte, lines []string) {
	for _, l := range lines {
		d.edits = append(d.edits, edit{op, l})
	}
}

// maxRounds bounds how often anchors are looked for between anchors.
const maxRounds = 50

func (d *differ) compare(a, b []string, round int) {
	n := 0 // equal lines at the start
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	d.emit(' ', a[:n])
	a, b = a[n:], b[n:]
	for n = 0; n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n]; n++ {
	}
	end := a[len(a)-n:]
	a, b = a[:len(a)-n], b[:len(b)-n]
	found := anchors(a, b)
	if len(found) == 0 || round == maxRounds {
		d.shortest(a, b)
	} else {
		i, j := 0, 0
		for _, at := range found {
			d.compare(a[i:at.a], b[j:at.b], round+1)
			d.emit(' ', a[at.a:at.a+1])
			i, j = at.a+1, at.b+1
		}
		d.compare(a[i:], b[j:], round+1)
	}
	d.emit(' ', end)
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
