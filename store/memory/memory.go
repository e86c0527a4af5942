// Package memory keeps sessions in the memory of one process: for tests, and for a server that may forget every open
// question when it ends.
//
//	s := memory.New()
//	defer s.Close()
package memory

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/elicit-engine/elicit/store"
)

// Store is a handle on sessions in memory. It implements store.Store.
type Store struct {
	data  *data
	gate  store.Gate
	watch store.Wakers
}

// data is what all handles share.
type data struct {
	mu       sync.Mutex
	handles  map[*Store]bool
	sessions map[string]kept[store.Saved]
	journals map[string][]kept[store.Record]
	entries  map[[2]string]kept[store.Entry]
	redeemed map[string]int64
	commits  int // since the last sweep
	held     int // things that it left
}

// kept is something that may be forgotten at some time; 0 never.
type kept[T any] struct {
	it    T
	until int64
}

// New returns an empty store.
func New() *Store {
	return (&Store{data: &data{handles: map[*Store]bool{}, sessions: map[string]kept[store.Saved]{},
		journals: map[string][]kept[store.Record]{}, entries: map[[2]string]kept[store.Entry]{},
		redeemed: map[string]int64{}}}).Handle()
}

// Handle returns another handle on the same sessions, as another node would have.
func (s *Store) Handle() *Store {
	other := &Store{data: s.data}
	s.data.mu.Lock()
	defer s.data.mu.Unlock()
	s.data.handles[other] = true
	return other
}

// begin locks the data, unless the call cannot begin.
func (s *Store) begin(ctx context.Context, check error) error {
	if err := s.gate.Begin(ctx, check); err != nil {
		return err
	}
	s.data.mu.Lock()
	return nil
}

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, name string) (saved store.Saved, err error) {
	if err := s.begin(ctx, nil); err != nil {
		return saved, err
	}
	defer s.data.mu.Unlock()
	held, is := s.data.sessions[name]
	if !is {
		return saved, store.ErrUnknown
	}
	held.it.State = slices.Clone(held.it.State)
	return held.it, nil
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := s.begin(ctx, c.Check()); err != nil {
		return 0, err
	}
	d, version := s.data, c.Version()
	defer d.mu.Unlock()
	d.sweep(c.Now)
	if held, is := d.sessions[c.Session]; is != (c.From != 0) || held.it.Version != c.From {
		return 0, store.ErrConflict
	}
	d.sessions[c.Session] = kept[store.Saved]{store.Saved{Version: version, State: append([]byte{}, c.State...),
		Next: c.Next}, c.Expires}
	if c.State == nil {
		delete(d.sessions, c.Session)
	}
	for i, line := range c.Records {
		d.journals[c.Session] = append(d.journals[c.Session],
			kept[store.Record]{store.Record{Version: version, Index: i, Line: slices.Clone(line)}, c.KeepRecords})
	}
	for _, e := range c.Entries {
		e.Session, e.Body = c.Session, slices.Clone(e.Body)
		d.entries[[2]string{e.Session, e.ID}] = kept[store.Entry]{e, c.Keep}
	}
	for handle := range d.handles {
		handle.watch.Wake(c.Session, version)
	}
	return version, nil
}

// sweep forgets what may be forgotten. It looks at everything, so it waits for as many commits as there are things.
func (d *data) sweep(now int64) {
	if d.commits++; d.commits < max(16, d.held) {
		return
	}
	gone := func(at int64) bool { return at != 0 && at <= now }
	maps.DeleteFunc(d.sessions, func(_ string, one kept[store.Saved]) bool { return gone(one.until) })
	d.commits, d.held = 0, 0
	for name, records := range d.journals {
		d.journals[name] = slices.DeleteFunc(records, func(one kept[store.Record]) bool { return gone(one.until) })
		d.held += len(d.journals[name])
	}
	maps.DeleteFunc(d.journals, func(_ string, all []kept[store.Record]) bool { return len(all) == 0 })
	maps.DeleteFunc(d.entries, func(_ [2]string, one kept[store.Entry]) bool { return gone(one.until) })
	maps.DeleteFunc(d.redeemed, func(_ string, until int64) bool { return gone(until) })
	d.held += len(d.sessions) + len(d.entries) + len(d.redeemed)
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	if err := s.begin(ctx, store.CheckDue(now, skip, limit)); err != nil {
		return nil, err
	}
	defer s.data.mu.Unlock()
	next := func(name string) int64 { return s.data.sessions[name].it.Next }
	names := slices.DeleteFunc(slices.Collect(maps.Keys(s.data.sessions)),
		func(name string) bool { return next(name) == 0 || next(name) > now })
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(next(a), next(b)), cmp.Compare(a, b)) })
	return names[min(len(names), skip):min(len(names), skip+limit)], nil
}

// Watch implements store.Store.
func (s *Store) Watch(ctx context.Context, name string) (<-chan uint64, func(), error) {
	return s.watch.Add(ctx, name, nil)
}

// Redeem implements store.Store.
func (s *Store) Redeem(ctx context.Context, id string, now, expires int64) error {
	if err := s.begin(ctx, store.CheckRedeem(id, now, expires)); err != nil {
		return err
	}
	defer s.data.mu.Unlock()
	s.data.sweep(now)
	if _, is := s.data.redeemed[id]; is {
		return store.ErrRedeemed
	}
	s.data.redeemed[id] = expires + store.Skew
	return nil
}

// Journal implements store.Store. After a clock was set back, a new session of the name has lower versions.
func (s *Store) Journal(ctx context.Context, name string, after uint64) iter.Seq2[store.Record, error] {
	return store.Records(after, func(last store.Record) (some []store.Record, err error) {
		if err := s.begin(ctx, nil); err != nil {
			return nil, err
		}
		defer s.data.mu.Unlock()
		for _, one := range s.data.journals[name] {
			if r := one.it; cmp.Or(cmp.Compare(r.Version, last.Version), cmp.Compare(r.Index, last.Index)) > 0 {
				r.Line = slices.Clone(r.Line)
				some = append(some, r)
			}
		}
		slices.SortStableFunc(some, func(a, b store.Record) int { return cmp.Compare(a.Version, b.Version) })
		return some, nil
	})
}

// History implements store.Store.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return store.Entries(q, func(last store.Entry) (some []store.Entry, err error) {
		if err := s.begin(ctx, nil); err != nil {
			return nil, err
		}
		defer s.data.mu.Unlock()
		for _, one := range s.data.entries {
			if e := one.it; q.Matches(&e) && store.Newer(&last, &e) < 0 {
				e.Body = slices.Clone(e.Body)
				some = append(some, e)
			}
		}
		slices.SortFunc(some, func(a, b store.Entry) int { return store.Newer(&a, &b) })
		return some, nil
	})
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.gate.Close()
	s.data.mu.Lock()
	delete(s.data.handles, s)
	s.data.mu.Unlock()
	s.watch.Close()
	return nil
}
