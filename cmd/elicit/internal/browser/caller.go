package browser

import (
	"sync"
	"time"
)

// caller brings the person to the page while a question waits and no page is open. It calls at once for a new question,
// and again after the last page was closed. It also calls again when nobody came, each time after twice the time.
type caller struct {
	waits   func() bool // whether a question is shown to the person
	watched func() bool // whether a page is open
	call    func()      // opens a browser or prints a link; it must not block
	delays  delays

	mu      sync.Mutex
	timer   *time.Timer
	next    time.Time     // when timer calls, zero when it does not run
	last    time.Time     // the latest call
	gap     time.Duration // until the call after that, if nobody comes
	came    bool          // whether a page was opened since the latest call
	stopped bool
}

// delays are the times of a caller.
type delays struct {
	gap   time.Duration // between two calls when no page was opened after the first; 0 calls for each question
	left  time.Duration // from the last page that was closed to the call; a reload of the page takes less
	again bool          // whether to call again for the same question when nobody came
}

// A browser that was opened a moment ago may still be starting, and a tab for each question would be too many. A
// printed link opens nothing and stays valid, so one link for each question is right, and no second one.
var (
	delaysOfBrowser = delays{gap: 20 * time.Second, left: 5 * time.Second, again: true}
	delaysOfLinks   = delays{left: 5 * time.Second}
)

// shown calls for a question that is shown now.
func (c *caller) shown() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gap = c.delays.gap
	wait := time.Duration(0)
	if !c.last.IsZero() && !c.came {
		wait = c.gap - time.Since(c.last)
	}
	c.schedule(wait)
}

// queued calls again for a question that may have to wait behind another one. Policy may answer it at once, so this is
// less urgent.
func (c *caller) queued() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gap = c.delays.gap
	c.schedule(max(c.delays.left, c.gap-time.Since(c.last)))
}

// pagesChanged says that the first page was opened or the last one closed. The person may have closed it by mistake, so
// a question that waits calls. It looks at the present state, because two changes may be reported in the wrong order.
func (c *caller) pagesChanged() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watched() {
		c.came, c.gap = true, c.delays.gap
		c.cancel()
		return
	}
	c.schedule(max(c.delays.left, c.gap-time.Since(c.last)))
}

// now calls at once, also when a page is open.
func (c *caller) now() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		c.callLocked()
	}
}

// stop ends all calls.
func (c *caller) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	c.cancel()
}

// cancel drops the planned call. The caller holds the lock.
func (c *caller) cancel() {
	if c.timer != nil {
		c.timer.Stop()
	}
	c.next = time.Time{}
}

// schedule calls after a time. Only the earlier one of two calls is kept, because fire plans the next one. The caller
// holds the lock.
func (c *caller) schedule(wait time.Duration) {
	at := time.Now().Add(max(wait, 0))
	if c.stopped || !c.next.IsZero() && !at.Before(c.next) {
		return
	}
	c.cancel()
	c.next, c.timer = at, time.AfterFunc(max(wait, 0), c.fire)
}

// fire calls, if a call is still needed.
func (c *caller) fire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = time.Time{}
	if !c.stopped && c.waits() && !c.watched() {
		c.callLocked()
	}
}

func (c *caller) callLocked() {
	c.cancel()
	c.last, c.came = time.Now(), false
	c.call()
	if c.delays.again {
		c.gap = max(c.gap, c.delays.gap)
		c.schedule(c.gap)
		c.gap *= 2
	}
}
