package elicit

// Elapsed is the reading of a clock that never goes back and counts suspended time, as an input gives it. 0 means that
// the host has no such clock.
type Elapsed int64

// ElapsedMS is the Elapsed of a clock that shows so many milliseconds.
func ElapsedMS(ms int64) Elapsed { return Elapsed(ms) + 1 }

// Clock makes one time of the two that inputs have. It never goes back. It begins at the wall clock's time of the first
// input, and follows Elapsed from the first one that is given. Inputs without Elapsed move it to their own time if that
// is later. The zero value begins at 0. Example: the wall clock says noon at the first input, and somebody sets it back
// by an hour. After 5 s of elapsed time, now is 5 s after noon, and wall is 5 s after eleven. A deadline one minute
// after noon has 55 s to go.
type Clock struct {
	Last int64 // milliseconds since 1970, if nobody had set the wall clock

	base, last int64 // Last is base and what has elapsed
	steady     bool
}

// Read returns the time of an input: wall is for people and records, and now is what deadlines follow. Both are at most
// most. Without elapsed they are equal. It changes the clock, so it is called once for each input. A time outside of 0
// … most is moved into that range.
func (c *Clock) Read(at int64, elapsed Elapsed, most int64) (wall, now int64) {
	if elapsed <= 0 {
		c.Last = min(max(at, c.Last), most)
		return c.Last, c.Last
	}
	// Elapsed is one more than the milliseconds, because its zero value means that there is no such clock.
	ms := min(int64(elapsed)-1, most)
	wall = min(max(at, 0), most)
	switch {
	case !c.steady:
		c.base = max(wall, c.Last) - ms
	case ms < c.last: // another clock: it goes on from here
		c.base = c.Last - ms
	}
	c.steady, c.last = true, ms
	c.Last = min(max(c.base+ms, c.Last), most)
	return wall, c.Last
}
