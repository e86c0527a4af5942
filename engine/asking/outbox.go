package asking

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
)

// lastMoment is the latest time that the machine accepts, as in the engine.
const lastMoment = 1 << 52

// clock has the time and the random bytes of a step.
type clock struct {
	now    int64 // the latest time seen; it never goes back
	random [32]byte
}

// read takes both from an input.
func (c *clock) read(in Input) { c.now, c.random = min(max(in.At, c.now), lastMoment), in.Random }

// draw returns random bytes for one use. Every use in a step gets other bytes, so no link can be told from another.
func (c *clock) draw() [32]byte {
	drawn := c.random
	c.random = digest.Sum256(c.random[:])
	return drawn
}

// outbox collects the effects of a step. Records come first: they must be durable before anything that follows.
type outbox struct{ records, rest []Effect }

func (o *outbox) emit(e Effect) { o.rest = append(o.rest, e) }

// problem reports an event that could not be used.
func (o *outbox) problem(code string, id elicit.ID, args ...elicit.Arg) {
	o.emit(effect.Problem{About: effect.AboutHost, ID: id, Problems: []elicit.Problem{{Code: code, Args: args}}})
}

// take gives the effects to whoever called the step, and keeps none of them: a machine may wait for long.
func (o *outbox) take() []Effect {
	effects := append(o.records, o.rest...)
	o.records, o.rest = nil, nil
	return effects
}
