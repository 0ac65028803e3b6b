package routes

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const directive = "//idemgen:exempt"

// exempt are the places where findings are not wanted: the line of a comment "//idemgen:exempt reason", and the one
// below it.
type exempt struct {
	pass  *analysis.Pass
	lines map[string]map[int]*comment
	all   []*comment
	said  map[string]bool
}

type comment struct {
	pos    token.Pos
	reason string
	used   bool
}

func exemptions(pass *analysis.Pass, files []*ast.File) *exempt {
	x := &exempt{pass: pass, lines: map[string]map[int]*comment{}, said: map[string]bool{}}
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				rest, ok := strings.CutPrefix(c.Text, directive)
				if !ok || rest != "" && !strings.HasPrefix(rest, " ") {
					continue
				}
				at := pass.Fset.Position(c.Pos())
				note := &comment{pos: c.Pos(), reason: strings.TrimSpace(rest)}
				x.all = append(x.all, note)
				if x.lines[at.Filename] == nil {
					x.lines[at.Filename] = map[int]*comment{}
				}
				for _, line := range []int{at.Line, at.Line + 1} {
					x.lines[at.Filename][line] = note
				}
			}
		}
	}
	return x
}

// covers says whether a place is exempt, with a reason.
func (x *exempt) covers(pos token.Pos) bool {
	at := x.pass.Fset.Position(pos)
	note := x.lines[at.Filename][at.Line]
	if note == nil {
		return false
	}
	note.used = true
	return note.reason != ""
}

// report says what was found, once, unless its place is exempt.
func (x *exempt) report(pos token.Pos, rule, format string, args ...any) {
	if x.covers(pos) {
		return
	}
	at := x.pass.Fset.Position(pos)
	message := fmt.Sprintf(format, args...)
	if key := at.String() + message; !x.said[key] {
		x.said[key] = true
		x.pass.Report(analysis.Diagnostic{Pos: pos, Category: rule, Message: message})
	}
}

// unused finds comments that exempt nothing, or do not say why.
func (x *exempt) unused() {
	for _, note := range x.all {
		switch {
		case note.used && note.reason == "":
			x.pass.Report(analysis.Diagnostic{Pos: note.pos, Category: "exempt-reason", Message: "an exemption needs its reason: " + directive + " why this route is safe without a key"})
		case !note.used:
			x.pass.Report(analysis.Diagnostic{Pos: note.pos, Category: "exempt-unused", Message: "there is nothing here to exempt: remove the comment"})
		}
	}
}
