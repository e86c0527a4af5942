package redis

import (
	"context"
	"encoding/json"
	"iter"
	"strconv"

	"github.com/elicit-engine/elicit/store"
	goredis "github.com/redis/go-redis/v9"
)

// branch is the history of one shard, read some entries at a time.
type branch struct {
	shard int
	max   string // the highest score that is still to read
	last  string // the member that was read last
	at    int64  // its score
	size  int64
	some  []store.Entry
	done  bool
}

// History implements store.Store. It merges the histories of the shards, each of which is in order.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if err := q.Check(); err != nil {
			yield(store.Entry{}, err)
			return
		}
		var all []*branch
		for shard := range shards {
			if q.Session == "" || shard == shardOf(q.Session) {
				all = append(all, &branch{shard: shard, max: newest(&q), size: 64, at: -1})
			}
		}
		for left := q.Limit; ; {
			next, err := s.newest(ctx, &q, all)
			if err != nil {
				yield(store.Entry{}, err)
				return
			}
			if next == nil {
				return
			}
			e := next.some[0]
			next.some = next.some[1:]
			if left--; !yield(e, nil) || left == 0 {
				return
			}
		}
	}
}

// newest is the highest time that the query selects.
func newest(q *store.Query) string {
	at := int64(store.MaxTime)
	if q.Until != 0 {
		at = q.Until - 1
	}
	if q.Before != nil {
		at = min(at, q.Before.At)
	}
	return strconv.FormatInt(at, 10)
}

// newest is the branch with the newest entry, nil if there is none.
func (s *Store) newest(ctx context.Context, q *store.Query, all []*branch) (next *branch, err error) {
	for _, b := range all {
		for len(b.some) == 0 && !b.done {
			if err := s.gate.Begin(ctx, nil); err != nil {
				return nil, err
			}
			if err := s.fill(ctx, q, b); err != nil {
				return nil, s.errorOf(ctx, err)
			}
		}
		if len(b.some) > 0 && (next == nil || store.Newer(&b.some[0], &next.some[0]) < 0) {
			next = b
		}
	}
	return next, nil
}

// fill reads the next entries of a shard. It begins at the last one's time again, because others may share it.
func (s *Store) fill(ctx context.Context, q *store.Query, b *branch) error {
	found, err := s.client.ZRevRangeByScoreWithScores(ctx, s.key(b.shard, keyOrder), &goredis.ZRangeBy{
		Max: b.max, Min: strconv.FormatInt(q.Since, 10), Count: b.size}).Result()
	if err != nil {
		return err
	}
	b.done = int64(len(found)) < b.size
	var members []string
	for _, one := range found {
		name, at := one.Member.(string), int64(one.Score)
		if at == b.at && name >= b.last {
			continue
		}
		members = append(members, name)
	}
	if len(members) == 0 {
		b.size *= 2 // all of them were read before
		return nil
	}
	end := found[len(found)-1]
	b.last, b.at = end.Member.(string), int64(end.Score)
	b.max = strconv.FormatInt(b.at, 10)
	bodies, err := s.client.HMGet(ctx, s.key(b.shard, keyEntries), members...).Result()
	if err != nil {
		return err
	}
	for _, body := range bodies {
		text, is := body.(string)
		if !is {
			continue // forgotten since
		}
		var e store.Entry
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			return err
		}
		if q.Matches(&e) {
			b.some = append(b.some, e)
		}
	}
	return nil
}
