package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/store"
	goredis "github.com/redis/go-redis/v9"
)

// ErrReplicas says that too few replicas confirmed a call within Options.Wait. It wraps store.ErrUnavailable: a commit
// may or may not count.
var ErrReplicas = fmt.Errorf("%w: too few replicas have confirmed", store.ErrUnavailable)

// copies is how many replicas must have what a call writes or reads.
type copies struct {
	replicas int
	wait     time.Duration
	single   *goredis.Client // one of both is set
	cluster  *goredis.ClusterClient
}

func copiesOf(client goredis.UniversalClient, o Options) (c copies, err error) {
	c.replicas, c.wait = o.Replicas, o.Wait
	c.wait = cmp.Or(c.wait, time.Second)
	if c.replicas < 0 || c.wait < time.Millisecond {
		return c, errors.New("a store in Redis waits for 0 replicas or more, and for a millisecond or more")
	}
	switch client := client.(type) {
	case *goredis.Client:
		c.single = client
	case *goredis.ClusterClient:
		c.cluster = client
	default:
		if c.replicas > 0 {
			return c, fmt.Errorf("a store in Redis cannot wait for replicas with a client of type %T", client)
		}
	}
	return c, nil
}

// node returns the server that has a key. WAIT concerns the connection on which the script ran, so a cluster's client
// cannot choose the server for each command alone.
func (c *copies) node(ctx context.Context, key string) (*goredis.Client, error) {
	if c.single != nil {
		return c.single, nil
	}
	return c.cluster.MasterForKey(ctx, key)
}

// run runs a script, and waits for replicas in the same round trip.
func (s *Store) run(ctx context.Context, script *goredis.Script, keys []string, args ...any) *goredis.Cmd {
	if s.copies.replicas == 0 {
		return script.Run(ctx, s.client, keys, args...)
	}
	cmd := s.runAndWait(ctx, script.EvalSha, keys, args)
	if goredis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
		cmd = s.runAndWait(ctx, script.Eval, keys, args)
	}
	return cmd
}

// runAndWait follows the move of a slot to another server, for as long as it waits for replicas.
func (s *Store) runAndWait(ctx context.Context, eval evaluate, keys []string, args []any) *goredis.Cmd {
	for end := time.Now().Add(s.copies.wait); ; {
		cmd := s.runOnce(ctx, eval, keys, args)
		if s.copies.cluster == nil || !goredis.HasErrorPrefix(cmd.Err(), "MOVED") || time.Now().After(end) {
			return cmd
		}
		s.copies.cluster.ReloadState(ctx)
		select {
		case <-time.After(5 * time.Millisecond): // before the next look at the map of slots
		case <-ctx.Done():
			return cmd
		}
	}
}

type evaluate func(ctx context.Context, c goredis.Scripter, keys []string, args ...any) *goredis.Cmd

func (s *Store) runOnce(ctx context.Context, eval evaluate, keys []string, args []any) *goredis.Cmd {
	node, err := s.copies.node(ctx, keys[0])
	if err != nil {
		cmd := goredis.NewCmd(ctx)
		cmd.SetErr(err)
		return cmd
	}
	line := node.Pipeline()
	cmd := eval(ctx, line, keys, args...)
	confirmed := line.Do(ctx, "WAIT", s.copies.replicas, s.copies.wait.Milliseconds())
	_, _ = line.Exec(ctx) // its errors are those of the commands
	switch n, err := confirmed.Int(); {
	case cmd.Err() != nil:
	case err != nil:
		cmd.SetErr(fmt.Errorf("%w: %w", ErrReplicas, err))
	case n < s.copies.replicas:
		cmd.SetErr(fmt.Errorf("%w: %d of %d", ErrReplicas, n, s.copies.replicas))
	}
	return cmd
}

// fields reads a session. With replicas it is one that a failover keeps.
func (s *Store) fields(ctx context.Context, session string) (map[string]string, error) {
	shard := shardOf(session)
	key := s.key(shard, keySession+session)
	if s.copies.replicas == 0 {
		return s.client.HGetAll(ctx, key).Result()
	}
	list, err := s.run(ctx, loadScript, []string{key, s.key(shard, keyMark)}).StringSlice()
	if err != nil {
		return nil, err
	}
	fields := make(map[string]string, len(list)/2)
	for i := 0; i+1 < len(list); i += 2 {
		fields[list[i]] = list[i+1]
	}
	return fields, nil
}
