package engine

import (
	"cmp"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// lastMoment is the latest time the engine reckons with; deadlines after it still fit every program's numbers.
const lastMoment = strict.LastMoment

// readTime takes both times of an input. Without Now they are one, which never goes back.
func (s *step) readTime(in Input) {
	s.steady, s.at = in.Now != 0, min(max(cmp.Or(in.Now, in.At), s.now), lastMoment)
	if s.wall = s.at; s.steady {
		s.wall = min(max(in.At, 0), lastMoment)
	}
}

// told is a time of the engine's clock as the wall clock will show it, 0 for none.
func (s *step) told(at int64) int64 {
	if at == 0 {
		return 0
	}
	return max(at+s.ahead, 1)
}

// wakeAt asks for a tick at a time of the engine's clock, 0 for none.
func (s *step) wakeAt(at int64) effect.Wake {
	if at == 0 || !s.steady {
		return effect.Wake{At: at}
	}
	return effect.Wake{At: s.told(at), In: elicit.ElapsedMS(max(at-s.at, 0))}
}
