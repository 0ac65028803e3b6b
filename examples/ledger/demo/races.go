package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

const crowd = 50

// raceHeld is step 2a: whoever wins is held between its INSERT and its COMMIT until the other 49 have
// their answers.
func raceHeld(d *demo) {
	before := d.now()
	d.hold("before-commit")
	answers := d.crowd(claim("demo-2a"), func() {})
	d.check("the winner", "held before-commit", d.wait("held "))
	others := collect(answers, crowd-1)
	d.check("the others, while it is held", fmt.Sprintf("409 idempotency_in_progress x%d", crowd-1), summary(others))
	d.release()
	d.check("the winner, after that", "201 x1", summary(collect(answers, crowd-len(others))))
	d.claims(1, before)
}

// raceRandom is step 2b: requests and release fall where they may.
func raceRandom(d *demo) {
	before := d.now()
	const spread = 200 * time.Millisecond
	pause := func() { time.Sleep(rand.N(spread)) }
	d.hold("before-commit")
	answers := d.crowd(claim("demo-2b"), pause)
	d.check("the winner", "held before-commit", d.wait("held "))
	pause()
	d.release()
	all := collect(answers, crowd)
	d.say("seen: %s", summary(all))
	firsts, rest := 0, 0
	for _, a := range all {
		switch a.String() {
		case "201":
			firsts++
		case "201 replayed", "409 idempotency_in_progress":
			rest++
		}
	}
	d.check("first answers", 1, firsts)
	d.check("replays or in progress", crowd-1, rest)
	d.claims(1, before)
}

// crowd sends the same request 50 times at once, each after its own pause.
func (d *demo) crowd(q request, pause func()) <-chan answer {
	answers := make(chan answer, crowd)
	start := make(chan struct{})
	for range crowd {
		go func() {
			<-start
			pause()
			answers <- d.post(context.Background(), q)
		}()
	}
	close(start)
	return answers
}

// collect takes n answers, or as many as come in time.
func collect(answers <-chan answer, n int) []answer {
	timeout := time.After(patience)
	var all []answer
	for len(all) < n {
		select {
		case a := <-answers:
			all = append(all, a)
		case <-timeout:
			return all
		}
	}
	return all
}

// summary counts equal answers: "201 x1, 409 idempotency_in_progress x49".
func summary(answers []answer) string {
	counts := map[string]int{}
	for _, a := range answers {
		counts[a.String()]++
	}
	var parts []string
	for text, n := range counts {
		parts = append(parts, fmt.Sprintf("%s x%d", text, n))
	}
	if len(parts) == 0 {
		return "no answer"
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
