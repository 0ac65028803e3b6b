package main

import (
	"path/filepath"
	"testing"
)

func TestPackageName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ asked, dir, want string }{
		{"", "internal/ledgeridem", "ledgeridem"},
		{"", "internal/Ledger-Idem.v2", "ledgeridemv2"},
		{"", "a/..", filepath.Base(mustAbs(t, "."))},
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

func mustAbs(t *testing.T, path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}
