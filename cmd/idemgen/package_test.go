package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPackageName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ asked, dir, want string }{
		{"", "internal/ledgeridem", "ledgeridem"},
		{"", "internal/Ledger-Idem.v2", "ledgeridemv2"},
		{"", "a/../b", "b"},
		{"given", "2fa", "given"},
		{"", "2fa", ""},
		{"", "func", ""},
		{"", "/", ""},
		{"", "a_test", "atest"},
		{"a_test", "x", ""},
		{"_", "x", ""},
		{"a-b", "x", ""},
		{"type", "x", ""},
	} {
		got, err := packageName(tt.asked, tt.dir)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("packageName(%q, %q) = %q, %v; want %q", tt.asked, tt.dir, got, err, tt.want)
		}
	}
}

func TestImportPath(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "internal", "api")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := importPath(dir); got != "" {
		t.Errorf("outside a module: %q", got)
	}
	for text, want := range map[string]string{
		"module example.com/app\n\ngo 1.24\n":                    "example.com/app/internal/api",
		"// the app\nmodule \"example.com/app\" // deprecated\n": "example.com/app/internal/api",
		"go 1.24\n": "",
	} {
		if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := importPath(dir); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
