package canon_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/runtime/canon"
)

func TestRules(t *testing.T) {
	t.Parallel()
	set := canon.Rules{{Unordered: true}}
	for name, c := range map[string]struct {
		rules    canon.Rules
		in, want string
	}{
		"none": {canon.Rules{{}}, `[2,1]`, `[2,1]`},
		"ignore": {canon.Rules{{Ignore: []string{"a", "c"}}},
			`{"a":1,"b":{"a":2},"c":[3]}`, `{"b":{"a":2}}`},
		"ignore all":          {canon.Rules{{Ignore: []string{"a"}}}, `{"a":1}`, `{}`},
		"ignore, escaped":     {canon.Rules{{Ignore: []string{"\n", "é"}}}, `{"\u000a":1,"\u00e9":2,"b":3}`, `{"b":3}`},
		"ignore, exact names": {canon.Rules{{Ignore: []string{"a"}}}, `{"A":1,"aa":2}`, `{"A":1,"aa":2}`},
		"unordered":           {set, `[3, 1,2,"b","a",null,1]`, `["a","b",1,1,2,3,null]`},
		"unordered, by canonical form": {set, `[1e1,{"b":1,"a":2},"\u0041",{"a":1}]`,
			`["A",10,{"a":1},{"a":2,"b":1}]`},
		"unordered, not within":  {set, `[[2,1],[1,2]]`, `[[1,2],[2,1]]`},
		"unordered, empty":       {set, `[ ]`, `[]`},
		"unordered, of a string": {set, `"ba"`, `"ba"`},
		"items": {canon.Rules{{Items: 1}, {Ignore: []string{"at"}}},
			`[{"at":1,"x":1},{"x":2},3]`, `[{"x":1},{"x":2},3]`},
		"sorted after ignore": {canon.Rules{{Unordered: true, Items: 1}, {Ignore: []string{"at"}}},
			`[{"at":1,"x":2},{"at":2,"x":1}]`, `[{"x":1},{"x":2}]`},
		"members": {canon.Rules{{Members: []canon.Member{{Name: "é", Rule: 1}}}, {Unordered: true}},
			`{"\u00e9":[2,1],"e":[2,1]}`, `{"e":[2,1],"é":[1,2]}`},
		"rest": {canon.Rules{{Ignore: []string{"c"}, Members: []canon.Member{{Name: "a", Rule: 2}}, Rest: 1}, {Unordered: true}, {}},
			`{"a":[2,1],"b":[2,1],"c":0}`, `{"a":[2,1],"b":[1,2]}`},
		"recursive": {canon.Rules{{Members: []canon.Member{{Name: "next", Rule: 1}}},
			{Ignore: []string{"at"}, Members: []canon.Member{{Name: "next", Rule: 1}}}},
			`{"at":0,"next":{"at":1,"next":{"at":2,"next":{}}}}`, `{"at":0,"next":{"next":{"next":{}}}}`},
		"unordered in unordered in unordered": {canon.Rules{{Unordered: true, Items: 1}, {Unordered: true, Items: 1}},
			`[[[[[2,1],[1,0]],0],0],[[[[0,1],[2,1]],0],1]]`, `[[0,[0,[[0,1],[1,2]]]],[1,[0,[[0,1],[1,2]]]]]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := canonical(t, c.in, c.rules); got != c.want {
				t.Errorf("Append(%s)\n got %s\nwant %s", c.in, got, c.want)
			}
		})
	}
}

// What is ignored is still checked: a handler sees it.
func TestIgnoredMembersAreChecked(t *testing.T) {
	t.Parallel()
	rules := canon.Rules{{Ignore: []string{"t"}}}
	for in, want := range map[string]string{
		`{"t":1,"a":0,"t":2}`:    "duplicate member name at /t (byte 13)",
		`{"t":1,"\u0074":2}`:     "duplicate member name at /t (byte 7)",
		`{"t":{"a":1,"a":2}}`:    "duplicate member name at /t/a (byte 12)",
		`{"t":"\ud800"}`:         "lone surrogate at /t (byte 6)",
		`{"t":1e999}`:            "number has an exponent beyond 400 at /t (byte 5)",
		`{"t":01}`:               "unexpected '1', want a comma or } at /t (byte 6)",
		`{"a":{"t":1},"t":[tru]`: "unexpected 't', want a value at /t/0 (byte 18)",
	} {
		if _, err := canon.Append(nil, []byte(in), rules); err == nil || err.Error() != want {
			t.Errorf("Append(%s): %v, want %s", in, err, want)
		}
	}
}

func TestMalformedRules(t *testing.T) {
	t.Parallel()
	for want, rules := range map[string]canon.Rules{
		"canon: rule 0: items refer to rule 1 of 1":                 {{Items: 1}},
		"canon: rule 0: items refer to rule -1 of 1":                {{Items: -1}},
		"canon: rule 1: the rest refers to rule 2 of 2":             {{}, {Rest: 2}},
		`canon: rule 0: member "a" refers to rule 0 of 1`:           {{Members: []canon.Member{{Name: "a"}}}},
		`canon: rule 0: member "a" refers to rule 9 of 1`:           {{Members: []canon.Member{{Name: "a", Rule: 9}}}},
		`canon: rule 0: members are not in order`:                   {{Members: []canon.Member{{Name: "b", Rule: 1}, {Name: "a", Rule: 1}}}, {}},
		`canon: rule 1: ignored members are not in order`:           {{}, {Ignore: []string{"a", "a"}}},
		`canon: rule 0: member "" refers to rule -9 of 1`:           {{Members: []canon.Member{{Rule: -9}}}},
		"canon: rule 0: the rest refers to rule 4611686018427 of 1": {{Rest: 4611686018427}},
	} {
		out, err := canon.Append([]byte("kept"), []byte(`{"a":[1]}`), rules)
		if err == nil || err.Error() != want || string(out) != "kept" {
			t.Errorf("Append under %+v = %q, %v; want %s", rules, out, err, want)
		}
		if e := new(canon.Error); errors.As(err, &e) {
			t.Errorf("%v is blamed on the document", err)
		}
		if got := rules.Check(); got == nil || got.Error() != want {
			t.Errorf("Check = %v, want %s", got, want)
		}
	}
}

// Large objects and arrays are sorted by another algorithm than small ones.
func TestManyMembers(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 500 {
		names = append(names, `"`+strings.Repeat("x", i%23)+string(rune('A'+i%26))+string(rune('a'+i/26))+`"`)
	}
	in := "{" + strings.Join(names, ":1,") + ":1}"
	slices.Sort(names) // no name is the start of another
	want := "{" + strings.Join(names, ":1,") + ":1}"
	if got := canonical(t, in, nil); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if _, err := canon.Append(nil, []byte(in[:len(in)-1]+","+names[77]+":2}"), nil); err == nil || !strings.HasPrefix(err.Error(), "duplicate member name at /") {
		t.Errorf("a duplicate among many: %v", err)
	}
}
