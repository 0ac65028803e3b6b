package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// apply brings the folder to its generated state. Everything is on the disk under a temporary name
// before the first file is replaced, and each file is replaced by a rename: whoever reads meanwhile
// sees the old file or the new one. Files that did not change are not touched.
func (p *plan) apply() error {
	if p.clean() {
		return nil
	}
	if err := os.MkdirAll(p.dir, 0o777); err != nil {
		return fmt.Errorf("create the output folder: %w", err)
	}
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return fmt.Errorf("open the output folder: %w", err)
	}
	defer root.Close()

	var all []staged
	defer func() {
		for _, s := range all {
			root.Remove(s.temp) // gone already where it was renamed
		}
	}()
	for _, c := range p.replace {
		all = append(all, staged{newTemp(), c.file.Name, c.file.Data, c.mode})
	}
	for _, f := range p.create {
		all = append(all, staged{newTemp(), f.Name, f.Data, 0})
	}
	for _, s := range all {
		if err := s.write(root); err != nil {
			return fmt.Errorf("write %s: %w", p.path(s.name), p.reason(err))
		}
	}
	for _, s := range all {
		if err := root.Rename(s.temp, s.name); err != nil {
			return fmt.Errorf("replace %s: %w", p.path(s.name), p.reason(err))
		}
	}
	for _, c := range p.stale {
		if err := root.Remove(c.file.Name); err != nil {
			return fmt.Errorf("remove the stale %s: %w", p.path(c.file.Name), p.reason(err))
		}
	}
	return syncFolder(root)
}

// reason is why a file could not be written, without the temporary name that means nothing to the user.
func (p *plan) reason(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("the folder %s is not writable: change its permissions, or choose another with -o", filepath.ToSlash(p.dir))
	}
	return withoutPath(err)
}

// withoutPath is an error without the operation and the path that the operating system's have.
func withoutPath(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	if le := (*os.LinkError)(nil); errors.As(err, &le) {
		return le.Err
	}
	return err
}

// staged is a file on its way to its name.
type staged struct {
	temp, name string
	data       []byte
	mode       fs.FileMode // 0: as the umask says
}

// newTemp is a name that no Go tool takes for source.
func newTemp() string { return ".idemgen-" + rand.Text() + ".tmp" }

func (s staged) write(root *os.Root) error {
	f, err := root.OpenFile(s.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(s.data); err != nil {
		return err
	}
	if s.mode != 0 {
		if err := f.Chmod(s.mode); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// syncFolder makes the renames durable, on systems where a folder can be synced.
func syncFolder(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	dir.Sync() // no folder of every system can: the content is safe already
	return nil
}
