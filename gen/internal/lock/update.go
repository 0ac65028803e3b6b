package lock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Accept is what somebody has said may change.
type Accept struct {
	Renames  map[string]string // the old endpoint key -> the new one
	Removals []string
	Changes  []string // endpoint keys whose rules or route may change
}

// Update brings a lock up to a document, and gives the document's operations what the lock keeps of them. A nil lock is
// the first one. Problems are what changed without anybody accepting it, and what was accepted and did not change.
func Update(old *File, doc *ir.Document, accept Accept) (*File, []ir.Problem) {
	u := updater{old: old, doc: doc, accept: accept, next: Of(doc), used: map[string]bool{}}
	if old == nil {
		u.old = &File{}
	}
	u.heirs = newHeirs(u.old, u.next)
	u.remove()
	u.rename()
	u.carryOver()
	u.add()
	u.routes()
	u.unused()
	u.hand()
	slices.SortStableFunc(u.problems, func(a, b ir.Problem) int {
		if a.Pos.File != b.Pos.File {
			return strings.Compare(a.Pos.File, b.Pos.File)
		}
		return a.Pos.Line - b.Pos.Line
	})
	return u.next, u.problems
}

// updater is an update under way.
type updater struct {
	old, next *File
	heirs     heirs
	doc       *ir.Document
	accept    Accept
	used      map[string]bool // what was accepted, and did change
	problems  []ir.Problem
}

func (u *updater) problem(pos ir.Pos, remedy, format string, args ...any) {
	if pos == (ir.Pos{}) {
		pos = ir.Pos{File: u.doc.File, Line: 1, Col: 1}
	}
	u.problems = append(u.problems, ir.Problem{Pos: pos, What: fmt.Sprintf(format, args...), Remedy: remedy})
}

// remove keeps what was removed before, and what is accepted as removed now.
func (u *updater) remove() {
	for key, e := range u.old.Removed {
		u.next.Removed[key] = e
	}
	for _, key := range u.accept.Removals {
		if e := u.old.Endpoints[key]; e != nil && u.next.Endpoints[key] == nil {
			u.next.Removed[key] = e
			u.used["removal "+key] = true
		}
	}
}

// rename moves entries to their accepted new keys, and finds those that are gone without a word.
func (u *updater) rename() {
	if u.another() {
		u.problem(ir.Pos{}, "if this is another document, give each a folder of its own with -o; if not, accept what became of each key, with --accept-rename and --accept-removal",
			"none of the lock's %d endpoint keys is in the document", len(u.old.Endpoints))
		return
	}
	for _, key := range keys(u.old.Endpoints) {
		e := u.old.Endpoints[key]
		switch to, accepted := u.accept.Renames[key]; {
		case u.next.Endpoints[key] != nil, u.next.Removed[key] != nil:
		case accepted && u.next.Endpoints[to] != nil && u.old.Endpoints[to] == nil && u.old.Removed[to] == nil:
			u.used["rename "+key] = true
			u.become(to, e, key)
		default:
			u.vanished(key, e)
		}
	}
}

// another tells whether the lock must be another document's.
func (u *updater) another() bool {
	for key := range u.old.Endpoints {
		if u.next.Endpoints[key] != nil {
			return false
		}
	}
	return len(u.old.Endpoints) > 1 && len(u.accept.Renames)+len(u.accept.Removals) == 0
}

// become gives the endpoint key to the entry that was called from.
func (u *updater) become(to string, e *Entry, from string) {
	next := u.next.Endpoints[to]
	next.Record = e.Record
	if next.Record == "" {
		next.Record = from
	}
	if next.Record == to { // renamed back
		next.Record = ""
	}
	next.Names = slices.DeleteFunc(append(slices.Clone(e.Names), from), func(name string) bool { return name == to })
	slices.Sort(next.Names)
	next.Names = slices.Compact(next.Names)
	u.inherit(to, next, e)
}

func (u *updater) vanished(key string, e *Entry) {
	successor := u.heirs.of(e)
	if successor == "" {
		u.problem(ir.Pos{}, "if it is gone for good, run idemgen generate --accept-removal "+key,
			"the endpoint key %s is gone, of %s %s: retries of its requests are not recognised any more", key, e.Method, e.Path)
		return
	}
	next := u.next.Endpoints[successor]
	u.problem(next.pos, fmt.Sprintf("keep the key; or, if the operation has a new name, run idemgen generate --accept-rename %s=%s, which keeps its records; "+
		"or, if %s is gone for good, --accept-removal %s", key, successor, key, key),
		"%s %s carries %s now, and carried %s", next.Method, next.Path, successor, key)
}

// carryOver keeps what is known of endpoint keys that stay.
func (u *updater) carryOver() {
	for _, key := range keys(u.old.Endpoints) {
		if e, next := u.old.Endpoints[key], u.next.Endpoints[key]; next != nil {
			next.Record, next.Names = e.Record, e.Names
			u.inherit(key, next, e)
		}
	}
}

// inherit keeps the names that an entry's path parameters had, and the rules that its records were written under.
func (u *updater) inherit(key string, next, e *Entry) {
	next.PathNames = firstNames(next, e)
	next.Former = e.Former
	if what := otherParams(next, e); what != "" && !u.accepted(key) {
		u.problem(next.pos, fmt.Sprintf("give it an endpoint key of its own; or, if retries across the change may be conflicts, run idemgen generate --accept-change %s", key),
			"%s takes other requests than its records are of: %s", key, what)
	}
	if what := otherBodies(next, e); what != nil && !u.accepted(key) {
		u.problem(next.pos, fmt.Sprintf("undo it; or, if retries across the change may be conflicts, run idemgen generate --accept-change %s", key),
			"%s compares bodies in another form than its records were written under: %s", key, strings.Join(what, "; "))
	}
	if !next.Identity.Equal(e.Identity) {
		if !u.accepted(key) {
			u.problem(next.pos, fmt.Sprintf("undo it; or run idemgen generate --accept-change %s, which keeps the rules that older records were written under", key),
				"%s compares other things than its records were written under: %s", key, strings.Join(differences(e.Identity, next.Identity), "; "))
		}
		next.Former = append(slices.Clone(e.Former), e.Identity)
	}
	var former []ir.Identity
	for _, id := range next.Former {
		if !id.Equal(next.Identity) && !slices.ContainsFunc(former, id.Equal) {
			former = append(former, id)
		}
	}
	next.Former = former
}

// accepted tells whether a change of an endpoint key, which there is one of, may be.
func (u *updater) accepted(key string) bool {
	is := slices.Contains(u.accept.Changes, key)
	u.used["change "+key] = u.used["change "+key] || is
	return is
}

// add looks at endpoint keys that are new: none may be a name that somebody else's records have.
func (u *updater) add() {
	owners := map[string]string{}
	for _, key := range keys(u.next.Endpoints) {
		for _, name := range u.next.Endpoints[key].Names {
			owners[name] = key
		}
	}
	for _, key := range keys(u.next.Endpoints) {
		next := u.next.Endpoints[key]
		owner, taken := owners[key]
		removed := u.next.Removed[key]
		switch {
		case taken:
			u.problem(next.pos, "choose another key", "%s is a former name of %s, whose records are kept under it", key, owner)
		case removed == nil:
		case removed.shape() != next.shape():
			u.problem(next.pos, "choose another key", "%s was the key of %s %s, whose records may be there still", key, removed.Method, removed.Path)
		default: // it is back
			delete(u.next.Removed, key)
			next.Record, next.Names = removed.Record, removed.Names
			u.inherit(key, next, removed)
		}
	}
	for _, key := range keys(u.next.Removed) {
		for _, name := range u.next.Removed[key].Names {
			if next := u.next.Endpoints[name]; next != nil {
				u.problem(next.pos, "choose another key", "%s is a former name of %s, which was removed, and whose records may be there still", name, key)
			}
		}
	}
}

// routes finds operations that carry another key now than before, where both keys are still there.
func (u *updater) routes() {
	now := newHolders(u.next)
	for _, key := range keys(u.old.Endpoints) {
		next := u.next.Endpoints[key]
		if next == nil {
			continue
		}
		other := now.other(key, u.old.Endpoints[key], next)
		if other == "" || u.accepted(key) {
			continue
		}
		has := u.next.Endpoints[other]
		u.problem(has.pos, fmt.Sprintf("give each operation its key back; or, if retries of its requests may be lost, run idemgen generate --accept-change %s", key),
			"%s %s carries %s now, and carried %s, which is at %s %s", has.Method, has.Path, other, key, next.Method, next.Path)
	}
}

// unused finds what was accepted and is not so: an acceptance that stays in a script would let the next change through.
func (u *updater) unused() {
	const remedy = "leave it out: what was accepted once stays so"
	for _, key := range u.accept.Removals {
		if !u.used["removal "+key] {
			u.problem(ir.Pos{}, remedy, "--accept-removal %s: no such endpoint key was removed", key)
		}
	}
	for _, key := range u.accept.Changes {
		if !u.used["change "+key] {
			u.problem(ir.Pos{}, remedy, "--accept-change %s: nothing of it changed that has to be accepted", key)
		}
	}
	var renames []string
	for from, to := range u.accept.Renames {
		if !u.used["rename "+from] {
			renames = append(renames, from+"="+to)
		}
	}
	slices.Sort(renames)
	for _, rename := range renames {
		u.problem(ir.Pos{}, remedy, "--accept-rename %s: the first is still there, or the second was before", rename)
	}
}

// hand gives the document's operations what the lock keeps.
func (u *updater) hand() {
	for _, op := range u.doc.Operations {
		e := u.next.Endpoints[op.Endpoint]
		op.Record, op.Former, op.PathNames = e.Record, e.Former, nil
		for i, name := range params(op.Path) {
			if first := e.firsts()[i]; first != name {
				op.PathNames = append(op.PathNames, ir.PathName{Name: name, First: first})
			}
		}
	}
}
