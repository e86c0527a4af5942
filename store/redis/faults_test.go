package redis_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/storetest"
	goredis "github.com/redis/go-redis/v9"
)

// fails checks that every method that writes has this error.
func fails(t *testing.T, s store.Store, version uint64, want error, when string) {
	t.Helper()
	_, commit := s.Commit(t.Context(), store.Change{Session: "a", From: version, State: []byte("lost")})
	for what, err := range map[string]error{"commit": commit, "redeem": s.Redeem(t.Context(), "id", 1, 1000)} {
		if !errors.Is(err, want) {
			t.Errorf("%s, %s: %v", when, what, err)
		}
	}
}

func (s *server) do(t *testing.T, args ...any) {
	t.Helper()
	if err := s.client.Do(t.Context(), args...).Err(); err != nil {
		t.Fatal(args, err)
	}
}

// port is one that no program uses. It is none of those that the system gives to who asks for any, so that nobody
// takes it before the server does.
func port(t testing.TB) string {
	t.Helper()
	for range 1000 {
		p := strconv.Itoa(20000 + rand.IntN(12000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+p); err == nil {
			_ = l.Close()
			return p
		}
	}
	t.Fatal("every port is taken")
	return ""
}

// TestRestart kills the server and starts it again.
func TestRestart(t *testing.T) {
	t.Parallel()
	s := start(t, "redis-server", "--appendonly", "yes", "--appendfsync", "always")
	h := s.handle(t, "")
	version := storetest.Put(t, h, "a", 0)
	wakes, stop, err := h.Watch(t.Context(), "a")
	must.OK(t, err)
	defer stop()
	s.kill()
	fails(t, h, version, store.ErrUnavailable, "without a server")
	if _, err := h.Load(t.Context(), "a"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a load without a server: %v", err)
	}
	s.run(t)
	version = storetest.Put(t, h, "a", version)
	for {
		<-wakes
		if saved, err := h.Load(t.Context(), "a"); err == nil && saved.Version == version {
			return
		}
	}
}

// TestFailover kills a server after its replica has everything, and goes on with the replica.
func TestFailover(t *testing.T) {
	t.Parallel()
	s, replica := pair(t)
	h := s.replicated(t, "", time.Minute)
	version := storetest.Put(t, h, "a", 0)
	must.OK(t, h.Redeem(t.Context(), "once", 1, 1000))
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: replica.socket})
	defer client.Close()
	s.kill()
	if _, err := redis.New(t.Context(), client, redis.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("opening on a replica: %v", err) // READONLY
	}
	replica.do(t, "REPLICAOF", "NO", "ONE")
	after := replica.handle(t, "")
	storetest.Put(t, after, "a", version)
	if err := after.Redeem(t.Context(), "once", 1, 1000); !errors.Is(err, store.ErrRedeemed) {
		t.Errorf("an id was redeemed twice: %v", err)
	}
	replica.do(t, "REPLICAOF", "127.0.0.1", s.port())
	fails(t, after, version+1, store.ErrUnavailable, "on a server that became a replica")
}

// TestNoMemory fills the server, which then refuses a script before it has written anything.
func TestNoMemory(t *testing.T) {
	t.Parallel()
	s := start(t, "redis-server")
	h := s.handle(t, "")
	version := storetest.Put(t, h, "a", 0)
	s.do(t, "CONFIG", "SET", "maxmemory", "1")
	fails(t, h, version, store.ErrFull, "without memory")
	_, err := h.Commit(t.Context(), store.Change{Session: "a", From: version, Records: [][]byte{[]byte("end")}})
	if !errors.Is(err, store.ErrFull) {
		t.Errorf("deleting without memory: %v", err)
	}
	if saved, err := h.Load(t.Context(), "a"); err != nil || saved.Version != version {
		t.Errorf("after refused commits: %+v, %v", saved, err)
	}
	s.do(t, "CONFIG", "SET", "maxmemory", "0")
	storetest.Put(t, h, "a", version)
}

// hastyConn waits for a reply no longer than 20 ms, when it is armed.
type hastyConn struct {
	net.Conn
	armed *atomic.Bool
}

func (c hastyConn) SetReadDeadline(by time.Time) error {
	if c.armed.Load() {
		by = time.Now().Add(20 * time.Millisecond)
	}
	return c.Conn.SetReadDeadline(by)
}

// TestPaused stops the server's work for a while. A call fails, and what it did is seen by loading again.
func TestPaused(t *testing.T) {
	t.Parallel()
	s := start(t, "redis-server")
	armed := &atomic.Bool{}
	client := goredis.NewClient(&goredis.Options{MaxRetries: -1,
		Dialer: func(context.Context, string, string) (net.Conn, error) {
			conn, err := net.Dial("unix", s.socket)
			return hastyConn{conn, armed}, err
		}})
	defer client.Close()
	h, err := redis.New(t.Context(), client, redis.Options{})
	must.OK(t, err)
	defer h.Close()
	version := storetest.Put(t, h, "a", 0)
	s.do(t, "CLIENT", "PAUSE", "600000", "WRITE")
	armed.Store(true)
	fails(t, h, version, store.ErrUnavailable, "on a paused server")
	armed.Store(false)
	s.do(t, "CLIENT", "UNPAUSE")
	saved, err := h.Load(t.Context(), "a")
	must.OK(t, err)
	storetest.Put(t, h, "a", saved.Version)
}

// TestConnectionsKilled kills every connection, also the one that hears of commits.
func TestConnectionsKilled(t *testing.T) {
	t.Parallel()
	s := start(t, "redis-server")
	h, other := s.handle(t, ""), s.handle(t, "")
	wakes, stop, err := h.Watch(t.Context(), "a")
	must.OK(t, err)
	defer stop()
	version := uint64(0)
	for range 5 {
		s.do(t, "CLIENT", "KILL", "TYPE", "pubsub")
		s.do(t, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
		version = storetest.Put(t, other, "a", version) // nobody hears it: the hint comes with the next connection
		for saved := (store.Saved{}); saved.Version != version; {
			<-wakes
			if saved, err = h.Load(t.Context(), "a"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// deafConn loses one reply and all after it, as a connection that breaks after the server has done what was asked.
type deafConn struct {
	net.Conn
	armed  *atomic.Bool
	broken *atomic.Bool
}

func (c deafConn) Read(into []byte) (int, error) {
	if c.broken.Load() { // the client may try again
		return 0, io.EOF
	}
	n, err := c.Conn.Read(into)
	if c.armed.CompareAndSwap(true, false) {
		c.broken.Store(true)
		return 0, io.EOF
	}
	return n, err
}

// TestRepliesLost checks that a call whose reply was lost is repeated, and happens once.
func TestRepliesLost(t *testing.T) {
	t.Parallel()
	s := start(t, "redis-server")
	armed := &atomic.Bool{}
	client := goredis.NewClient(&goredis.Options{Dialer: func(context.Context, string, string) (net.Conn, error) {
		conn, err := net.Dial("unix", s.socket)
		return deafConn{conn, armed, &atomic.Bool{}}, err
	}})
	defer client.Close()
	h, err := redis.New(t.Context(), client, redis.Options{})
	must.OK(t, err)
	defer h.Close()
	version := storetest.Put(t, h, "a", 0) // loads the script
	armed.Store(true)
	version = storetest.Put(t, h, "a", version)
	must.OK(t, h.Redeem(t.Context(), "other", 1, 1000))
	armed.Store(true)
	if err := h.Redeem(t.Context(), "id", 1, 1000); err != nil {
		t.Errorf("a redemption whose reply was lost: %v", err)
	}
	if err := h.Redeem(t.Context(), "id", 1, 1000); !errors.Is(err, store.ErrRedeemed) {
		t.Errorf("redeemed twice: %v", err)
	}
	armed.Store(true)
	if _, err := h.Commit(t.Context(), store.Change{Session: "a", From: version}); err != nil {
		t.Errorf("a deletion whose reply was lost: %v", err)
	}
	if armed.Load() {
		t.Error("no reply was lost: the test has lost its subject")
	}
}

// TestRefuses opens servers that a store cannot use.
func TestRefuses(t *testing.T) {
	t.Parallel()
	s := start(t, "redis-server")
	s.handle(t, "")
	s.do(t, "SET", "elicit:format", "2")
	if _, err := redis.New(t.Context(), s.client, redis.Options{}); !errors.Is(err, store.ErrNewer) {
		t.Errorf("what a newer program wrote: %v", err)
	}
	s.do(t, "CONFIG", "SET", "maxmemory", "100mb")
	s.do(t, "CONFIG", "SET", "maxmemory-policy", "volatile-lru")
	if _, err := redis.New(t.Context(), s.client, redis.Options{Prefix: "p"}); err == nil {
		t.Error("a server that evicts sessions was taken")
	}
}

// TestCluster runs everything on a cluster of one node, which refuses a script whose keys are not in one slot.
func TestCluster(t *testing.T) {
	t.Parallel() // a new cluster takes nothing for two seconds
	s := clustered(t)
	s.do(t, "CLUSTER", "ADDSLOTSRANGE", 0, 16383)
	s.until(t, "cluster_state:ok")
	client := goredis.NewClusterClient(&goredis.ClusterOptions{Addrs: []string{"127.0.0.1:" + s.port()}})
	defer client.Close()
	n := 0
	storetest.Run(t, func(t *testing.T) func() store.Store {
		n++
		prefix := fmt.Sprint("test", n)
		return func() store.Store {
			h, err := redis.New(t.Context(), client, redis.Options{Prefix: prefix})
			must.OK(t, err)
			return h
		}
	})
}
