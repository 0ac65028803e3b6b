package document

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// Fault is why a reference cannot be followed, and what to do about it. Both are empty where the
// reason is a broken file, which is reported by itself.
type Fault struct{ What, Remedy string }

// Target is where a reference leads.
type Target struct {
	Node
	// Pointer is the reference in one spelling: "#/components/schemas/A" in the document itself,
	// "parts/a.yaml#/components/schemas/A" elsewhere.
	Pointer string
	// Path are the decoded parts of the pointer behind the #.
	Path []string
}

// Section is "schemas" for a target right below components/schemas, and empty for one elsewhere.
func (t Target) Section() string {
	if len(t.Path) == 3 && t.Path[0] == "components" {
		return t.Path[1]
	}
	return ""
}

// Ref is the text of a mapping's $ref, and whether it has one. The text of a $ref that is not text is
// empty, which no reference is.
func (n Node) Ref() (Node, string, bool) {
	_, ref := n.Member("$ref")
	if ref.IsZero() {
		return Node{}, "", false
	}
	text, _ := ref.Text()
	return ref, text, true
}

// Follow resolves the reference text as it is written in from's file.
func (l *Library) Follow(from Node, text string) (Target, *Fault) {
	return l.follow(from, text, 0)
}

func (l *Library) follow(from Node, text string, hops int) (Target, *Fault) {
	name, fragment, _ := strings.Cut(text, "#")
	f, fault := l.target(from, name, text)
	if fault != nil {
		return Target{}, fault
	}
	if f.tree == nil {
		return Target{}, &Fault{}
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return Target{}, &Fault{fmt.Sprintf("$ref %s is not percent-encoded correctly", quote(text)), "write % as %25"}
	}
	if fragment != "" && fragment[0] != '/' {
		return Target{}, &Fault{
			fmt.Sprintf("$ref %s names an anchor", quote(text)),
			"name the place by a JSON pointer such as #/components/schemas/Name",
		}
	}
	t := Target{Node: Node{f, f.tree}, Pointer: "#" + fragment}
	if f != l.root {
		t.Pointer = strings.TrimPrefix(f.name, path.Dir(l.root.name)+"/") + t.Pointer
	}
	if fragment == "" {
		return t, nil
	}
	for _, part := range strings.Split(fragment[1:], "/") {
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		t.Path = append(t.Path, part)
		next := l.step(t.Node, part)
		if next.IsZero() && hops < maxHops { // asked first: looking for a $ref takes as long as a mapping is wide
			if _, ref, ok := t.Ref(); ok {
				through, fault := l.follow(t.Node, ref, hops+1)
				if fault != nil {
					return Target{}, fault
				}
				next = l.step(through.Node, part)
			}
		}
		if next.IsZero() {
			return Target{}, &Fault{
				fmt.Sprintf("$ref %s leads nowhere: there is no %s", quote(text), quote(part)),
				"correct it, or add what it names",
			}
		}
		t.Node = next
	}
	return t, nil
}

// step is the member or item of n that a part of a pointer names. Wide mappings, such as all schemas of
// a document, are asked so often that they get an index.
func (l *Library) step(n Node, part string) Node {
	if n.IsList() {
		if i, err := strconv.Atoi(part); err == nil && 0 <= i && i < n.Len() && strconv.Itoa(i) == part {
			return Node{n.file, n.yaml.Content[i]}
		}
		return Node{}
	}
	if n.Len() < 16 {
		return n.Get(part)
	}
	index := l.indexes[n.yaml]
	if index == nil {
		index = make(map[string]Node, n.Len())
		for key, value := range n.Members() {
			index[key.Spelt()] = value
		}
		l.indexes[n.yaml] = index
	}
	return index[part]
}

// target is the file that the first half of a reference names, seen from from.
func (l *Library) target(from Node, name, text string) (*file, *Fault) {
	switch {
	case text == "":
		return nil, &Fault{"$ref is not a reference", "write a text such as " + from.Spell("'#/components/schemas/Name'", `"#/components/schemas/Name"`)}
	case name == "":
		return from.file, nil
	case strings.HasPrefix(name, "//") || isRemote(name):
		return nil, &Fault{
			fmt.Sprintf("$ref %s is remote, and nothing is fetched over a network", quote(text)),
			"keep a copy of the file beside the document and refer to that",
		}
	}
	decoded, err := url.PathUnescape(name)
	if err != nil || strings.ContainsAny(decoded, "\\?\x00") {
		return nil, &Fault{fmt.Sprintf("$ref %s is not a relative path", quote(text)), "write a path with slashes, relative to this file"}
	}
	joined := path.Join(path.Dir(from.file.name), decoded)
	if path.IsAbs(decoded) || joined == ".." || strings.HasPrefix(joined, "../") {
		return nil, &Fault{
			fmt.Sprintf("$ref %s leaves the document's folder", quote(text)),
			"move the file below that folder, or widen the folder with --root",
		}
	}
	f, err := l.load(joined)
	if err != nil {
		return nil, &Fault{fmt.Sprintf("$ref %s: %v", quote(text), err), "correct it, or add the file"}
	}
	return f, nil
}

// isRemote tells whether a reference starts with a URL's scheme.
func isRemote(name string) bool {
	scheme, _, ok := strings.Cut(name, ":")
	if !ok || scheme == "" {
		return false
	}
	for i, c := range []byte(strings.ToLower(scheme)) {
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return true
}

// Resolve follows n's $ref, and the $ref behind that, to a value that is no reference. want is the
// section of components that such a value belongs to, empty where there is none, and thing what one is called. Where it cannot,
// it reports the problem and returns the zero Node.
func (l *Library) Resolve(n Node, want, thing string) Node {
	found, report := l.resolve(n, want, thing)
	if report != nil {
		report()
	}
	return found
}

// Find is Resolve for what can be done without: where it cannot, it returns the zero Node and reports nothing.
func (l *Library) Find(n Node, want string) Node {
	found, _ := l.resolve(n, want, "")
	return found
}

// resolve returns what n's $ref leads to, or how to report why it leads nowhere.
func (l *Library) resolve(n Node, want, thing string) (found Node, report func()) {
	seen := []Node{n}
	remedy := "refer to one of components/" + want
	if want == "" {
		remedy = "correct the reference"
	}
	for {
		at, text, ok := n.Ref()
		if !ok {
			return n, nil
		}
		t, fault := l.Follow(n, text)
		switch {
		case fault == nil && t.Section() != "" && t.Section() != want:
			fault = &Fault{
				fmt.Sprintf("$ref %s names one of the %s where %s is due", quote(text), t.Section(), thing),
				remedy,
			}
		case fault == nil && !t.IsMapping() && !(want == "schemas" && isBool(t.Node)):
			fault = &Fault{fmt.Sprintf("$ref %s names %s where %s is due", quote(text), t.What(), thing), "correct the reference"}
		case fault == nil && want == "schemas" && !t.mayBeSchema():
			fault = &Fault{fmt.Sprintf("$ref %s names no schema", quote(text)), "refer to one of components/schemas, or to a schema inside another"}
		case len(seen) > maxHops:
			fault = &Fault{fmt.Sprintf("$ref %s starts a chain of more than %d references", quote(text), maxHops), "refer to the last of them"}
		}
		if fault != nil {
			return Node{}, func() { l.fault(at, fault) }
		}
		for i, s := range seen {
			if s.Same(t.Node) {
				return Node{}, func() { l.cycle(seen[i:]) }
			}
		}
		n = t.Node
		seen = append(seen, n)
	}
}

// fault reports why a reference cannot be followed.
func (l *Library) fault(at Node, f *Fault) {
	if f.What != "" {
		l.Report(at.Pos(), f.What, f.Remedy)
	}
}

// cycle reports references that lead back to themselves, once, whichever of them was met first.
func (l *Library) cycle(members []Node) {
	var first Node
	for _, m := range members {
		at, _, _ := m.Ref()
		if first.IsZero() || before(at.Pos(), first.Pos()) {
			first = at
		}
	}
	l.Report(first.Pos(), fmt.Sprintf("$ref %s leads back to itself without a value on the way", quote(first.Spelt())), "make one of the references a value")
}

func isBool(n Node) bool {
	_, ok := n.Bool()
	return ok
}
