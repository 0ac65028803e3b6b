package main

import (
	"fmt"
	"go/token"
	"path/filepath"
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

// isPackageName refuses what does not compile, and names ending in _test: the go command takes those
// for a test's external package.
func isPackageName(name string) bool {
	return token.IsIdentifier(name) && name != "_" && !strings.HasSuffix(name, "_test")
}
