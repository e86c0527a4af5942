package redis_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/storetest"
	goredis "github.com/redis/go-redis/v9"
)

// pair starts a server and a replica that has caught up with it.
func pair(t testing.TB) (primary, replica *server) {
	t.Helper()
	primary = start(t, "redis-server", "--port", port(t), "--repl-diskless-sync-delay", "0")
	replica = start(t, "redis-server", "--port", port(t), "--replicaof", "127.0.0.1 "+primary.port())
	replica.follows(t)
	primary.isFollowed(t)
	return primary, replica
}

// follows waits until a replica has caught up with its primary.
func (s *server) follows(t testing.TB) {
	t.Helper()
	for !strings.Contains(s.client.Info(t.Context(), "replication").Val(), "master_link_status:up") {
		if t.Context().Err() != nil {
			t.Fatal("the replica does not follow")
		}
		time.Sleep(time.Millisecond) // between two looks
	}
}

// isFollowed waits until a replica confirms what the primary sends. The replica says that its link is up before the
// primary counts it: the primary first hears of it, and looks ten times a second whether its copy is complete.
func (s *server) isFollowed(t testing.TB) {
	t.Helper()
	for {
		line := s.client.Pipeline()
		line.Publish(t.Context(), "followed", "") // goes to replicas too, and changes no key
		confirmed := line.Do(t.Context(), "WAIT", 1, 100)
		if _, err := line.Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, _ := confirmed.Int(); n > 0 {
			return
		}
	}
}

// replicated opens a handle that waits for one replica.
func (s *server) replicated(t testing.TB, prefix string, wait time.Duration) *redis.Store {
	t.Helper()
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: s.socket, DialerRetries: 1, MaxRetryBackoff: 1,
		ReadTimeout: wait + time.Minute})
	h, err := redis.New(t.Context(), client, redis.Options{Prefix: prefix, Replicas: 1, Wait: wait})
	must.OK(t, err)
	t.Cleanup(func() { _, _ = h.Close(), client.Close() })
	return h
}

// TestReplicatedStore certifies a store that waits for a replica.
func TestReplicatedStore(t *testing.T) {
	t.Parallel()
	s, _ := pair(t)
	n := 0
	storetest.Run(t, func(t *testing.T) func() store.Store {
		n++
		prefix := fmt.Sprint("test ", n)
		return func() store.Store { return s.replicated(t, prefix, time.Minute) }
	})
}

// TestTwoPrimaries promotes the replica while the old primary still works. The old one loses its writes when it
// becomes a replica. They count only for those who do not wait.
func TestTwoPrimaries(t *testing.T) {
	t.Parallel()
	s, replica := pair(t)
	h, plain := s.replicated(t, "", 20*time.Millisecond), s.handle(t, "")
	version := storetest.Put(t, s.replicated(t, "", time.Minute), "a", 0)
	replica.do(t, "CONFIG", "SET", "repl-diskless-sync-delay", "0")
	replica.do(t, "REPLICAOF", "NO", "ONE")
	storetest.Put(t, plain, "b", 0)
	fails(t, h, version, redis.ErrReplicas, "on the old primary")
	s.do(t, "REPLICAOF", "127.0.0.1", replica.port())
	s.follows(t)
	replica.isFollowed(t)
	after := replica.replicated(t, "", time.Minute)
	if saved, err := after.Load(t.Context(), "a"); err != nil || saved.Version != version || string(saved.State) != "x" {
		t.Errorf("what counted before the failover: %+v, %v", saved, err)
	}
	if saved, err := after.Load(t.Context(), "b"); !errors.Is(err, store.ErrUnknown) {
		t.Errorf("a commit that waited for no replica: %+v, %v", saved, err)
	}
	storetest.Put(t, after, "a", version)
}

// TestHearsAfterFailover makes the server on which a handle hears of commits a replica. Nothing breaks the connection,
// and the new primary's commits do not reach it.
func TestHearsAfterFailover(t *testing.T) {
	t.Parallel()
	old, next := start(t, "redis-server"), start(t, "redis-server")
	var primary atomic.Pointer[server]
	primary.Store(old)
	client := goredis.NewClient(&goredis.Options{Dialer: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", primary.Load().socket)
	}})
	defer client.Close()
	h, err := redis.New(t.Context(), client, redis.Options{})
	must.OK(t, err)
	defer h.Close()
	h.TryAfter(20 * time.Millisecond)
	wakes, stop, err := h.Watch(t.Context(), "a")
	must.OK(t, err)
	defer stop()
	primary.Store(next)
	old.do(t, "REPLICAOF", "127.0.0.1", "1") // it never reaches its primary
	version := storetest.Put(t, next.handle(t, ""), "a", 0)
	for saved := (store.Saved{}); saved.Version != version; saved, _ = h.Load(t.Context(), "a") {
		<-wakes
	}
	for version = storetest.Put(t, next.handle(t, ""), "a", version); ; {
		<-wakes
		if saved, err := h.Load(t.Context(), "a"); err == nil && saved.Version == version {
			return
		}
	}
}

// TestReplicasRefused opens stores that no server can keep.
func TestReplicasRefused(t *testing.T) {
	client := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:1"})
	defer client.Close()
	ring := goredis.NewRing(&goredis.RingOptions{Addrs: map[string]string{"a": "127.0.0.1:1"}})
	defer ring.Close()
	for name, open := range map[string]func() (*redis.Store, error){
		"less than none": func() (*redis.Store, error) {
			return redis.New(t.Context(), client, redis.Options{Replicas: -1})
		},
		"no time": func() (*redis.Store, error) {
			return redis.New(t.Context(), client, redis.Options{Replicas: 1, Wait: -1})
		},
		"a ring": func() (*redis.Store, error) { return redis.New(t.Context(), ring, redis.Options{Replicas: 1}) },
	} {
		if _, err := open(); err == nil || errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
