// Package templates holds the files that a user owns from the first generation on. They hold no logic:
// gen/internal/scaffold fills in names, and what needs more than a name belongs in the runtime.
package templates

import "embed"

// FS holds the templates, named after the file that each becomes, plus ".tmpl".
//
//go:embed *.tmpl
var FS embed.FS
