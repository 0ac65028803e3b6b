package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen"
)

// A public is a public document, and of how many of its mutating operations code is generated.
type public struct {
	name, file string
	operations int
	reach      reach // of the time beside kin-openapi's
}

// generatorRows compare generating and linting with the least that anyone can do who uses kin-openapi: loading the document once. The
// documents are found in corpus; a row whose document is not there says so.
func generatorRows(corpus string) []row {
	stripe := public{"Stripe, all mutating operations", "stripe-stripe.yaml", math.MaxInt, atMost(3)}
	github := public{"GitHub, 20 operations", "github-api.github.com.yaml", 20, atMost(1)}
	var all []row
	for _, p := range []public{stripe, github} {
		all = append(all,
			p.row(corpus, "generate", "generate, "+p.name, "kin-openapi loads the document", p.reach, cpuSeconds, func(p process) side { return p.seconds }),
			p.row(corpus, "generate", "peak memory of that", "the same", atMost(2), megabytes, func(p process) side { return p.megabytes }))
	}
	all = append(all, stripe.row(corpus, "lint", "lint, "+stripe.name, "kin-openapi loads the document", atMost(2), cpuSeconds, func(p process) side { return p.seconds }))
	return append(all, growthOfGenerate(), buildRow(corpus, stripe), buildRow(corpus, public{name: "GitHub, all mutating operations", file: github.file, operations: math.MaxInt}))
}

func (p public) row(corpus, task, what, baseline string, r reach, u unit, figure func(process) side) row {
	return row{what: what, baseline: baseline, reach: r, unit: u, open: func(context.Context) (sides, error) {
		text, err := p.document(corpus)
		if err != nil {
			return sides{}, err
		}
		path, remove, err := onDisk(p.file, text)
		if err != nil {
			return sides{}, err
		}
		return sides{figure(process{task, path}), figure(process{"load", path}), remove}, nil
	}}
}

// document is the document with endpoint keys.
func (p public) document(corpus string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(corpus, p.file))
	if err != nil {
		return nil, fmt.Errorf("the document is not there: %w", err)
	}
	return annotated(text, p.operations)
}

func generate(text []byte) (gen.Output, error) {
	const name = "openapi.yaml"
	return gen.Generate(fstest.MapFS{name: {Data: text}}, gen.Config{Spec: name, Package: "bench"})
}

// onDisk is a file with the text, and what removes it.
func onDisk(name string, text []byte) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "idemgen-bench-")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, name)
	return path, func() { os.RemoveAll(dir) }, os.WriteFile(path, text, 0o644)
}

// growthOfGenerate asks whether ten times the operations take ten times the time.
func growthOfGenerate() row {
	const few, many = 1_000, 10_000
	return row{
		what: fmt.Sprintf("generate, %d operations", many), baseline: fmt.Sprintf("%d operations", few),
		reach: atMost(11), unit: cpuSeconds, most: 5,
		open: func(context.Context) (sides, error) {
			large, removeLarge, err := onDisk("many.yaml", synthetic(many))
			if err != nil {
				return sides{}, err
			}
			small, removeSmall, err := onDisk("few.yaml", synthetic(few))
			if err != nil {
				removeLarge()
				return sides{}, err
			}
			return sides{process{"generate", large}.seconds, process{"generate", small}.seconds, func() {
				removeLarge()
				removeSmall()
			}}, nil
		},
	}
}
