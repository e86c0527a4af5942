package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// outbox collects the effects of a step, in order. The first place is for the record, which is made last.
type outbox struct{ effects []effect.Effect }

// begin makes room for another step. The effects of the one before are its caller's.
func (o *outbox) begin() { o.effects = make([]effect.Effect, 1, 4) }

func (o *outbox) emit(next effect.Effect) { o.effects = append(o.effects, next) }

func (o *outbox) problem(about effect.About, session string, id elicit.ID, problems ...elicit.Problem) {
	o.emit(effect.Problem{About: about, Session: session, ID: id, Problems: problems})
}
