package main

import (
	"context"
	"strings"
)

// replay is step 1.
func replay(d *demo) {
	before, ctx := d.now(), context.Background()
	first := d.post(ctx, claim("demo-1"))
	d.check("the write", "201", first)
	again := d.post(ctx, claim("demo-1"))
	d.check("the replay", "201 replayed", again)
	d.check("its body", first.body, again.body)
	d.check("its Location", first.location, again.location)
	d.check("its X-Claim-Number", first.number, again.number)
	d.claims(1, before)
}

// claims checks that there are n more claims, and as many events and records.
func (d *demo) claims(n int, before map[string]int) {
	d.effect("claims", n, before)
	d.effect("acme claims.create events", n, before)
	d.effect("idempotency_keys", n, before)
}

// respelt is claimBody to whoever reads JSON: other blanks, other member order, another spelling of the
// numbers, the evidence (a set) the other way round, and another clientTime (ignored).
const respelt = `{
	"clientTime": "2026-03-01T09:30:00Z",
	"evidence": [ {"weight": 1e1, "id": "ed-2"}, {"pages": [1.0, 2], "id": "\u0065d-1"} ],
	"parties": [ {"role": "claimant", "name": "Ada Lind"} ],
	"amount": {"currency": "EUR", "amount": "10.00"},
	"share": 2.50e-1, "statement": "Question 4 was marked twice.", "kind": "score"
}`

// payloads is step 3.
func payloads(d *demo) {
	before, ctx := d.now(), context.Background()
	q := claim("demo-3")
	first := d.post(ctx, q)
	d.check("the write", "201", first)

	q.body = strings.Replace(claimBody, `"10.00"`, `"10.0"`, 1)
	d.check(`"10.0" for "10.00"`, "409 idempotency_conflict", d.post(ctx, q))
	q.body = strings.Replace(claimBody, `0.25`, `0.25000000000000000001`, 1)
	d.check("a share 1e-20 larger", "409 idempotency_conflict", d.post(ctx, q))
	q.body = strings.Replace(claimBody, `"kind"`, `"urgent":true,"kind"`, 1)
	d.check("an undeclared member", "409 idempotency_conflict", d.post(ctx, q))

	q.body = respelt
	again := d.post(ctx, q)
	d.check("the same, spelt otherwise", "201 replayed", again)
	d.check("its body", first.body, again.body)
	d.claims(1, before)
}

// keys is step 4.
func keys(d *demo) {
	before, ctx := d.now(), context.Background()
	refused := func(what, message string, keys ...string) {
		q := claim("")
		q.keys = keys
		a := d.post(ctx, q)
		d.check(what, "400 validation_error", a)
		d.check("its message", message, a.problem().Message)
	}
	refused("no key", "idempotency key is required")
	refused("a key of 201 bytes", "idempotency key too long", strings.Repeat("k", 201))
	refused("two keys", "idempotency key must be sent once", "demo-4", "demo-4")
	d.check("a key of 200 bytes", "201", d.post(ctx, claim(strings.Repeat("k", 200))))
	d.claims(1, before)
}

// otherTenant is step 7. Both callers are called alice.
func otherTenant(d *demo) {
	before, ctx := d.now(), context.Background()
	ours := claim("demo-7")
	theirs := ours
	theirs.as = "globex.alice"
	d.check("acme's write", "201", d.post(ctx, ours))
	d.check("globex's write, same key", "201", d.post(ctx, theirs))
	d.check("acme's replay", "201 replayed", d.post(ctx, ours))
	d.check("globex's replay", "201 replayed", d.post(ctx, theirs))
	d.effect("claims", 2, before)
	d.effect("acme claims.create events", 1, before)
	d.effect("globex claims.create events", 1, before)
	d.effect("idempotency_keys", 2, before)
}
