package live

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A RedisServers is a cluster of three masters without replicas.
type RedisServers []*RedisServer

var sharedRedisCluster = sync.OnceValues(func() (RedisServers, error) {
	nodes, err := startRedisCluster()
	for _, s := range nodes {
		s.keep()
	}
	return nodes, err
})

// RedisCluster is the test binary's one Redis Cluster, which [Main] ends.
func RedisCluster(t testing.TB) RedisServers {
	t.Helper()
	nodes, err := sharedRedisCluster()
	if err != nil {
		unavailable(t, "Redis Cluster", err)
	}
	return nodes
}

// Addrs is where the masters listen.
func (nodes RedisServers) Addrs() []string {
	var addrs []string
	for _, s := range nodes {
		addrs = append(addrs, s.Addr())
	}
	return addrs
}

func startRedisCluster() (nodes RedisServers, err error) {
	defer func() {
		if err != nil {
			for _, s := range nodes {
				s.Stop()
			}
			nodes = nil
		}
	}()
	var buses []string
	for range 3 {
		bus, err := freePort()
		if err != nil {
			return nodes, err
		}
		buses = append(buses, strconv.Itoa(bus))
		s, err := StartRedis(RedisOptions{Settings: map[string]string{
			"cluster-enabled": "yes", "cluster-port": strconv.Itoa(bus)}})
		if err != nil {
			return nodes, err
		}
		nodes = append(nodes, s)
	}
	ranges := [][2]string{{"0", "5460"}, {"5461", "10922"}, {"10923", "16383"}}
	for i, s := range nodes {
		_, epoch := redisAsk(s.Addr(), "CLUSTER", "SET-CONFIG-EPOCH", strconv.Itoa(i+1))
		_, slots := redisAsk(s.Addr(), "CLUSTER", "ADDSLOTSRANGE", ranges[i][0], ranges[i][1])
		_, meet := redisAsk(s.Addr(), "CLUSTER", "MEET", "127.0.0.1", strconv.Itoa(nodes[0].Port), buses[0])
		if err := errors.Join(epoch, slots, meet); err != nil {
			return nodes, err
		}
	}
	return nodes, nodes.agree()
}

// agree waits until each master knows all three, and that they have all slots.
func (nodes RedisServers) agree() error {
	const patience = 20 * time.Second
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		agreed := 0
		for _, s := range nodes {
			info, err := redisAsk(s.Addr(), "CLUSTER", "INFO")
			if err == nil && strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_size:3") {
				agreed++
			}
		}
		if agreed == len(nodes) {
			return nil
		}
		if time.Since(begun) > patience {
			return fmt.Errorf("the masters of the cluster do not agree after %v", patience)
		}
	}
}
