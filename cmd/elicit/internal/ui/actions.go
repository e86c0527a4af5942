package ui

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// userAction is one way in which a person can end a request.
type userAction struct {
	label string
	given Given
}

// The actions that every request has.
var (
	declines = userAction{"Decline", Given{Action: elicit.Decline}}
	cancels  = userAction{"Cancel", Given{Action: elicit.Cancel}}
)

// actionsFor lists the actions for a request, with the plain yes first. In a session, where later questions can follow,
// the list also has each scope that the engine allows for a lasting yes, and "Decline and mute".
func actionsFor(q *effect.Show, lasting bool) []userAction {
	list := []userAction{{acceptLabel(q), Given{Action: elicit.Accept}}}
	if lasting {
		for _, scope := range q.Remember {
			list = append(list, userAction{lastingLabels[scope], Given{Action: elicit.Accept, Remember: scope}})
		}
	}
	list = append(list, declines, cancels)
	if lasting {
		list = append(list, userAction{"Decline and mute", Given{Action: elicit.Decline, Mute: true}})
	}
	return list
}

// actionsInLineMode is the same list, but the actions that every request has are first, so that their numbers never
// change.
func actionsInLineMode(q *effect.Show, lasting bool) []userAction {
	list := actionsFor(q, lasting)
	more := func(e userAction) bool { return e.given.Remember != "" || e.given.Mute }
	slices.SortStableFunc(list, func(a, b userAction) int {
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

var lastingLabels = map[elicit.Scope]string{
	elicit.ForTheSession: "Accept for this session",
	elicit.Always:        "Accept always",
}

// acceptLabel names the effect of agreeing.
func acceptLabel(q *effect.Show) string {
	switch {
	case q.Mode == elicit.URL:
		return consent(q.URL)
	case q.Form != nil && len(q.Form.Fields) > 0:
		return "Submit"
	}
	return "Accept"
}
