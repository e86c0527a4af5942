package ui

import (
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// end is one way a person can end a request.
type end struct {
	label string
	given Given
}

// Ends that every request has.
var (
	declines = end{"Decline", Given{Action: elicit.Decline}}
	cancels  = end{"Cancel", Given{Action: elicit.Cancel}}
)

// ends lists the ways to end a request, the plain yes first. Those that say something of later questions are offered
// where there can be later ones: a yes that lasts as long as the engine would let it, and hearing no more of the server.
func ends(q *engine.Show, lasting bool) []end {
	list := []end{{agree(q), Given{Action: elicit.Accept}}}
	if lasting {
		for _, scope := range q.Remember {
			list = append(list, end{lastingYes[scope], Given{Action: elicit.Accept, Remember: scope}})
		}
	}
	list = append(list, declines, cancels)
	if lasting {
		list = append(list, end{"Decline and mute", Given{Action: elicit.Decline, Mute: true}})
	}
	return list
}

// spokenEnds is the same list with the ends that every request has in front, so that their numbers are always the same.
func spokenEnds(q *engine.Show, lasting bool) []end {
	list := ends(q, lasting)
	more := func(e end) bool { return e.given.Remember != "" || e.given.Mute }
	slices.SortStableFunc(list, func(a, b end) int {
		switch {
		case more(a) == more(b):
			return 0
		case more(b):
			return -1
		}
		return 1
	})
	return list
}

var lastingYes = map[engine.Scope]string{
	engine.ForTheSession: "Accept for this session",
	engine.Always:        "Accept always",
}

// agree names what agreeing does.
func agree(q *engine.Show) string {
	switch {
	case q.Mode == elicit.URL:
		return consent(q.URL)
	case q.Form != nil && len(q.Form.Fields) > 0:
		return "Submit"
	}
	return "Accept"
}
