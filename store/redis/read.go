package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/store"
	goredis "github.com/redis/go-redis/v9"
)

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, session string) (store.Saved, error) {
	if err := s.gate.Begin(ctx, nil); err != nil {
		return store.Saved{}, err
	}
	fields, err := s.fields(ctx, session)
	if err != nil {
		return store.Saved{}, s.errorOf(ctx, err)
	}
	if len(fields) == 0 {
		return store.Saved{}, store.ErrUnknown
	}
	saved, err := read(fields)
	return saved, s.errorOf(ctx, err)
}

func read(fields map[string]string) (saved store.Saved, err error) {
	var bad error
	saved.State = []byte(fields["s"])
	saved.Version, err = strconv.ParseUint(fields["v"], 10, 64)
	saved.Next, bad = strconv.ParseInt(fields["n"], 10, 64)
	return saved, errors.Join(err, bad)
}

// Due implements store.Store. Sessions that have expired are still in the index, and are removed when they are met.
func (s *Store) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	if err := store.CheckDue(now, skip, limit); err != nil {
		return nil, err
	}
	for {
		if err := s.gate.Begin(ctx, nil); err != nil {
			return nil, err
		}
		found, err := s.due(ctx, now, skip, limit)
		if err != nil {
			return nil, s.errorOf(ctx, err)
		}
		names, err := s.present(ctx, found)
		if err != nil || len(names) == len(found) {
			return names, s.errorOf(ctx, err)
		}
	}
}

func (s *Store) due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	asked := s.client.Pipeline()
	var replies []*goredis.ZSliceCmd
	for shard := range shards {
		replies = append(replies, asked.ZRangeByScoreWithScores(ctx, s.key(shard, keyDue), &goredis.ZRangeBy{
			Min: "-inf", Max: strconv.FormatInt(now, 10), Count: int64(skip + limit)}))
	}
	shard := int(s.swept.Add(1) % shards)
	sweepScript.Eval(ctx, asked, []string{s.key(shard, keyOrder), s.key(shard, keyEntries), s.key(shard, keyKeep)}, now)
	if _, err := asked.Exec(ctx); err != nil {
		return nil, err
	}
	var all []goredis.Z
	for _, reply := range replies {
		all = append(all, reply.Val()...)
	}
	slices.SortFunc(all, func(a, b goredis.Z) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), strings.Compare(a.Member.(string), b.Member.(string)))
	})
	var names []string
	all = all[min(len(all), skip):]
	for _, one := range all[:min(len(all), limit)] {
		names = append(names, one.Member.(string))
	}
	return names, nil
}

// present returns the sessions that are there, and removes the others from the index.
func (s *Store) present(ctx context.Context, names []string) (there []string, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	asked := s.client.Pipeline()
	var replies []*goredis.IntCmd
	for _, name := range names {
		replies = append(replies, asked.Exists(ctx, s.key(shardOf(name), keySession+name)))
	}
	if _, err := asked.Exec(ctx); err != nil {
		return nil, err
	}
	for i, name := range names {
		if replies[i].Val() > 0 {
			there = append(there, name)
			continue
		}
		shard := shardOf(name)
		keys := []string{s.key(shard, keySession+name), s.key(shard, keyDue)}
		if err := reapScript.Run(ctx, s.client, keys, name).Err(); err != nil {
			return nil, err
		}
	}
	return there, nil
}

// Journal implements store.Store. It reads some records at a time.
func (s *Store) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		at := int64(0)
		store.Records(after, func(store.Record) ([]store.Record, error) {
			if err := s.gate.Begin(ctx, nil); err != nil {
				return nil, err
			}
			at += page
			lines, err := s.client.LRange(ctx, s.key(shardOf(session), keyJournal+session), at-page, at-1).Result()
			some := make([]store.Record, len(lines))
			for i, line := range lines {
				if err == nil {
					some[i], err = record(line)
				}
			}
			return some, s.errorOf(ctx, err)
		})(yield)
	}
}

// page is how many records are read at a time.
const page = 64

func record(line string) (r store.Record, err error) {
	version, rest, _ := strings.Cut(line, ":")
	index, text, is := strings.Cut(rest, ":")
	if !is {
		return r, errors.New("a record of the journal is damaged")
	}
	if r.Version, err = strconv.ParseUint(version, 10, 64); err == nil {
		r.Index, err = strconv.Atoi(index)
	}
	r.Line = []byte(text)
	if err != nil {
		err = fmt.Errorf("a record of the journal is damaged: %w", err)
	}
	return r, err
}
