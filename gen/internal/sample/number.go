package sample

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// numbers are numbers in the type's range, small ones first. The bounds themselves come last: what is said of them is often
// not what is meant.
func numbers(t *ir.Type) []string {
	lo, hi, step := bound(t.Minimum), bound(t.Maximum), stepOf(t)
	times := func(n int64) *big.Rat { return new(big.Rat).Mul(step, big.NewRat(n, 1)) }
	tried := []*big.Rat{times(1), times(2), times(3)}
	for _, from := range []struct {
		at   *big.Rat
		sign int64
	}{{lo, 1}, {hi, -1}} {
		if from.at == nil {
			continue
		}
		n := floor(new(big.Rat).Quo(from.at, step))
		if from.sign > 0 {
			n = ceil(new(big.Rat).Quo(from.at, step))
		}
		for range 4 {
			n.Add(n, big.NewRat(from.sign, 1))
			tried = append(tried, new(big.Rat).Mul(n, step))
		}
	}
	half := big.NewRat(1, 2)
	if lo != nil && hi != nil && t.Kind == ir.Number {
		mid := new(big.Rat).Mul(new(big.Rat).Add(lo, hi), half)
		tried = append(tried, mid, new(big.Rat).Mul(new(big.Rat).Add(lo, mid), half))
	}
	tried = append(tried, new(big.Rat))
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
		case c.Sign() != 0:
			inside = append(inside, decimal(c))
		}
	}
	all := append(inside, onBound...)
	if len(all) == 0 && inRange(new(big.Rat), t) {
		return []string{"0"} // all that there is
	}
	if len(all) == 0 {
		return []string{"1", "2"} // the document contradicts itself
	}
	return all
}

// stepOf is what the type's numbers are multiples of; 1 where it does not say.
func stepOf(t *ir.Type) *big.Rat {
	m := bound(t.MultipleOf)
	switch {
	case m == nil || m.Sign() <= 0:
		return big.NewRat(1, 1)
	case t.Kind == ir.Number:
		return m
	default: // an integer that is n times a fraction is a multiple of its numerator
		return new(big.Rat).SetInt(m.Num())
	}
}

// bound is a number of the document; nil where there is none, or one too odd to follow.
func bound(s string) *big.Rat {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	if n, err := strconv.Atoi(exponent); len(s) > 40 || strings.Contains(s, "/") || exponent != "" && (err != nil || n < -40 || n > 40) || mantissa == "" {
		return nil
	}
	if r, ok := new(big.Rat).SetString(s); ok {
		return r
	}
	return nil
}

func inRange(r *big.Rat, t *ir.Type) bool {
	if lo := bound(t.Minimum); lo != nil && (r.Cmp(lo) < 0 || t.AboveMinimum && r.Cmp(lo) == 0) {
		return false
	}
	if hi := bound(t.Maximum); hi != nil && (r.Cmp(hi) > 0 || t.BelowMaximum && r.Cmp(hi) == 0) {
		return false
	}
	if m := bound(t.MultipleOf); m != nil && m.Sign() > 0 && !new(big.Rat).Quo(r, m).IsInt() {
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

// decimal is a number as JSON spells it, exact where it has an end.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	digits, exact := r.FloatPrec()
	if !exact {
		digits = 6
	}
	return r.FloatString(digits)
}
