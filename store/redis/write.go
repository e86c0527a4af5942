package redis

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/store"
)

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := s.gate.Begin(ctx, c.Check()); err != nil {
		return 0, err
	}
	args, err := s.arguments(&c)
	if err != nil {
		return 0, err
	}
	shard := shardOf(c.Session)
	keys := []string{s.key(shard, keySession+c.Session), s.key(shard, keyGone+c.Session), s.key(shard, keyDue),
		s.key(shard, keyJournal+c.Session), s.key(shard, keyOrder), s.key(shard, keyEntries), s.key(shard, keyKeep)}
	done, err := s.run(ctx, commitScript, keys, args...).Int()
	if err != nil {
		return 0, s.errorOf(ctx, err)
	}
	if done == 0 {
		return 0, store.ErrConflict
	}
	return c.Version(), nil
}

// arguments of the script.
func (s *Store) arguments(c *store.Change) ([]any, error) {
	deletes := "0"
	if c.State == nil {
		deletes = "1"
	}
	args := []any{strconv.FormatUint(c.From, 10), strconv.FormatUint(c.Version(), 10), rand.Text(), deletes, c.Session,
		c.State, c.Next, remaining(c.Now, c.Expires), c.Keep, remaining(c.Now, c.KeepRecords), s.channel(c.Session)}
	args = append(args, len(c.Records))
	for _, line := range c.Records {
		args = append(args, line)
	}
	args = append(args, len(c.Entries))
	for _, e := range c.Entries {
		e.Session = c.Session
		body, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		args = append(args, member(e.Session, e.ID), e.At, body)
	}
	return args, nil
}

// remaining is how long something lives by the caller's clock, because the server's may differ; 0 for ever.
func remaining(now, until int64) int64 {
	if until == 0 {
		return 0
	}
	return max(1, until-now)
}

// member names an entry so that members are in the order of session and id.
func member(session, id string) string {
	return strings.ReplaceAll(session, "\x00", "\x00\xff") + "\x00\x01" + id
}

// Redeem implements store.Store.
func (s *Store) Redeem(ctx context.Context, id string, now, expires int64) error {
	if err := s.gate.Begin(ctx, store.CheckRedeem(id, now, expires)); err != nil {
		return err
	}
	done, err := s.run(ctx, redeemScript, []string{s.prefix + ":redeemed:" + id}, rand.Text(),
		expires-now+store.Skew).Int()
	if err == nil && done == 0 {
		return store.ErrRedeemed
	}
	return s.errorOf(ctx, err)
}
