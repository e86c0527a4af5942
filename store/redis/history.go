package redis

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/store"
	goredis "github.com/redis/go-redis/v9"
)

// History implements store.Store.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return store.Entries(q, func(last store.Entry) (some []store.Entry, err error) {
		from := place{at: last.At, member: member(last.Session, last.ID)}
		for size := int64(64); ; size *= 2 { // many entries may share a moment, or are forgotten
			if err := s.gate.Begin(ctx, nil); err != nil {
				return nil, err
			}
			found, more, err := s.places(ctx, &q, from, size)
			if err == nil {
				some, err = s.entries(ctx, found)
			}
			if err != nil || len(some) > 0 || !more {
				return some, s.errorOf(ctx, err)
			}
		}
	})
}

// place is the place of an entry in the history.
type place struct {
	shard  int
	at     int64
	member string
}

func newer(a, b place) int {
	return cmp.Or(cmp.Compare(b.at, a.at), strings.Compare(b.member, a.member))
}

// places merges the next places of all shards, of which it reads at most size each. more says that there are others.
func (s *Store) places(ctx context.Context, q *store.Query, from place, size int64) (all []place, more bool, _ error) {
	asked, replies := s.client.Pipeline(), map[int]*goredis.ZSliceCmd{}
	for shard := range shards {
		if q.Session == "" || shard == shardOf(q.Session) {
			replies[shard] = asked.ZRevRangeByScoreWithScores(ctx, s.key(shard, keyOrder), &goredis.ZRangeBy{
				Max: strconv.FormatInt(from.at, 10), Min: strconv.FormatInt(q.Since, 10), Count: size})
		}
	}
	if _, err := asked.Exec(ctx); err != nil {
		return nil, false, err
	}
	var end place // before which every shard was read
	for shard, reply := range replies {
		for i, one := range reply.Val() {
			at := place{shard, int64(one.Score), one.Member.(string)}
			if newer(from, at) < 0 {
				all = append(all, at)
			}
			if int64(i) == size-1 && (!more || newer(at, end) < 0) {
				end, more = at, true
			}
		}
	}
	return slices.DeleteFunc(all, func(one place) bool { return more && newer(end, one) < 0 }), more, nil
}

// entries reads what is at some places, without what was forgotten since.
func (s *Store) entries(ctx context.Context, found []place) (some []store.Entry, err error) {
	members, replies := map[int][]string{}, map[int]*goredis.SliceCmd{}
	for _, one := range found {
		members[one.shard] = append(members[one.shard], one.member)
	}
	asked := s.client.Pipeline()
	for shard, names := range members {
		replies[shard] = asked.HMGet(ctx, s.key(shard, keyEntries), names...)
	}
	if len(found) > 0 {
		_, err = asked.Exec(ctx)
	}
	for _, reply := range replies {
		for _, body := range reply.Val() {
			if text, is := body.(string); is && err == nil {
				var e store.Entry
				err = json.Unmarshal([]byte(text), &e)
				some = append(some, e)
			}
		}
	}
	slices.SortFunc(some, func(a, b store.Entry) int { return store.Newer(&a, &b) })
	return some, err
}
