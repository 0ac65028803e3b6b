package canon

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// head returns the first eight bytes, as a number that orders like them.
func head(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.BigEndian.Uint64(b)
	}
	var h uint64
	for i, c := range b {
		h |= uint64(c) << (56 - 8*i)
	}
	return h
}

// headOfName is head for a name that has escapes or is not ASCII.
func headOfName(name []byte) uint64 {
	var h uint64
	for shift := 56; shift >= 0 && len(name) > 0; shift -= 8 {
		var c byte
		c, name = nextByte(name)
		h |= uint64(unit(c)) << shift
	}
	return h
}

// nextByte takes the next unescaped byte off a canonical name. An escape always stands for one byte.
func nextByte(name []byte) (byte, []byte) {
	if name[0] != '\\' {
		return name[0], name[1:]
	}
	if name[1] == 'u' {
		r, _ := hex4(name)
		return byte(r), name[6:]
	}
	return unescaped(name[1]), name[2:]
}

// unit maps a byte of UTF-8 so that names order like their UTF-16 code units, as RFC 8785 (3.2.3) asks:
// the characters that UTF-16 writes as surrogates (lead bytes F0 to F4) come before U+E000 to U+FFFF (EE
// and EF). Elsewhere the two orders agree.
func unit(c byte) byte {
	if c == 0xEE || c == 0xEF {
		return c + 0x10
	}
	return c
}

// compareNames orders two members by name.
func (s *scanner) compareNames(a, b *entry) int {
	if a.head != b.head {
		if a.head < b.head {
			return -1
		}
		return 1
	}
	x, y := s.span(a.start+1, a.value-2), s.span(b.start+1, b.value-2)
	if a.shape|b.shape == 0 {
		return bytes.Compare(x, y)
	}
	for len(x) > 0 && len(y) > 0 {
		var c, d byte
		c, x = nextByte(x)
		d, y = nextByte(y)
		if c != d {
			return int(unit(c)) - int(unit(d))
		}
	}
	return len(x) - len(y)
}

// behind says whether a comes after b. The heads mostly tell.
func (s *scanner) behind(a, b *entry) bool {
	return a.head > b.head || a.head == b.head && s.compareNames(a, b) > 0
}

// few entries are put in order by insertion: most objects are small.
const few = 16

func (s *scanner) sortNames(es []entry) {
	if len(es) > few {
		slices.SortFunc(es, func(a, b entry) int { return s.compareNames(&a, &b) })
		return
	}
	for i := 1; i < len(es); i++ {
		if !s.behind(&es[i-1], &es[i]) {
			continue
		}
		e, j := es[i], i
		for ; j > 0 && s.behind(&es[j-1], &e); j-- {
			es[j] = es[j-1]
		}
		es[j] = e
	}
}

// duplicate returns the offset of the second of two members with one name, -1 where there is none.
func (s *scanner) duplicate(sorted []entry) int {
	for i := 1; i < len(sorted); i++ {
		a, b := &sorted[i-1], &sorted[i]
		if a.head == b.head && s.compareNames(a, b) == 0 {
			return int(max(a.off, b.off))
		}
	}
	return -1
}

// sortItems puts the items of an array that ends at p in the order of their canonical bytes, and reports
// whether they were so already.
func (s *scanner) sortItems(es []entry, p int) bool {
	s.drop(p, p) // all of it is in buf now
	for i := range es {
		e := &es[i]
		if e.node != 0 && s.nodes[e.node-1].copies < maxCopies {
			s.copyItem(e)
		}
		e.head = s.headOfItem(e)
	}
	compare := func(a, b entry) int { return s.compareItems(&a, &b) }
	if slices.IsSortedFunc(es, compare) {
		return true
	}
	slices.SortFunc(es, compare)
	return false
}

// copyItem puts the canonical form of an item at the end of buf, where it can be compared at once. What
// has been copied often enough is not copied again, so that arrays in arrays cost no copy per level.
// The text that surrounds it is used no more: its array is joined from its items.
func (s *scanner) copyItem(e *entry) {
	n := &s.nodes[e.node-1]
	e.copies = n.copies + 1
	e.start = int32(len(s.buf))
	s.buf = s.emit(s.buf, s.buf, e.node)
	e.value, e.end, e.node = e.start, int32(len(s.buf)), 0
}

func (s *scanner) headOfItem(e *entry) uint64 {
	if e.node == 0 {
		return head(s.buf[e.start:e.end])
	}
	var room [8]byte
	b := room[:0]
	s.left.open(s, e)
	for len(b) < 8 {
		part := s.left.next(s)
		if part == nil {
			break
		}
		b = append(b, part[:min(len(part), 8-len(b))]...)
	}
	return head(b)
}

// compareItems orders two items by their canonical bytes. It looks at no more of them than the shorter
// one has, so that a large item is not read again on each level.
func (s *scanner) compareItems(a, b *entry) int {
	if a.head != b.head {
		if a.head < b.head {
			return -1
		}
		return 1
	}
	if a.node == 0 && b.node == 0 {
		return bytes.Compare(s.buf[a.start:a.end], s.buf[b.start:b.end])
	}
	s.left.open(s, a)
	s.right.open(s, b)
	var x, y []byte
	for {
		if len(x) == 0 {
			x = s.left.next(s)
		}
		if len(y) == 0 {
			y = s.right.next(s)
		}
		n := min(len(x), len(y))
		if n == 0 {
			return len(x) - len(y)
		}
		if c := bytes.Compare(x[:n], y[:n]); c != 0 {
			return c
		}
		x, y = x[n:], y[n:]
	}
}

// cursor walks over the canonical bytes of an item without making a copy of them.
type cursor struct {
	whole []byte // an item that is canonical as it stands
	steps []place
}

// place is a position within a node.
type place struct {
	node int32
	next int32 // entry in the index
	pos  int32 // in the text, of a node that is patched
	part uint8
}

const (
	partOpen  = iota // the opening bracket comes next
	partComma        // what precedes the next entry
	partEntry        // the next entry
	partDone         // nothing more
)

func (c *cursor) open(s *scanner, e *entry) {
	c.whole, c.steps = nil, c.steps[:0]
	if e.node == 0 {
		c.whole = s.buf[e.start:e.end]
		return
	}
	c.enter(s, e.node)
}

func (c *cursor) enter(s *scanner, id int32) {
	n := &s.nodes[id-1]
	c.steps = append(c.steps, place{node: id - 1, next: n.lo, pos: n.start})
}

// next returns the next bytes, at least one; nil at the end. Each visit of a node gives a byte.
func (c *cursor) next(s *scanner) []byte {
	if c.whole != nil {
		b := c.whole
		c.whole = nil
		return b
	}
	for len(c.steps) > 0 {
		at := &c.steps[len(c.steps)-1]
		n := &s.nodes[at.node]
		if at.part == partDone {
			c.steps = c.steps[:len(c.steps)-1]
			continue
		}
		if n.patch {
			return c.patched(s, at, n)
		}
		switch {
		case at.part == partOpen:
			at.part = partEntry
			return s.buf[n.start : n.start+1]
		case at.next == n.hi:
			at.part = partDone
			return brackets[s.buf[n.start]]
		case at.part == partComma:
			at.part = partEntry
			return comma
		}
		e := &s.index[at.next]
		at.next++
		at.part = partComma
		if e.node == 0 {
			return s.buf[e.start:e.end]
		}
		c.enter(s, e.node)
		if e.value > e.start {
			return s.buf[e.start:e.value]
		}
	}
	return nil
}

var (
	comma    = []byte{','}
	brackets = map[byte][]byte{'{': {'}'}, '[': {']'}}
)

// patched returns the text up to the next entry of a patched node, and enters that.
func (c *cursor) patched(s *scanner, at *place, n *node) []byte {
	from := at.pos
	if at.next == n.hi {
		at.part = partDone
		return s.buf[from:n.end]
	}
	e := &s.index[at.next]
	at.next++
	at.pos = e.end
	c.enter(s, e.node)
	return s.buf[from:e.start]
}
