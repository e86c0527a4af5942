package engine

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// bounded is the event as the journal can hold it.
func bounded(ev event.Consulted) event.Consulted {
	switch {
	case len(ev.Output) > guardian.MaxReview:
		ev.Output, ev.Fault = "", guardian.FaultOutputTooLarge
	case !utf8.ValidString(ev.Output):
		ev.Output, ev.Fault = "", guardian.FaultBadOutput
	}
	ev.Fuel = min(max(ev.Fuel, 0), guardian.MaxFuel)
	return ev
}

// withoutWords is the event as the journal may keep it when nobody read it: without words and fuel that may hold
// what only one guardian was shown.
func withoutWords(ev event.Consulted) event.Consulted {
	if ev.Output != "" {
		ev.Output = "?"
	}
	ev.Fuel = 0
	return ev
}
