package gen_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen"
)

// Whatever a document says, lint ends without a fault and reports no fewer than generate.
func FuzzLint(f *testing.F) {
	for _, pattern := range []string{lintFolder + "/*.yaml", "../testdata/bad/*.yaml", "../testdata/golden/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal("no documents", err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fsys := fstest.MapFS{"openapi.yaml": {Data: text}}
		report, err := gen.Lint(fsys, gen.LintConfig{Spec: "openapi.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		found := map[gen.Problem]bool{}
		for _, f := range report.Findings {
			found[f.Problem] = true
		}
		_, err = gen.Generate(fsys, gen.Config{Spec: "openapi.yaml", Package: "p"})
		var refused gen.Problems
		if err != nil && !errors.As(err, &refused) {
			t.Skip(err) // a fault of the generator, which its own tests look for
		}
		for _, p := range refused {
			if !found[p] {
				t.Errorf("lint does not report %s", p)
			}
		}
	})
}
