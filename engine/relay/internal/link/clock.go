package link

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Timer is something to do at a time.
type Timer struct {
	At int64
	do func()
}

// Clock is the time of a connection, and what is to be done at a time.
//
// Now never goes back. It follows Elapsed where a host gives it, else the wall clock. Wall is for people and records.
type Clock struct {
	clock  elicit.Clock
	Now    int64 // of the clock, in milliseconds
	Wall   int64
	Steady bool // Now follows the elapsed time
	Steps  int  // how many there were; a message that is forwarded comes before what a step sends
	timers []*Timer
}

// Read takes the time of a step.
func (c *Clock) Read(at int64, elapsed elicit.Elapsed) {
	c.Steps, c.Steady = c.Steps+1, elapsed > 0
	c.Wall, c.Now = c.clock.Read(at, elapsed, lastMoment)
}

// lastMoment is the latest time that the machine accepts, as in the engine.
const lastMoment = 1 << 52

// After runs do once ms milliseconds have passed. A timer of a question, a call or a round stops with it. There is
// at most one for each of these, and one for the progress notifications.
//
// do runs in begin of a later step, before that step's event, and never inside After. The list is short, so a search
// through it costs less than a heap.
func (c *Clock) After(ms int64, do func()) *Timer {
	one := &Timer{c.Now + ms, do}
	c.timers = append(c.timers, one)
	return one
}

// Stop stops a timer. It may be nil or over.
func (c *Clock) Stop(one *Timer) {
	if one != nil {
		c.timers = slices.DeleteFunc(c.timers, func(other *Timer) bool { return other == one })
	}
}

// StopAll stops every timer.
func (c *Clock) StopAll() { c.timers = nil }

// Timers lists what is to be done.
func (c *Clock) Timers() []*Timer { return c.timers }

// Due takes the earliest timer that is due, and returns what it does. It returns nil if none is due.
func (c *Clock) Due() func() {
	var next *Timer
	for _, one := range c.timers {
		if one.At <= c.Now && (next == nil || one.At < next.At) {
			next = one
		}
	}
	if next == nil {
		return nil
	}
	c.Stop(next)
	return next.do
}
