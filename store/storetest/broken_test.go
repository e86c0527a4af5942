package storetest_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
	"github.com/elicit-engine/elicit/store/storetest"
)

// broken is a store that breaks a rule: the functions stand in for methods.
type broken struct {
	store.Store
	load    func(context.Context, store.Store, string) (store.Saved, error)
	commit  func(context.Context, store.Store, store.Change) (uint64, error)
	due     func(context.Context, store.Store, int64, int, int) ([]string, error)
	watch   func(context.Context, store.Store, string) (<-chan uint64, func(), error)
	redeem  func(context.Context, store.Store, string, int64, int64) error
	journal func(context.Context, store.Store, string, uint64) iter.Seq2[store.Record, error]
	history func(context.Context, store.Store, store.Query) iter.Seq2[store.Entry, error]
}

func (b broken) Load(ctx context.Context, session string) (store.Saved, error) {
	if b.load != nil {
		return b.load(ctx, b.Store, session)
	}
	return b.Store.Load(ctx, session)
}

func (b broken) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if b.commit != nil {
		return b.commit(ctx, b.Store, c)
	}
	return b.Store.Commit(ctx, c)
}

func (b broken) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	if b.due != nil {
		return b.due(ctx, b.Store, now, skip, limit)
	}
	return b.Store.Due(ctx, now, skip, limit)
}

func (b broken) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	if b.watch != nil {
		return b.watch(ctx, b.Store, session)
	}
	return b.Store.Watch(ctx, session)
}

func (b broken) Redeem(ctx context.Context, id string, now, expires int64) error {
	if b.redeem != nil {
		return b.redeem(ctx, b.Store, id, now, expires)
	}
	return b.Store.Redeem(ctx, id, now, expires)
}

func (b broken) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	if b.journal != nil {
		return b.journal(ctx, b.Store, session, after)
	}
	return b.Store.Journal(ctx, session, after)
}

func (b broken) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	if b.history != nil {
		return b.history(ctx, b.Store, q)
	}
	return b.Store.History(ctx, q)
}

// changed breaks Commit by changing what is committed.
func changed(change func(*store.Change)) broken {
	return broken{commit: func(ctx context.Context, s store.Store, c store.Change) (uint64, error) {
		change(&c)
		return s.Commit(ctx, c)
	}}
}

// forced commits whatever version is stored, with no lock between the look and the commit.
func forced(ctx context.Context, s store.Store, c store.Change) (uint64, error) {
	version, err := s.Commit(ctx, c)
	if !errors.Is(err, store.ErrConflict) {
		return version, err
	}
	saved, _ := s.Load(ctx, c.Session)
	if c.From = saved.Version; c.State == nil && c.From == 0 {
		return 0, err
	}
	return s.Commit(ctx, c)
}

// saved breaks Load by changing what it gives.
func saved(change func(*store.Saved)) broken {
	return broken{load: func(ctx context.Context, s store.Store, session string) (store.Saved, error) {
		got, err := s.Load(ctx, session)
		change(&got)
		return got, err
	}}
}

// asked breaks History by changing the query.
func asked(change func(*store.Query)) broken {
	return broken{history: func(ctx context.Context, s store.Store, q store.Query) iter.Seq2[store.Entry, error] {
		change(&q)
		return s.History(ctx, q)
	}}
}

// renamed takes names for one another.
func renamed(name func(string) string) broken {
	return broken{load: func(ctx context.Context, s store.Store, session string) (store.Saved, error) {
		return s.Load(ctx, name(session))
	}, commit: func(ctx context.Context, s store.Store, c store.Change) (uint64, error) {
		c.Session = name(c.Session)
		return s.Commit(ctx, c)
	}}
}

// flaws are stores that break the rule of that name.
var flaws = map[string][]broken{
	"Load": {
		saved(func(s *store.Saved) { s.State = nil }), saved(func(s *store.Saved) { s.Next = 0 }),
		saved(func(s *store.Saved) { s.Version++ }), {load: func(ctx context.Context, s store.Store, n string) (
			store.Saved, error) {
			got, err := s.Load(ctx, n)
			if errors.Is(err, store.ErrUnknown) {
				err = nil
			}
			return got, err
		}},
	},
	"Conflict": {{commit: forced}},
	"Version": {{commit: func(ctx context.Context, s store.Store, c store.Change) (uint64, error) {
		_, err := s.Commit(ctx, c)
		return c.From + 1, err
	}}},
	"Race": {{commit: forced, load: func(ctx context.Context, s store.Store, session string) (store.Saved, error) {
		got, err := s.Load(ctx, session)
		time.Sleep(time.Millisecond) // fake time: all nodes load before one commits
		return got, err
	}}},
	"Nodes":  {{}},
	"Copies": {{}},
	"Due": {
		changed(func(c *store.Change) { c.Next++ }), changed(func(c *store.Change) { c.Next = min(c.Next, 1) }),
		{due: func(ctx context.Context, s store.Store, now int64, skip, limit int) ([]string, error) {
			names, err := s.Due(ctx, now, skip, limit)
			slices.Reverse(names)
			return names, err
		}},
		{due: func(ctx context.Context, s store.Store, now int64, skip, limit int) ([]string, error) {
			return s.Due(ctx, now, skip, limit+1)
		}},
	},
	"DueSkip": {
		{due: func(ctx context.Context, s store.Store, now int64, skip, limit int) ([]string, error) {
			return s.Due(ctx, now, 0, limit)
		}},
		{due: func(ctx context.Context, s store.Store, now int64, skip, limit int) ([]string, error) {
			return s.Due(ctx, now, max(0, skip-1), limit)
		}},
	},
	"Delete": {changed(func(c *store.Change) {
		if c.State == nil {
			c.Entries, c.Records = nil, nil
		}
	}), changed(func(c *store.Change) {
		if c.State == nil {
			c.State = []byte{}
		}
	})},
	"Watch":       {{watch: deaf}, named(func(version uint64) uint64 { return version + 1 })},
	"WatchDelete": {{watch: deaf}, named(func(uint64) uint64 { return 1 })},
	"WatchMany": {{watch: func(ctx context.Context, s store.Store, session string) (<-chan uint64, func(), error) {
		wakes, stop, err := s.Watch(ctx, session)
		once := make(chan uint64, 2)
		go func() { once <- <-wakes }()
		return once, stop, err
	}}, named(func(version uint64) uint64 { return version - 1 })},
	"WatchEnds": {{watch: deaf}},
	"Redeem": {{redeem: func(context.Context, store.Store, string, int64, int64) error { return nil }},
		{redeem: forgetful}},
	"RedeemExpired": {{redeem: func(ctx context.Context, s store.Store, id string, now, expires int64) error {
		return s.Redeem(ctx, id, min(now, expires-1), expires)
	}}, {redeem: func(ctx context.Context, s store.Store, id string, now, expires int64) error {
		return s.Redeem(ctx, id, now+1, expires)
	}}},
	"Journal": {changed(func(c *store.Change) { slices.Reverse(c.Records) }),
		{journal: func(ctx context.Context, s store.Store, session string, _ uint64) iter.Seq2[store.Record, error] {
			return s.Journal(ctx, session, 0)
		}}},
	"History": {
		asked(func(q *store.Query) { q.Tool = "" }), asked(func(q *store.Query) { q.Text = "" }),
		asked(func(q *store.Query) { q.Outcome = "" }), asked(func(q *store.Query) { q.Server = "" }),
		asked(func(q *store.Query) { q.Session = "" }), asked(func(q *store.Query) { q.Since++ }),
		asked(func(q *store.Query) { q.Until = 0 }), asked(func(q *store.Query) { q.Limit = 0 }),
		{history: func(ctx context.Context, s store.Store, q store.Query) iter.Seq2[store.Entry, error] {
			return func(yield func(store.Entry, error) bool) { // oldest first
				var all []store.Entry
				for e := range s.History(ctx, q) {
					all = append([]store.Entry{e}, all...)
				}
				for _, e := range all {
					if !yield(e, nil) {
						return
					}
				}
			}
		}},
	},
	"Pages": {asked(func(q *store.Query) { q.Before = nil }), asked(func(q *store.Query) {
		if q.Before != nil { // skips the others of the moment
			q.Until, q.Before = q.Before.At, nil
		}
	})},
	"Again": {changed(func(c *store.Change) {
		for i := range c.Entries {
			c.Entries[i].ID += string(rune('a' + c.From%26))
		}
	})},
	"Expires": {changed(func(c *store.Change) { c.Expires = 0 }),
		changed(func(c *store.Change) { c.Expires = c.Now + 1 })},
	"Keep": {changed(func(c *store.Change) { c.Keep = 0 }), changed(func(c *store.Change) { c.Keep = c.Now + 1 }),
		changed(func(c *store.Change) { c.KeepRecords = c.Keep })},
	"Large": {changed(func(c *store.Change) { c.State = c.State[:min(len(c.State), 1<<20)] }),
		changed(func(c *store.Change) { c.State = append([]byte(nil), c.State...) })}, // an empty state becomes nil
	"Names": {renamed(strings.ToLower), renamed(strings.TrimSpace),
		renamed(func(s string) string { return strings.TrimRight(s, "\x00") }),
		renamed(func(s string) string { return s[:min(len(s), 500)] })},
	"Invalid": {changed(func(c *store.Change) { c.State = c.State[:min(len(c.State), store.MaxState)] }),
		changed(func(c *store.Change) { c.Next = max(c.Next, 0) })},
	"Context": {{load: func(_ context.Context, s store.Store, session string) (store.Saved, error) {
		return s.Load(context.Background(), session)
	}}, {redeem: func(_ context.Context, s store.Store, id string, now,
		expires int64) error {
		return s.Redeem(context.Background(), id, now, expires)
	}}},
	"Closed": {{}},
}

// forgetful forgets an id as soon as somebody says that it has expired.
func forgetful(ctx context.Context, s store.Store, id string, now, expires int64) error {
	if saved, err := s.Load(ctx, "forgotten"); err == nil && len(saved.State) > 0 && id == "other" {
		return nil
	}
	if strings.HasPrefix(id, "later") {
		_, _ = s.Commit(ctx, store.Change{Session: "forgotten", Now: now, State: []byte("x")})
	}
	return s.Redeem(ctx, id, now, expires)
}

// named breaks Watch by naming other versions.
func named(change func(uint64) uint64) broken {
	return broken{watch: func(ctx context.Context, s store.Store, session string) (<-chan uint64, func(), error) {
		wakes, stop, err := s.Watch(ctx, session)
		changed := make(chan uint64)
		go func() {
			defer close(changed)
			for version := range wakes {
				select {
				case changed <- change(version):
				case <-ctx.Done():
					return
				}
			}
		}()
		return changed, stop, err
	}}
}

// deaf is a watch that says nothing.
func deaf(context.Context, store.Store, string) (<-chan uint64, func(), error) {
	return make(chan uint64), func() {}, nil
}

// unclosed does not close.
type unclosed struct{ store.Store }

func (unclosed) Close() error { return nil }

// lending gives every caller the same bytes.
type lending struct {
	store.Store
	lent map[string]store.Saved
}

func (l lending) Load(ctx context.Context, session string) (store.Saved, error) {
	if saved, is := l.lent[session]; is {
		return saved, nil
	}
	saved, err := l.Store.Load(ctx, session)
	l.lent[session] = saved
	return saved, err
}

// check holds a store to a rule in fake time, in which nobody waits a minute for what does not come.
func check(t *testing.T, rule storetest.Rule, open func() store.Store) (err error) {
	synctest.Test(t, func(t *testing.T) { err = rule.Check(t.Context(), open) })
	return err
}

// TestEveryRuleFindsItsFlaw checks that each rule fails for stores that break it, and holds for one that does not.
func TestEveryRuleFindsItsFlaw(t *testing.T) {
	for _, rule := range storetest.Rules() {
		if len(flaws[rule.Name]) == 0 {
			t.Errorf("no store breaks %s", rule.Name)
		}
		for i, flaw := range flaws[rule.Name] {
			if err := check(t, rule, opener(rule.Name, flaw)); err == nil {
				t.Errorf("%s: store %d breaks the rule, and nobody noticed", rule.Name, i)
			} else {
				t.Logf("%s: %v", rule.Name, err)
			}
		}
		if err := check(t, rule, opener("", broken{})); err != nil {
			t.Errorf("%s: %v", rule.Name, err)
		}
	}
}

// opener makes handles with a flaw.
func opener(rule string, flaw broken) func() store.Store {
	first := memory.New()
	lent := map[string]store.Saved{}
	return func() store.Store {
		flaw := flaw
		switch flaw.Store = first.Handle(); rule {
		case "Nodes":
			return memory.New()
		case "Copies":
			return lending{flaw, lent}
		case "Closed":
			return unclosed{flaw}
		}
		return flaw
	}
}
