package stores_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
)

// Pages that are smaller than what a server scans at a time, over every master of a cluster: none is passed over.
func TestRedisUnresolvedIsWhole(t *testing.T) {
	t.Parallel()
	for name, addrs := range map[string]func() []string{
		"server":  func() []string { return []string{live.Redis(t).Addr()} },
		"cluster": func() []string { return live.RedisCluster(t).Addrs() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newRedis(t, redisClient(t, redisOptions(addrs()...)))
			want := map[idem.Key]bool{}
			for i := range 300 {
				r := reservation(fmt.Sprintf("{%d}\x00", i))
				r.Joined = i%10 == 1
				begin(t, s, r, idem.Reserved)
				switch {
				case i%10 == 0:
					if err := s.Finalize(t.Context(), r.Key, r.Token, idem.Response{Status: 200}, 0); err != nil {
						t.Fatal(err)
					}
				case i%10 == 2:
					if err := s.Release(t.Context(), r.Key, r.Token); err != nil {
						t.Fatal(err)
					}
				case i%10 == 3: // its lease lives
				default:
					want[r.Key] = !r.Joined
					if err := s.Renew(t.Context(), r.Key, r.Token, 0); err != nil {
						t.Fatal(err)
					}
				}
			}
			junk(t, s.client, s.prefix)
			const limit = 7
			pages, listed := 0, map[idem.Key]bool{}
			for after := ""; after != "" || pages == 0; pages++ {
				page, next, err := s.Unresolved(t.Context(), after, limit)
				if err != nil || len(page) > limit {
					t.Fatalf("a page has %d of %d, %v", len(page), limit, err)
				}
				for _, u := range page {
					if !want[u.Key] {
						t.Errorf("%q is listed", u.Key.Value)
					}
					listed[u.Key] = true
					if ago := time.Since(u.Reserved); ago < 0 || ago > time.Minute || u.LeaseEnded.Before(u.Reserved) {
						t.Errorf("%q was reserved at %v until %v", u.Key.Value, u.Reserved, u.LeaseEnded)
					}
				}
				after = next
			}
			for k, unknown := range want {
				if unknown && !listed[k] {
					t.Errorf("%q is not listed", k.Value)
				}
			}
		})
	}
}

// junk are another program's keys under the same prefix, none of them a record.
func junk(t testing.TB, client redis.UniversalClient, prefix string) {
	t.Helper()
	for i := range 50 {
		text := client.Set(t.Context(), fmt.Sprintf("%s{%d}", prefix, i), "text", 0).Err()
		hash := client.HSet(t.Context(), fmt.Sprintf("%s{hash %d}", prefix, i), "fence", "1").Err()
		if text != nil || hash != nil {
			t.Fatal(text, hash)
		}
	}
}
