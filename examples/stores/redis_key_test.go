package stores_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
)

// moving are keys whose bytes could move a record to another slot, or two of it to different ones.
var moving = []idem.Key{
	{Scope: idem.Scope{Tenant: "acme", Actor: "u-17"}, Endpoint: "claims.create", Value: "k"},
	{Scope: idem.Scope{Tenant: "{acme}", Actor: "{u}"}, Endpoint: "claims.create", Value: "{k}"},
	{Scope: idem.Scope{Tenant: "}{", Actor: "{}"}, Endpoint: "{}", Value: "}"},
	{Scope: idem.Scope{Tenant: "{", Actor: "}"}, Endpoint: "e", Value: "{{k}}"},
	{Scope: idem.Scope{Tenant: "a\x00b", Actor: "\x00"}, Endpoint: "e", Value: "k\x00"},
	{Scope: idem.Scope{Tenant: "\xff\xfe", Actor: "\xed\xa0\x80"}, Endpoint: "e", Value: "\xff"},
	{Scope: idem.Scope{Tenant: "a b", Actor: "\r\n"}, Endpoint: "e", Value: "*?[x]\\"},
}

// everyVerb uses every verb on a key, and returns the error of the first that fails.
func everyVerb(ctx context.Context, s redisKept, k idem.Key) error {
	r := reservation("")
	r.Key = k
	for range 2 { // released, and begun anew
		if o, err := s.Begin(ctx, r); err != nil || o.State != idem.Reserved {
			return fmt.Errorf("Begin: %v, %w", o.State, err)
		}
		if err := s.Renew(ctx, k, r.Token, 0); err != nil {
			return err
		}
		o, err := s.Lookup(ctx, k)
		if err != nil || o.State != idem.Unknown {
			return fmt.Errorf("Lookup: %v, %w", o.State, err)
		}
		if err := s.Resolve(ctx, k, o.Fence, nil, 0); err != nil {
			return err
		}
		r.Token = idem.NewToken()
		if _, err := s.Begin(ctx, r); err != nil {
			return err
		}
		if err := s.Release(ctx, k, r.Token); err != nil {
			return err
		}
	}
	if _, err := s.Begin(ctx, r); err != nil {
		return err
	}
	return s.Finalize(ctx, k, r.Token, idem.Response{Status: 201, Body: []byte(k.Value)}, time.Hour)
}

func TestRedisRecordIsOneKeyInOneSlot(t *testing.T) {
	t.Parallel()
	nodes := live.RedisCluster(t)
	client := redisClient(t, redisOptions(nodes.Addrs()...))
	used := map[string]bool{}
	for _, k := range moving {
		s := newRedis(t, client)
		if err := everyVerb(t.Context(), s, k); err != nil {
			t.Fatalf("%q: %v", k, err)
		}
		touched := s.keys.all()
		if len(touched) != 1 || !regexp.MustCompile(`^place\d+:\{[A-Za-z0-9_-]{43}\}$`).MatchString(touched[0]) {
			t.Fatalf("%q: the verbs touch %q", k, touched)
		}
		tag := touched[0][len(s.prefix)+1 : len(touched[0])-1]
		whole := client.ClusterKeySlot(t.Context(), touched[0]).Val()
		if alone := client.ClusterKeySlot(t.Context(), tag).Val(); whole != alone {
			t.Errorf("%q is in slot %d and its digest in %d", k, whole, alone)
		}
		if used[tag] {
			t.Errorf("%q shares the digest of another key", k)
		}
		used[tag] = true
		// Nothing but the record was left anywhere.
		if stored := redisStored(t, client, s.prefix); !slices.Equal(stored, touched) {
			t.Errorf("%q: the cluster has %q", k, stored)
		}
		if o, err := s.Lookup(t.Context(), k); err != nil || string(o.Response.Body) != k.Value {
			t.Errorf("%q replays %q, %v", k, o.Response.Body, err)
		}
	}
}

// redisStored are the keys of a prefix on every master.
func redisStored(t testing.TB, client redis.UniversalClient, prefix string) []string {
	t.Helper()
	var mu sync.Mutex
	var found []string
	scan := func(ctx context.Context, node *redis.Client) error {
		each := node.Scan(ctx, 0, prefix+"*", 1000).Iterator()
		for each.Next(ctx) {
			mu.Lock()
			found = append(found, each.Val())
			mu.Unlock()
		}
		return each.Err()
	}
	var err error
	if cluster, ok := client.(*redis.ClusterClient); ok {
		err = cluster.ForEachMaster(t.Context(), scan)
	} else {
		err = scan(t.Context(), client.(*redis.Client))
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// What has not been finalized may have run, and must not vanish by itself.
func TestRedisExpiresResultsOnly(t *testing.T) {
	t.Parallel()
	s := newRedis(t, redisClient(t, redisOptions(live.Redis(t).Addr())))
	ttl := func() time.Duration {
		t.Helper()
		left, err := s.client.PTTL(t.Context(), s.keys.all()[0]).Result()
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	const none = -1 // as PTTL says it
	r := reservation("k")
	begin(t, s, r, idem.Reserved)
	if left := ttl(); left != none {
		t.Errorf("a reserved record expires in %v", left)
	}
	if err := s.Release(t.Context(), r.Key, r.Token); err != nil {
		t.Fatal(err)
	}
	if left := ttl(); left <= 0 || left > time.Hour+time.Millisecond {
		t.Errorf("the fence of a released record expires in %v", left)
	}
	r.Joined = true
	begin(t, s, r, idem.Reserved)
	if left := ttl(); left != none {
		t.Errorf("a record that was released and begun anew expires in %v", left)
	}
	advanceRedis(t, s, 2*time.Minute)
	r = reservation("k")
	begin(t, s, r, idem.Reserved)
	if left := ttl(); left != none {
		t.Errorf("a record that was taken over expires in %v", left)
	}
	if err := s.Renew(t.Context(), r.Key, r.Token, 0); err != nil {
		t.Fatal(err)
	}
	if left := ttl(); left != none {
		t.Errorf("an unknown record expires in %v", left)
	}
	err := s.Finalize(t.Context(), r.Key, r.Token, idem.Response{Status: 200}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if left := ttl(); left <= 50*time.Second || left > time.Minute+time.Millisecond {
		t.Errorf("a result that is kept for a minute expires in %v", left)
	}
}

// A fence is above the one before although the clock is behind it: another server with another clock took over.
func TestRedisFencesOutlastClocks(t *testing.T) {
	t.Parallel()
	s := newRedis(t, redisClient(t, redisOptions(live.Redis(t).Addr())))
	r := reservation("k")
	begin(t, s, r, idem.Reserved)
	ahead := time.Now().Add(time.Hour).UnixMicro()
	if err := s.client.HSet(t.Context(), s.keys.all()[0], "fence", ahead).Err(); err != nil {
		t.Fatal(err)
	}
	if err := s.Release(t.Context(), r.Key, r.Token); err != nil {
		t.Fatal(err)
	}
	last := ahead
	for _, after := range []string{"a release", "a take-over"} {
		r = reservation("k")
		r.TakeOver = last
		o := begin(t, s, r, idem.Reserved)
		if o.Fence != last+1 {
			t.Errorf("after %s the fence is %d, not %d", after, o.Fence, last+1)
		}
		last = o.Fence
		if err := s.Renew(t.Context(), r.Key, r.Token, 0); err != nil {
			t.Fatal(err)
		}
	}
}

// A server that restarts, or that takes over, has seen no script.
func TestRedisScriptsAreSentAgain(t *testing.T) {
	t.Parallel()
	alone, _ := redisAlone(t)
	eval, flushed := redisEval(alone.client), 0
	s := newRedisOver(t, alone.client, func(ctx context.Context, command, script, key string, args []string) (any, error) {
		if command == "EVALSHA" {
			flushed++
			if err := alone.client.ScriptFlush(ctx).Err(); err != nil {
				return nil, err
			}
		}
		return eval(ctx, command, script, key, args)
	})
	if err := everyVerb(t.Context(), s, moving[0]); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Unresolved(t.Context(), "", 1); err != nil {
		t.Error(err)
	}
	if flushed < 10 {
		t.Errorf("scripts were flushed %d times", flushed)
	}
}
