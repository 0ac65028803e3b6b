package faults_test

import (
	"fmt"
	"slices"
	"testing"
)

// A history is what the clients of one key have seen.
type history struct {
	mode mode
	ids  []string // of the results, without repetition
	last answer   // when all was quiet again
}

func (h *history) saw(a answer) {
	if a.done() && !slices.Contains(h.ids, a.id) {
		h.ids = append(h.ids, a.id)
	}
}

// A verdict is what the histories of all keys say, beside the effects that are there.
type verdict struct {
	keys       int
	duplicates []string // keys whose effect was done twice
	lost       []string // keys whose clients were told what is not so, or cannot learn what is
	unsettled  []string // keys without an answer that stays
	wrong      []string // what else was seen that should not be
	unknown    int      // keys of lease mode whose outcome is unknown
}

// audit holds what clients were told to what there is.
func audit(histories map[string]*history, effects map[string][]string) verdict {
	v := verdict{keys: len(histories)}
	for name, h := range histories {
		done := effects[name]
		note := fmt.Sprintf("%s: told %q, and there is %q; in the end %s", name, h.ids, done, h.last)
		switch {
		case len(done) > 1:
			v.duplicates = append(v.duplicates, note)
		case !h.last.done() && h.last.String() != unknown:
			v.unsettled = append(v.unsettled, note)
		case len(h.ids) > 0 && !slices.Equal(h.ids, done):
			v.lost = append(v.lost, note)
		case h.mode == joined && (!h.last.done() || len(done) != 1):
			v.lost = append(v.lost, note)
		case h.last.String() == unknown:
			v.unknown++
		}
	}
	for name, done := range effects {
		if histories[name] == nil {
			v.duplicates = append(v.duplicates, fmt.Sprintf("%s: nobody asked for %q", name, done))
		}
	}
	return v
}

// report fails the test where there is anything to complain of.
func report(t testing.TB, v verdict) {
	t.Helper()
	for what, keys := range map[string][]string{"done twice": v.duplicates, "lost": v.lost, "not settled": v.unsettled,
		"treated wrongly": v.wrong} {
		if len(keys) > 0 {
			t.Errorf("%d of %d keys %s, such as\n%s", len(keys), v.keys, what, keys[0])
		}
	}
}

func TestAudit(t *testing.T) {
	t.Parallel()
	done, open := answer{status: 201, id: "a"}, answer{status: 409, code: "idempotency_outcome_unknown"}
	for _, test := range []struct {
		name    string
		h       history
		effects []string
		want    [4]int // duplicates, lost, unsettled, unknown
	}{
		{"fine", history{joined, []string{"a"}, done}, []string{"a"}, [4]int{}},
		{"fine, in lease mode", history{lease, []string{"a"}, done}, []string{"a"}, [4]int{}},
		{"twice", history{joined, []string{"a"}, done}, []string{"a", "b"}, [4]int{1, 0, 0, 0}},
		{"another's", history{joined, []string{"a"}, done}, []string{"b"}, [4]int{0, 1, 0, 0}},
		{"two results", history{lease, []string{"a", "b"}, done}, []string{"a"}, [4]int{0, 1, 0, 0}},
		{"no effect", history{joined, []string{"a"}, done}, nil, [4]int{0, 1, 0, 0}},
		{"no effect, in lease mode", history{lease, []string{"a"}, open}, nil, [4]int{0, 1, 0, 0}},
		{"unknown", history{lease, nil, open}, []string{"a"}, [4]int{0, 0, 0, 1}},
		{"unknown, and nothing done", history{lease, nil, open}, nil, [4]int{0, 0, 0, 1}},
		{"unknown, in joined mode", history{joined, nil, open}, nil, [4]int{0, 1, 0, 0}},
		{"no answer", history{lease, nil, answer{status: 503}}, nil, [4]int{0, 0, 1, 0}},
	} {
		v := audit(map[string]*history{"k": &test.h}, map[string][]string{"k": test.effects})
		if got := [4]int{len(v.duplicates), len(v.lost), len(v.unsettled), v.unknown}; got != test.want {
			t.Errorf("%s: duplicates, lost, unsettled, unknown %v, not %v", test.name, got, test.want)
		}
	}
	v := audit(nil, map[string][]string{"k": {"a"}})
	if len(v.duplicates) != 1 {
		t.Errorf("an effect that nobody asked for: %+v", v)
	}
}
