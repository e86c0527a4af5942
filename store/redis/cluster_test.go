package redis_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/storetest"
	goredis "github.com/redis/go-redis/v9"
)

// clustered starts a server of a cluster.
func clustered(t *testing.T) *server {
	t.Helper()
	return start(t, "redis-server", "--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1", "--cluster-port",
		port(t), "--port", port(t), "--repl-diskless-sync-delay", "0")
}

// until waits until a server says something of its cluster.
func (s *server) until(t *testing.T, says string) {
	t.Helper()
	for !strings.Contains(s.client.ClusterInfo(t.Context()).Val()+s.client.ClusterNodes(t.Context()).Val(), says) {
		if t.Context().Err() != nil {
			t.Fatal("the cluster does not say " + says)
		}
		time.Sleep(time.Millisecond) // between two looks
	}
}

func (s *server) id(t *testing.T) string {
	t.Helper()
	id, err := s.client.Do(t.Context(), "CLUSTER", "MYID").Text()
	must.OK(t, err)
	return id
}

// TestMoved moves sessions to another server of a cluster. A handle that does not know it is told MOVED, and follows.
func TestMoved(t *testing.T) {
	t.Parallel() // a new cluster takes nothing for two seconds
	a, b := clustered(t), clustered(t)
	a.do(t, "CLUSTER", "ADDSLOTSRANGE", 0, 8191)
	b.do(t, "CLUSTER", "ADDSLOTSRANGE", 8192, 16383)
	a.do(t, "CLUSTER", "MEET", "127.0.0.1", b.port(), b.value("--cluster-port"))
	replicas := map[*server]*server{a: clustered(t), b: clustered(t)}
	for primary, replica := range replicas {
		a.do(t, "CLUSTER", "MEET", "127.0.0.1", replica.port(), replica.value("--cluster-port"))
		replica.until(t, primary.id(t))
		replica.do(t, "CLUSTER", "REPLICATE", primary.id(t))
		replica.follows(t)
	}
	for _, s := range []*server{a, b} {
		s.until(t, "cluster_state:ok")
		s.until(t, b.id(t))
		s.until(t, a.id(t))
	}
	client := goredis.NewClusterClient(&goredis.ClusterOptions{Addrs: []string{"127.0.0.1:" + a.port()}})
	defer client.Close()
	open := func(o redis.Options) *redis.Store {
		h, err := redis.New(t.Context(), client, o)
		must.OK(t, err)
		t.Cleanup(func() { h.Close() })
		return h
	}
	handles := []*redis.Store{open(redis.Options{}), open(redis.Options{Replicas: 1, Wait: time.Minute})}
	const sessions = 64 // in all shards
	var versions [sessions]uint64
	round := func(h *redis.Store) {
		t.Helper()
		for i := range versions {
			name := fmt.Sprint("s", i)
			versions[i] = storetest.Put(t, h, name, versions[i])
			saved, err := h.Load(t.Context(), name)
			if err != nil || saved.Version != versions[i] {
				t.Fatalf("%s: %+v, %v", name, saved, err)
			}
		}
	}
	for _, h := range handles {
		round(h)
		moveAll(t, a, b)
		round(h)
		moveAll(t, b, a)
	}
	for _, h := range handles {
		if err := h.Redeem(t.Context(), "id", 1, 1000); err != nil && !errors.Is(err, store.ErrRedeemed) {
			t.Error(err)
		}
	}
}

// moveAll moves every slot that has keys.
func moveAll(t *testing.T, from, to *server) {
	t.Helper()
	slots := map[int64]bool{}
	for _, key := range from.client.Keys(t.Context(), "*").Val() {
		slots[from.client.ClusterKeySlot(t.Context(), key).Val()] = true
	}
	if len(slots) == 0 {
		t.Fatal("nothing to move")
	}
	for slot := range slots {
		to.do(t, "CLUSTER", "SETSLOT", slot, "IMPORTING", from.id(t))
		from.do(t, "CLUSTER", "SETSLOT", slot, "MIGRATING", to.id(t))
		move := []any{"MIGRATE", "127.0.0.1", to.port(), "", 0, 60000, "KEYS"}
		for _, key := range from.client.ClusterGetKeysInSlot(t.Context(), int(slot), 1000).Val() {
			move = append(move, key)
		}
		from.do(t, move...)
		to.do(t, "CLUSTER", "SETSLOT", slot, "NODE", to.id(t))
		from.do(t, "CLUSTER", "SETSLOT", slot, "NODE", to.id(t))
	}
}
