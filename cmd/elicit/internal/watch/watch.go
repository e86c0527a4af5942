// Package watch tells that files have changed. It looks at them once in a while, and needs nothing from the system but
// the time of change that every file has: it sees files that are replaced by a rename, files behind links, and files
// of other machines.
//
//	seen := watch.Seen{}
//	seen.Add(path)                    // before the file is read
//	w := watch.Start(time.Second)
//	w.Watch(seen)
//	<-w.Changed
package watch

import (
	"io/fs"
	"maps"
	"os"
	"sync"
	"time"
)

// Seen is how files looked before they were read, by path.
type Seen map[string]look

// look is what tells one state of a file from another.
type look struct {
	info  fs.FileInfo // nil for a file that is not there, and for a pipe or a device
	young bool        // it could change once more and look the same
}

// coarsest is how long a file may look the same although it was written again: file systems count times in steps.
const coarsest = 2 * time.Second

// Add looks at a file or a directory. Call it before the file is read: a later change is then seen.
func (s Seen) Add(path string) { s[path] = lookAt(path, time.Now()) }

func lookAt(path string, now time.Time) look {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return look{}
	}
	return look{info, now.Sub(info.ModTime()) < coarsest}
}

// same reports whether nothing tells two looks at a file apart.
func (l look) same(other look) bool {
	if l.info == nil || other.info == nil {
		return l.info == other.info
	}
	return os.SameFile(l.info, other.info) && l.info.ModTime().Equal(other.info.ModTime()) &&
		l.info.Size() == other.info.Size() && l.info.Mode() == other.info.Mode()
}

// Watcher looks at files until it is closed. Its methods are safe from any goroutine.
type Watcher struct {
	// Changed has room for one: however many files change, and however often, they are told once until it is read.
	Changed chan struct{}

	every time.Duration
	stop  chan struct{}
	once  sync.Once

	mu      sync.Mutex
	seen    Seen // as they were read
	now     Seen // as they look since they changed; nil while they look as they were read
	settled int  // looks that waited for the end of a change
}

// Start begins to look every so often.
func Start(every time.Duration) *Watcher {
	w := newWatcher(every)
	go w.run()
	return w
}

func newWatcher(every time.Duration) *Watcher {
	return &Watcher{Changed: make(chan struct{}, 1), every: every, stop: make(chan struct{})}
}

// Watch replaces the files that are looked at.
func (w *Watcher) Watch(seen Seen) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen, w.now, w.settled = maps.Clone(seen), nil, 0
}

// Close ends it.
func (w *Watcher) Close() { w.once.Do(func() { close(w.stop) }) }

func (w *Watcher) run() {
	timer := time.NewTimer(w.every)
	defer timer.Stop()
	for {
		select {
		case <-w.stop:
			return
		case now := <-timer.C:
			timer.Reset(w.look(now))
		}
	}
}

// A change is told when the files look the same twice in a row, so that files which are written together are read
// together, and a half-written one is not read. Files that never come to rest are told all the same.
const (
	quicker = 10 // looks that wait for the end of a change come so many times as often
	mostOf  = 20 // and are at most so many
)

// look looks at every file, and returns when to do so again.
func (w *Watcher) look(at time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := w.now
	if last == nil {
		last = w.seen
	}
	now, moved, differs := Seen{}, false, false
	for path := range w.seen {
		now[path] = lookAt(path, at)
		moved = moved || !now[path].same(last[path])
		differs = differs || !now[path].same(w.seen[path]) || w.seen[path].young && !now[path].young
	}
	switch {
	case moved && w.settled < mostOf:
		w.now = now
		w.settled++
		return w.every / quicker
	case differs:
		select {
		case w.Changed <- struct{}{}:
		default:
		}
		w.seen = now
	}
	w.now, w.settled = nil, 0
	return w.every
}
