package redis_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/storetest"
	goredis "github.com/redis/go-redis/v9"
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
