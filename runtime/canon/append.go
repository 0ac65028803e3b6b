package canon

import "slices"

// Version is the version of the canonical form. A change of what [Append] makes of any document
// changes it.
const Version byte = 1

// Append appends the canonical form of the JSON document src to dst, leaving out and rearranging what
// the rules say. Two documents are the same exactly where their canonical forms are.
//
// The form is RFC 8785 (no blanks, members in the order of their UTF-16 code units, one spelling of
// strings and numbers), except that a number is the exact decimal that was sent, never rounded to a
// float64: 9007199254740993 stays that, while 10, 10.0 and 1e1 are all 10.
//
// A document that is not JSON by RFC 8259 is an [*Error]; so are duplicate member names, invalid
// UTF-8, lone surrogates, nesting deeper than 1,000, numbers of more than 1,000 significant digits or
// an exponent beyond ±400, and more than 128 MiB. Ignored members are checked like all others. Any
// other error comes from rules that do not pass [Rules.Check]. After an error the result is dst.
//
// Time and memory are linear in len(src), whatever its shape, times a logarithm where there is
// something to sort. There is no allocation where dst has room. src may be part of dst's array.
func Append(dst, src []byte, r Rules) ([]byte, error) {
	if err := r.Check(); err != nil {
		return dst, err
	}
	s := scanners.Get().(*scanner)
	defer s.release()
	root, ok := s.document(src, r)
	if !ok {
		return dst, failure(src, s.offset, s.reason)
	}
	text := s.all()
	if root == 0 {
		return append(dst, text...), nil
	}
	dst = slices.Grow(dst, int(s.nodes[root-1].size))
	return s.emit(dst, text, root), nil
}

// all returns the whole text.
func (s *scanner) all() []byte {
	if len(s.buf) == 0 {
		return s.src[s.run:]
	}
	s.drop(len(s.src), len(s.src))
	return s.buf
}
