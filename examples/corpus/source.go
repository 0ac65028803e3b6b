package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"
)

// source is a document of the corpus, and the folder that its references may reach.
type source struct {
	name string // for the report
	dir  string
	spec string // the document's name in dir
}

// find lists the documents of a folder, and one for each tree of many files below multi: the file of its
// top folder that is an OpenAPI document.
func find(dir string) ([]source, error) {
	all, err := in(dir, "")
	if err != nil {
		return nil, err
	}
	trees, err := os.ReadDir(filepath.Join(dir, "multi"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for _, tree := range trees {
		more, err := in(filepath.Join(dir, "multi", tree.Name()), "multi/"+tree.Name()+"/")
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds no OpenAPI document", dir)
	}
	return all, nil
}

func in(dir, prefix string) ([]source, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []source
	for _, e := range entries {
		if ext := path.Ext(e.Name()); ext == ".yaml" || ext == ".yml" || ext == ".json" {
			found = append(found, source{prefix + e.Name(), dir, e.Name()})
		}
	}
	return found, nil
}

// operation is a mutating operation, found without the generator's help.
type operation struct {
	method, path string
	file         string
	item         *yaml.Node // the path item
	node         *yaml.Node
	line, col    int // of the method's key
}

func (o operation) String() string { return o.method + " " + o.path }

var mutating = map[string]bool{"post": true, "put": true, "patch": true, "delete": true}

// files are the files of a document that hold path items, by name.
type files map[string][]byte

// operations finds the mutating operations of a document, in path items that are references too.
func operations(fsys fs.FS, spec string) ([]operation, files, error) {
	f := files{}
	root, err := f.parse(fsys, spec)
	if err != nil {
		return nil, nil, err
	}
	var ops []operation
	for key, item := range pairs(member(root, "paths")) {
		file := spec
		if ref := member(item, "$ref"); ref != nil {
			if file, item, err = f.follow(fsys, spec, spec, root, ref.Value); err != nil {
				return nil, nil, fmt.Errorf("path %s: %w", key.Value, err)
			}
		}
		for method, op := range pairs(item) {
			if !mutating[method.Value] {
				continue
			}
			o := operation{strings.ToUpper(method.Value), key.Value, file, item, op, method.Line, method.Column}
			if ref := member(op, "$ref"); ref != nil {
				if o.file, o.node, err = f.follow(fsys, file, spec, root, ref.Value); err != nil {
					return nil, nil, fmt.Errorf("%s: %w", o, err)
				}
				o.item, o.line, o.col = o.node, o.node.Line, o.node.Column
			}
			ops = append(ops, o)
		}
		for method, op := range pairs(member(item, "additionalOperations")) { // none of the corpus is safe
			ops = append(ops, operation{method.Value, key.Value, file, item, op, method.Line, method.Column})
		}
	}
	return ops, f, nil
}

// parse reads a file of the document.
func (f files) parse(fsys fs.FS, name string) (*yaml.Node, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	f[name] = text
	var tree yaml.Node
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	return tree.Content[0], nil
}

// follow finds what a reference names that stands in the file from. root is the root of spec.
func (f files) follow(fsys fs.FS, from, spec string, root *yaml.Node, ref string) (file string, at *yaml.Node, err error) {
	name, pointer, _ := strings.Cut(ref, "#")
	file, at = from, root
	if name != "" {
		file = path.Join(path.Dir(from), name)
	}
	if file != spec {
		if at, err = f.parse(fsys, file); err != nil {
			return "", nil, err
		}
	}
	for part := range strings.SplitSeq(strings.Trim(pointer, "/"), "/") {
		if part != "" {
			at = member(at, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
		}
	}
	if at == nil {
		return "", nil, fmt.Errorf("%s leads nowhere", ref)
	}
	return file, at, nil
}

// pairs are the members of a mapping.
func pairs(n *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

func member(n *yaml.Node, name string) *yaml.Node {
	for key, value := range pairs(n) {
		if key.Value == name {
			return value
		}
	}
	return nil
}

// end is the place where the last part of n begins.
func end(n *yaml.Node) (line, col int) {
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n.Line, n.Column
}
