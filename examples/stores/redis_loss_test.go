package stores_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/redisstore"
)

// An owner whose record is lost learns of it: its result must not be used, because another attempt may run.
func TestRedisOwnerLearnsOfItsLoss(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*testing.T, redisKept){
		"FLUSHALL": func(t *testing.T, s redisKept) {
			if err := s.client.FlushAll(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
		},
		"eviction": func(t *testing.T, s redisKept) {
			settings(t, s.client, "maxmemory", "2mb", "maxmemory-policy", "allkeys-lru")
			junk := strings.Repeat("x", 4096)
			for i := 0; s.client.Exists(t.Context(), s.keys.all()[0]).Val() == 1; i++ {
				if i == 1000 {
					t.Fatal("the record is not evicted")
				}
				for j := range 100 {
					if err := s.client.Set(t.Context(), fmt.Sprint("junk", i, "-", j), junk, 0).Err(); err != nil {
						t.Fatal(err)
					}
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := redisAlone(t)
			first := reservation("k")
			begin(t, s, first, idem.Reserved)
			lose(t, s)
			if err := s.Renew(t.Context(), first.Key, first.Token, time.Minute); !errors.Is(err, idem.ErrLost) {
				t.Errorf("Renew says %v, not ErrLost", err)
			}
			second := reservation("k")
			begin(t, s, second, idem.Reserved) // the second run that cannot be helped
			err := s.Finalize(t.Context(), first.Key, first.Token, idem.Response{Status: 201}, 0)
			if !errors.Is(err, idem.ErrLost) {
				t.Errorf("Finalize says %v, not ErrLost", err)
			}
			if err := s.Finalize(t.Context(), second.Key, second.Token, idem.Response{Status: 201}, 0); err != nil {
				t.Errorf("the second owner's Finalize says %v", err)
			}
		})
	}
}

// A server that evicts nothing refuses new keys where it is full, and goes on with those it has.
func TestRedisFullServerKeepsWhatItHas(t *testing.T) {
	t.Parallel()
	s, _ := redisAlone(t)
	running, done, given := reservation("running"), reservation("done"), reservation("given back")
	for _, r := range []idem.Reservation{running, done, given} {
		begin(t, s, r, idem.Reserved)
	}
	body := []byte(strings.Repeat("x", 100_000))
	if err := s.Finalize(t.Context(), done.Key, done.Token, idem.Response{Status: 200, Body: body}, 0); err != nil {
		t.Fatal(err)
	}
	settings(t, s.client, "maxmemory", "1mb", "maxmemory-policy", "noeviction")

	if o, err := s.Begin(t.Context(), reservation("new")); !errors.Is(err, idem.ErrFull) {
		t.Errorf("a new key: %+v, %v, not ErrFull", o, err)
	}
	begin(t, s, reservation("done"), idem.Replay)
	begin(t, s, reservation("running"), idem.InProgress)
	for verb, err := range map[string]error{
		"Renew":    s.Renew(t.Context(), running.Key, running.Token, time.Minute),
		"Release":  s.Release(t.Context(), given.Key, given.Token),
		"Finalize": s.Finalize(t.Context(), running.Key, running.Token, idem.Response{Status: 200, Body: body}, 0),
	} {
		if err != nil {
			t.Errorf("%s: %v", verb, err)
		}
	}
	begin(t, s, reservation("running"), idem.Replay)
}

func TestRedisCheckFindsWhatWouldLoseRecords(t *testing.T) {
	t.Parallel()
	s, server := redisAlone(t, "appendonly", "yes")
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("a server as it should be: %v", err)
	}
	for _, policy := range []string{"allkeys-lru", "volatile-ttl"} {
		settings(t, s.client, "maxmemory-policy", policy)
		if err := s.Check(t.Context()); !errors.Is(err, redisstore.ErrEvicts) || errors.Is(err, redisstore.ErrForgets) {
			t.Errorf("%s: %v, not ErrEvicts alone", policy, err)
		}
	}
	settings(t, s.client, "appendonly", "no")
	err := s.Check(t.Context())
	if !errors.Is(err, redisstore.ErrEvicts) || !errors.Is(err, redisstore.ErrForgets) || errors.Is(err, redisstore.ErrReplica) {
		t.Errorf("%v, not ErrEvicts and ErrForgets", err)
	}
	replica, _ := redisAlone(t, "appendonly", "yes", "replicaof", "127.0.0.1 "+fmt.Sprint(server.Port))
	if err := replica.Check(t.Context()); !errors.Is(err, redisstore.ErrReplica) {
		t.Errorf("a replica: %v, not ErrReplica", err)
	}
	cluster := newRedis(t, redisClient(t, redisOptions(live.RedisCluster(t).Addrs()...)))
	if err := cluster.Check(t.Context()); !errors.Is(err, redisstore.ErrForgets) || errors.Is(err, redisstore.ErrEvicts) {
		t.Errorf("a cluster in memory: %v, not ErrForgets alone", err)
	}
}

// A replica that a client asks by mistake reserves nothing, and says why.
func TestRedisReplicaReservesNothing(t *testing.T) {
	t.Parallel()
	s, server := redisAlone(t)
	replica, _ := redisAlone(t, "replicaof", "127.0.0.1 "+fmt.Sprint(server.Port))
	r := reservation("k")
	if o, err := replica.Begin(t.Context(), r); err == nil || !strings.Contains(err.Error(), "READONLY") {
		t.Errorf("Begin on a replica: %+v, %v", o, err)
	}
	begin(t, s, r, idem.Reserved)
}

// With an append-only file the end of the server's process loses nothing.
func TestRedisCrashKeepsRecords(t *testing.T) {
	t.Parallel()
	s, server := redisAlone(t, "appendonly", "yes")
	running, done := reservation("running"), reservation("done")
	begin(t, s, running, idem.Reserved)
	begin(t, s, done, idem.Reserved)
	if err := s.Finalize(t.Context(), done.Key, done.Token, idem.Response{Status: 201, Body: []byte("done")}, 0); err != nil {
		t.Fatal(err)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if o := begin(t, s, reservation("done"), idem.Replay); string(o.Response.Body) != "done" {
		t.Errorf("the replay is %q", o.Response.Body)
	}
	begin(t, s, reservation("running"), idem.InProgress)
	if err := s.Finalize(t.Context(), running.Key, running.Token, idem.Response{Status: 201}, 0); err != nil {
		t.Errorf("Finalize after the crash: %v", err)
	}
}
