package main

import (
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// packageName is the name asked for, or the base name of dir without what a package name cannot hold.
func packageName(asked, dir string) (string, error) {
	if asked != "" {
		if !isPackageName(asked) {
			return "", usageError{fmt.Sprintf("--package %q is not the name of a Go package", asked)}
		}
		return asked, nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	base := filepath.Base(abs)
	name := strings.NewReplacer("-", "", ".", "", "_", "", " ", "").Replace(strings.ToLower(base))
	if !isPackageName(name) {
		return "", usageError{fmt.Sprintf("the folder's name %q makes no package name, so --package is needed", base)}
	}
	return name, nil
}

// importPath is the path that dir's package is imported by: the path of the module above it, and the way
// down. It is empty where dir is in no module; nothing can be imported there yet.
func importPath(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for root := abs; ; root = filepath.Dir(root) {
		if text, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
			module := modulePath(string(text))
			below, err := filepath.Rel(root, abs)
			if module == "" || err != nil {
				return ""
			}
			return path.Join(module, filepath.ToSlash(below))
		}
		if root == filepath.Dir(root) {
			return ""
		}
	}
}

// modulePath finds the module directive of a go.mod file.
func modulePath(text string) string {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "module" {
			if path, err := strconv.Unquote(fields[1]); err == nil {
				return path
			}
			return fields[1]
		}
	}
	return ""
}

// isPackageName refuses what does not compile, and names ending in _test: the go command takes those
// for a test's external package.
func isPackageName(name string) bool {
	return token.IsIdentifier(name) && name != "_" && !strings.HasSuffix(name, "_test")
}
