package annotate_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/annotate"
	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/golang"
	"github.com/idemgen/idemgen/gen/internal/openapi"
)

func config(spec string) annotate.Config {
	return annotate.Config{Spec: spec, Style: annotate.FromPath, Names: golang.OperationNames, Template: func(path string) (what, remedy string) {
		_, what, remedy = openapi.Template(path)
		return what, remedy
	}}
}

// describe writes a document of routes: "POST /orders", or "POST /orders createOrder" with an operationId, or
// "POST /orders =orders.create" with a key.
func describe(routes []string) string {
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n")
	var paths []string
	ops := map[string][]string{}
	for _, r := range routes {
		f := strings.SplitN(r, " ", 3)
		if !slices.Contains(paths, f[1]) {
			paths = append(paths, f[1])
		}
		op := "    " + strings.ToLower(f[0]) + ":\n"
		switch {
		case len(f) == 3 && f[2][0] == '=':
			op += "      x-idempotency-endpoint: " + f[2][1:] + "\n"
		case len(f) == 3:
			op += fmt.Sprintf("      operationId: %q\n", f[2])
		}
		ops[f[1]] = append(ops[f[1]], op+"      responses: {'200': {description: fine}}\n")
	}
	for _, p := range paths {
		fmt.Fprintf(&b, "  %q:\n%s", p, strings.Join(ops[p], ""))
	}
	return b.String()
}

// keysOf annotates routes and returns the key of each route.
func keysOf(t *testing.T, style annotate.Style, routes []string) map[string]string {
	t.Helper()
	cfg := config("d.yaml")
	cfg.Style = style
	fsys := fstest.MapFS{"d.yaml": {Data: []byte(describe(routes))}}
	out, err := annotate.Run(fsys, cfg)
	if err != nil || len(out.Refused) > 0 {
		t.Fatalf("%v %+v", err, out.Refused)
	}
	for _, f := range out.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.New}
	}
	keys := map[string]string{}
	for _, p := range document.Open(fsys, "d.yaml").PathItems() {
		for _, op := range p.Operations {
			keys[op.Method+" "+p.Path.Spelt()] = op.Node.Get("x-idempotency-endpoint").Spelt()
		}
	}
	return keys
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		want []string // a route, and its key behind ->
	}{
		{"the policy's examples", []string{
			"POST /evaluations -> evaluations.create", "PUT /programmes/{id}/requirements/{r} -> programmes.requirements.update",
			"POST /submissions/{id}/evidence/{e}/approve -> submissions.evidence.approve",
		}},
		{"methods", []string{
			"POST /orders -> orders.create", "PUT /orders/{id} -> orders.replace", "PATCH /orders/{id} -> orders.update",
			"DELETE /orders/{id} -> orders.delete", "PUT /bills/{id} -> bills.update", "PUT /groups/{id}/members -> groups.members.replace",
			"PUT /users/{id}/profile -> users.profile.update", "POST /sources/{id} -> sources.update",
		}},
		{"what is done, and what is there", []string{
			"POST /payments/{id}/refund -> payments.refund", "POST /payments/{id}/refunds -> payments.refunds.create",
			"POST /refund -> refund.create", "POST /accounts/search -> accounts.search", "POST /contacts/export -> contacts.export",
			"PUT /subscriptions/{id}/cancel -> subscriptions.cancel", "POST /orders/{id}/apply-credit -> orders.apply-credit",
			"POST /accounts/{id}/login_links -> accounts.login_links.create", "POST /repos/{id}/check-runs -> repos.check-runs.create",
			"POST /accounts/{id}/send/transaction -> accounts.send-transaction", "POST /wallets/send/{asset} -> wallets.send",
			"POST /jobs/bulk-delete -> jobs.bulk-delete", "POST /login -> login",
			"PUT /gists/{id}/star -> gists.star.update", "DELETE /gists/{id}/star -> gists.star.delete",
			"POST /split -> split.create", "PUT /split/{id} -> split.update",
		}},
		{"custom methods", []string{"POST /orders/{id}:cancel -> orders.cancel", "POST /orders:batchCreate -> orders.batch-create"}},
		{"words", []string{
			"POST /paymentLinks -> payment-links.create", "POST /payment_intents -> payment_intents.create", "POST /HTTPServers -> http-servers.create",
			"POST /userIDs -> user-ids.create", "POST /3d-secure -> 3d-secure.create", "POST /a%20b -> a-b.create", "POST /_bulk -> bulk.create",
			"POST /io.k8s/Pods.json -> io-k8s.pods.create", "POST /заказы -> u0437u0430u043au0430u0437u044b.create",
			"POST /accounts/{Sid}.json -> accounts.update", "POST / -> root.create",
		}},
		{"versions", []string{
			"POST /api/v1/orders -> orders.create", "POST /api/v1/orders/{id}/pay -> orders.pay", "POST /api/v2/bills -> bills.create",
			"POST /ingest/api/v1.2/sources -> ingest.sources.create", "POST /2010-04-01/calls -> calls.create", "POST /v71/apis -> apis.create",
		}},
		{"two versions of one thing", []string{"POST /v1/orders -> v1.orders.create", "POST /v2/orders -> v2.orders.create"}},
		{"one of many, and all of them", []string{"DELETE /labels -> labels.delete", "DELETE /labels/{name} -> labels.name.delete"}},
		{"two methods that mean the same", []string{
			"POST /orders/{id} -> orders.post", "PATCH /orders/{id} -> orders.patch", "POST /orders/{id}/cancel -> orders.cancel-post", "PUT /orders/{id}/cancel -> orders.cancel-put",
		}},
		{"paths that differ by a placeholder", []string{"POST /orders/lines -> orders.lines.create", "POST /orders/{id}/lines -> orders.id.lines.create"}},
		{"one Go name", []string{"POST /order-lines -> order-lines.create-2d7a25a8", "POST /order_lines -> order_lines.create-b1acef91"}},
		{"keys that are there", []string{"POST /orders =orders.create -> orders.create", "POST /v2/orders -> v2.orders.create", "PUT /bills =bills-pay -> bills-pay", "POST /bills/{id}/pay -> bills.id.pay"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var routes []string
			want := map[string]string{}
			for _, w := range c.want {
				route, key, _ := strings.Cut(w, " -> ")
				routes = append(routes, route)
				f := strings.Fields(route)
				want[f[0]+" "+f[1]] = key
			}
			for route, key := range keysOf(t, annotate.FromPath, routes) {
				if key != want[route] {
					t.Errorf("%s: %s, want %s", route, key, want[route])
				}
			}
		})
	}
}

func TestKeysFromOperationID(t *testing.T) {
	t.Parallel()
	keys := keysOf(t, annotate.FromOperationID, []string{
		"POST /a createPaymentLink", "POST /b repos/create-for-org", "POST /c v1.app.stream.create", "POST /d Find a Project's pets", "POST /e",
		"POST /f twice", "POST /g twice",
	})
	want := map[string]string{
		"POST /a": "create-payment-link", "POST /b": "repos.create-for-org", "POST /c": "v1.app.stream.create", "POST /d": "find-a-project-s-pets",
		"POST /e": "e.create", "POST /f": "twice.f.create", "POST /g": "twice.g.create",
	}
	for route, key := range keys {
		if key != want[route] {
			t.Errorf("%s: %s, want %s", route, key, want[route])
		}
	}
}

var grammar = regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`)

// Keys depend on the set of operations alone; each is one that generate takes, and no two share a Go name.
func TestKeysDependOnNoOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"orders", "order", "v1", "v2", "api", "{id}", "{order_id}", "pay", "refund", "Lines", "lines", "order-lines", "a.b", "ä", "{x}.json", "{id}:cancel", strings.Repeat("long", 20)}
	for range 100 {
		var routes []string
		shapes := map[string]bool{}
		for range 2 + r.IntN(30) {
			path := ""
			for i := range 1 + r.IntN(4) {
				w := words[r.IntN(len(words))]
				path += "/" + strings.ReplaceAll(w, "{id}", fmt.Sprintf("{id%d}", i))
			}
			route := []string{"POST", "PUT", "PATCH", "DELETE"}[r.IntN(4)] + " " + path
			shape := regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(route, "{}")
			if _, what, _ := openapi.Template(path); what == "" && !shapes[shape] {
				shapes[shape] = true
				routes = append(routes, route)
			}
		}
		first := keysOf(t, annotate.FromPath, routes)
		names := map[string]string{}
		for route, key := range first {
			if !grammar.MatchString(key) || len(key) > 120 {
				t.Fatalf("%s: %q is no endpoint key", route, key)
			}
			for _, n := range golang.OperationNames(key) {
				if other, ok := names[n]; ok && other != route {
					t.Fatalf("%s and %s share the Go name %s", route, other, n)
				}
				names[n] = route
			}
		}
		r.Shuffle(len(routes), func(i, j int) { routes[i], routes[j] = routes[j], routes[i] })
		for route, key := range keysOf(t, annotate.FromPath, routes) {
			if first[route] != key {
				t.Fatalf("%s: %s, and in another order %s", route, first[route], key)
			}
		}
	}
}
