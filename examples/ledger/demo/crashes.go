package main

import (
	"context"
	"time"
)

// crashBeforeCommit is step 5a. The reservation outlives the crash, its transaction does not: nothing has
// happened, and once the lease is over the retry runs.
func crashBeforeCommit(d *demo) {
	before := d.now()
	q := claim("demo-5a")
	d.crash("before-commit", q)
	d.grown("claims", 0, before)
	d.check("the retry", "201", d.persist(q))
	d.check("a second retry", "201 replayed", d.persist(q))
	d.claims(1, before)
}

// crashBeforeAnswer is step 5b. Effect and result were committed together: the retry gets the answer that
// nobody has seen.
func crashBeforeAnswer(d *demo) {
	before := d.now()
	q := claim("demo-5b")
	d.crash("before-answer", q)
	d.grown("claims", 1, before)
	retry := d.persist(q)
	d.check("the retry", "201 replayed", retry)
	d.check("it has a Location", true, retry.location != "")
	d.claims(1, before)
}

// crashAfterEffect is step 5c. Nobody can know whether a lease-mode handler that died has done its work.
// So it is not done again, and the client is told.
func crashAfterEffect(d *demo) {
	before := d.now()
	q := request{path: "/compliance/jobs", as: "acme.alice", keys: []string{"demo-5c"},
		body: `{"framework":"iso-9001","period":{"from":"2026-01-01","to":"2026-04-01"}}`}
	d.crash("after-effect", q)
	d.grown("compliance_jobs", 1, before)
	d.check("the retry", "409 idempotency_outcome_unknown", d.persist(q))
	d.effect("compliance_jobs", 1, before)
	d.effect("acme compliance.jobs.create events", 1, before)
	d.effect("idempotency_keys", 1, before)
}

// crash sends a request, kills the server when the request has come to a point, and starts it again.
func (d *demo) crash(point string, q request) {
	d.hold(point)
	lost := make(chan answer, 1)
	go func() { lost <- d.post(context.Background(), q) }()
	d.check("the request", "held "+point, d.wait("held "))
	d.kill()
	d.check("what the client sees of kill -9", "no answer", <-lost)
	if err := d.start(); err != nil {
		d.check("the restart", "no error", err)
	}
}

// hangUp is step 6. The client's connection is not the work: it goes on, and the retry gets its result.
func hangUp(d *demo) {
	before := d.now()
	q := claim("demo-6")
	d.hold("before-commit")
	ctx, hang := context.WithCancel(context.Background())
	gone := make(chan answer, 1)
	go func() { gone <- d.post(ctx, q) }()
	d.check("the request", "held before-commit", d.wait("held "))
	hang()
	d.check("what is left of it", "no answer", <-gone)
	time.Sleep(200 * time.Millisecond) // so that the server has noticed
	d.check("a retry meanwhile", "409 idempotency_in_progress", d.post(context.Background(), q))
	d.release()
	retry := d.persist(q)
	d.check("the retry", "201 replayed", retry)
	d.check("it has a Location", true, retry.location != "")
	d.claims(1, before)
}
