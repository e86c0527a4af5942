package proxy

import "sync"

// inbox is the queue of work for the loop. Any goroutine may post to it: effects of the driver, answers of a user
// interface, timers. post never blocks. When the driver emits effects while the loop is inside Do, the loop performs
// them in order directly after Do.
type inbox struct {
	mu   sync.Mutex
	work []func()
	wake chan struct{}
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

func (b *inbox) post(f func()) {
	b.mu.Lock()
	b.work = append(b.work, f)
	b.mu.Unlock()
	signal(b.wake)
}

// drain runs all posted functions, also those that are posted in the meantime.
func (b *inbox) drain() {
	for {
		b.mu.Lock()
		work := b.work
		b.work = nil
		b.mu.Unlock()
		if len(work) == 0 {
			return
		}
		for _, f := range work {
			f()
		}
	}
}
