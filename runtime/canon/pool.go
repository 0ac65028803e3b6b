package canon

import (
	"reflect"
	"sync"
)

// scanners keeps scratch memory from one document to the next.
var scanners = sync.Pool{New: func() any { return new(scanner) }}

const (
	// maxPooled is how much memory a scanner may take back to the pool, in bytes. It is what a document
	// of about 1 MiB needs; what is beyond is left to the garbage collector.
	maxPooled = 8 << 20
	// A scanner that holds more than minPooled, and has used no more than an eighth of it for patience
	// documents in a row, is left to the garbage collector as well: otherwise one large document would
	// stay in memory for as long as small ones come.
	minPooled = 64 << 10
	patience  = 50
)

var (
	entrySize = int(reflect.TypeFor[entry]().Size())
	nodeSize  = int(reflect.TypeFor[node]().Size())
	placeSize = int(reflect.TypeFor[place]().Size())
)

func (s *scanner) release() {
	if s.reset() {
		scanners.Put(s)
	}
}

// reset makes the scanner ready for another document, without what it refers to; false where it is to be
// left to the garbage collector.
func (s *scanner) reset() bool {
	places := cap(s.left.steps) + cap(s.right.steps)
	held := cap(s.buf) + cap(s.name) + entrySize*(cap(s.open)+cap(s.index)) + nodeSize*cap(s.nodes) + placeSize*places
	used := len(s.buf) + entrySize*len(s.index) + nodeSize*len(s.nodes)
	idle := 0
	if held > minPooled && used < held/8 {
		idle = s.idle + 1
	}
	if held > maxPooled || idle > patience {
		return false
	}
	*s = scanner{
		buf: s.buf[:0], open: s.open[:0], index: s.index[:0], nodes: s.nodes[:0], name: s.name[:0],
		left: cursor{steps: s.left.steps[:0]}, right: cursor{steps: s.right.steps[:0]},
		idle: idle,
	}
	return true
}
