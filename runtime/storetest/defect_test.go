package storetest_test

import (
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// defects are what can be seeded in the reference, and the rule that says so.
var defects = []struct{ defect, rule string }{
	{"a conflict ends the lease", "lookup-tells-what-is-there"},
	{"a conflict shows the response", "conflict-after-finalize"},
	{"a cursor counts records", "unresolved-pages-lose-nothing"},
	{"a cursor is the key's value", "unresolved-keys-are-bytes"},
	{"a fence cannot begin a new key", "absent-key-is-reserved"},
	{"a late owner wins", "result-is-final"},
	{"a live lease is taken over by its fence", "live-lease-is-in-progress"},
	{"a page has no limit", "unresolved-keeps-to-its-limit"},
	{"a released key keeps its fingerprint", "released-key-is-free"},
	{"a replay shares the record's slices", "slices-are-copied"},
	{"a resolved key's fence starts again", "resolve-releases"},
	{"a result is taken over by its fence", "finalized-is-replayed"},
	{"a second Resolve succeeds", "resolved-is-final"},
	{"a second Resolve wins", "resolved-is-final"},
	{"an empty body is a tombstone", "empty-body-is-a-result"},
	{"an owner is its own duplicate", "begin-repeats"},
	{"an owner's second result wins", "result-is-final"},
	{"answers without the time", "answers-tell-the-time"},
	{"any fence takes over", "take-over-needs-the-fence"},
	{"Begin again does not start the lease again", "begin-repeats"},
	{"Begin answers from a record past its retention", "past-retention-is-new"},
	{"bodies are text", "bytes-survive"},
	{"checks, then acts", "race-has-one-winner"},
	{"conflict is not seen after finalize", "conflict-after-finalize"},
	{"conflict is not seen after the lease", "conflict-after-lease"},
	{"conflict is not seen in flight", "conflict-in-flight"},
	{"evicts a live record when full", "full-refuses-new-keys"},
	{"expiry counts from the reservation", "expiry-counts-from-finalize"},
	{"fence starts again after a removal", "fence-never-goes-back"},
	{"Finalize does not check the token", "finalize-needs-the-token"},
	{"Finalize works once", "finalize-repeats"},
	{"Finalize works within the lease only", "owner-outlives-its-lease"},
	{"header lines are joined", "header-lines-stay-lines"},
	{"header names are made canonical", "header-lines-stay-lines"},
	{"joined becomes unknown", "joined-is-never-unknown"},
	{"joined once, joined for ever", "mode-is-the-owners"},
	{"keeps the caller's slices", "slices-are-copied"},
	{"keys are compared without their blanks", "keys-are-bytes"},
	{"keys are joined by a separator", "keys-are-bytes"},
	{"keys are read as UTF-8", "keys-are-bytes"},
	{"listed keys are UTF-8", "unresolved-keys-are-bytes"},
	{"Lookup keeps the attempt alive", "lookup-changes-nothing"},
	{"Lookup removes what is unknown", "lookup-changes-nothing"},
	{"Lookup says unknown of a joined one", "lookup-tells-what-is-there"},
	{"no retention is none", "keep-zero-is-not-none"},
	{"NUL ends a body", "bytes-survive"},
	{"only the sum is compared", "fingerprints-are-whole"},
	{"Release does not check the token", "release-needs-the-token"},
	{"Release works once", "release-repeats"},
	{"Release works within the lease only", "owner-outlives-its-lease"},
	{"Renew adds to the lease", "renew-counts-from-now"},
	{"Renew by 0 does nothing", "renew-zero-ends-the-lease"},
	{"Renew does not check the token", "renew-needs-the-token"},
	{"Renew works once", "renew-repeats"},
	{"Renew works within the lease only", "owner-outlives-its-lease"},
	{"Resolve checks, then acts", "resolve-or-take-over-wins"},
	{"Resolve does not check the fence", "resolve-needs-the-fence"},
	{"Resolve keeps from the reservation", "resolve-keeps-from-now"},
	{"Resolve leaves the owner its token", "resolve-ends-the-attempt"},
	{"Resolve loses the header", "resolve-finalizes"},
	{"Resolve makes a tombstone a result", "resolve-finalizes"},
	{"Resolve never releases", "resolve-releases"},
	{"Resolve of nothing succeeds", "resolved-is-final"},
	{"Resolve overwrites a result", "resolve-settles-the-unknown-only"},
	{"Resolve releases once", "resolve-repeats"},
	{"Resolve settles a live lease", "resolve-settles-the-unknown-only"},
	{"Resolve settles joined work", "resolve-settles-the-unknown-only"},
	{"Resolve without a retention keeps none", "resolve-keeps-from-now"},
	{"Resolve works once", "resolve-repeats"},
	{"sweep eats a live lease", "sweep-spares-the-living"},
	{"sweep eats an unknown", "sweep-spares-the-living"},
	{"sweep eats what is kept", "sweep-spares-the-living"},
	{"sweep eats what was begun anew", "sweep-spares-the-living"},
	{"sweep has no limit", "sweep-keeps-to-its-limit"},
	{"take-over checks, then acts", "take-over-has-one-winner"},
	{"the list forgets what was taken over", "unresolved-lists-the-unknown"},
	{"the list has a record twice", "unresolved-lists-the-unknown"},
	{"the list has joined work", "unresolved-lists-the-unknown"},
	{"the list has live leases", "unresolved-lists-the-unknown"},
	{"the list has no fingerprints", "unresolved-tells-what-it-was"},
	{"the list has results", "unresolved-lists-the-unknown"},
	{"the list tells an earlier fence", "unresolved-tells-what-it-was"},
	{"the list tells when the first owner began", "unresolved-tells-what-it-was"},
	{"the list tells when the lease began", "unresolved-tells-what-it-was"},
	{"the record's fingerprint is not told", "fingerprints-are-whole"},
	{"tombstones run again", "tombstone-is-told"},
	{"unknown work runs again unasked", "lease-over-is-unknown"},
}

func TestReferenceObeys(t *testing.T) {
	t.Parallel()
	storetest.Run(t, harness(""))
}

// Each defect is found by the rule that names it, and by no other.
func TestDefectsAreFound(t *testing.T) {
	t.Parallel()
	for _, d := range defects {
		t.Run(d.defect, func(t *testing.T) {
			t.Parallel()
			found := map[string]error{}
			for _, rule := range storetest.Rules {
				if err := harness(d.defect).Check(t, rule); err != nil {
					found[rule.Name] = err
				}
			}
			checkFound(t, d.rule, found)
		})
	}
}

// checkFound wants an error of the one rule and of no other.
func checkFound(t *testing.T, rule string, found map[string]error) {
	t.Helper()
	if found[rule] == nil {
		t.Errorf("%s does not find it", rule)
	}
	for other, err := range found {
		if other != rule {
			t.Errorf("%s fails too: %v", other, err)
		}
	}
}

// A rule that no defect breaks may be a rule that checks nothing.
func TestEveryRuleFindsADefect(t *testing.T) {
	t.Parallel()
	finds := map[string]bool{}
	for _, d := range defects {
		finds[d.rule] = true
	}
	for _, rule := range storetest.Rules {
		if !finds[rule.Name] {
			t.Errorf("no defect is seeded for %s", rule.Name)
		}
	}
}

// A store that cannot list what is unknown is told so, and does not pass for one that can.
func TestRulesOfAResolverAreSkipped(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	skipped := map[string]bool{}
	h := harness("")
	h.New = func(t testing.TB) idem.Store {
		t.Cleanup(func() {
			mu.Lock()
			defer mu.Unlock()
			skipped[path.Base(t.Name())] = t.Skipped()
		})
		return plain{newReference("")}
	}
	h.Advance = func(_ testing.TB, s idem.Store, d time.Duration) { s.(plain).Store.(*reference).pass(d) }
	h.Bounded = nil
	t.Run("rules", func(t *testing.T) { storetest.Run(t, h) })
	for _, rule := range storetest.Rules {
		about := strings.HasPrefix(rule.Name, "unresolved-") || strings.HasPrefix(rule.Name, "resolve")
		if skipped[rule.Name] != about {
			t.Errorf("%s is skipped: %t", rule.Name, skipped[rule.Name])
		}
	}
}

// plain is a store without what only some have.
type plain struct{ idem.Store }

func TestRulesHaveNamesAndReasons(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, rule := range storetest.Rules {
		if seen[rule.Name] || rule.Reason == "" || rule.Name != strings.ToLower(rule.Name) {
			t.Errorf("rule %q, because %q: wants a name of its own in lower case and a reason", rule.Name, rule.Reason)
		}
		seen[rule.Name] = true
	}
}

// The table must have each cell once: a missing one is a question that two stores may answer differently.
func TestCellsAreComplete(t *testing.T) {
	t.Parallel()
	cells := map[string]int{}
	for _, c := range storetest.Cells {
		cells[c.Name()]++
		if !slices.ContainsFunc(storetest.Rules, func(r storetest.Rule) bool { return r.Name == c.Rule }) {
			t.Errorf("%s belongs to no rule: %q", c.Name(), c.Rule)
		}
	}
	want := func(c storetest.Cell) {
		if cells[c.Name()] != 1 {
			t.Errorf("%s: %d cells", c.Name(), cells[c.Name()])
		}
		delete(cells, c.Name())
	}
	var (
		modes    = []storetest.Mode{storetest.Leased, storetest.Joined}
		requests = []storetest.Request{storetest.Same, storetest.Other}
		fences   = []storetest.TakeOver{storetest.NoFence, storetest.ItsFence, storetest.OtherFence}
		records  = []storetest.Record{storetest.LiveLease, storetest.LeaseOver, storetest.Finalized,
			storetest.Tombstoned, storetest.PastRetention}
	)
	for _, newcomer := range modes {
		for _, fence := range fences {
			if fence != storetest.ItsFence {
				want(storetest.Cell{Record: storetest.NoRecord, Owner: storetest.Leased,
					Request: storetest.Same, Newcomer: newcomer, TakeOver: fence})
			}
			for _, record := range records {
				for _, owner := range modes {
					for _, request := range requests {
						want(storetest.Cell{Record: record, Owner: owner,
							Request: request, Newcomer: newcomer, TakeOver: fence})
					}
				}
			}
		}
	}
	for name := range cells {
		t.Errorf("%s: not in the table's plan", name)
	}
}
