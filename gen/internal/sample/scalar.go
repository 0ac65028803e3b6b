package sample

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// literals are up to three valid JSON literals of a scalar type, the best first. There is at least one.
func literals(t *ir.Type, hint string) []string {
	all := candidates(t, hint)
	return all[:min(len(all), 3)]
}

// candidates are valid JSON literals of a scalar type: what the document gives as an example, then its
// enum, or our own.
func candidates(t *ir.Type, hint string) []string {
	var all []string
	for _, given := range []string{hint, t.Example} {
		if fits(t, given) {
			all = append(all, compact(given))
		}
	}
	if t.Kind == ir.Bool && len(t.Enum) == 0 {
		all = append(all, "true", "false")
	}
	all = append(all, t.Enum...)
	if len(t.Enum) == 0 {
		switch t.Kind {
		case ir.String, ir.Any:
			for _, text := range texts(t) {
				all = append(all, quote(text))
			}
		case ir.Int, ir.Integer, ir.Number:
			all = append(all, numbers(t)...)
		}
	}
	if t.Nullable {
		all = append(all, "null")
	}
	return distinct(all)
}

// fits reports whether a literal that the document gives is one of the type.
func fits(t *ir.Type, l string) bool {
	const longest = 200 // bytes; more would only swell the test
	if l == "" || len(l) > longest || !json.Valid([]byte(l)) {
		return false
	}
	l = compact(l)
	if len(t.Enum) > 0 {
		return slices.Contains(t.Enum, l)
	}
	switch t.Kind {
	case ir.String:
		return l[0] == '"' && fitsText(t, unquote(l))
	case ir.Bool:
		return l == "true" || l == "false"
	case ir.Int, ir.Integer:
		n, ok := new(big.Int).SetString(l, 10)
		return ok && integerLiteral(l) && inRange(new(big.Rat).SetInt(n), t)
	case ir.Number:
		r := bound(l)
		return strings.ContainsAny(l[:1], "-0123456789") && len(l) <= 40 && (r == nil || inRange(r, t))
	default:
		return false
	}
}

// compact respells a string in ASCII, so that no odd escape of a document gets into a request.
func compact(l string) string {
	l = strings.TrimSpace(l)
	var s string
	if strings.HasPrefix(l, `"`) && json.Unmarshal([]byte(l), &s) == nil {
		return quote(s)
	}
	return l
}

// numbers are numbers in the type's range, small ones first. The bounds themselves come last: they may
// be exclusive.
func numbers(t *ir.Type) []string {
	lo, hi := bound(t.Minimum), bound(t.Maximum)
	one := big.NewRat(1, 1)
	tried := []*big.Rat{big.NewRat(1, 1), big.NewRat(2, 1), big.NewRat(3, 1)}
	if lo != nil {
		from := ceil(lo)
		for range 4 {
			from = new(big.Rat).Add(from, one)
			tried = append(tried, from)
		}
	}
	if hi != nil {
		from := floor(hi)
		for range 4 {
			from = new(big.Rat).Sub(from, one)
			tried = append(tried, from)
		}
	}
	if lo != nil && hi != nil && t.Kind == ir.Number {
		mid := new(big.Rat).Mul(new(big.Rat).Add(lo, hi), big.NewRat(1, 2))
		tried = append(tried, mid, new(big.Rat).Mul(new(big.Rat).Add(lo, mid), big.NewRat(1, 2)))
	}
	for _, b := range []*big.Rat{lo, hi} {
		if b != nil && (t.Kind == ir.Number || b.IsInt()) {
			tried = append(tried, b)
		}
	}
	var inside, onBound []string
	for _, c := range tried {
		switch {
		case !inRange(c, t):
		case lo != nil && c.Cmp(lo) == 0, hi != nil && c.Cmp(hi) == 0:
			onBound = append(onBound, decimal(c))
		default:
			inside = append(inside, decimal(c))
		}
	}
	all := append(inside, onBound...)
	if len(all) == 0 {
		return []string{"1", "2"} // the document contradicts itself
	}
	return all
}

func bound(s string) *big.Rat {
	if len(s) > 40 || strings.ContainsAny(s, "eE/") {
		return nil // too odd to follow
	}
	if r, ok := new(big.Rat).SetString(s); ok {
		return r
	}
	return nil
}

func inRange(r *big.Rat, t *ir.Type) bool {
	if lo := bound(t.Minimum); lo != nil && r.Cmp(lo) < 0 {
		return false
	}
	if hi := bound(t.Maximum); hi != nil && r.Cmp(hi) > 0 {
		return false
	}
	if t.Kind != ir.Int {
		return true
	}
	bits := uint(t.Bits)
	lo, hi := new(big.Int), new(big.Int)
	if t.Unsigned {
		hi.Sub(hi.Lsh(big.NewInt(1), bits), big.NewInt(1))
	} else {
		lo.Neg(lo.Lsh(big.NewInt(1), bits-1))
		hi.Sub(hi.Lsh(big.NewInt(1), bits-1), big.NewInt(1))
	}
	return r.Cmp(new(big.Rat).SetInt(lo)) >= 0 && r.Cmp(new(big.Rat).SetInt(hi)) <= 0
}

func floor(r *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(r.Num(), r.Denom())) // Euclidean: rounds down
}

func ceil(r *big.Rat) *big.Rat {
	f := floor(r)
	if f.Cmp(r) < 0 {
		f.Add(f, big.NewRat(1, 1))
	}
	return f
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	s := r.FloatString(6)
	if s = strings.TrimRight(s, "0"); strings.HasSuffix(s, ".") {
		s += "0"
	}
	return s
}

func distinct(all []string) []string {
	var kept []string
	seen := make(map[string]bool, len(all))
	for _, l := range all {
		if !seen[l] {
			kept = append(kept, l)
			seen[l] = true
		}
	}
	return kept
}
