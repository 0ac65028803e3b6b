package main

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/idemgen/idemgen/gen"
)

var endpointConst = regexp.MustCompile(`(?m)^const Endpoint\w+ idem\.Endpoint = "([^"]*)"\r?$`)

// gone are the endpoint keys that files of ours had and no generated file has, in the files' order.
func (p *plan) gone(files []gen.File) []string {
	var now, gone []string
	for _, f := range files {
		for _, m := range endpointConst.FindAllSubmatch(f.Data, -1) {
			now = append(now, string(m[1]))
		}
	}
	slices.Sort(now)
	for _, c := range slices.Concat(p.replace, p.stale) {
		for _, m := range endpointConst.FindAllSubmatch(c.old, -1) {
			if _, ok := slices.BinarySearch(now, string(m[1])); !ok {
				gone = append(gone, string(m[1]))
			}
		}
	}
	return gone
}

// reportGone is one line about endpoints that a package had and has no more: renamed or removed on
// purpose, or another document's.
func reportGone(stderr io.Writer, dir string, gone []string) {
	if len(gone) == 0 {
		return
	}
	what := fmt.Sprintf("%d endpoints that it had, the first of them %s", len(gone), gone[0])
	if len(gone) == 1 {
		what = "the endpoint " + gone[0]
	}
	fmt.Fprintf(stderr, "idemgen generate: %s is now without %s: if they are another document's, give each document a folder of its own with -o\n",
		filepath.ToSlash(dir), what)
}
