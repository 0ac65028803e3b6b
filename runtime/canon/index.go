package canon

import "slices"

// entry is a member of an object or an item of an array, by its place in the text.
type entry struct {
	head   uint64 // its first bytes, for a quick comparison
	start  int32  // of the member's name, or of the item
	value  int32  // start of the value
	end    int32
	node   int32 // 1 + the index of the value's node; 0: the text is canonical
	off    int32 // of the name in src
	shape  shape // of the name
	drop   bool  // no part of the identity
	copies uint8 // made of any of its bytes, to compare items
}

// node is a container that must be rearranged.
type node struct {
	lo, hi     int32 // its entries in the index
	start, end int32 // its place in the text
	size       int32 // of its canonical form
	patch      bool  // the text as it is, except for the entries; otherwise the entries joined by commas
	copies     uint8 // the most that an entry has
}

// keep makes a node of the open entries from base on, and returns 1 + its index.
func (s *scanner) keep(n node, base int) int32 {
	n.lo = int32(len(s.index))
	s.index = slices.Grow(s.index, len(s.open)-base)
	kept := int32(0) // bytes of the entries in the text
	for i := base; i < len(s.open); i++ {
		e := &s.open[i]
		if e.drop {
			continue
		}
		kept += e.end - e.start
		n.size += e.end - e.start
		if e.node != 0 {
			inner := &s.nodes[e.node-1]
			n.size += inner.size - (e.end - e.value)
			e.copies = inner.copies
		}
		n.copies = max(n.copies, e.copies)
		s.index = append(s.index, *e)
	}
	s.open = s.open[:base]
	n.hi = int32(len(s.index))
	if n.patch {
		n.size += n.end - n.start - kept
	} else {
		n.size += 2 + max(n.hi-n.lo-1, 0)
	}
	s.nodes = append(s.nodes, n)
	return int32(len(s.nodes))
}

// keepPlain is keep where all that is open is canonical and stays: only the order changes.
func (s *scanner) keepPlain(n node, base int) int32 {
	n.lo = int32(len(s.index))
	s.index = append(s.index, s.open[base:]...)
	s.open = s.open[:base]
	n.hi, n.size = int32(len(s.index)), n.end-n.start
	s.nodes = append(s.nodes, n)
	return int32(len(s.nodes))
}

// closing is how far ] and } are from [ and {.
const closing = 2

// emit appends the canonical form of a node.
func (s *scanner) emit(dst, text []byte, id int32) []byte {
	n := &s.nodes[id-1]
	es := s.index[n.lo:n.hi]
	if n.patch {
		from := n.start
		for i := range es {
			dst = append(dst, text[from:es[i].start]...)
			dst = s.emit(dst, text, es[i].node)
			from = es[i].end
		}
		return append(dst, text[from:n.end]...)
	}
	dst = append(dst, text[n.start])
	for i := range es {
		e := &es[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		if e.node == 0 {
			dst = append(dst, text[e.start:e.end]...)
			continue
		}
		dst = append(dst, text[e.start:e.value]...)
		dst = s.emit(dst, text, e.node)
	}
	return append(dst, text[n.start]+closing)
}
