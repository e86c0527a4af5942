package kept

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/sqlite"
)

// stores puts the states of the asking side into each store, with a journal, history, an outbox and a spent token.
func makeStores(t *testing.T, states []map[string]any) {
	ctx := t.Context()
	path := filepath.Join(*into, "sessions.sqlite")
	_ = os.Remove(path)
	file, err := sqlite.Open(ctx, path, sqlite.Options{})
	must.OK(t, err)
	fill(t, file, states)
	must.OK(t, file.Close())

	client := redisServer(t)
	keys, err := redis.New(ctx, client, redis.Options{Prefix: "kept"})
	must.OK(t, err)
	fill(t, keys, states)
	must.OK(t, keys.Close())
	put(t, "redis.jsonl", lines(t, dump(t, client)))
}

const at = 1_790_000_000_000 // of every commit

func fill(t *testing.T, s store.Store, states []map[string]any) {
	ctx := t.Context()
	for _, one := range stored(states) {
		name := one["name"].(string)
		c := store.Change{Session: name, Now: at, State: one["state"].(json.RawMessage), Next: at + 60_000,
			Keep: at * 2, KeepRecords: at * 2,
			Records: [][]byte{[]byte(`{"first":1}`), []byte(`{"second":2}`)},
			Entries: []store.Entry{{ID: "q", At: at, Server: "bot", Tool: "deploy", Outcome: "accept", Text: "Go on?"}}}
		version, err := s.Commit(ctx, c)
		must.OK(t, err)
		c = store.Change{Session: name, From: version, Now: at + 1, State: c.State, Next: c.Next,
			Records: [][]byte{[]byte(`{"third":3}`)}, Keep: c.Keep, KeepRecords: c.Keep}
		_, err = s.Commit(ctx, c)
		must.OK(t, err)
	}
	must.OK(t, s.Redeem(ctx, "spent", at, at*2))
}

// stored are the states that the stores get.
func stored(states []map[string]any) (out []map[string]any) {
	for i, one := range states {
		if one["asking"] != nil && i%6 == 0 {
			out = append(out, one)
		}
	}
	return out
}

// redisServer starts a server of its own. CI must have one.
func redisServer(t *testing.T) *goredis.Client {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		missing(t, "redis-server")
	}
	dir, err := os.MkdirTemp("", "r") // a socket's path is short
	must.OK(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	server := exec.Command("redis-server", "--port", "0", "--save", "", "--dir", dir, "--unixsocket", socket)
	must.OK(t, server.Start())
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: socket})
	t.Cleanup(func() { _ = client.Close(); _ = server.Process.Kill(); _ = server.Wait() })
	for client.Ping(t.Context()).Err() != nil {
		must.OK(t, t.Context().Err())
		time.Sleep(time.Millisecond) // between two looks
	}
	return client
}

// TestSQLite and TestRedis go on with each session of a store.
func TestSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.sqlite")
	must.OK(t, os.WriteFile(path, read(t, "sessions.sqlite"), 0o600))
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must.OK(t, err)
	defer s.Close()
	goOn(t, s)
}

func TestRedis(t *testing.T) {
	client := redisServer(t)
	restore(t, client)
	s, err := redis.New(t.Context(), client, redis.Options{Prefix: "kept"})
	must.OK(t, err)
	defer s.Close()
	goOn(t, s)
}

// goOn checks what fill has left in a store, and takes the next step.
func goOn(t *testing.T, s store.Store) {
	t.Helper()
	ctx := t.Context()
	due, err := s.Due(ctx, at+60_000, 0, 100)
	must.OK(t, err)
	if len(due) < 5 {
		t.Fatalf("%d sessions are due; there were 5", len(due))
	}
	slices.Sort(due)
	for _, name := range due {
		saved, err := s.Load(ctx, name)
		must.OK(t, err)
		if saved.Next != at+60_000 {
			t.Errorf("%s: %+v", name, saved)
		}
		each(t, "states.jsonl", 0, func(t *testing.T, of string, line gjson.Result) {
			if of == name && line.Get("state").Raw != string(saved.State) {
				t.Errorf("the state of %s is %s", name, saved.State)
			}
		})
		var records []string
		for record, err := range s.Journal(ctx, name, 0) {
			must.OK(t, err)
			records = append(records, string(record.Line))
		}
		if want := []string{`{"first":1}`, `{"second":2}`, `{"third":3}`}; !slices.Equal(records, want) {
			t.Errorf("%s: the journal is %q", name, records)
		}
		_, err = s.Commit(ctx, store.Change{Session: name, From: saved.Version, Now: at + 2000, State: saved.State})
		must.OK(t, err)
	}
	settled := 0
	for entry, err := range s.History(ctx, store.Query{Server: "bot", Text: "go ON"}) {
		must.OK(t, err)
		if settled++; !slices.Contains(due, entry.Session) || entry.Outcome != "accept" {
			t.Errorf("%+v", entry)
		}
	}
	if settled != len(due) {
		t.Errorf("%d entries of %d sessions", settled, len(due))
	}
	if err := s.Redeem(ctx, "spent", at+5, at*2); !errors.Is(err, store.ErrRedeemed) {
		t.Errorf("a token is spent twice: %v", err)
	}
}

// restore is the reverse of dump.
func restore(t *testing.T, c *goredis.Client) {
	t.Helper()
	ctx := t.Context()
	each(t, "redis.jsonl", 20, func(t *testing.T, _ string, line gjson.Result) {
		key := line.Get("key").Str
		switch value := line.Get("value"); line.Get("type").Str {
		case "string":
			must.OK(t, c.Set(ctx, key, value.Str, 0).Err())
		case "hash":
			value.ForEach(func(name, v gjson.Result) bool {
				must.OK(t, c.HSet(ctx, key, name.Str, v.Str).Err())
				return true
			})
		case "list":
			for _, v := range value.Array() {
				must.OK(t, c.RPush(ctx, key, v.Str).Err())
			}
		case "zset":
			for _, v := range value.Array() {
				must.OK(t, c.ZAdd(ctx, key, goredis.Z{Score: v.Get("Score").Float(), Member: v.Get("Member").Str}).Err())
			}
		}
	})
}

// dump lists the keys with their types and values, because the format of Redis itself changes with its versions.
func dump(t *testing.T, c *goredis.Client) (out []map[string]any) {
	ctx := t.Context()
	names, err := c.Keys(ctx, "*").Result()
	must.OK(t, err)
	slices.Sort(names)
	for _, name := range names {
		kind, err := c.Type(ctx, name).Result()
		must.OK(t, err)
		var value any
		switch kind {
		case "string":
			value, err = c.Get(ctx, name).Result()
		case "hash":
			value, err = c.HGetAll(ctx, name).Result()
		case "list":
			value, err = c.LRange(ctx, name, 0, -1).Result()
		case "zset":
			value, err = c.ZRangeWithScores(ctx, name, 0, -1).Result()
		default:
			t.Fatalf("%s is a %s", name, kind)
		}
		must.OK(t, err)
		out = append(out, map[string]any{"key": name, "type": kind, "value": value})
	}
	return out
}
