// Package watch reports that files have changed. It checks them at an interval, and uses only their metadata, such as
// the time of the last change. So it also notices files that a rename replaces, files behind links, and files of other
// machines.
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

// Seen is the metadata of files before they were read, by path.
type Seen map[string]look

// look is the metadata of a file at one time. It tells two states of the file apart.
type look struct {
	info  fs.FileInfo // nil for a missing file, and for a pipe or a device
	young bool        // the file was changed within timestampStep; another change may not change the metadata
}

// timestampStep is the longest step in which file systems count times (2 s, on FAT). A file that is written twice
// within one step may have the same time of change.
const timestampStep = 2 * time.Second

// Add looks at a file or a directory. Call it before the file is read, so that the Watcher notices each later change. A
// nil Seen takes nothing.
func (s Seen) Add(path string) {
	if s != nil {
		s[path] = lookAt(path, time.Now())
	}
}

func lookAt(path string, now time.Time) look {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return look{}
	}
	return look{info, now.Sub(info.ModTime()) < timestampStep}
}

// same reports whether two looks at a file show no difference.
func (l look) same(other look) bool {
	if l.info == nil || other.info == nil {
		return l.info == other.info
	}
	return os.SameFile(l.info, other.info) && l.info.ModTime().Equal(other.info.ModTime()) &&
		l.info.Size() == other.info.Size() && l.info.Mode() == other.info.Mode()
}

// Watcher looks at files until it is closed. Its methods are safe from any goroutine.
type Watcher struct {
	// Changed gets a value when a file has changed. It holds at most one value, however many files change until it is
	// read.
	Changed chan struct{}

	every time.Duration
	stop  chan struct{}
	once  sync.Once

	mu      sync.Mutex
	seen    Seen // the files as they were read
	now     Seen // the files at the last look while they change; nil while none has changed since it was read
	settled int  // the number of looks that waited for the end of a change
}

// Start returns a Watcher that checks its files at this interval.
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

// Close ends the Watcher. A second call does nothing.
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

// The Watcher reports a change when two looks in a row show the same. So files that are written together are read
// together, and a half-written file is not read. Files that never stop changing are reported after maxSettleLooks.
const (
	settleFactor   = 10 // while it waits for the end of a change, the Watcher looks this many times as often
	maxSettleLooks = 20 // the most looks that wait for the end of a change
)

// look looks at every file, and returns the time until the next look.
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
	case moved && w.settled < maxSettleLooks:
		w.now = now
		w.settled++
		return w.every / settleFactor
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
