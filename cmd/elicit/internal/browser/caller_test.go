package browser

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// bell is a caller on a fake clock, with what its two questions would be answered.
type bell struct {
	*caller
	waiting, open atomic.Bool
	started       time.Time
	rung          []time.Duration // since the start; the caller's lock guards it
}

func newBell(d delays) *bell {
	b := &bell{started: time.Now()}
	b.caller = &caller{waits: b.waiting.Load, watched: b.open.Load, delays: d,
		call: func() { b.rung = append(b.rung, time.Since(b.started)) }}
	return b
}

func (b *bell) pageOpens()  { b.open.Store(true); b.pagesChanged() }
func (b *bell) pageCloses() { b.open.Store(false); b.pagesChanged() }
func (b *bell) question()   { b.waiting.Store(true); b.shown() }

// wants waits until a moment and compares the calls so far.
func (b *bell) wants(t *testing.T, at time.Duration, want ...time.Duration) {
	t.Helper()
	time.Sleep(at - time.Since(b.started))
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Equal(b.rung, want) {
		t.Errorf("after %v: calls at %v, want %v", at, b.rung, want)
	}
}

// TestAWaitingQuestionCallsThePerson: no question waits without a page and without a call that is planned or was made.
func TestAWaitingQuestionCallsThePerson(t *testing.T) {
	const s = time.Second
	run := func(name string, d delays, play func(t *testing.T, b *bell)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBell(d)
				defer b.stop()
				play(t, b)
			})
		})
	}
	run("a question while the page is closed", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 0, 0)
	})
	run("a question while the page is open", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.pageOpens()
		b.question()
		b.wants(t, time.Hour)
	})
	run("answered, closed and asked again within the gap", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 0, 0)
		b.pageOpens()
		b.waiting.Store(false)
		b.wants(t, 2*s, 0)
		b.pageCloses()
		b.wants(t, 10*s, 0)
		b.question()
		b.wants(t, 10*s, 0, 10*s)
	})
	run("a second question before the browser has started", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 1*s, 0)
		b.question()
		b.wants(t, 19*s, 0)
		b.wants(t, 20*s, 0, 20*s)
	})
	run("the page closes on an open question", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 1*s, 0)
		b.pageOpens()
		b.wants(t, 60*s, 0)
		b.pageCloses()
		b.wants(t, 64*s, 0)
		b.wants(t, 65*s, 0, 65*s)
	})
	run("a reload is no call", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 1*s, 0)
		b.pageOpens()
		b.wants(t, 60*s, 0)
		b.pageCloses()
		b.wants(t, 61*s, 0)
		b.pageOpens()
		b.wants(t, time.Hour, 0)
	})
	run("a question behind an open one, with the page closed", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 1*s, 0)
		b.pageOpens()
		b.pageCloses()
		b.wants(t, 30*s, 0, 20*s)
		b.queued()
		b.wants(t, 40*s, 0, 20*s, 40*s)
	})
	run("nobody comes", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 10*time.Minute, 0, 20*s, 60*s, 140*s, 300*s)
	})
	run("nobody is called for a question that ended", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 1*s, 0)
		b.waiting.Store(false)
		b.wants(t, time.Hour, 0)
	})
	run("a link for each question, and no second one", delaysOfLinks, func(t *testing.T, b *bell) {
		b.question()
		b.wants(t, 1*s, 0)
		b.question()
		b.wants(t, 2*s, 0, 1*s)
		b.queued()
		b.wants(t, time.Hour, 0, 1*s, 7*s)
	})
	run("nobody is called after the end", delaysOfBrowser, func(t *testing.T, b *bell) {
		b.stop()
		b.question()
		b.now()
		b.wants(t, time.Hour)
	})
}

// TestClosingThePageCallsAgain runs the real server: its stream tells that the page was closed.
func TestClosingThePageCallsAgain(t *testing.T) {
	d := newRigWith(t, "{}", 0, func(o *Options) { o.delays = &delays{left: time.Millisecond} })
	d.ask("1", nameForm)
	<-d.opened
	d.enter()
	page := d.listen()
	page.shownID()
	page.close()
	select {
	case <-d.opened:
	case <-time.After(wait):
		t.Fatal("the question waits and nobody is called")
	}
}
