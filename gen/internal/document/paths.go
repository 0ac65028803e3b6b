package document

import (
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// PathItem is a path of the document with what stands below it.
type PathItem struct {
	Path       Node   // the key
	Items      []Node // the mappings that make it up: the target of a $ref first, then what stands beside that
	Operations []Operation
	Parameters []Node // the lists of parameters for all operations
}

// Operation is an operation as it is written; it may be no mapping at all.
type Operation struct {
	Method string // as HTTP spells it
	Key    Node
	Node   Node
	Item   Node // the mapping that it is a member of; where that has a $ref instead, the operation itself
}

// Methods are the fixed methods of a path item, as documents spell them.
var Methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// PathItems are the paths of the document in their order. What is none is reported.
func (l *Library) PathItems() []PathItem {
	paths := l.Root().Get("paths")
	if paths.IsZero() || paths.IsNull() {
		return nil
	}
	if _, _, ok := paths.Ref(); ok { // OpenAPI does not have it, but documents in many files do
		if paths = l.Resolve(paths, "", "a mapping of paths"); paths.IsZero() {
			return nil
		}
	}
	if !paths.IsMapping() {
		l.Report(paths.Pos(), "paths is "+paths.What(), "write path templates with their operations")
		return nil
	}
	var all []PathItem
	for key, item := range paths.Members() {
		if strings.HasPrefix(key.Spelt(), "x-") || item.IsNull() {
			continue
		}
		if !item.IsMapping() {
			l.Report(item.Pos(), "a path item is "+item.What(), "write methods with their operations")
			continue
		}
		items := []Node{item}
		if _, _, ok := item.Ref(); ok {
			target := l.Resolve(item, "pathItems", "a path item")
			if target.IsZero() {
				continue
			}
			items = []Node{target, item}
		}
		p := PathItem{Path: key, Items: items}
		for _, it := range items {
			p.read(l, it)
		}
		all = append(all, p)
	}
	return all
}

// read adds what one mapping says. Of two operations with one method, the later counts.
func (p *PathItem) read(l *Library, item Node) {
	add := func(method string, key, node Node) {
		op := Operation{method, key, node, item}
		if _, _, ok := node.Ref(); ok { // nor this
			if op.Node = l.operation(method, node); op.Node.IsZero() {
				return
			}
			op.Item = op.Node
		}
		if i := slices.IndexFunc(p.Operations, func(o Operation) bool { return o.Method == method }); i >= 0 {
			p.Operations[i] = op
			return
		}
		p.Operations = append(p.Operations, op)
	}
	for key, value := range item.Members() {
		switch name := key.Spelt(); {
		case slices.Contains(Methods, name):
			add(strings.ToUpper(name), key, value)
		case name == "additionalOperations":
			for key, value := range value.Members() {
				add(key.Spelt(), key, value)
			}
		case name == "parameters":
			p.Parameters = append(p.Parameters, value)
		}
	}
}

// operation is what the $ref of an operation leads to. One that changes nothing can be done without.
func (l *Library) operation(method string, n Node) Node {
	if ir.Mutating(method) {
		return l.Resolve(n, "", "an operation")
	}
	return l.Find(n, "")
}
