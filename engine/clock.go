package engine

import (
	"cmp"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// lastMoment is the latest time the engine reckons with; deadlines after it still fit every program's numbers.
const lastMoment = strict.LastMoment

// clock is the time of an engine. Deadlines follow now. The wall clock is for people, records and dates.
type clock struct {
	// Two clocks, because people set their wall clock, and a laptop that sleeps must not stop a deadline. Vectors
	// step/elapsed-clock-back and step/elapsed-clock-forward show both.
	now    int64 // the latest time seen; time never runs backwards here
	ahead  int64 // how far the wall clock is ahead of it: 0 unless the clock was set
	steady bool  // the last input told what deadlines follow
}

// read takes both times of an input. Without Now they are one, which never goes back. Times outside of 0 … lastMoment
// are moved into that range, so no sum of a time and a limit can overflow.
func (c *clock) read(in Input) {
	c.steady, c.now, c.ahead = in.Now != 0, min(max(cmp.Or(in.Now, in.At), c.now), lastMoment), 0
	if c.steady {
		c.ahead = min(max(in.At, 0), lastMoment) - c.now
	}
}

// wall is the time for people, records and dates.
func (c *clock) wall() int64 { return c.now + c.ahead }

// onWall is a time of this clock as the wall clock will show it, 0 for none. The least is 1, because 0 says that there
// is no such time.
func (c *clock) onWall(at int64) int64 {
	if at == 0 {
		return 0
	}
	return max(at+c.ahead, 1)
}

// wakeAt asks for a tick at a time of this clock, 0 for none. At is for hosts and people that look at a wall clock. In
// is for the timer, when the input told an elapsed time: it stays right although somebody sets the wall clock while the
// timer waits.
func (c *clock) wakeAt(at int64) effect.Wake {
	if at == 0 || !c.steady {
		return effect.Wake{At: at}
	}
	return effect.Wake{At: c.onWall(at), In: elicit.ElapsedMS(max(at-c.now, 0))}
}
