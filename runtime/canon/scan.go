package canon

import (
	"strconv"
	"unicode/utf8"
)

const (
	maxDepth  = 1000
	maxSize   = 1 << 27 // bytes; so that a position in the text is an int32: 1e20 grows by 4.2, and copies
	maxCopies = 2       // of an item in the text, made so that it can be compared at once
)

// scanner reads a document once. It checks the grammar and makes the canonical text of every leaf, with
// members and items still where they were sent: the text. Where a container must be rearranged, it
// leaves a node that says in which order to copy which parts of the text. Nothing is copied per level, so
// the depth of a document costs nothing.
//
// The text is buf followed by the run: the part of src that begins at run and ends where the
// scanner stands, canonical as it was sent. A document without blanks and odd spellings is one run,
// and buf stays empty.
type scanner struct {
	src   []byte
	buf   []byte
	run   int
	rules Rules
	open  []entry // of the containers that are being read
	index []entry // of the nodes, each in its order
	nodes []node
	name  []byte // room for an unescaped name
	left  cursor // for comparing two rearranged items
	right cursor

	offset int // of the error
	reason string

	idle int // see patience
}

// document reads all of src and returns the root's node; false where there is an error.
func (s *scanner) document(src []byte, r Rules) (root int32, ok bool) { return s.nested(src, r, 0) }

// nested is document for a value that is to stand in depth containers.
func (s *scanner) nested(src []byte, r Rules, depth int) (root int32, ok bool) {
	s.src, s.rules = src, r
	if len(src) > maxSize {
		s.fail(0, "document is over 128 MiB")
		return 0, false
	}
	p, root := s.value(s.blank(0), r.root(), depth)
	if p < 0 {
		return 0, false
	}
	end := p
	for p < len(src) && isBlank(src[p]) {
		p++
	}
	if p < len(src) {
		s.fail(p, "data after the document")
		return 0, false
	}
	s.src = src[:end]
	return root, true
}

// fail notes an error and returns -1.
func (s *scanner) fail(offset int, reason string) int {
	s.offset, s.reason = offset, reason
	return -1
}

// unexpected is fail for whatever stands at p.
func (s *scanner) unexpected(p int, wanted string) int {
	if p >= len(s.src) {
		return s.fail(len(s.src), "unexpected end of the document, want "+wanted)
	}
	r, _ := utf8.DecodeRune(s.src[p:])
	return s.fail(p, "unexpected "+strconv.QuoteRuneToASCII(r)+", want "+wanted)
}

// at returns the place of src[p] in the text.
func (s *scanner) at(p int) int32 { return int32(len(s.buf) + p - s.run) }

// drop leaves src[p:q] out of the text.
func (s *scanner) drop(p, q int) {
	if s.run < p {
		s.buf = append(s.buf, s.src[s.run:p]...)
	}
	s.run = q
}

// span returns a part of the text that lies in buf or in the run as a whole.
func (s *scanner) span(from, to int32) []byte {
	if int(from) < len(s.buf) {
		return s.buf[from:to]
	}
	shift := s.run - len(s.buf)
	return s.src[int(from)+shift : int(to)+shift]
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// skip moves over blanks. It is inlined because blank is not: mostly there are none.
func (s *scanner) skip(p int) int {
	if p < len(s.src) && s.src[p] <= ' ' {
		return s.blank(p)
	}
	return p
}

//go:noinline
func (s *scanner) blank(p int) int {
	q := p
	for q < len(s.src) && isBlank(s.src[q]) {
		q++
	}
	if q > p {
		s.drop(p, q)
	}
	return q
}

// value reads the value at p, which stands in depth containers. It returns where it ends, -1 where it
// is malformed, and its node.
func (s *scanner) value(p int, r *Rule, depth int) (int, int32) {
	if p < len(s.src) {
		switch s.src[p] {
		case '"':
			end, _ := s.text(p)
			return end, 0
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return s.number(p), 0
		case '{':
			return s.object(p, r, depth)
		case '[':
			return s.array(p, r, depth)
		case 't':
			return s.word(p, "true"), 0
		case 'f':
			return s.word(p, "false"), 0
		case 'n':
			return s.word(p, "null"), 0
		}
	}
	return s.unexpected(p, "a value"), 0
}

func (s *scanner) word(p int, word string) int {
	end := p + len(word)
	if end > len(s.src) || string(s.src[p:end]) != word {
		return s.unexpected(p, "a value")
	}
	return end
}

func (s *scanner) number(p int) int {
	end, canonical := scanNumber(s.src, p)
	if end < 0 {
		return s.unexpected(^end, "a digit")
	}
	if canonical {
		return end
	}
	d := parseDecimal(s.src[p:end])
	if reason := d.limit(); reason != "" {
		return s.fail(p, reason)
	}
	s.drop(p, end)
	s.buf = d.append(s.buf)
	return end
}

func (s *scanner) object(p int, r *Rule, depth int) (int, int32) {
	if depth == maxDepth {
		return s.fail(p, "nested deeper than 1000"), 0
	}
	start, base := s.at(p), len(s.open)
	ordered, clean := true, true
	p = s.skip(p + 1)
	if p < len(s.src) && s.src[p] == '}' {
		return p + 1, 0
	}
	for {
		var e entry
		var rule *Rule
		if p, rule = s.member(p, r, &e); p < 0 {
			return -1, 0
		}
		if p, e.node = s.value(p, rule, depth+1); p < 0 {
			return -1, 0
		}
		e.end = s.at(p)
		clean = clean && e.node == 0 && !e.drop
		if n := len(s.open); ordered && n > base {
			ordered = s.open[n-1].head < e.head || s.compareNames(&s.open[n-1], &e) < 0
		}
		s.open = append(s.open, e)
		p = s.skip(p)
		if p < len(s.src) && s.src[p] == ',' {
			p = s.skip(p + 1)
			continue
		}
		break
	}
	if p == len(s.src) || s.src[p] != '}' {
		return s.unexpected(p, "a comma or }"), 0
	}
	p++
	if !ordered {
		s.sortNames(s.open[base:])
		if twice := s.duplicate(s.open[base:]); twice >= 0 {
			return s.fail(twice, "duplicate member name"), 0
		}
	}
	switch {
	case ordered && clean:
		s.open = s.open[:base]
		return p, 0
	case clean:
		return p, s.keepPlain(node{start: start, end: s.at(p)}, base)
	}
	return p, s.keep(node{start: start, end: s.at(p)}, base)
}

// member reads a member up to its value, and finds the value's rule.
func (s *scanner) member(p int, r *Rule, e *entry) (int, *Rule) {
	if p >= len(s.src) || s.src[p] != '"' {
		return s.unexpected(p, "a member name"), nil
	}
	e.off, e.start = int32(p), s.at(p)
	end, sh := s.text(p)
	if end < 0 {
		return -1, nil
	}
	if sh&changed != 0 {
		s.drop(end, end) // the name is in buf as a whole
	}
	e.shape = sh
	var rule *Rule
	if name := s.span(e.start+1, s.at(end)-1); sh == 0 {
		e.head = head(name)
		if r != nil {
			rule, e.drop = s.rules.member(r, name)
		}
	} else {
		e.head = headOfName(name)
		if r != nil {
			s.name = appendUnescaped(s.name[:0], name)
			rule, e.drop = s.rules.member(r, s.name)
		}
	}
	p = s.skip(end)
	if p >= len(s.src) || s.src[p] != ':' {
		return s.unexpected(p, "a colon"), nil
	}
	p = s.skip(p + 1)
	e.value = s.at(p)
	return p, rule
}

func (s *scanner) array(p int, r *Rule, depth int) (int, int32) {
	if depth == maxDepth {
		return s.fail(p, "nested deeper than 1000"), 0
	}
	start, base := s.at(p), len(s.open)
	var items *Rule
	unordered := false
	if r != nil {
		items, unordered = s.rules.child(r.Items), r.Unordered
	}
	clean := true
	p = s.skip(p + 1)
	if p < len(s.src) && s.src[p] == ']' {
		return p + 1, 0
	}
	for {
		e := entry{start: s.at(p)}
		e.value = e.start
		if p, e.node = s.value(p, items, depth+1); p < 0 {
			return -1, 0
		}
		if unordered || e.node != 0 {
			e.end = s.at(p)
			clean = clean && e.node == 0
			s.open = append(s.open, e)
		}
		p = s.skip(p)
		if p < len(s.src) && s.src[p] == ',' {
			p = s.skip(p + 1)
			continue
		}
		break
	}
	if p == len(s.src) || s.src[p] != ']' {
		return s.unexpected(p, "a comma or ]"), 0
	}
	p++
	if unordered && !s.sortItems(s.open[base:], p) {
		clean = false
	}
	if clean {
		s.open = s.open[:base]
		return p, 0
	}
	return p, s.keep(node{start: start, end: s.at(p), patch: !unordered}, base)
}
