package routes

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestRoutes(t *testing.T) {
	t.Parallel()
	for _, pkg := range []string{"nethttp", "chirouter", "ginrouter", "echorouter", "echo5router", "gorillarouter", "usesoapi", "usesogen",
		"chiservice", "httpservice", "gorillaservice", "usesguards", "usesoapiecho", "tables", "helpers", "edges"} {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			analysistest.Run(t, analysistest.TestData(), Analyzer, pkg)
		})
	}
}
