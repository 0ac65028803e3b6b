package gen

import (
	"fmt"
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

// String is the form that editors and CI find places in: "file:line:col: what: what to do".
func (p Problem) String() string {
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
