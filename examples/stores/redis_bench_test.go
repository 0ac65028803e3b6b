package stores_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/redisstore"
)

// The commands of a Begin and a Finalize, by hand: without most of the checks, take-over and replay.
const (
	beginByHand = `
local record = redis.call('HMGET', KEYS[1], 'token', 'lease_until', 'status')
local time = redis.call('TIME')
if record[1] then return {'in progress'} end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'fingerprint', ARGV[2], 'lease_until', time[1] + 60,
  'fence', time[2], 'key', ARGV[3])
return {'reserved', time[1], time[2]}`
	finalizeByHand = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return {'lost'} end
redis.call('HSET', KEYS[1], 'status', ARGV[3], 'header', ARGV[4], 'body', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'done'}`
)

// BenchmarkRedis compares a Begin and a Finalize with two EVALSHA of an empty script, which is what asking twice
// costs, and with the same commands by hand; and a replay with one EVALSHA. ratio is the throughput as a part of the
// baseline's: the median over pairs, each measured as baseline, store, store, baseline.
func BenchmarkRedis(b *testing.B) {
	client := redisClient(b, redisOptions(live.Redis(b).Addr()))
	eval := redisEval(client)
	load := func(text string) string {
		sha, err := client.ScriptLoad(b.Context(), text).Result()
		if err != nil {
			b.Fatal(err)
		}
		return sha
	}
	empty, beginHand, finalizeHand := load("return {}"), load(beginByHand), load(finalizeByHand)
	store := redisstore.New(eval, redisstore.Options{Retention: time.Minute, Prefix: "bench:"})
	const body = `{"id":7,"kind":"dispute","amount":"12.50","state":"open"}`

	ask := func(sha, name string, args ...string) error {
		_, err := eval(context.Background(), "EVALSHA", sha, "bench:{"+name+"}", args)
		return err
	}
	once := func(name string) error { return ask(empty, name) }
	twice := func(name string) error { return errors.Join(ask(empty, name), ask(empty, name)) }
	byHand := func(name string) error {
		token := idem.NewToken()
		return errors.Join(ask(beginHand, name, string(token[:]), string(token[:]), name),
			ask(finalizeHand, name, string(token[:]), "60000", "201", "", body))
	}
	run := func(name string) error {
		r := reservation(name)
		if _, err := store.Begin(context.Background(), r); err != nil {
			return err
		}
		return store.Finalize(context.Background(), r.Key, r.Token, idem.Response{Status: 201, Body: []byte(body)}, 0)
	}
	replay := func(string) error {
		_, err := store.Begin(context.Background(), reservation("replay"))
		return err
	}
	if err := run("replay"); err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 8, 32} {
		b.Run(fmt.Sprintf("begin+finalize/empty/%d", workers), func(b *testing.B) { comparePairs(b, workers, twice, run) })
		b.Run(fmt.Sprintf("begin+finalize/by-hand/%d", workers), func(b *testing.B) { comparePairs(b, workers, byHand, run) })
		b.Run(fmt.Sprintf("replay/empty/%d", workers), func(b *testing.B) { comparePairs(b, workers, once, replay) })
	}
}

// comparePairs reports how work compares with a baseline that is measured in turns with it.
func comparePairs(b *testing.B, workers int, baseline, work func(name string) error) {
	const each = 2000
	measure := func(do func(string) error) time.Duration {
		turn := redisPrefixes.Add(1)
		start := time.Now()
		var working sync.WaitGroup
		for w := range workers {
			working.Add(1)
			go func() {
				defer working.Done()
				for i := range each / workers {
					if err := do(fmt.Sprintf("%d-%d-%d", turn, w, i)); err != nil {
						b.Error(err)
						return
					}
				}
			}()
		}
		working.Wait()
		return time.Since(start)
	}
	var ratios []float64
	var base, took time.Duration
	for range max(b.N, 7) {
		before, first, second, after := measure(baseline), measure(work), measure(work), measure(baseline)
		base, took = base+before+after, took+first+second
		ratios = append(ratios, float64(before+after)/float64(first+second))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
	b.ReportMetric(float64(took.Microseconds())/float64(2*each*len(ratios)), "µs/store")
	b.ReportMetric(float64(base.Microseconds())/float64(2*each*len(ratios)), "µs/baseline")
	b.ReportMetric(0, "ns/op")
}
