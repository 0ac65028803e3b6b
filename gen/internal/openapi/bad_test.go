package openapi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

const badFolder = "../../../testdata/bad"

// Every document in testdata/bad says itself what is wrong with it: on the line, as
//
//	# want 31 "what: remedy"
//
// with the column and the text as a Go string, once for each problem of the line; or, where a comment
// cannot stand, in a file of the same name with .want, as line:column: text.
func TestBadDocuments(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(badFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if ext := filepath.Ext(name); ext != ".yaml" && ext != ".json" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, problems := Load(os.DirFS(badFolder), name)
			if doc != nil {
				t.Error("a document was returned")
			}
			got := make([]string, 0, len(problems))
			for _, p := range problems {
				got = append(got, show(p))
			}
			want := wanted(t, name)
			for _, w := range want {
				if !slices.Contains(got, w) {
					t.Errorf("missing: %s", w)
				}
			}
			for _, g := range got {
				if !slices.Contains(want, g) {
					t.Errorf("not wanted: %s", g)
				}
			}
			if !t.Failed() && !slices.Equal(got, want) {
				t.Errorf("order: got %q, want %q", got, want)
			}
		})
	}
}

func show(p ir.Problem) string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", p.Pos.File, p.Pos.Line, p.Pos.Col, p.What, p.Remedy)
}

var (
	wantComment = regexp.MustCompile(`# want (.*)$`)
	wantOne     = regexp.MustCompile(`^([0-9]+) ("(?:[^"\\]|\\.)*")\s*`)
)

// wanted are the problems that a document says it has, in the order of their places.
func wanted(t *testing.T, name string) []string {
	t.Helper()
	var out []string
	text, err := os.ReadFile(filepath.Join(badFolder, name+".want"))
	if err == nil {
		for line := range strings.Lines(string(text)) {
			out = append(out, name+":"+strings.TrimSuffix(line, "\n"))
		}
		return out
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	text, err = os.ReadFile(filepath.Join(badFolder, name))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		m := wantComment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		rest := m[1]
		for rest != "" {
			w := wantOne.FindStringSubmatch(rest)
			if w == nil {
				t.Fatalf("%s:%d: not a want: %s", name, i+1, rest)
			}
			text, err := strconv.Unquote(w[2])
			if err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
			out = append(out, fmt.Sprintf("%s:%d:%s: %s", name, i+1, w[1], text))
			rest = rest[len(w[0]):]
		}
	}
	return out
}
