package main

import "strings"

// A mutant is a fault.
type mutant struct {
	name  string // what is wrong
	edits []edit
}

// An edit makes old, which stands once in a file below the repository's root, new.
type edit struct{ file, old, new string }

const (
	wiring    = "examples/ledger/service/service.go"
	caller    = "examples/ledger/service/caller.go"
	unsafe    = "examples/ledger/service/unsafe.go"
	endpoints = "examples/ledger/ledgeridem/endpoints.gen.go"
	runtime   = "runtime/idem/"
	store     = "runtime/sqlitestore/"
)

// assignmentsRules is how the identity of assignments.create begins.
const assignmentsRules = `	Path:     "/assignments",
	Bodies:   []idem.Body{{MediaType: "application/json", Form: idem.Document}},
	Identity: idem.Identity{
		Body: []idem.BodyRules{{MediaType: "application/json", Rules: canon.Rules{
			`

// mutants are faults that a team could make in its service, and that a runtime could have.
var mutants = []mutant{
	// The service and its wiring.
	{"the wrapper is forgotten on two routes", []edit{{unsafe,
		`if u != NoWrapper {`, `if u == NoWrapper {`}}},
	{"a route is not registered", []edit{{wiring,
		`		op := h.Operation()
`, `		op := h.Operation()
		if op.Endpoint == "engagements.hash" {
			continue
		}
`}}},
	{"a route is there a second time, without its wrapper", []edit{{wiring,
		`	exempt(mux)
`, `	mux.Handle("POST /submissions/{submissionId}/claims/{$}", again(db))
	exempt(mux)
`}}},
	{"keys are not scoped by tenant", []edit{{caller,
		`idem.Scope{Tenant: c.Tenant, Actor: c.User}`, `idem.Scope{Tenant: idem.SingleTenant, Actor: c.User}`}}},
	{"keys are not scoped by actor", []edit{{caller,
		`idem.Scope{Tenant: c.Tenant, Actor: c.User}`, `idem.Scope{Tenant: c.Tenant, Actor: idem.Anonymous}`}}},
	{"a layer outside of the wrappers says something new each time", []edit{{wiring,
		`return o.Gate.answers(authenticate(mux))`, `return o.Gate.answers(dated(authenticate(mux)))`}}},
	{"a layer outside of the wrappers tries everything twice", []edit{{wiring,
		`return o.Gate.answers(authenticate(mux))`, `return o.Gate.answers(twice(authenticate(mux)))`}}},
	{"the work of some operations ends with the client's connection", []edit{{wiring,
		`		r, err := fn(ctx, tx, p)`, `		if hungUp(ctx) {
			return nil, context.Canceled
		}
		r, err := fn(ctx, tx, p)`}, {caller,
		`context.WithValue(r.Context(), callerKey{}, caller)`, `context.WithValue(connected(r), callerKey{}, caller)`}}},
	{"authentication stands inside of the wrappers", []edit{{wiring,
		`return o.Gate.answers(authenticate(mux))`, `return o.Gate.answers(mux)`}}},

	// What is generated.
	{"a field is dropped from what is compared", []edit{{endpoints,
		`	Path:     "/claims/{claimId}/events",
	Bodies:   []idem.Body{{MediaType: "application/json", Form: idem.Document}},
`, `	Path:     "/claims/{claimId}/events",
	Bodies:   []idem.Body{{MediaType: "application/json", Form: idem.Document}},
	Identity: idem.Identity{Body: []idem.BodyRules{{MediaType: "application/json", Rules: canon.Rules{{Ignore: []string{"note"}}}}}},
`}}},
	{"a nested field is dropped from what is compared", []edit{{endpoints,
		assignmentsRules + `{Members: []canon.Member{{Name: "subjects", Rule: 1}}},
			{Unordered: true},`, assignmentsRules + `{Members: []canon.Member{{Name: "subjects", Rule: 1}, {Name: "window", Rule: 2}}},
			{Unordered: true},
			{Ignore: []string{"to"}},`}}},
	{"a set is compared in its order", []edit{{endpoints,
		assignmentsRules + `{Members: []canon.Member{{Name: "subjects", Rule: 1}}},
			{Unordered: true},`, assignmentsRules + `{Members: []canon.Member{{Name: "subjects", Rule: 1}}},
			{},`}}},
	{"a query parameter is not compared", []edit{{endpoints,
		assignmentsRules, strings.Replace(assignmentsRules, "\t\tBody:", "\t\tIgnoredQuery: []string{\"notify\"},\n\t\tBody:", 1)}}},

	// What is compared.
	{"the path is not compared", []edit{{runtime + "identity.go",
		`	e.lists("path", rq.firstPath(), nil)
`, ``}}},
	{"bodies are compared by their bytes", []edit{{runtime + "identity.go",
		`		dst, err := canon.Append(e.dst, rq.body.data, rules)
		if err != nil {`, `		dst, err := append(e.dst, rq.body.data...), error(nil)
		if err != nil {`}}},
	{"what is ignored counts", []edit{{runtime + "identity.go",
		`			rules = id.Body[i].Rules
`, `			rules = nil
`}}},
	{"another payload gets the first one's result", []edit{{store + "store.go",
		`return rec.outcome(idem.Conflict), true, nil`, `return rec.outcome(rec.state()), true, nil`}}},

	// The key.
	{"a request without a key runs", []edit{{runtime + "key.go",
		`		return "", invalid(keyRequired)
	}
	if len(lines) > 1 {`, `		return "none", nil
	}
	if len(lines) > 1 {`}}},
	{"an empty key is one", []edit{{runtime + "key.go",
		`	case key == "":
		return invalid(keyRequired)
	case len(key) > limit:`, `	case len(key) > limit:`}}},
	{"keys are not bounded", []edit{{runtime + "key.go",
		`	case len(key) > limit:
		return invalid(keyTooLong)
`, ``}}},
	{"the first of two keys counts", []edit{{runtime + "key.go",
		`	if len(lines) > 1 {
		return "", invalid(keyOnce)
	}
`, ``}}},
	{"a key in quotes is another one", []edit{{runtime + "key.go",
		`		key, reason = unquoteKey(text)
`, `		_, reason = unquoteKey(text)
`}}},

	// The replay.
	{"a replay has no mark", []edit{{runtime + "header.go",
		`	dst[replayed] = []string{"true"}
`, ``}}},
	{"a replay is built again", []edit{{runtime + "send.go",
		`	replayHeader(w.Header(), r.Header)
	return sendBody(w, r.Status, r.Body)`, `	replayHeader(w.Header(), r.Header)
	return sendBody(w, r.Status, append(r.Body[:len(r.Body):len(r.Body)], ' '))`}}},
	{"every replay is a 200", []edit{{runtime + "send.go",
		`	replayHeader(w.Header(), r.Header)
	return sendBody(w, r.Status, r.Body)`, `	replayHeader(w.Header(), r.Header)
	return sendBody(w, http.StatusOK, r.Body)`}}},
	{"the Content-Type is not stored", []edit{{runtime + "header.go",
		`"Content-Type", "Etag", "Last-Modified", "Link", "Location", "Vary",`, `"Etag", "Last-Modified", "Link", "Location", "Vary",`}}},
	{"headers that the document declares are not stored", []edit{{runtime + "header.go",
		`return slices.Contains(alwaysStored, name) || containsName(declared, name)`, `return slices.Contains(alwaysStored, name)`}}},
	{"errors of the domain are not stored", []edit{{runtime + "joined.go",
		`	if v != Keep {
		_ = a.release`, `	if v != Keep || resp.Status >= 400 {
		_ = a.release`}}},

	// The work.
	{"the handler runs twice", []edit{{runtime + "joined.go",
		`		if r, cause = fn(ctx, tx); cause != nil {`, `		_, _ = fn(ctx, tx)
		if r, cause = fn(ctx, tx); cause != nil {`}}},
	{"the work ends with the client's connection", []edit{{runtime + "attempt.go",
		`ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))`, `ctx, cancel := context.WithCancelCause(parent)`}}},
	{"a panic counts as nothing done", []edit{{runtime + "decide.go",
		`	case e.Panicked:
		return Suspend`, `	case e.Panicked:
		return Forget`}}},
	{"a failure counts as nothing done", []edit{{runtime + "decide.go",
		`	case e.Status >= 500:
		return Suspend`, `	case e.Status >= 500:
		return Forget`}}},
	{"a failure is stored", []edit{{runtime + "decide.go",
		`	case e.Status >= 500:
		return Suspend
`, ``}}},
	{"what may have run is run again", []edit{{runtime + "service.go",
		`cmp.Or(o.OnUnknown, d.OnUnknown, Reject)`, `cmp.Or(o.OnUnknown, d.OnUnknown, Reexecute)`}}},

	// The store.
	{"the store being down, work is done without it", []edit{{runtime + "begin.go",
		`			s.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Err: err})
			return unavailable()
		}
		a.outcome = out`, `			out, err = Outcome{State: Reserved, Fence: 1}, nil
		}
		a.outcome = out`}}},
	{"what still runs is run again", []edit{{store + "store.go",
		`	case rec.leaseUntil > rec.now:
		return rec.outcome(idem.InProgress), true, nil
`, `	case rec.leaseUntil > rec.now:
		return idem.Outcome{State: idem.Reserved, Fence: rec.fence, Fingerprint: r.Fingerprint, Now: time.UnixMicro(rec.now)}, true, nil
`}}},
	{"a transaction that failed is committed", []edit{{store + "tx.go",
		`	if err := fn(tx); err != nil {
		return err
	}
`, `	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Commit())
	}
`}}},
	{"an owner that was overtaken is let in", []edit{{store + "queries.go",
		"lock = `UPDATE idempotency_keys SET token = token WHERE ` + reserved", "lock = `UPDATE idempotency_keys SET token = token WHERE ?5 IS NOT NULL AND ` + thisKey"}}},
	{"the result of the work is stored outside of its transaction", []edit{{store + "tx.go",
		`	return s.finalize(ctx, tx, k, t, r, keep)
`, `	return nil
`}}},
}
