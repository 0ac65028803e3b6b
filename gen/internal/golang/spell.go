package golang

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSpelt is the longest wire name that is spelt out in a Go name.
const maxSpelt = 60

// spell writes a wire name so that it can stand in a Go name behind an underscore. Letters, digits and
// underscores stay as they are, and any other character becomes its hexadecimal code: tax-id is
// tax_x2D_id. No two wire names are spelt alike: an underscore that could be read as the beginning of a
// code is written as one, and a long text becomes a digest, in a form that no code has. The first character is
// no digit, because v1_2 is what the words of v1.2 give.
func spell(wire string) string {
	var b strings.Builder
	rs := []rune(wire)
	for i, r := range rs {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) && i > 0
		if letter || r == '_' && (i+1 == len(rs) || rs[i+1] != 'x') {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "_x%02X_", r)
	}
	if utf8.RuneCountInString(b.String()) > maxSpelt {
		return fmt.Sprintf("_x%x", sha256.Sum256([]byte(wire)))[:2+32]
	}
	return b.String()
}
