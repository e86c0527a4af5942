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
	"slices"
	"strings"
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
	sessions map[string]*session
	journals map[string][]record
	entries  map[[2]string]entry
	redeemed map[string]int64
	commits  int
}

type session struct {
	store.Saved
	expires int64
}

type record struct {
	store.Record
	keep int64
}

type entry struct {
	store.Entry
	keep int64
}

// New returns an empty store.
func New() *Store {
	return (&data{handles: map[*Store]bool{}, sessions: map[string]*session{}, journals: map[string][]record{},
		entries: map[[2]string]entry{}, redeemed: map[string]int64{}}).handle()
}

// Handle returns another handle on the same sessions, as another node would have.
func (s *Store) Handle() *Store { return s.data.handle() }

func (d *data) handle() *Store {
	s := &Store{data: d}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handles[s] = true
	return s
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
func (s *Store) Load(ctx context.Context, name string) (store.Saved, error) {
	if err := s.begin(ctx, nil); err != nil {
		return store.Saved{}, err
	}
	defer s.data.mu.Unlock()
	held := s.data.sessions[name]
	if held == nil {
		return store.Saved{}, store.ErrUnknown
	}
	saved := held.Saved
	saved.State = slices.Clone(saved.State)
	return saved, nil
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := s.begin(ctx, c.Check()); err != nil {
		return 0, err
	}
	d := s.data
	defer d.mu.Unlock()
	d.sweep(c.Now)
	held := d.sessions[c.Session]
	if held == nil && c.From != 0 || held != nil && held.Version != c.From {
		return 0, store.ErrConflict
	}
	if c.State == nil {
		delete(d.sessions, c.Session)
	} else {
		if held == nil {
			held = &session{}
			d.sessions[c.Session] = held
		}
		held.Saved = store.Saved{Version: c.Version(), State: append([]byte{}, c.State...), Next: c.Next}
		held.expires = c.Expires
	}
	for i, line := range c.Records {
		d.journals[c.Session] = append(d.journals[c.Session],
			record{store.Record{Version: c.Version(), Index: i, Line: slices.Clone(line)}, c.KeepRecords})
	}
	for _, e := range c.Entries {
		e.Session, e.Body = c.Session, slices.Clone(e.Body)
		d.entries[[2]string{e.Session, e.ID}] = entry{e, c.Keep}
	}
	for handle := range d.handles {
		handle.watch.Wake(c.Session, c.Version())
	}
	return c.Version(), nil
}

// sweep forgets what may be forgotten, every 16th time, because it looks at everything.
func (d *data) sweep(now int64) {
	if d.commits++; d.commits%16 != 0 {
		return
	}
	gone := func(at int64) bool { return at != 0 && at <= now }
	for name, held := range d.sessions {
		if gone(held.expires) {
			delete(d.sessions, name)
		}
	}
	for name, records := range d.journals {
		records = slices.DeleteFunc(records, func(r record) bool { return gone(r.keep) })
		if d.journals[name] = records; len(records) == 0 {
			delete(d.journals, name)
		}
	}
	for key, e := range d.entries {
		if gone(e.keep) {
			delete(d.entries, key)
		}
	}
	for id, until := range d.redeemed {
		if gone(until) {
			delete(d.redeemed, id)
		}
	}
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	if err := s.begin(ctx, store.CheckDue(now, skip, limit)); err != nil {
		return nil, err
	}
	defer s.data.mu.Unlock()
	var names []string
	for name, held := range s.data.sessions {
		if held.Next != 0 && held.Next <= now {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.data.sessions[a].Next, s.data.sessions[b].Next), strings.Compare(a, b))
	})
	names = names[min(len(names), skip):]
	return names[:min(len(names), limit)], nil
}

// Watch implements store.Store.
func (s *Store) Watch(ctx context.Context, name string) (<-chan uint64, func(), error) {
	if err := s.gate.Begin(ctx, store.CheckName("session", name)); err != nil {
		return nil, nil, err
	}
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

// Journal implements store.Store.
func (s *Store) Journal(ctx context.Context, name string, after uint64) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		if err := s.begin(ctx, nil); err != nil {
			yield(store.Record{}, err)
			return
		}
		records := slices.Clone(s.data.journals[name])
		s.data.mu.Unlock()
		for _, r := range records {
			if r.Version <= after {
				continue
			}
			r.Line = slices.Clone(r.Line)
			if !yield(r.Record, nil) {
				return
			}
		}
	}
}

// History implements store.Store.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if err := s.begin(ctx, q.Check()); err != nil {
			yield(store.Entry{}, err)
			return
		}
		var found []store.Entry
		for _, e := range s.data.entries {
			if q.Matches(&e.Entry) {
				e.Body = slices.Clone(e.Body)
				found = append(found, e.Entry)
			}
		}
		s.data.mu.Unlock()
		slices.SortFunc(found, func(a, b store.Entry) int { return store.Newer(&a, &b) })
		for i, e := range found {
			if q.Limit != 0 && i == q.Limit || !yield(e, nil) {
				return
			}
		}
	}
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
