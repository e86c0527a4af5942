package store

import (
	"cmp"
	"context"
	"sync"
)

// Wakers is the list of those who watch sessions, for implementations of Watch. The zero value is empty.
type Wakers struct {
	mu     sync.Mutex
	closed bool
	all    map[string]map[chan uint64]bool
}

// Add begins a watch, unless no store takes the name or the context has ended. The last function is called when nobody
// watches the session any more; it may be nil. Add returns ErrClosed after Close.
func (w *Wakers) Add(ctx context.Context, session string, last func()) (<-chan uint64, func(), error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, nil, ErrClosed
	}
	if err := cmp.Or(ctx.Err(), CheckName("session", session)); err != nil {
		return nil, nil, err
	}
	if w.all == nil {
		w.all = map[string]map[chan uint64]bool{}
	}
	wakes := make(chan uint64, 1)
	if w.all[session] == nil {
		w.all[session] = map[chan uint64]bool{}
	}
	w.all[session][wakes] = true
	stop := func() {
		if w.remove(session, wakes) && last != nil {
			last()
		}
	}
	unhook := context.AfterFunc(ctx, stop)
	return wakes, func() { unhook(); stop() }, nil
}

// remove ends a watch and reports whether it was the session's last.
func (w *Wakers) remove(session string, wakes chan uint64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.all[session][wakes] {
		return false
	}
	close(wakes)
	delete(w.all[session], wakes)
	if len(w.all[session]) > 0 {
		return false
	}
	delete(w.all, session)
	return true
}

// Wake tells those who watch a session of a commit that gave a version; 0 if that is not known.
func (w *Wakers) Wake(session string, version uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	wake(w.all[session], version)
}

// WakeAll tells everyone: something may have happened to any session.
func (w *Wakers) WakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, watching := range w.all {
		wake(watching, 0)
	}
}

// wake puts a version into each channel. A value that nobody has taken is replaced. The larger version tells more, but
// 0 stays, because the watcher must then load in any case.
func wake(watching map[chan uint64]bool, version uint64) {
	for wakes := range watching {
		told := version
		select {
		case before := <-wakes: // nobody has taken it
			if told = max(told, before); before == 0 || version == 0 {
				told = 0
			}
		default:
		}
		wakes <- told // there is room: only a waker sends
	}
}

// Watched returns how many sessions are watched.
func (w *Wakers) Watched() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.all)
}

// Close ends every watch.
func (w *Wakers) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, watching := range w.all {
		for wakes := range watching {
			close(wakes)
		}
	}
	w.all = nil
}

// Watches reports whether somebody watches a session.
func (w *Wakers) Watches(session string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.all[session]) > 0
}
