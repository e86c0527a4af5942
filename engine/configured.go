package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// handleConfigured replaces the configuration, and lets it hold for what is open. It returns the event as the journal
// may keep it.
func (s *step) handleConfigured(ev event.Configured) recordedEvent {
	// The host has refused the document itself, for example because a managed policy of the machine forbids it. The
	// record keeps the words and no document, so an auditor sees the attempt.
	if ev.Refused != "" {
		s.out.problem(effect.AboutConfiguration, "", "", elicit.Problem{Code: "config_refused",
			Args: []elicit.Arg{elicit.Str("why", ev.Refused)}})
		return event.Configured{Refused: ev.Refused}
	}
	replaced, problems := s.config.configure(ev.Config, s.gaps.recorded, s.records.format)
	if len(problems) > 0 {
		s.out.problem(effect.AboutConfiguration, "", "", problems...)
	}
	if !replaced {
		return ev
	}
	// A document without grants leaves those that people have given. One with a list has the last word, also an empty
	// one.
	if s.config.granted {
		s.grants.always, s.config.grants = s.config.grants, nil
	}
	// Sessions drop what they remembered under a setting that is gone: typed values, accepted messages, look-alikes.
	s.sessions.reconfigured(&s.config)
	// An open question stays open under the limits that it was admitted by. A limit that was lowered holds for later
	// questions.
	s.open.SetLimits(s.config.limits.pending())
	s.records.flood.resize(int64(s.config.limits.floodBytes)*1000, s.at)
	return ev
}
