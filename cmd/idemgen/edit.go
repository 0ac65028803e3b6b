package main

import (
	"bytes"
	"fmt"
	"path"

	"github.com/idemgen/idemgen/gen"
)

// writeEdits replaces files of a document, all of them or none: the new text of each is on the disk before the first is
// replaced, and where one cannot be replaced, those before it get their old text back.
func writeEdits(src *source, files []gen.EditedFile) error {
	shown := func(name string) string { return src.place(gen.Problem{File: name}).File }
	var all, undo []staged
	defer func() {
		for _, s := range append(all, undo...) {
			src.root.Remove(s.temp) // gone already where it was renamed
		}
	}()
	for _, f := range files {
		now, next, err := stage(src, f)
		undo, all = append(undo, now), append(all, next)
		if err != nil {
			return fmt.Errorf("write %s: %w", shown(f.Name), withoutPath(err))
		}
	}
	for i, s := range all {
		if err := src.root.Rename(s.temp, s.name); err != nil {
			for _, u := range undo[:i] {
				src.root.Rename(u.temp, u.name)
			}
			return fmt.Errorf("replace %s: %w", shown(s.name), withoutPath(err))
		}
	}
	return syncFolder(src.root)
}

// stage writes a file's old and new text under temporary names, if it is still what was read.
func stage(src *source, f gen.EditedFile) (now, next staged, err error) {
	info, err := src.root.Lstat(f.Name)
	if err != nil {
		return now, next, err
	}
	if !info.Mode().IsRegular() {
		return now, next, fmt.Errorf("it is a symbolic link: name the file itself")
	}
	data, err := src.root.ReadFile(f.Name)
	if err != nil {
		return now, next, err
	}
	if !bytes.Equal(data, f.Old) {
		return now, next, fmt.Errorf("it changed meanwhile: run the command again")
	}
	dir := path.Dir(f.Name)
	now = staged{path.Join(dir, newTemp()), f.Name, f.Old, info.Mode().Perm()}
	next = staged{path.Join(dir, newTemp()), f.Name, f.New, info.Mode().Perm()}
	if err := now.write(src.root); err != nil {
		return now, next, err
	}
	return now, next, next.write(src.root)
}
