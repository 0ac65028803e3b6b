package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/idemgen/idemgen/gen"
)

// source is a document and the folder that its references may reach. The folder is an [os.Root]: no
// reference and no symbolic link leads out of it.
type source struct {
	root *os.Root
	name string // the document's name in root, with slashes
	// The user's ways to the two folders, for messages.
	rootDir, specDir string
}

// openSource opens the folder of spec, or the wider one that the user allows.
func openSource(spec, wider string) (*source, error) {
	if what := noFile(spec); what != "" {
		return nil, usageError{fmt.Sprintf("SPEC %q is %s", spec, what)}
	}
	dir, name := filepath.Split(spec)
	folder := usageError{fmt.Sprintf("SPEC %q is a folder: name the document in it", spec)}
	if name == "" {
		return nil, folder
	}
	specDir := filepath.Clean(dir) // "." where there is none
	rootDir := specDir
	if wider != "" {
		rel, err := below(wider, specDir)
		if err != nil {
			return nil, err
		}
		rootDir, name = wider, filepath.Join(rel, name)
	}
	root, err := os.OpenRoot(rootDir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of %s: %w", spec, withoutPath(err))
	}
	info, err := root.Stat(name)
	switch {
	case err != nil:
		root.Close()
		return nil, fmt.Errorf("open %s: %w%s", spec, withoutPath(err), escapeRemedy(spec))
	case info.IsDir():
		root.Close()
		return nil, folder
	}
	return &source{root, filepath.ToSlash(name), rootDir, specDir}, nil
}

var remote = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// noFile says what a SPEC is that names no file, and what to do.
func noFile(spec string) string {
	switch {
	case spec == "-":
		return "standard input, which has no folder that its references start from: write the document to a file and name that"
	case remote.MatchString(spec):
		return "a URL, and nothing is fetched over a network: download the document and name the file"
	}
	return ""
}

// below is where dir lies in root.
func below(root, dir string) (string, error) {
	absRoot, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	absDir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(absRoot, absDir)
	if err != nil || !filepath.IsLocal(rel) {
		return "", usageError{fmt.Sprintf("SPEC is not below --root %s", root)}
	}
	return rel, nil
}

// escapeRemedy helps with a document that exists and yet cannot be opened inside its folder.
func escapeRemedy(spec string) string {
	info, err := os.Lstat(spec)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return ""
	}
	return ": it is a symbolic link that leads out of its folder; name the file itself, or a --root that holds both"
}

func (s *source) fsys() fs.FS { return s.root.FS() }
func (s *source) close()      { s.root.Close() }

// place puts the path that the user knows before a problem's file, so that editors find it.
func (s *source) place(p gen.Problem) gen.Problem {
	if p.File == "" {
		return p
	}
	dir, file := s.rootDir, p.File
	if rest, ok := strings.CutPrefix(file, path.Dir(s.name)+"/"); ok {
		dir, file = s.specDir, rest
	}
	p.File = filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(file)))
	return p
}
