// Corpus takes public OpenAPI documents through everything that a user of the generator does: annotate,
// generate, gofmt, build, vet, and run the generated tests, each document in a temporary module.
//
//	go run ./corpus [-only NAME] DIR
//
// An operation that is refused, with its place and what to do about it, is taken out, and the rest of its
// document goes on. Places are those of the annotated text. The exit status is not 0 when something is lost in silence, a step fails, or less than
// 99 % of the mutating operations end as code.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

func main() {
	only := flag.String("only", "", "take only the documents whose name holds `NAME`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: corpus [-only NAME] DIR")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *only); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(dir, only string) error {
	documents, err := find(dir)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Printf("corpus: there is no folder %s: nothing is checked\n", dir)
		return nil
	}
	if err != nil {
		return err
	}
	report := newReport()
	if only != "" {
		report.least = 0 // the share is one of all documents
	}
	for _, d := range documents {
		if strings.Contains(d.name, only) {
			report.add(check(d))
		}
	}
	return report.print(os.Stdout)
}

// check takes a document through all steps.
func check(d source) result {
	r := result{name: d.name}
	if r.err = r.generate(d); r.err == nil && r.out != nil {
		r.err = r.compile()
	}
	return r
}
