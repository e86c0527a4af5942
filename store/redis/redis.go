// Package redis keeps sessions in Redis or Valkey, which many nodes share: one server, Sentinel or a cluster.
//
//	client := goredis.NewClient(&goredis.Options{Addr: "localhost:6379"})
//	s, err := redis.New(ctx, client, redis.Options{})
//
// A commit is one Lua script and one round trip. The server must not evict keys (maxmemory-policy noeviction). Redis
// replicates after it has replied, so a failover loses commits that the replica had not received. Options.Replicas
// makes a commit wait for the replicas.
//
// Sessions are spread over 32 shards by their name. All keys of a shard have one hash tag, so a script finds them on
// one node of a cluster.
package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elicit-engine/elicit/store"
	goredis "github.com/redis/go-redis/v9"
)

// Options are choices of one handle. The zero value is good.
type Options struct {
	Prefix string // before every key; "" is "elicit". Handles with one prefix share their data

	// Replicas is how many replicas must have a commit or a redemption before it counts, and the state that Load
	// returns. Otherwise the error is ErrReplicas. All handles with one prefix need the same number. 0 waits for none.
	Replicas int
	// Wait bounds the waiting for replicas; 0 is a second. The client's ReadTimeout must be longer.
	Wait time.Duration
}

// Store is a handle on sessions in Redis. It implements store.Store.
type Store struct {
	client goredis.UniversalClient
	prefix string
	copies copies
	gate   store.Gate
	swept  atomic.Uint32
	watch  store.Wakers
	hints  hints
	open   context.Context // ends with Close
	end    context.CancelFunc
	ended  sync.WaitGroup
}

const (
	shards = 32
	format = "1" // of the keys
)

// New returns a handle that uses the client, and leaves it open when it is closed. ErrNewer says that a newer program
// wrote what is there.
func New(ctx context.Context, client goredis.UniversalClient, o Options) (*Store, error) {
	o.Prefix = cmp.Or(o.Prefix, "elicit")
	if strings.ContainsAny(o.Prefix, "{}") {
		return nil, errors.New("the prefix of a store in Redis has no braces, which are for hash tags")
	}
	copies, err := copiesOf(client, o)
	if err != nil {
		return nil, err
	}
	s := &Store{client: client, prefix: o.Prefix, copies: copies}
	s.open, s.end = context.WithCancel(context.Background())
	if err := s.prepare(ctx); err != nil {
		return nil, fmt.Errorf("opening the store in Redis: %w", s.errorOf(ctx, err))
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context) error {
	info, err := s.client.Info(ctx, "memory").Result()
	if err != nil {
		return err
	}
	if !strings.Contains(info, "\nmaxmemory:0\r") && !strings.Contains(info, "\nmaxmemory_policy:noeviction\r") {
		return errEvicts
	}
	if err := s.client.SetNX(ctx, s.prefix+":format", format, 0).Err(); err != nil {
		return err
	}
	switch got, err := s.client.Get(ctx, s.prefix+":format").Result(); {
	case err != nil:
		return err
	case got != format:
		return fmt.Errorf("%w: format %q, and this program knows %s", store.ErrNewer, got, format)
	}
	return nil
}

var errEvicts = errors.New("the server may evict sessions: set its maxmemory-policy to noeviction")

// shardOf is the shard of a session.
func shardOf(session string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(session))
	return int(h.Sum32() % shards)
}

// key is a key of a shard. The part in braces decides on the node of a cluster.
func (s *Store) key(shard int, what string) string {
	return "{" + s.prefix + ":" + string([]byte{'0' + byte(shard/10), '0' + byte(shard%10)}) + "}" + what
}

// Keys of a shard. Those of one session end with its name.
const (
	keySession = "s:" // hash: v version, n next, s state, t token
	keyGone    = "g:" // the token of a commit that deleted the session, for its repetition
	keyJournal = "j:" // list of records
	keyDue     = "due"
	keyOrder   = "order"   // sorted set of entries by time
	keyEntries = "entries" // hash of entries
	keyKeep    = "keep"    // sorted set of entries by Keep
	keyMark    = "mark"    // what a load writes to wait for replicas
)

// errorOf turns an error of Redis into one of the store's.
func (s *Store) errorOf(ctx context.Context, err error) error {
	return s.gate.Failed(ctx, err, func(err error) bool {
		return strings.HasPrefix(err.Error(), "OOM ") || strings.Contains(err.Error(), "OOM command not allowed")
	}, store.ErrNewer, errEvicts, ErrReplicas)
}

// Close implements store.Store. The client stays open.
func (s *Store) Close() error {
	if !s.gate.Close() {
		return nil
	}
	s.end()
	s.watch.Close() // before the hints, so that no Watch that has begun subscribes again behind this
	s.hints.close()
	s.ended.Wait()
	return nil
}
