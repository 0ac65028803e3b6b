package canon_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

// canonical is the canonical form of src, which must have one.
func canonical(t testing.TB, src string, r canon.Rules) string {
	t.Helper()
	out, err := canon.Append(nil, []byte(src), r)
	if err != nil {
		t.Fatalf("Append(%.200q): %v", src, err)
	}
	return string(out)
}

func TestAppend(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 40)
	for name, c := range map[string]struct{ in, want string }{
		"scalar":                   {`true`, `true`},
		"blanks":                   {" \r\n\t[ 1 ,\t2 , { } , [ ] ] \n", `[1,2,{},[]]`},
		"order":                    {`{"b":1,"a":2,"":3,"ab":4}`, `{"":3,"a":2,"ab":4,"b":1}`},
		"order, long names":        {`{"prefixes2":1,"prefixes10":2,"prefixes":3}`, `{"prefixes":3,"prefixes10":2,"prefixes2":1}`},
		"order, nested":            {`{"z":{"b":[{"d":1,"c":2}],"a":0},"y":[]}`, `{"y":[],"z":{"a":0,"b":[{"c":2,"d":1}]}}`},
		"order, escaped names":     {`{"\\":1,"[":2,"]":3,"\"":4,"!":5,"#":6,"\u0000":7,"\n":8}`, `{"\u0000":7,"\n":8,"!":5,"\"":4,"#":6,"[":2,"\\":1,"]":3}`},
		"order, RFC 8785 3.2.3":    {`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`, "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}"},
		"order, surrogates late":   {`{"12345678\uffff":1,"12345678\ud83d\ude00":2}`, "{\"12345678😀\":2,\"12345678\uffff\":1}"},
		"order, private use":       {`{"\ue000":1,"\udbff\udfff":2,"\ud7ff":3}`, "{\"\ud7ff\":3,\"\U0010ffff\":2,\"\ue000\":1}"},
		"arrays keep their order":  {`[3,1,2]`, `[3,1,2]`},
		"unsorted inside an array": {`[1,{"b":1,"a":2},2,[{"d":0,"c":0}],3]`, `[1,{"a":2,"b":1},2,[{"c":0,"d":0}],3]`},
		"RFC 8785 3.2.2": {`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
			`{"literals":[null,true,false],"numbers":[333333333.33333329,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		"escapes, canonical":      {`"\b\f\n\r\t\"\\\u0000\u001f\u000b"`, `"\b\f\n\r\t\"\\\u0000\u001f\u000b"`},
		"escapes, not canonical":  {`"\u0008\u000C\u000a\u000d\u0009\u0022\u005C\u001F\/\u007f\u2028"`, "\"\\b\\f\\n\\r\\t\\\"\\\\\\u001f/\u007f\u2028\""},
		"escapes, mixed":          {`["a\u0062c","\ud834\udd1ex","\u00e9` + long + `"]`, "[\"abc\",\"\U0001d11ex\",\"é" + long + "\"]"},
		"no normalisation":        {`["é","é"]`, `["é","é"]`},
		"escaped name":            {`{"\u0062":1,"\u0061":2}`, `{"a":2,"b":1}`},
		"empty name and value":    {`{"":""}`, `{"":""}`},
		"noncharacters":           {`"\ufffe\uffff"`, "\"\ufffe\uffff\""},
		"U+FFFD itself is a text": {`"` + "\ufffd" + `\ufffd"`, "\"\ufffd\ufffd\""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := canonical(t, c.in, nil); got != c.want {
				t.Errorf("Append(%s)\n got %s\nwant %s", c.in, got, c.want)
			}
			if got := canonical(t, c.want, nil); got != c.want {
				t.Errorf("not a fixed point: %s\n         becomes %s", c.want, got)
			}
		})
	}
}

func TestAppendErrors(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 1001)
	for _, c := range []struct {
		in     string
		offset int
		path   string
		reason string
	}{
		{``, 0, "", "unexpected end of the document, want a value"},
		{`  `, 2, "", "unexpected end of the document, want a value"},
		{"\ufeff{}", 0, "", `unexpected '\ufeff', want a value`},
		{`{} {}`, 3, "", "data after the document"},
		{`01`, 1, "", "data after the document"},
		{`tru`, 0, "", "unexpected 't', want a value"},
		{`+1`, 0, "", "unexpected '+', want a value"},
		{`.5`, 0, "", "unexpected '.', want a value"},
		{`NaN`, 0, "", "unexpected 'N', want a value"},
		{`-`, 1, "", "unexpected end of the document, want a digit"},
		{`1.`, 2, "", "unexpected end of the document, want a digit"},
		{`1.e1`, 2, "", "unexpected 'e', want a digit"},
		{`[1e+]`, 4, "/0", "unexpected ']', want a digit"},
		{`{"a":[1,{"b":2,}]}`, 15, "/a/1", "unexpected '}', want a member name"},
		{`[1,]`, 3, "/1", "unexpected ']', want a value"},
		{`[1 2]`, 3, "/0", "unexpected '2', want a comma or ]"},
		{`{"a" 1}`, 5, "/a", "unexpected '1', want a colon"},
		{`{"a":1 "b":2}`, 7, "/a", `unexpected '"', want a comma or }`},
		{`{a:1}`, 1, "", "unexpected 'a', want a member name"},
		{`{'a':1}`, 1, "", `unexpected '\'', want a member name`},
		{`{"a":1`, 6, "/a", "unexpected end of the document, want a comma or }"},
		{`[1] // no`, 4, "", "data after the document"},
		{`"a`, 2, "", "unexpected end of the document in a string"},
		{`"\`, 2, "", "unexpected end of the document in a string"},
		{`["\x"]`, 2, "/0", "invalid escape"},
		{`"\u12g4"`, 1, "", `\u without four hexadecimal digits`},
		{`"\u12`, 1, "", `\u without four hexadecimal digits`},
		{"\"a\tb\"", 2, "", "control character in a string"},
		{"{\"a\":\"x\xffy\"}", 7, "/a", "invalid UTF-8"},
		{"\"\xc0\xaf\"", 1, "", "invalid UTF-8"},
		{"\"\xed\xa0\x80\"", 1, "", "invalid UTF-8"},
		{"{\"\xff\":1}", 2, "", "invalid UTF-8"},
		{`{"a":"\ud800"}`, 6, "/a", "lone surrogate"},
		{`"\udc00\ud800"`, 1, "", "lone surrogate"},
		{`"\ud800\u0041"`, 1, "", "lone surrogate"},
		{`{"\ud800":1}`, 2, "", "lone surrogate"},
		{`{"a":1,"b":2,"a":3}`, 13, "/a", "duplicate member name"},
		{`{"a":1,"\u0061":3}`, 7, "/a", "duplicate member name"},
		{`{"x":[0,{"\n":1,"b":0,"\u000a":3}]}`, 22, "/x/1/\n", "duplicate member name"},
		{`{"a/b~c":{"é":1,"\u00e9":1}}`, 17, "/a~1b~0c/é", "duplicate member name"},
		{`{"longer than eight":1,"longer than eight":2}`, 23, "/longer than eight", "duplicate member name"},
		{deep, 1000, strings.Repeat("/0", 1000), "nested deeper than 1000"},
		{`1e401`, 0, "", "number has an exponent beyond 400"},
		{`[0.1e-400]`, 1, "/0", "number has an exponent beyond 400"},
		{`1e99999999999999999999`, 0, "", "number has an exponent beyond 400"},
		{strings.Repeat("1", 1001), 0, "", "number has more than 1000 significant digits"},
	} {
		dst := []byte("kept")
		out, err := canon.Append(dst, []byte(c.in), nil)
		var e *canon.Error
		if !errors.As(err, &e) {
			t.Errorf("Append(%.60q) = %q, %v; want an *Error", c.in, out, err)
			continue
		}
		if want := (canon.Error{Offset: c.offset, Path: c.path, Reason: c.reason}); *e != want {
			t.Errorf("Append(%.60q)\n got %+v\nwant %+v", c.in, *e, want)
		}
		if string(out) != "kept" {
			t.Errorf("Append(%.60q) left dst as %q", c.in, out)
		}
		if err := canon.Unmarshal([]byte(c.in), new(canon.Value)); err == nil || err.Error() != e.Error() {
			t.Errorf("Unmarshal(%.60q) = %v, want what Append says", c.in, err)
		}
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  canon.Error
		want string
	}{
		{canon.Error{Offset: 120, Path: "/lines/3/sku", Reason: "duplicate member name"}, "duplicate member name at /lines/3/sku (byte 120)"},
		{canon.Error{Offset: 0, Reason: "invalid escape"}, "invalid escape (byte 0)"},
		{canon.Error{Offset: -1, Path: "/a", Reason: "invalid UTF-8"}, "invalid UTF-8 at /a"},
		{canon.Error{Offset: 7, Path: "/a\nb", Reason: "invalid UTF-8"}, `invalid UTF-8 at "/a\nb" (byte 7)`},
		{canon.Error{Offset: 7, Path: "/" + strings.Repeat("ü", 300), Reason: "wrong"}, "wrong at /" + strings.Repeat("ü", 99) + "… (byte 7)"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// What is around dst and src stays as it was, and they may share an array.
func TestAppendInPlace(t *testing.T) {
	t.Parallel()
	for _, src := range []string{`{"b":[1.0,"\u0041"],"a":{"d":1,"c":2}}`, ` [ 1 , 2 ] `, `{"a":1}`} {
		want := canonical(t, src, nil)
		sent := []byte(src)
		out, err := canon.Append([]byte("before "), sent, nil)
		if err != nil || string(out) != "before "+want || string(sent) != src {
			t.Errorf("Append = %q, %v; src is now %q", out, err, sent)
		}
		out, err = canon.Append(sent[:0], sent, nil)
		if err != nil || string(out) != want {
			t.Errorf("in place: %q, %v; want %q", out, err, want)
		}
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector a sync.Pool forgets things on purpose")
	}
	rules := canon.Rules{{Ignore: []string{"t", "ü"}, Rest: 1}, {Unordered: true, Rest: 1, Items: 1}}
	for name, src := range map[string]string{
		"canonical": `{"a":[1,2],"b":"x"}`,
		"unsorted":  `{"b":{"d":1,"c":2,"12345678x":3,"12345678a":4},"a":[{"z":1,"y":2}],"t":0}`,
		"escaped":   `{"\u0062":"\u000a\/","a\n":"\ud83d\ude00","ü":1}`,
		"numbers":   `[1.0,1e1,-0.0,1e-7,123456789012345678901234567890]`,
		"indented":  "{\n  \"b\": [ 1, 2 ],\n  \"a\": 3\n}\n",
		"unordered": `{"x":[3,2,[{"b":1,"a":2},{"b":1,"a":1},[[[[{"b":[2,1],"a":3},{"b":[2,1],"a":2}],0],0],0]],1]}`,
		"wide":      `{"x":[` + strings.Repeat(`{"b":1,"a":[2,1]},`, 400) + `0],"a":{` + strings.Repeat(" ", 100) + `"q":1}}`,
		"100 KB":    string(order(620)),
	} {
		for _, r := range []canon.Rules{nil, rules} {
			dst := make([]byte, 0, len(canonical(t, src, r)))
			in := []byte(src)
			if n := testing.AllocsPerRun(100, func() {
				if _, err := canon.Append(dst, in, r); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("%s, %d rules: %v allocations", name, len(r), n)
			}
		}
	}
}

// Many goroutines share the scratch memory.
func TestAppendConcurrently(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{0, 1, 3, 10, 50} {
		src := order(lines)
		want := []byte(canonical(t, string(src), nil))
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for range 50 {
				if out, err := canon.Append(nil, src, nil); err != nil || !bytes.Equal(out, want) {
					t.Fatalf("Append = %q, %v", out, err)
				}
				if _, err := canon.Append(nil, src[:len(src)/2], nil); err == nil {
					t.Fatal("half a document is one")
				}
			}
		})
	}
}
