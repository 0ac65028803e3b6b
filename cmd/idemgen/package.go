package main

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// packageName is the name of the package in dir: what is there already, else what is asked for, else
// the base name of dir without what a package name cannot hold.
func packageName(asked, dir string) (string, error) {
	if asked != "" && !isPackageName(asked) {
		return "", usageError{fmt.Sprintf("--package %q is not the name of a Go package", asked)}
	}
	present, err := packagesIn(dir)
	if err != nil {
		return "", err
	}
	if asked, err = choose(asked, present); err != nil {
		return "", err
	}
	if asked == "" {
		return fromFolder(dir)
	}
	return asked, nil
}

// choose is the name that a package has to have, or empty.
func choose(asked string, present packages) (string, error) {
	switch users := present.users; {
	case len(users) > 0 && asked != "" && users[asked] == "":
		name := slices.Sorted(maps.Keys(users))[0]
		return "", usageError{fmt.Sprintf("--package %q contradicts %s, which is of package %s: leave --package out, or choose another folder with -o",
			asked, users[name], name)}
	case len(users) > 1 && asked == "":
		names := slices.Sorted(maps.Keys(users))
		return "", usageError{fmt.Sprintf("%s is of package %s and %s of package %s: say which with --package, or choose another folder with -o",
			users[names[0]], names[0], users[names[1]], names[1])}
	case asked == "" && len(users) == 1:
		asked = slices.Collect(maps.Keys(users))[0]
	case asked == "":
		asked = present.ours
	}
	if asked == "main" {
		return "", usageError{"package main is a program, which no test can import: choose a folder of its own with -o"}
	}
	return asked, nil
}

// fromFolder makes a package name of the base name of dir.
func fromFolder(dir string) (string, error) {
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

// packages are the names that the Go files of a folder give their package.
type packages struct {
	users map[string]string // by name, the first file of the user's that says so
	ours  string            // what files of ours say, which can be written again
}

// packagesIn reads the package clauses of dir, which need not exist. Tests may be of another package, and
// so may files that no build takes in.
func packagesIn(dir string) (packages, error) {
	found := packages{users: map[string]string{}}
	names, err := filepath.Glob(filepath.Join(globEscape.Replace(dir), "*.go"))
	if err != nil {
		return found, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(filepath.Base(name), "_") || strings.HasPrefix(filepath.Base(name), ".") {
			continue
		}
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue // whatever it is, it says nothing that holds
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return found, fmt.Errorf("read the package in %s: %w", filepath.ToSlash(dir), err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.PackageClauseOnly|parser.ParseComments)
		switch {
		case err != nil || f.Name.Name == "_" || f.Name.Name == "documentation" || ignored(f):
		case isOurs(data):
			found.ours = f.Name.Name
		case found.users[f.Name.Name] == "":
			found.users[f.Name.Name] = filepath.ToSlash(name)
		}
	}
	return found, nil
}

var globEscape = strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`)

// ignored reports whether a file is kept out of every build, as scripts beside a package are.
func ignored(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				x, err := constraint.Parse(c.Text)
				return err == nil && !x.Eval(func(tag string) bool { return tag != "ignore" })
			}
		}
	}
	return false
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
