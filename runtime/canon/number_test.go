package canon_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 2000)
	for want, spellings := range map[string]string{
		"0":                                   "0 -0 0.0 -0.0 0e5 0E-5 -0e999999999999 0." + zeros,
		"10":                                  "10 10.0 1e1 1E+1 100e-1 0.1e2 1.0e01 10." + zeros,
		"-1.1":                                "-1.1 -1.10 -11e-1 -0.011e2",
		"1":                                   "1 1.0 0.1e1 0." + zeros + "1e2001 1" + zeros + "e-2000",
		"120":                                 "120 1.2e2 12e1",
		"0.000001":                            "0.000001 1e-6 1E-006",
		"1e-7":                                "0.0000001 1e-7 10e-8",
		"1.5e-7":                              "0.00000015 1.5e-7",
		"100000000000000000000":               "1e20 100000000000000000000 100000000000000000000.0",
		"999999999999999999999":               "999999999999999999999 999999999999999999.999e3",
		"1e+21":                               "1e21 1000000000000000000000",
		"1.2e+21":                             "1.2e21 1200000000000000000000",
		"9007199254740992":                    "9007199254740992 9007199254740992.0",
		"9007199254740993":                    "9007199254740993 9007199254740993.0",
		"-9223372036854775808":                "-9223372036854775808",
		"18446744073709551615":                "18446744073709551615 1844674407370955161.5e1",
		"1.23456789012345678901234567891e+29": "123456789012345678901234567891",
		"123456789012345678901.5":             "123456789012345678901.5",
		"0.1000000000000000055511151231257827": "0.1000000000000000055511151231257827 " +
			"0.10000000000000000555111512312578270",
		"1e+400": "1e400 10e399 1" + strings.Repeat("0", 400),
		"1e-400": "1e-400 0.1e-399",
		"1." + strings.Repeat("1", 999) + "e+400":   "1." + strings.Repeat("1", 999) + "e400",
		"0." + strings.Repeat("1", 1000):            "0." + strings.Repeat("1", 1000),
		"12345." + strings.Repeat("6", 995):         "12345." + strings.Repeat("6", 995) + "000",
		"-3." + strings.Repeat("0", 998) + "1":      "-3." + strings.Repeat("0", 998) + "1",
		"3." + strings.Repeat("0", 998) + "1e-9":    "0.000000003" + strings.Repeat("0", 998) + "1",
		"333333333.33333329":                        "333333333.33333329",
		"1.7976931348623157e+308":                   "1.7976931348623157e308",
		"5e-324":                                    "5e-324",
		"4.9406564584124654e-324":                   "4.9406564584124654e-324",
		"0.00001234":                                "1234e-8",
		"0.000001234":                               "1234e-9",
		"1.234e-7":                                  "1234e-10",
		"123456789012345678901":                     "123456789012345678901",
		"1.234567890123456789012e+21":               "1234567890123456789012",
		"12345678901234567890.12345678901234567890": "",
	} {
		for _, literal := range strings.Fields(spellings) {
			for _, doc := range [][2]string{{literal, want}, {"[" + literal + ", 1]", "[" + want + ",1]"}} {
				if got := canonical(t, doc[0], nil); got != doc[1] {
					t.Errorf("Append(%.80s) = %.80s, want %.80s", doc[0], got, doc[1])
				}
			}
		}
	}
}

// A literal that is the shortest form of its float64 comes out as RFC 8785 has it. encoding/json lays
// floats out as ECMAScript does.
func TestNumbersAgreeWithFloats(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		f := math.Float64frombits(rng.Uint64())
		if rng.IntN(2) == 0 {
			f = math.Trunc(f*1e6) / math.Pow10(rng.IntN(30))
		}
		if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 {
			continue
		}
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []byte("eEfg") {
			literal := strconv.FormatFloat(f, format, -1, 64)
			if got := canonical(t, literal, nil); got != string(want) {
				t.Fatalf("Append(%s) = %s, want %s", literal, got, want)
			}
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n   canon.Number
		i   int64
		err string
	}{
		{"10", 10, ""}, {"10.0", 10, ""}, {"1e1", 10, ""}, {"-0", 0, ""},
		{"9223372036854775807", math.MaxInt64, ""}, {"-9223372036854775808", math.MinInt64, ""},
		{"9.223372036854775807e18", math.MaxInt64, ""},
		{"9223372036854775808", 0, "number does not fit"}, {"-9223372036854775809", 0, "number does not fit"},
		{"18446744073709551616", 0, "number does not fit"}, {"1e400", 0, "number does not fit"},
		{"99999999999999999999", 0, "number does not fit"},
		{"1.5", 0, "not a whole number"}, {"1e-1", 0, "not a whole number"},
		{"", 0, "not a number"}, {"1 ", 0, "not a number"}, {" 1", 0, "not a number"}, {"0x1", 0, "not a number"},
		{"Inf", 0, "not a number"}, {"1_0", 0, "not a number"}, {"1e401", 0, "number has an exponent beyond 400"},
	} {
		got, err := c.n.Int64()
		if got != c.i || (err != nil) != (c.err != "") || err != nil && err.Error() != c.err {
			t.Errorf("Number(%q).Int64() = %d, %v; want %d, %s", c.n, got, err, c.i, c.err)
		}
		if got, ok := canon.Integer(c.n).Int64(); got != c.i || ok != (c.err == "") {
			t.Errorf("Integer(%q).Int64() = %d, %t", c.n, got, ok)
		}
	}
	for _, n := range []canon.Number{"0.1", "-1e-7", "1e308", "123456789.125", "1e-400"} {
		want, _ := strconv.ParseFloat(string(n), 64)
		if got, err := n.Float64(); got != want || err != nil {
			t.Errorf("Number(%q).Float64() = %v, %v; want %v", n, got, err, want)
		}
	}
	for _, n := range []canon.Number{"", "NaN", "0x1p-2", "1e309"} {
		if f, err := n.Float64(); err == nil {
			t.Errorf("Number(%q).Float64() = %v, want an error", n, f)
		}
	}
}

func TestIntegerDigits(t *testing.T) {
	t.Parallel()
	for in, want := range map[canon.Integer]string{
		"0": "0", "-0": "0", "-12": "-12", "1.20e3": "1200", "1e30": "1" + strings.Repeat("0", 30),
		"123456789012345678901234567890.0": "123456789012345678901234567890",
		"1.5":                              "", "": "", "x": "", "1e401": "",
	} {
		if got := in.Digits(); got != want {
			t.Errorf("Integer(%q).Digits() = %q, want %q", in, got, want)
		}
	}
}

// Cmp is the order of the exact values, and 0 exactly where the canonical forms are equal.
func TestNumberCmp(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "0123450000"[rng.IntN(10)]
		}
		return string(b)
	}
	literal := func() string {
		s := []string{"", "-"}[rng.IntN(2)] + []string{"0", "1", "1" + digits(1+rng.IntN(4))}[rng.IntN(3)]
		if rng.IntN(2) == 0 {
			s += "." + digits(1+rng.IntN(4))
		}
		if rng.IntN(2) == 0 {
			s += "e" + strconv.Itoa(rng.IntN(7)-3)
		}
		return s
	}
	for range 20_000 {
		a, b := literal(), literal()
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if got, want := canon.Number(a).Cmp(canon.Number(b)), x.Cmp(y); got != want {
			t.Fatalf("Number(%s).Cmp(%s) = %d, want %d", a, b, got, want)
		}
		if same := canonical(t, a, nil) == canonical(t, b, nil); same != (x.Cmp(y) == 0) {
			t.Fatalf("%s and %s: same canonical form: %t", a, b, same)
		}
	}
	if canon.Number("").Cmp("0") != -1 || canon.Number("0").Cmp("x") != 1 || canon.Number("").Cmp("x") != 0 {
		t.Error("text that is no number does not come first")
	}
}
