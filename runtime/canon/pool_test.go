package canon

import (
	"strings"
	"testing"
)

// Scratch memory goes back to the pool, unless it is too much, or much more than documents need lately.
func TestScratchMemoryIsGivenUp(t *testing.T) {
	t.Parallel()
	read := func(s *scanner, doc string) {
		if _, ok := s.document([]byte(doc), nil); !ok {
			t.Fatal(s.reason)
		}
	}
	const small = `{"b":1,"a":2}`

	huge := new(scanner)
	read(huge, "["+strings.Repeat(small+",", 200_000)+"0]")
	if huge.reset() {
		t.Error("what a document of 3 MB needed is kept")
	}

	large := new(scanner)
	read(large, "["+strings.Repeat(small+",", 5000)+"0]")
	for i := range patience + 1 {
		if !large.reset() {
			if i == 0 {
				t.Error("what a document of 70 KB needed is not kept")
			}
			return
		}
		read(large, small)
	}
	if large.reset() {
		t.Error("what one large document needed stays for ever")
	}
}
