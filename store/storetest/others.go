package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/elicit-engine/elicit/store"
)

// due fails unless exactly these sessions are due, in this order.
func (r *run) due(s store.Store, at int64, limit int, want ...string) {
	got, err := s.Due(r.ctx, at, 0, limit)
	must(err, "asking what is due")
	if !slices.Equal(got, want) {
		fail("at %d, at most %d, these are due: %q, want %q", at, limit, got, want)
	}
}

func namesWhatIsDue(r *run) {
	s := r.store()
	next := func(at int64) func(*store.Change) { return func(c *store.Change) { c.Next = at } }
	r.due(s, store.MaxTime, 10)
	r.put(s, "third", 0, "x", next(now+30))
	first := r.put(s, "first", 0, "x", next(now+10))
	r.put(s, "never", 0, "x")
	r.put(s, "second", 0, "x", next(now+20))
	r.put(s, "late", 0, "x", next(store.MaxTime))
	r.due(s, now+9, 10)
	r.due(s, now+10, 10, "first")
	r.due(s, now+30, 10, "first", "second", "third")
	r.due(s, now+30, 2, "first", "second")
	first = r.put(s, "first", first, "x", next(now+25))
	r.due(s, now+30, 10, "second", "first", "third")
	r.put(s, "first", first, "x")
	r.due(s, now+30, 10, "second", "third")
	r.due(s, store.MaxTime, 10, "second", "third", "late")
}

// skipsWhatIsDue lets a caller go past sessions that stay due.
func skipsWhatIsDue(r *run) {
	s := r.store()
	all := make([]string, 50)
	for i := range all {
		all[i] = fmt.Sprintf("s%02d", i)
		r.put(s, all[i], 0, "x", func(c *store.Change) { c.Next = now + int64(i) })
	}
	for _, limit := range []int{1, 7, 50} {
		var got []string
		for skip := 0; skip <= len(all); skip += limit {
			page, err := s.Due(r.ctx, now+int64(len(all)), skip, limit)
			must(err, "asking what is due")
			got = append(got, page...)
		}
		if !slices.Equal(got, all) {
			fail("pages of %d name %q", limit, got)
		}
	}
}

func (r *run) watch(s store.Store, session string) (<-chan uint64, func()) {
	wakes, stop, err := s.Watch(r.ctx, session)
	must(err, "watching "+session)
	return wakes, stop
}

func wakes(r *run) {
	a, b := r.store(), r.store()
	for i, watcher := range []store.Store{a, b} { // a wakes itself, and b
		name := fmt.Sprintf("w%d", i)
		wakes, stop := r.watch(watcher, name) // before there is a session
		first := r.put(a, name, 0, "1")
		r.named(r.woken(wakes, "after the first commit"), first, first)
		second := r.put(a, name, first, "2")
		r.named(r.woken(wakes, "after the second commit"), first, second)
		stop()
		stop() // twice is no harm
	}
}

// named fails for a wake that names no version of these. 0 names all.
func (r *run) named(version, first, last uint64) {
	if version != 0 && (version < first || version > last) {
		fail("a wake names version %d, and there are %d to %d", version, first, last)
	}
}

func wakesEveryone(r *run) {
	a, b := r.store(), r.store()
	var all []<-chan uint64
	for i := range 20 {
		wakes, stop := r.watch([]store.Store{a, b}[i%2], "a")
		defer stop()
		all = append(all, wakes)
	}
	v := uint64(0)
	for i := range 10 {
		v = r.put([]store.Store{a, b}[i%2], "a", v, "x")
		for n, wakes := range all {
			r.seen(wakes, []store.Store{a, b}[n%2], v)
		}
	}
}

// seen fails unless wakes come until one names a version, and Load gives it.
func (r *run) seen(wakes <-chan uint64, s store.Store, version uint64) {
	for {
		named := r.woken(wakes, fmt.Sprintf("waiting for version %d", version))
		saved, err := s.Load(r.ctx, "a")
		if err == nil && saved.Version >= version && (named == 0 || named >= version) {
			return
		}
	}
}

func wakesAtTheEnd(r *run) {
	a, b := r.store(), r.store()
	v := r.put(a, "a", 0, "x")
	wakes, stop := r.watch(b, "a")
	defer stop()
	_, err := a.Commit(r.ctx, store.Change{Session: "a", From: v, Now: now})
	must(err, "deleting")
	for {
		if named := r.woken(wakes, "after the deletion"); named != 0 && named <= v {
			continue // of the commit before
		}
		if _, err := b.Load(r.ctx, "a"); err != nil {
			wants(err, store.ErrUnknown, "loading")
			return
		}
	}
}

func endsWatches(r *run) {
	s := r.store()
	ended := func(wakes <-chan uint64, why string) {
		for {
			select {
			case _, open := <-wakes:
				if !open {
					return
				}
			case <-r.ctx.Done():
				fail("the channel was not closed when %s", why)
			}
		}
	}
	wakes, stop := r.watch(s, "a")
	other, stopOther := r.watch(s, "a")
	defer stopOther()
	stop()
	ended(wakes, "stop was called")
	r.put(s, "a", 0, "x")
	r.woken(other, "after another watch of the session ended")
	ctx, cancel := context.WithCancel(r.ctx)
	wakes, stop, err := s.Watch(ctx, "a")
	must(err, "watching")
	defer stop()
	cancel()
	ended(wakes, "the context ended")
	must(s.Close(), "closing")
	ended(other, "the store was closed")
}

func redeemsOnce(r *run) {
	handles := []store.Store{r.store(), r.store()}
	for round := range 5 {
		id := fmt.Sprintf("id %d", round)
		var all sync.WaitGroup
		results := make(chan error, 50)
		for i := range 50 {
			all.Go(func() { results <- handles[i%2].Redeem(r.ctx, id, now, now+1000) })
		}
		all.Wait()
		won := 0
		for range 50 {
			if err := <-results; err == nil {
				won++
			} else {
				wants(err, store.ErrRedeemed, "redeeming in a race")
			}
		}
		if won != 1 {
			fail("%d of 50 redeemed one id", won)
		}
	}
	must(handles[0].Redeem(r.ctx, "other", now, now+1000), "redeeming another id")
	// A node whose clock is behind by less than Skew still sees the id as redeemed, also after others have moved on.
	for i := range int64(64) {
		must(handles[0].Redeem(r.ctx, fmt.Sprint("later ", i), now+1500, now+2000), "redeeming later ids")
	}
	wants(handles[1].Redeem(r.ctx, "other", now, now+1000), store.ErrRedeemed, "redeeming with a clock that is behind")
}

func neverRedeemsLate(r *run) {
	s := r.store()
	wants(s.Redeem(r.ctx, "a", now, now), store.ErrRedeemed, "redeeming at the expiry")
	wants(s.Redeem(r.ctx, "a", now+1, now), store.ErrRedeemed, "redeeming after the expiry")
	must(s.Redeem(r.ctx, "a", now-1, now), "redeeming before the expiry")
}
