package gen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// A Problem is something wrong in a document: where, what, and what to do about it.
type Problem struct {
	File      string // as the file system names it; empty: no place
	Line, Col int    // from 1; Col counts characters
	What      string
	Remedy    string
}

// String is the form that editors and CI find places in: "file:line:col: what: what to do". It is one line
// of printable text, whatever the document holds: what would move a terminal's cursor or hide text comes out as
// an escape.
func (p Problem) String() string { return printable(p.text()) }

func (p Problem) text() string {
	s := p.What
	if p.Remedy != "" {
		s += ": " + p.Remedy
	}
	switch {
	case p.File == "":
		return s
	case p.Line == 0:
		return fmt.Sprintf("%s: %s", p.File, s)
	default:
		return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, s)
	}
}

// printable writes what cannot be seen as a Go string literal would: "\n", "\x1b", "\u202e".
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// Problems is every problem of a document, as one error: a line each.
type Problems []Problem

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

func problemsOf(found []ir.Problem) Problems {
	ps := make(Problems, len(found))
	for i, p := range found {
		ps[i] = Problem{p.Pos.File, p.Pos.Line, p.Pos.Col, p.What, p.Remedy}
	}
	return ps
}
