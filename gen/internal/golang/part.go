package golang

import (
	"bytes"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// mostLines is how long a file gets before it is parted: nearly 500 kB, of which code hosts still show a difference.
const mostLines = 8000

// A piece is printed as a whole, into the file of its group where there are several.
type piece struct {
	group string // empty: that of the package as a whole
	print func(*jen.File)
}

// parted prints pieces into the file stem.gen.go; or, where that would have more than most lines, into a file for
// each group, stem.GROUP.gen.go, and what is of no group into stem.gen.go. Which file a piece is in then depends
// on the piece alone, so that what is added to a document moves nothing, but for the one time when a file
// gets too long.
//
// A group is the first segment of an endpoint key, or a letter. It stands behind a dot and before .gen, where no
// part of it can be taken for _test, _GOOS or _GOARCH, whatever systems there will be; it has no upper-case
// letters that a file system could fold.
func (p *Plan) parted(pkg, stem string, pieces []piece) ([]File, error) {
	parts, err := inParts(pkg, stem, pieces)
	if err != nil {
		return nil, err
	}
	return p.gathered(pkg, stem, pieces, parts)
}

// inParts prints pieces into a file for each group.
func inParts(pkg, stem string, pieces []piece) ([]File, error) {
	var files []File
	for _, g := range grouped(pieces, func(one piece) string { return one.group }) {
		f, err := render(pkg, fileName(stem, g.name, ".gen.go"), each(g.items))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// gathered is one file with all pieces, or the parts where that would get too long.
func (p *Plan) gathered(pkg, stem string, pieces []piece, parts []File) ([]File, error) {
	if p.tooLong(parts) {
		return parts, nil
	}
	all, err := render(pkg, stem+".gen.go", each(pieces))
	return []File{all}, err
}

func each(pieces []piece) func(*jen.File) {
	return func(f *jen.File) {
		for _, p := range pieces {
			p.print(f)
		}
	}
}

// tooLong reports that one file would be too long for what parts hold below their imports.
func (p *Plan) tooLong(parts []File) bool {
	lines := 0
	for _, f := range parts {
		_, below, _ := bytes.Cut(f.Data, []byte("\n)\n"))
		lines += bytes.Count(below, []byte("\n"))
	}
	return lines > p.most
}

func fileName(stem, group, end string) string {
	if group == "" {
		return stem + end
	}
	return stem + "." + group + end
}

// A group is things that stand in one file.
type group[T any] struct {
	name  string
	items []T
}

// grouped puts things together by the names of their groups, sorted; within each they keep their order.
func grouped[T any](things []T, of func(T) string) []group[T] {
	var out []group[T]
	byName := func(a, b T) int { return strings.Compare(of(a), of(b)) }
	for _, thing := range slices.SortedStableFunc(slices.Values(things), byName) {
		if name := of(thing); len(out) == 0 || out[len(out)-1].name != name {
			out = append(out, group[T]{name: name})
		}
		last := &out[len(out)-1]
		last.items = append(last.items, thing)
	}
	return out
}

// segment is the first segment of an endpoint key; of a key without dots, its first word.
func segment(endpoint string) string {
	if first, _, ok := strings.Cut(endpoint, "."); ok {
		return first
	}
	if end := strings.IndexAny(endpoint, "-_"); end > 0 {
		return endpoint[:end]
	}
	return endpoint
}

// letter is the first letter of a Go name, in lower case; of one that is not in a to z, x, as in the X that
// [exportedName] puts before it.
func letter(name string) string {
	if l := strings.ToLower(name[:1]); l >= "a" && l <= "z" {
		return l
	}
	return "x"
}
