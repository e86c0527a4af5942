package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// outbox collects the effects of a step, in order. The first place is for the record, which is made last. Parts share
// one outbox by pointer. It is filled between begin and take, and effects is nil in between two steps.
type outbox struct{ effects []effect.Effect }

// begin makes room for another step.
func (o *outbox) begin() { o.effects = make([]effect.Effect, 1, 4) }

// take gives the effects to whoever called the step, and keeps none of them.
func (o *outbox) take() []effect.Effect {
	effects := o.effects
	o.effects = nil
	return effects
}

// emit adds an effect. The host performs effects in this order, so a reply stands before what follows from it.
func (o *outbox) emit(next effect.Effect) { o.effects = append(o.effects, next) }

// problem adds the report of an event that could not be used. It never ends a question by itself.
func (o *outbox) problem(about effect.About, session string, id elicit.ID, problems ...elicit.Problem) {
	o.emit(effect.Problem{About: about, Session: session, ID: id, Problems: problems})
}
