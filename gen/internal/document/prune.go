package document

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Pruner builds a small document that holds what the operations in scope need and nothing else, so
// that a fault elsewhere in a document does no harm. It holds the keywords that decide what a value
// is. Literals, texts and extensions stay behind: they are read from the tree, where they are exact.
//
// In the pruned document every target of a schema's $ref is a component of its own, named by a number,
// wherever it stood and in whichever file: [Pruner.Target] leads back. A $ref with constraints beside
// it, which OpenAPI 3.1 takes as one more allOf, is spelt as allOf with the reference first.
type Pruner struct {
	lib      *Library
	siblings bool
	paths    *yaml.Node
	ids      map[*yaml.Node]int
	targets  []Target
	schemas  []*yaml.Node
	levels   []int
	users    []user // who refers to a target first
	level    int
	refs     int
	nodes    int
	checked  map[*yaml.Node]bool
	full     bool
}

// NewPruner prunes a document of lib. siblings: keywords beside a $ref count, as from OpenAPI 3.1 on.
func NewPruner(lib *Library, siblings bool) *Pruner {
	return &Pruner{lib: lib, siblings: siblings, paths: mapping(Node{}), ids: map[*yaml.Node]int{}, checked: map[*yaml.Node]bool{}}
}

// Operation adds an operation with its parameters and its request body, which may be the zero Node.
// None of them is a reference. The operation is the POST of the path that it returns.
func (p *Pruner) Operation(parameters []Node, body Node) (path string) {
	p.level = 0
	op, item := mapping(Node{}), mapping(Node{})
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, n := range parameters {
		list.Content = append(list.Content, p.parameter(n))
	}
	put(op, "parameters", list)
	if !body.IsZero() {
		b := mapping(body)
		p.boolean(b, body, "required")
		p.content(b, body)
		put(op, "requestBody", b)
	}
	path = "/" + strconv.Itoa(len(p.paths.Content)/2)
	put(item, "post", op)
	put(p.paths, path, item)
	return path
}

// Decode decodes the pruned document into v, after what its references need was added.
func (p *Pruner) Decode(v any) error {
	components := mapping(Node{})
	for i := 0; i < len(p.targets) && !p.full; i++ { // the list grows while schemas are copied
		p.level, p.lib.user = p.levels[i], p.users[i]
		p.schemas = append(p.schemas, p.schema(p.targets[i].Node))
	}
	for i, s := range p.schemas {
		components.Content = append(components.Content, text(id(i)), s)
	}
	info, parts, doc := mapping(Node{}), mapping(Node{}), mapping(Node{})
	put(info, "title", text("pruned"))
	put(info, "version", text("1"))
	put(parts, "schemas", components)
	put(doc, "openapi", text("3.1.0"))
	put(doc, "info", info)
	put(doc, "paths", p.paths)
	put(doc, "components", parts)
	return doc.Decode(v)
}

// Target is what a $ref of the pruned document stands for, and the name of its component there.
func (p *Pruner) Target(ref string) (name string, t Target, ok bool) {
	name = strings.TrimPrefix(ref, "#/components/schemas/")
	i, err := strconv.Atoi(strings.TrimPrefix(name, "s"))
	if err != nil || i < 0 || i >= len(p.targets) {
		return "", Target{}, false
	}
	return name, p.targets[i], true
}

// Pointer is the reference by which n was reached, if it was.
func (p *Pruner) Pointer(n Node) (Target, bool) {
	if i, ok := p.ids[n.yaml]; ok {
		return p.targets[i], true
	}
	return Target{}, false
}

func id(i int) string { return "s" + strconv.Itoa(i) }

func (p *Pruner) parameter(n Node) *yaml.Node {
	out := mapping(n)
	for _, key := range []string{"name", "in", "style"} {
		p.text(out, n, key)
	}
	for _, key := range []string{"required", "explode", "allowEmptyValue"} {
		p.boolean(out, n, key)
	}
	if s := n.Get("schema"); !s.IsZero() {
		put(out, "schema", p.schema(s))
	}
	p.content(out, n)
	return out
}

// content copies media types, each with its schema.
func (p *Pruner) content(out *yaml.Node, n Node) {
	content := n.Get("content")
	if content.IsZero() || !p.must(content, content.IsMapping(), "content is not a mapping of media types", "write media types with their schemas") {
		return
	}
	c := mapping(content)
	for key, media := range content.Members() {
		m := mapping(media)
		if media = p.lib.Resolve(media, "mediaTypes", "a media type"); !media.IsZero() {
			if s := media.Get("schema"); !s.IsZero() {
				put(m, "schema", p.schema(s))
			}
		}
		put(c, key.Spelt(), m)
	}
	put(out, "content", c)
}

// ref copies the reference of a schema.
func (p *Pruner) ref(n, at Node, ref string) *yaml.Node {
	if p.refs++; p.refs > maxRefs {
		return p.refuse(at, fmt.Sprintf("the operations in scope need more than %d references", maxRefs))
	}
	if !p.checked[n.yaml] {
		p.checked[n.yaml] = true
		if p.lib.Resolve(n, "schemas", "a schema").IsZero() {
			return mapping(n)
		}
	}
	t, fault := p.lib.Follow(n, ref)
	if fault != nil {
		return mapping(n)
	}
	i, ok := p.ids[t.yaml]
	if !ok {
		if i = len(p.targets); i >= maxTargets {
			return p.refuse(at, fmt.Sprintf("the operations in scope need more than %d schemas", maxTargets))
		}
		if p.level >= maxRefDepth {
			return p.refuse(at, fmt.Sprintf("schemas refer to one another more than %d deep", maxRefDepth))
		}
		p.ids[t.yaml] = i
		p.targets = append(p.targets, t)
		p.levels = append(p.levels, p.level+1)
		p.users = append(p.users, p.lib.user)
	}
	out := mapping(n)
	put(out, "$ref", text("#/components/schemas/"+id(i)))
	return out
}

func (p *Pruner) refuse(at Node, what string) *yaml.Node {
	if !p.full {
		p.full = true
		p.lib.Report(at.Pos(), what, "reduce the document to what its operations need")
	}
	return mapping(at)
}

// must reports a problem at n unless ok.
func (p *Pruner) must(n Node, ok bool, what, remedy string) bool {
	if !ok {
		p.lib.Report(n.Pos(), what, remedy)
	}
	return ok
}

// text copies a text. One that YAML takes for a number or a boolean is the text that is spelt.
func (p *Pruner) text(out *yaml.Node, n Node, key string) {
	if v := n.Get(key); !v.IsZero() && p.must(v, v.IsScalar() && !v.IsNull(), fmt.Sprintf("%s is %s, not a text", key, v.What()), "write a text") {
		put(out, key, text(v.Spelt()))
	}
}

func (p *Pruner) boolean(out *yaml.Node, n Node, key string) {
	v := n.Get(key)
	if v.IsZero() {
		return
	}
	if b, ok := v.Bool(); p.must(v, ok, fmt.Sprintf("%s is %s, not true or false", key, v.What()), "write true or false, without quotes") {
		put(out, key, boolean(b))
	}
}

func mapping(n Node) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if n.yaml != nil {
		m.Line, m.Column = n.yaml.Line, n.yaml.Column
	}
	return m
}

func put(m *yaml.Node, key string, value *yaml.Node) {
	m.Content = append(m.Content, text(key), value)
}

// text is quoted, so that no decoder takes it for anything else.
func text(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: s}
}

func boolean(b bool) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(b)}
}
