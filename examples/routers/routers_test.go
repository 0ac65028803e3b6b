package routers

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen"
)

var update = flag.Bool("update", false, "write what is found anew")

// Real routers, guarded in every way, and real generated registrations: nothing is found. Nor is it in the ledger.
func TestNothingIsFoundWhereAllIsGuarded(t *testing.T) {
	t.Parallel()
	report, err := gen.Routes("..", "./routers/guarded", "./ledger/...")
	if err != nil || len(report.Errors) > 0 {
		t.Fatal(err, report.Errors)
	}
	for _, f := range report.Findings {
		t.Errorf("%s [%s]", f.Problem, f.Rule)
	}
	if report.Operations != 90 || report.Routes < 19 {
		t.Errorf("%d operations and %d registrations were looked at", report.Operations, report.Routes)
	}
}

// What is forgotten is found, all of it and nothing else.
func TestWhatIsForgottenIsFound(t *testing.T) {
	t.Parallel()
	report, err := gen.Routes("..", "./routers/bare")
	if err != nil || len(report.Errors) > 0 {
		t.Fatal(err, report.Errors)
	}
	var got strings.Builder
	for _, f := range report.Findings {
		f.File = filepath.Base(f.File)
		fmt.Fprintf(&got, "%s [%s]\n", f.Problem, f.Rule)
	}
	if *update {
		if err := os.WriteFile("bare.want", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("bare.want")
	if err != nil || got.String() != string(want) {
		t.Errorf("found:\n%s\nwant (%v):\n%s", got.String(), err, want)
	}
}

// An operation that no route has is found, and only there.
func TestWhatIsRegisteredNowhereIsFound(t *testing.T) {
	t.Parallel()
	report, err := gen.Routes("..", "./routers/half")
	if err != nil || len(report.Errors) > 0 {
		t.Fatal(err, report.Errors)
	}
	if len(report.Findings) != 1 || report.Findings[0].Rule != "route-none" || report.Findings[0].What != "POST /orders/{id}/refunds is refunds.create, and is registered nowhere" ||
		filepath.Base(report.Findings[0].File) != "endpoints.gen.go" {
		t.Errorf("found %+v", report.Findings)
	}
}
