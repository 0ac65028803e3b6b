// Command mutants seeds faults into the ledger's service, the code that is generated for it and the runtime, one at a
// time, and lists which of the generated tests find each. One that no test finds is a failure.
//
//	go run ./mutants          # all of them
//	go run ./mutants tenant   # those whose name has this word
//
// Nothing is written into the tree: the go command reads the mutants from an overlay.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(words []string) error {
	root, err := filepath.Abs("..") // the command runs in the examples' module
	if err != nil {
		return err
	}
	if found, err := test(root, mutant{name: "none"}); err != nil {
		return err
	} else if len(found) > 0 {
		return fmt.Errorf("the generated tests fail without a fault: %v", found)
	}
	var survivors []string
	var errs []error
	fmt.Printf("%-70s %s\n", "fault", "found by the tests of (operations)")
	count := 0
	for _, m := range mutants {
		if !m.named(words) {
			continue
		}
		found, err := test(root, m)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.name, err))
			continue
		}
		if count++; len(found) == 0 {
			survivors = append(survivors, m.name)
		}
		fmt.Printf("%-70s %s\n", m.name, strings.Join(found, ", "))
	}
	fmt.Printf("%d faults, %d found\n", count, count-len(survivors))
	if len(survivors) > 0 {
		errs = append(errs, fmt.Errorf("no test finds: %s", strings.Join(survivors, "; ")))
	}
	return errors.Join(errs...)
}

// named says whether the mutant's name has one of the words, or there are none.
func (m mutant) named(words []string) bool {
	for _, w := range words {
		if strings.Contains(m.name, w) {
			return true
		}
	}
	return len(words) == 0
}
