package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
)

// cluster is three nodes over one store. Nodes are killed and replaced while they work.
type cluster struct {
	t     *testing.T
	open  func() store.Store
	seal  ask.Sealer
	shaky float64 // how often a call of the store fails

	mu    sync.Mutex
	rand  *rand.Rand
	nodes []*node
	dead  []*node // which still try to reach the store
	named int

	asked, answers, killed atomic.Int64
	closing                sync.WaitGroup
}

// node is one process of the server: an asker with its own handle on the store, and a clock that is right, five minutes
// behind or ahead.
type node struct {
	*ask.Asker
	plain  *ask.Asker // without pages
	name   string
	ctx    context.Context // of everything that runs on it
	cancel func()
	close  func() // its connections
}

func newCluster(t *testing.T, seed uint64, shaky float64, open func() store.Store) *cluster {
	key, err := seal.NewKey("k", make([]byte, seal.MinSecret))
	must.OK(t, err)
	sealer, err := ask.NewSealer(key)
	must.OK(t, err)
	c := &cluster{t: t, open: open, seal: sealer, shaky: shaky, rand: rand.New(rand.NewPCG(seed, 0))}
	for range 3 {
		c.nodes = append(c.nodes, c.start())
	}
	return c
}

// start starts a node.
func (c *cluster) start() *node {
	n := &node{}
	n.ctx, n.cancel = context.WithCancel(context.Background())
	handle := c.open()
	n.close = func() { c.closing.Go(func() { _ = handle.Close() }) }
	c.named++
	n.name = fmt.Sprint("node ", c.named)
	skew := time.Duration(c.named%3-1) * 5 * time.Minute // of its clock
	now := func() time.Time { return time.Now().Add(skew) }
	o := ask.Options{Server: "bot", Page: "https://bot.example/ask/", Seal: c.seal, Keep: time.Minute,
		Config: roomy,
		Store:  &shakyStore{handle, c, n.ctx}, Now: now, TTL: 20 * time.Minute}
	var err error
	if n.Asker, err = ask.New(o); err != nil {
		c.t.Fatal(err)
	}
	o.Page = ""
	if n.plain, err = ask.New(o); err != nil {
		c.t.Fatal(err)
	}
	return n
}

// roomy is for few principals that ask everything.
var roomy = json.RawMessage(`{"limits":{"per_minute":60000,"burst":60000}}`)

// draw returns a random number below n.
func (c *cluster) draw(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rand.IntN(n)
}

func (c *cluster) happens(chance float64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rand.Float64() < chance
}

// any returns a node that lives.
func (c *cluster) any() *node {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.nodes[c.rand.IntN(len(c.nodes))]
}

// kill abandons a node: its runs and connections end, and it can store nothing more. Another one takes its place.
func (c *cluster) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.rand.IntN(len(c.nodes))
	c.nodes[i].abandon()
	c.dead = append(c.dead, c.nodes[i])
	c.nodes[i] = c.start()
	c.killed.Add(1)
}

// abandon ends what a node does, without an orderly end.
func (n *node) abandon() {
	n.cancel()
	n.close()
}

func (c *cluster) end() {
	c.mu.Lock()
	for _, n := range c.nodes {
		n.abandon()
	}
	all := slices.Concat(c.dead, c.nodes)
	c.mu.Unlock() // an asker may wait for a random number
	for _, n := range all {
		n.Asker.Close()
		n.plain.Close()
	}
	c.closing.Wait()
}

// shakyStore fails at random: before or after the commit took effect, or with a conflict. The store of a node that is
// dead fails always.
type shakyStore struct {
	store.Store
	cluster *cluster
	alive   context.Context
}

// fault returns an error to fail with, and whether the call is performed nevertheless.
func (s *shakyStore) fault() (err error, after bool) {
	switch {
	case s.alive.Err() != nil:
		return store.ErrUnavailable, false
	case !s.cluster.happens(s.cluster.shaky):
		return nil, true
	}
	return fmt.Errorf("%w: a test", store.ErrUnavailable), s.cluster.happens(0.5)
}

func (s *shakyStore) Load(ctx context.Context, session string) (store.Saved, error) {
	if err, _ := s.fault(); err != nil {
		return store.Saved{}, err
	}
	return s.Store.Load(ctx, session)
}

func (s *shakyStore) Commit(ctx context.Context, change store.Change) (uint64, error) {
	fault, after := s.fault()
	switch {
	case fault != nil && !after:
		return 0, fault
	case fault == nil && s.cluster.happens(s.cluster.shaky):
		return 0, store.ErrConflict
	}
	version, err := s.Store.Commit(ctx, change)
	if fault != nil {
		return 0, fault
	}
	return version, err
}

func (s *shakyStore) Redeem(ctx context.Context, id string, now, expires int64) error {
	fault, after := s.fault()
	if fault != nil && !after {
		return fault
	}
	err := s.Store.Redeem(ctx, id, now, expires)
	if fault != nil {
		return fault
	}
	return err
}

func (s *shakyStore) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	if err, _ := s.fault(); err != nil {
		return nil, nil, err
	}
	return s.Store.Watch(ctx, session)
}

func (s *shakyStore) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	if err, _ := s.fault(); err != nil {
		return nil, err
	}
	return s.Store.Due(ctx, now, skip, limit)
}

// requests is a connection to a client that a function answers.
type requests func(ctx context.Context, params json.RawMessage) json.RawMessage

func (f requests) Request(ctx context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
	if result := f(ctx, params); ctx.Err() == nil {
		return result, nil
	}
	return nil, ctx.Err()
}

func (requests) Notify(context.Context, string, json.RawMessage) error { return nil }

// way is how a client can be asked.
type way struct {
	name     string
	version  string
	declared elicit.Modes
	requests bool
}

// ways are all ways in which a question travels.
var ways = []way{
	{"page", "2025-11-25", elicit.Modes{URL: true}, true},
	{"form", "2025-11-25", elicit.Modes{Form: true}, true},
	{"text", "2025-11-25", elicit.Modes{}, false},
	{"text page", "2025-11-25", elicit.Modes{}, false},
	{"round", "2026-07-28", elicit.Modes{Form: true}, false},
	{"round page", "2026-07-28", elicit.Modes{URL: true}, false},
}
