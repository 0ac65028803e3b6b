package canon_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

type kind string

func (kind) Enum() []canon.Value { return []canon.Value{`"small"`, `"b\u0069g"`} }

type level int32

func (level) Enum() []canon.Value { return []canon.Value{`1`, `20.0`} }

type step string // an enum over numbers

func (step) Enum() []canon.Value { return []canon.Value{`0.1`, `1`} }

type mixed string // an enum over anything

func (mixed) Enum() []canon.Value { return []canon.Value{`null`, `"x"`, `1`, `[1]`} }

type rate canon.Number

func (r rate) Number() canon.Number { return canon.Number(r) }

type title string

// everything has a field for each kind of type there is.
type everything struct {
	Name   string                                           `json:"name"`
	Size   canon.Optional[int32]                            `json:"size,omitzero"`
	Big    canon.Optional[int64]                            `json:"big,omitzero"`
	Count  canon.Optional[uint32]                           `json:"count,omitzero"`
	Huge   canon.Optional[uint64]                           `json:"huge,omitzero"`
	On     canon.Optional[bool]                             `json:"on,omitzero"`
	Ratio  canon.Optional[canon.Number]                     `json:"ratio,omitzero"`
	Whole  canon.Optional[canon.Integer]                    `json:"whole,omitzero"`
	Any    canon.Optional[canon.Value]                      `json:"any,omitzero"`
	Next   canon.Optional[everything]                       `json:"next,omitzero"`
	Null   canon.Optional[canon.Nullable[everything]]       `json:"null,omitzero"`
	Note   canon.Optional[canon.Nullable[string]]           `json:"note,omitzero"`
	Kind   canon.Optional[kind]                             `json:"kind,omitzero"`
	Level  canon.Optional[level]                            `json:"level,omitzero"`
	Step   canon.Optional[step]                             `json:"step,omitzero"`
	Mixed  canon.Optional[mixed]                            `json:"mixed,omitzero"`
	Rate   canon.Optional[rate]                             `json:"rate,omitzero"`
	Title  canon.Optional[title]                            `json:"title,omitzero"`
	List   canon.Optional[[]everything]                     `json:"list,omitzero"`
	When   canon.Optional[[]canon.Nullable[string]]         `json:"when,omitzero"`
	Flags  canon.Optional[map[string]bool]                  `json:"flags,omitzero"`
	Grid   canon.Optional[[][]int64]                        `json:"grid,omitzero"`
	Map    canon.Optional[map[title]canon.Nullable[[]kind]] `json:"map,omitzero"`
	Plain  []string                                         `json:"plain,omitzero"`
	Ptr    *string                                          `json:"ptr,omitzero"`
	Closed canon.Optional[closed]                           `json:"closed,omitzero"`
	Odd    canon.Optional[int64]                            `json:"'a,b\\'\\\"\\n',omitzero"`
	Extra  canon.Extra                                      `json:"-"`
}

func (v everything) MarshalJSON() ([]byte, error)     { return canon.Marshal(v) }
func (v *everything) UnmarshalJSON(data []byte) error { return canon.Unmarshal(data, v) }

type closed struct {
	A      int64                   `json:"a"`
	B      canon.Nullable[[]int64] `json:"b"`
	hidden int
}

func TestCodecIsLossless(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"name":""}`:                   `{"name":""}`,
		`{ "name" : "\u0041\n\u2028" }`: "{\"name\":\"A\\n\u2028\"}",
		`{"name":"","size":1e1,"big":-9223372036854775808,"count":4294967295.0,"huge":18446744073709551615}`: `{"name":"","size":10,"big":-9223372036854775808,"count":4294967295,"huge":18446744073709551615}`,
		`{"name":"","size":-0,"on":false,"ratio":1.10,"whole":1e30}`:                                         `{"name":"","size":0,"on":false,"ratio":1.10,"whole":1e30}`,
		`{"name":"","any":{"b" : [1.0, null]},"next":{"name":"x","next":{"name":"y"}}}`:                      `{"name":"","any":{"b" : [1.0, null]},"next":{"name":"x","next":{"name":"y"}}}`,
		`{"name":"","null":null,"note":null,"any":null}`:                                                     `{"name":"","any":null,"null":null,"note":null}`,
		`{"name":"","null":{"name":""},"note":""}`:                                                           `{"name":"","null":{"name":""},"note":""}`,
		`{"name":"","kind":"\u0062ig","level":2e1,"step":0.10,"mixed":[1.0],"rate":0.50,"title":"1"}`:        `{"name":"","kind":"big","level":20,"step":0.1,"mixed":[1],"rate":0.50,"title":"1"}`,
		`{"name":"","list":[],"when":["",null],"flags":{},"grid":[[],[1]]}`:                                  `{"name":"","list":[],"when":["",null],"flags":{},"grid":[[],[1]]}`,
		`{"name":"","map":{"b":null,"a":["big"]},"plain":[],"ptr":"","closed":{"b":null,"a":1}}`:             `{"name":"","map":{"a":["big"],"b":null},"plain":[],"ptr":"","closed":{"a":1,"b":null}}`,
		`{"name":"","a,b'\"\n":1,"NAME":2,"Name":3,"\u0000":{"x": 1}}`:                                       `{"name":"","a,b'\"\n":1,"\u0000":{"x": 1},"NAME":2,"Name":3}`,
	} {
		var v everything
		if err := canon.Unmarshal([]byte(in), &v); err != nil {
			t.Errorf("Unmarshal(%s): %v", in, err)
			continue
		}
		out, err := canon.Marshal(v)
		if err != nil || string(out) != want {
			t.Errorf("Unmarshal and Marshal of\n     %s\ngot  %s, %v\nwant %s", in, out, err, want)
		}
		if got, want := canonical(t, string(out), nil), canonical(t, in, nil); got != want {
			t.Errorf("%s is now another document: %s", in, out)
		}
		// encoding/json gets there through the methods, and adds nothing but compaction.
		var w everything
		if err := json.Unmarshal([]byte(in), &w); err != nil || !reflect.DeepEqual(v, w) {
			t.Errorf("json.Unmarshal(%s) = %+v, %v; want %+v", in, w, err, v)
		}
		out, err = json.Marshal(v)
		if err != nil || canonical(t, string(out), nil) != canonical(t, in, nil) {
			t.Errorf("json.Marshal of %s: %s, %v", in, out, err)
		}
	}
}

func TestThreeStates(t *testing.T) {
	t.Parallel()
	type patch struct {
		Assignee canon.Optional[canon.Nullable[string]] `json:"assignee,omitzero"`
	}
	for in, want := range map[string]patch{
		`{}`:                 {},
		`{"assignee":null}`:  {canon.Some(canon.Nullable[string]{})},
		`{"assignee":""}`:    {canon.Some(canon.Of(""))},
		`{"assignee":"zoe"}`: {canon.Some(canon.Of("zoe"))},
	} {
		var got patch
		if err := json.Unmarshal([]byte(in), &got); err == nil && in == `{"assignee":""}` {
			// a struct without methods: encoding/json leaves it to Optional
			if v, ok := got.Assignee.Get(); !ok || v.IsZero() || canon.Or(v, "null") != "" {
				t.Errorf("json.Unmarshal(%s) = %+v", in, got)
			}
		}
		got = patch{canon.Some(canon.Of("before"))}
		if err := canon.Unmarshal([]byte(in), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Unmarshal(%s) = %+v, %v; want %+v", in, got, err, want)
		}
		for name, marshal := range map[string]func(any) ([]byte, error){"canon": canon.Marshal, "json": json.Marshal} {
			if out, err := marshal(want); err != nil || string(out) != in {
				t.Errorf("%s.Marshal(%+v) = %s, %v; want %s", name, want, out, err, in)
			}
		}
	}
	var absent canon.Optional[int64]
	if v, ok := absent.Get(); ok || v != 0 || canon.Or(absent, 7) != 7 || !absent.IsZero() {
		t.Errorf("the zero Optional is %+v", absent)
	}
	var null canon.Nullable[int64]
	if v, ok := null.Get(); ok || v != 0 || canon.Or(null, 7) != 7 || !null.IsZero() || canon.Of[int64](0).IsZero() {
		t.Errorf("the zero Nullable is %+v", null)
	}
}

func TestUnmarshalErrors(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{}`:                                          `member "name" is missing (byte 0)`,
		`{"NAME":"x"}`:                                `member "name" is missing (byte 0)`,
		`{"name":null}`:                               `null where a string is wanted at /name (byte 8)`,
		`{"name":1}`:                                  `a number where a string is wanted at /name (byte 8)`,
		`[]`:                                          `an array where an object is wanted (byte 0)`,
		`{"name":"","size":"1"}`:                      `a string where a whole number is wanted at /size (byte 17)`,
		`{"name":"","size":1.5}`:                      `a fraction where a whole number is wanted at /size (byte 17)`,
		`{"name":"","size":null}`:                     `null where a whole number is wanted at /size (byte 17)`,
		`{"name":"","size":2147483648}`:               `number does not fit int32 at /size (byte 17)`,
		`{"name":"","big":9223372036854775808}`:       `number does not fit int64 at /big (byte 16)`,
		`{"name":"","count":-1}`:                      `number does not fit uint32 at /count (byte 18)`,
		`{"name":"","huge":1e20}`:                     `number does not fit uint64 at /huge (byte 17)`,
		`{"name":"","on":"true"}`:                     `a string where true or false is wanted at /on (byte 15)`,
		`{"name":"","ratio":"1.10"}`:                  `a string where a number is wanted at /ratio (byte 18)`,
		`{"name":"","whole":0.5}`:                     `a fraction where a whole number is wanted at /whole (byte 18)`,
		`{"name":"","list":{}}`:                       `an object where an array is wanted at /list (byte 17)`,
		`{"name":"","list":[{"name":"a"},{}]}`:        `member "name" is missing at /list/1 (byte 31)`,
		`{"name":"","kind":"BIG"}`:                    `value is not one of "small", "big" at /kind (byte 17)`,
		`{"name":"","level":2}`:                       `value is not one of 1, 20 at /level (byte 18)`,
		`{"name":"","step":0.2}`:                      `value is not one of 0.1, 1 at /step (byte 17)`,
		`{"name":"","step":"1"}`:                      `a string where a number is wanted at /step (byte 17)`,
		`{"name":"","mixed":true}`:                    `value is not one of null, "x", 1, [1] at /mixed (byte 18)`,
		`{"name":"","rate":"1"}`:                      `a string where a number is wanted at /rate (byte 17)`,
		`{"name":"","map":{"é~/":1}}`:                 `a number where an array is wanted at /map/é~0~1 (byte 26)`,
		`{"name":"","closed":{"a":1,"b":null,"A":2}}`: `member is not declared at /closed/A (byte 36)`,
		`{"name":"","closed":{}}`:                     `members "a", "b" are missing at /closed (byte 20)`,
		`{"name":"","closed":{"hidden":1}}`:           `member is not declared at /closed/hidden (byte 21)`,
		`{"name":"","name":""}`:                       `duplicate member name at /name (byte 11)`,
		`{"name":"","any":{"a":1,"a":1}}`:             `duplicate member name at /any/a (byte 24)`,
		`{"name":"","ptr":null}`:                      `null where a string is wanted at /ptr (byte 17)`,
		`{"name":"","plain":null}`:                    `null where an array is wanted at /plain (byte 19)`,
	} {
		err := canon.Unmarshal([]byte(in), new(everything))
		if e := new(canon.Error); !errors.As(err, &e) || strings.Split(e.Error(), " (byte")[0] != strings.Split(want, " (byte")[0] {
			t.Errorf("Unmarshal(%s)\n got %v\nwant %s", in, err, want)
		}
	}
}

func TestMarshalErrors(t *testing.T) {
	t.Parallel()
	type loop struct {
		Next *loop `json:"next"`
	}
	circle := &loop{}
	circle.Next = circle
	deep := canon.Value(strings.Repeat("[", 1000) + strings.Repeat("]", 1000))
	for want, v := range map[string]any{
		"invalid UTF-8 at /name":                      everything{Name: "\xff"},
		"invalid UTF-8 at /\xff":                      everything{Extra: canon.Extra{"\xff": "1"}},
		"not a number at /ratio":                      everything{Ratio: canon.Some(canon.Number(""))},
		"not a number at /rate":                       everything{Rate: canon.Some(rate("1,\"x\":2"))},
		"number has an exponent beyond 400 at /ratio": everything{Ratio: canon.Some(canon.Number("1e999"))},
		"not a whole number at /whole":                everything{Whole: canon.Some(canon.Integer("1.5"))},
		"not a JSON value: unexpected end of the document, want a value at /any": everything{Any: canon.Some(canon.Value(""))},
		"not a JSON value: data after the document at /any":                      everything{Any: canon.Some(canon.Value(`1,"name":2`))},
		"not a JSON value: duplicate member name at /list/1/x":                   everything{List: canon.Some([]everything{{}, {Extra: canon.Extra{"x": `{"a":1,"a":2}`}}})},
		"not a JSON value: nested deeper than 1000 at /any":                      everything{Any: canon.Some(deep)},
		"undeclared member has the name of a declared one at /size":              everything{Extra: canon.Extra{"size": "1"}},
		`value is not one of "small", "big" at /kind`:                            everything{Kind: canon.Some(kind(""))},
		`value is not one of 1, 20 at /level`:                                    everything{Level: canon.Some(level(2))},
		`value is not one of "small", "big" at /map/x/1`:                         everything{Map: canon.Some(map[title]canon.Nullable[[]kind]{"x": canon.Of([]kind{"big", "BIG"})})},
		"an absent value has no JSON form":                                       canon.Optional[int64]{},
		"nested deeper than 1000" + " at " + strings.Repeat("/next", 40) + "…":   circle,
		"nil pointer at /next":                                                   loop{},
		"invalid UTF-8 at /" + strings.Repeat("0/", 3) + "0":                     [][][][]string{{{{"\xff"}}}},
	} {
		out, err := canon.Marshal(v)
		if e := new(canon.Error); !errors.As(err, &e) || e.Offset != -1 || out != nil {
			t.Errorf("Marshal of %T = %s, %v; want an *Error", v, out, err)
		} else if got := e.Error(); got != want && got != "invalid UTF-8 at \"/\\xff\"" {
			t.Errorf("Marshal\n got %s\nwant %s", got, want)
		}
	}
}

// Types that no JSON fits are a fault of the program, not of a document.
func TestTypesWithoutForm(t *testing.T) {
	t.Parallel()
	type inner struct{ A int64 }
	for want, v := range map[string]any{
		"canon: type float64: float64 has no exact JSON form":                                                                       new(float64),
		"canon: type []uint8: uint8 has no exact JSON form":                                                                         new([]byte),
		"canon: type map[int64]string: keys of map[int64]string are not strings":                                                    new(map[int64]string),
		"canon: type []canon.Optional[int64]: canon.Optional[int64] is not a member of a struct":                                    new([]canon.Optional[int64]),
		"canon: type struct { A interface {} }: field struct { A interface {} }.A: interface {} has no exact JSON form":             new(struct{ A any }),
		"canon: type struct { canon_test.inner }: field struct { canon_test.inner }.inner: embedded fields have no exact JSON form": new(struct{ inner }),
		"canon: type struct { A string \"json:\\\"a,omitempty\\\"\" }: field struct { A string \"json:\\\"a,omitempty\\\"\" }.A: option \"omitempty\" is not known": new(struct {
			A string `json:"a,omitempty"`
		}),
		"canon: type canon_test.broken: enum of canon_test.broken: \"x\": unexpected 'x', want a value (byte 0)": new(broken),
	} {
		for range 2 { // the second time too
			if err := canon.Unmarshal([]byte(`1`), v); err == nil || err.Error() != want {
				t.Errorf("Unmarshal into %T\n got %v\nwant %s", v, err, want)
			}
			if _, err := canon.Marshal(v); err == nil {
				t.Errorf("Marshal of %T: no error", v)
			}
		}
	}
	for _, v := range []any{nil, 1, everything{}, (*everything)(nil)} {
		err := canon.Unmarshal([]byte(`1`), v)
		if e := new(canon.Error); err == nil || errors.As(err, &e) {
			t.Errorf("Unmarshal into %T: %v", v, err)
		}
	}
	if _, err := canon.Marshal(nil); err == nil {
		t.Error("Marshal of nil: no error")
	}
}

type broken string

func (broken) Enum() []canon.Value { return []canon.Value{"x"} }

func TestMarshalZeroValues(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]any{
		`[]`:                          []string(nil),
		`{}`:                          canon.Extra(nil),
		`null`:                        canon.Nullable[string]{},
		`{"a":0,"b":null}`:            closed{},
		`{"a":1,"b":[]}`:              &closed{A: 1, B: canon.Of([]int64(nil)), hidden: 1},
		`{"\u0001\"":["\u001f\\é😀"]}`: map[string][]string{"\x01\"": {"\x1f\\é😀"}},
		`12`:                          canon.Some(int32(12)),
	} {
		if out, err := canon.Marshal(v); err != nil || string(out) != want {
			t.Errorf("Marshal(%+v) = %s, %v; want %s", v, out, err, want)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	for v, want := range map[canon.Value]canon.Kind{
		"": canon.KindInvalid, "x": canon.KindInvalid, " ": canon.KindInvalid,
		"null": canon.KindNull, "true": canon.KindBool, "false": canon.KindBool, "-1": canon.KindNumber, "0": canon.KindNumber,
		`"a"`: canon.KindString, " [1]": canon.KindArray, "\n{}": canon.KindObject,
	} {
		if got := v.Kind(); got != want {
			t.Errorf("Value(%q).Kind() = %d, want %d", string(v), got, want)
		}
	}
	v, err := canon.ValueOf(closed{A: 1})
	if err != nil || v != `{"a":1,"b":null}` {
		t.Errorf("ValueOf = %s, %v", v, err)
	}
	var c closed
	if err := v.Decode(&c); err != nil || c.A != 1 {
		t.Errorf("Decode = %+v, %v", c, err)
	}
	if _, err := canon.ValueOf("\xff"); err == nil {
		t.Error("ValueOf takes invalid UTF-8")
	}
	var user struct {
		V canon.Value
		N canon.Number
		I canon.Integer
		X canon.Extra
	}
	const doc = `{"V":{"a":1.0},"N":1.10,"I":1e1,"X":{"y":[1]}}`
	if err := json.Unmarshal([]byte(doc), &user); err != nil || user.N != "1.10" {
		t.Errorf("json.Unmarshal = %+v, %v", user, err)
	}
	if out, err := json.Marshal(user); err != nil || string(out) != doc {
		t.Errorf("json.Marshal = %s, %v", out, err)
	}
}

// In a map, or where a field is not tagged omitzero, encoding/json wants something in the place of what is absent.
func TestAbsentInTheHandsOfEncodingJSON(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(map[string]any{"fee": canon.Optional[string]{}, "note": canon.Some("x")})
	if want := `{"fee":null,"note":"x"}`; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
