package document

import (
	"fmt"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// user is an operation, and the part of a file that it takes.
type user struct {
	name     string // "POST /orders"; empty: nobody in particular
	from, to ir.Pos
}

// For says which operation needs what is read from now on: name, which is node in a path item. The empty
// name ends that. Problems elsewhere, in a shared component for instance, name it.
func (l *Library) For(name string, item, node Node) {
	l.user = user{name: name, from: item.Pos(), to: node.Pos()}
	last := node
	for last.Len() > 0 { // the end of a node is that of its last part
		if last.IsList() {
			last = last.Items()[last.Len()-1]
		} else {
			last = Node{last.file, last.yaml.Content[len(last.yaml.Content)-1]}
		}
		if end := last.Pos(); end.File == l.user.to.File && before(l.user.to, end) {
			l.user.to = end
		}
	}
}

// note names the user in a problem that is not in its part of a file and does not name it yet.
func (u user) note(p ir.Problem) string {
	inside := p.Pos.File == u.from.File && !before(p.Pos, u.from) && !before(u.to, p.Pos)
	if u.name == "" || inside || strings.Contains(p.What, u.name) {
		return ""
	}
	return fmt.Sprintf(" (needed by %s)", u.name)
}

func before(p, q ir.Pos) bool {
	if p.File != q.File {
		return p.File < q.File
	}
	return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col
}
