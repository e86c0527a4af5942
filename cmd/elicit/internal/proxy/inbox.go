package proxy

import "sync"

// inbox brings work to the loop from every other goroutine: effects of the driver, answers of a user interface, timers.
// Posting never blocks. What a driver emits while the loop itself is inside Do is done right after Do, in order.
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

// drain does everything posted, including what is posted meanwhile.
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
