package redis_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/storetest"
)

// server is a Redis of its own for a test.
type server struct {
	socket string
	args   []string
	cmd    *exec.Cmd
	client *goredis.Client
}

// start starts a real server. CI must have one.
func start(t testing.TB, program string, args ...string) *server {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(program + " is not installed")
		}
		t.Skip(program + " is not installed")
	}
	dir := must.ShortDir(t)
	s := &server{socket: filepath.Join(dir, "s"), args: append([]string{program, "--port", "0", "--save", "",
		"--dir", dir, "--unixsocket", filepath.Join(dir, "s")}, args...)}
	s.client = goredis.NewClient(&goredis.Options{Network: "unix", Addr: s.socket})
	t.Cleanup(func() { _ = s.client.Close(); s.kill() })
	s.run(t)
	return s
}

func (s *server) run(t testing.TB) {
	t.Helper()
	s.cmd = exec.Command(s.args[0], s.args[1:]...)
	must.OK(t, s.cmd.Start())
	for s.client.Ping(t.Context()).Err() != nil {
		if t.Context().Err() != nil {
			t.Fatal("the server did not start")
		}
		time.Sleep(time.Millisecond) // between two looks
	}
}

func (s *server) port() string { return s.value("--port") }

// value is the last one of an option.
func (s *server) value(option string) (last string) {
	for i, arg := range s.args[1:] {
		if s.args[i] == option {
			last = arg
		}
	}
	return last
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// handle opens a handle with a client of its own, as a node has.
func (s *server) handle(t testing.TB, prefix string) *redis.Store {
	t.Helper()
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: s.socket, DialerRetries: 1, MaxRetryBackoff: 1})
	h, err := redis.New(t.Context(), client, redis.Options{Prefix: prefix})
	must.OK(t, err)
	t.Cleanup(func() { _, _ = h.Close(), client.Close() })
	return h
}

func TestStore(t *testing.T) {
	t.Parallel()
	s := start(t, "redis-server")
	n := 0
	storetest.Run(t, func(t *testing.T) func() store.Store {
		n++
		prefix := fmt.Sprint("test ", n)
		return func() store.Store { return s.handle(t, prefix) }
	})
}

// TestHistoryIsWhole reads more entries than a page of a shard has: many of one moment, and some that were forgotten
// while their places are still there.
func TestHistoryIsWhole(t *testing.T) {
	t.Parallel()
	s := start(t, "redis-server")
	h := s.handle(t, "e")
	var all []store.Entry
	for session := range 40 {
		c := store.Change{Session: fmt.Sprint("s", session), Now: 1, State: []byte("x")}
		for n := range 200 * (1 + session%2*4) {
			at := int64(1000)
			if session%3 == 0 {
				at += int64(n)
			}
			c.Entries = append(c.Entries, store.Entry{ID: fmt.Sprint(n), At: at})
		}
		if _, err := h.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		for _, e := range c.Entries {
			e.Session = c.Session
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b store.Entry) int { return store.Newer(&a, &b) })
	same := func(q store.Query, want []store.Entry) {
		t.Helper()
		got := 0
		for e, err := range h.History(t.Context(), q) {
			if err != nil || got >= len(want) || store.Newer(&e, &want[got]) != 0 {
				t.Fatalf("%+v: %v: entry %d of %d is %+v", q, err, got, len(want), e)
			}
			got++
		}
		if got != len(want) {
			t.Fatalf("%+v: %d entries, want %d", q, got, len(want))
		}
	}
	same(store.Query{}, all)
	for _, at := range []int{0, 100, 5000, len(all) - 3} {
		rest := all[at+1:]
		same(store.Query{Before: &all[at], Limit: 300}, rest[:min(300, len(rest))])
	}
	same(store.Query{Until: 1000}, nil)
	keys, err := s.client.Keys(t.Context(), "*entries").Result()
	if err != nil || len(keys) == 0 {
		t.Fatal(keys, err)
	}
	lost := all[:2000]
	for _, key := range keys {
		var members []string
		for _, e := range lost {
			members = append(members, e.Session+"\x00\x01"+e.ID)
		}
		must.OK(t, s.client.HDel(t.Context(), key, members...).Err())
	}
	same(store.Query{}, all[len(lost):])
}

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
