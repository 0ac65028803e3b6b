package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/idemgen/idemgen/gen"
)

// plan is how a folder differs from what was generated.
type plan struct {
	dir     string
	replace []change // in the generator's order
	same    int      // files of ours that are what was generated
	fresh   bool     // there are no files of ours yet
	create  []gen.File
	stale   []change // files of ours that nothing generates any more; what replaces them is empty
	blocked []string // what stands in the way, each with a remedy
}

// change is a file of ours with other content.
type change struct {
	file gen.File
	old  []byte
	mode fs.FileMode
}

// onlyLineEnds reports that git, or an editor, turned the line ends of a file into CRLF and did no more.
func (c change) onlyLineEnds() bool {
	return bytes.Equal(bytes.ReplaceAll(c.old, []byte("\r\n"), []byte("\n")), c.file.Data)
}

// onlyLineEnds reports that this is all that is to be said.
func (p *plan) onlyLineEnds() bool {
	return len(p.create)+len(p.stale) == 0 && len(p.replace) > 0 &&
		!slices.ContainsFunc(p.replace, func(c change) bool { return !c.onlyLineEnds() })
}

// clean reports that the folder is what was generated.
func (p *plan) clean() bool { return len(p.replace)+len(p.create)+len(p.stale) == 0 }

// creates tells whether a file is new.
func (p *plan) creates(name string) bool {
	return slices.ContainsFunc(p.create, func(f gen.File) bool { return f.Name == name })
}

// path is a file's path as the user would write it.
func (p *plan) path(name string) string { return path.Join(filepath.ToSlash(p.dir), name) }

// compare reads dir, which need not exist, and changes nothing. Files that are the user's once they
// exist are only part of the plan where the package is new or scaffold asks for them.
func compare(dir string, files []gen.File, scaffold bool) (*plan, error) {
	p := &plan{dir: dir}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		p.create, p.fresh = files, true
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the output folder: %w", err)
	}
	defer root.Close()
	ours, err := filesOfOurs(root)
	if err != nil {
		return nil, fmt.Errorf("read the output folder: %w", err)
	}
	p.fresh = len(ours) == 0
	generated := map[string]bool{}
	for _, f := range files {
		generated[f.Name] = true
		if f.Once && !p.fresh && !scaffold {
			continue
		}
		if err := p.add(root, f); err != nil {
			return nil, err
		}
	}
	for _, name := range ours {
		if generated[name] {
			continue
		}
		old, err := root.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the output folder: %w", err)
		}
		p.stale = append(p.stale, change{file: gen.File{Name: name}, old: old})
	}
	return p, nil
}

// add decides about one generated file.
func (p *plan) add(root *os.Root, f gen.File) error {
	info, err := root.Lstat(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.create = append(p.create, f)
		return nil
	case err != nil:
		return err
	case f.Once:
		return nil
	case !info.Mode().IsRegular():
		p.block(f.Name, "is not a regular file: remove it, or choose another folder with -o")
		return nil
	}
	old, err := root.ReadFile(f.Name)
	if err != nil {
		return err
	}
	switch {
	case bytes.Equal(old, f.Data):
		p.same++
	case !isOurs(old) && !(f.Name == gen.LockName && hasFirstLine(old, gen.LockHeader)):
		p.block(f.Name, "does not open with our header, so it is not replaced: rename it, or choose another folder with -o")
	default:
		p.replace = append(p.replace, change{f, old, info.Mode().Perm()})
	}
	return nil
}

func (p *plan) block(name, why string) {
	p.blocked = append(p.blocked, p.path(name)+": "+why)
}

// filesOfOurs lists the Go files that open with our header, by name. What they are called does not
// matter; a symbolic link is the user's.
func filesOfOurs(root *os.Root) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.Type().IsRegular() || path.Ext(e.Name()) != ".go" {
			continue
		}
		start, err := readStart(root, e.Name())
		if err != nil {
			return nil, err
		}
		if isOurs(start) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readStart reads as much of a file as tells whose it is.
func readStart(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(len(gen.Header)+2)))
}

// isOurs reports whether a file's first line is our header. Git may have turned its end into CRLF.
func isOurs(data []byte) bool { return hasFirstLine(data, gen.Header) }

func hasFirstLine(data []byte, line string) bool {
	rest, ok := bytes.CutPrefix(data, []byte(line))
	return ok && (bytes.HasPrefix(rest, []byte("\n")) || bytes.HasPrefix(rest, []byte("\r\n")))
}

// show prints what --check found: a unified diff of each file that differs, then the files that are
// missing and those that are stale. Files that are the user's are not missed.
func (p *plan) show(w io.Writer) {
	for _, c := range p.replace {
		name := p.path(c.file.Name)
		if c.onlyLineEnds() {
			fmt.Fprintf(w, "line ends only: %s\n", name)
			continue
		}
		writeStart(w, unified(name, name, c.old, c.file.Data))
	}
	for _, f := range p.create {
		if !f.Once {
			fmt.Fprintf(w, "missing: %s\n", p.path(f.Name))
		}
	}
	for _, c := range p.stale {
		fmt.Fprintf(w, "stale: %s\n", p.path(c.file.Name))
	}
}

// mostDiff is how many lines of a file's difference are shown: more is no longer read.
const mostDiff = 300

// writeStart writes a difference, or its start and how much there is of the rest.
func writeStart(w io.Writer, diff []byte) {
	end := 0
	for range mostDiff {
		n := bytes.IndexByte(diff[end:], '\n')
		if n < 0 {
			break
		}
		end += n + 1
	}
	w.Write(diff[:end])
	if left := bytes.Count(diff[end:], []byte("\n")); left > 0 {
		fmt.Fprintf(w, "… and %d more lines of this difference\n", left)
	}
}
