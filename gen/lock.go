package gen

import (
	"fmt"
	"io/fs"

	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/lock"
	"github.com/idemgen/idemgen/gen/internal/openapi"
)

// LockName is the file among a package's that [Generate] reads again: what records were written under.
const LockName = "idemgen.lock"

// LockHeader is that file's first line.
const LockHeader = lock.Header

// Accept is what may change of what the lock keeps. What is accepted and has not changed is a problem: an acceptance
// that stays in a script would let the next change through.
type Accept struct {
	Renames  map[string]string // old endpoint key -> new one: its records stay
	Removals []string          // endpoint keys that are gone for good
	Changes  []string          // endpoint keys whose rules changed, or whose route another one has now
}

// locked brings cfg's lock up to the document, which gets what it keeps.
func locked(doc *ir.Document, cfg Config) (File, []ir.Problem) {
	var old *lock.File
	if cfg.Lock != nil {
		var err error
		if old, err = lock.Read(cfg.Lock); err != nil {
			return File{}, []ir.Problem{{What: fmt.Sprintf("%s: %v", LockName, err)}}
		}
	}
	next, problems := lock.Update(old, doc, lock.Accept(cfg.Accept))
	return File{Name: LockName, Data: next.Print()}, problems
}

// A DiffClass is what a change means for requests that were sent before it.
type DiffClass = string

// The classes.
const (
	Neutral  DiffClass = DiffClass(lock.Neutral)  // every request is told apart and answered as before
	Additive DiffClass = DiffClass(lock.Additive) // there is more than before, and what was there is as it was
	Breaking DiffClass = DiffClass(lock.Breaking) // requests are told apart otherwise, refused, or not recognised when they are sent again
)

// A DiffChange is one difference between two documents.
type DiffChange struct {
	Class    DiffClass
	Endpoint string  // the endpoint key that it is about, by its new name
	Place    Problem // where, in the new document; What says what
	Old      bool    // Place is in the old document, because the new one does not have it
}

// Diff tells what changed between two documents that clients or records feel. The error is [Problems] where a document
// is at fault; old says which.
func Diff(oldFS fs.FS, oldSpec string, newFS fs.FS, newSpec string) (changes []DiffChange, old bool, err error) {
	before, problems := openapi.Load(oldFS, oldSpec)
	if len(problems) > 0 {
		return nil, true, problemsOf(problems)
	}
	after, problems := openapi.Load(newFS, newSpec)
	if len(problems) > 0 {
		return nil, false, problemsOf(problems)
	}
	for _, c := range lock.Diff(before, after) {
		place := problemsOf([]ir.Problem{{Pos: c.Pos, What: c.What}})[0]
		changes = append(changes, DiffChange{DiffClass(c.Class), c.Endpoint, place, c.Old})
	}
	return changes, false, nil
}
