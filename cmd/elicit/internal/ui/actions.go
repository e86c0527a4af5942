package ui

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/risk"
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
	extra := slices.DeleteFunc(slices.Clone(list), func(e userAction) bool { return !more(e) })
	return append(slices.DeleteFunc(list, more), extra...)
}

var lastingLabels = map[elicit.Scope]string{
	elicit.ForTheSession: "Accept for this session",
	elicit.Always:        "Accept always",
}

// acceptLabel names the effect of agreeing.
func acceptLabel(q *effect.Show) string {
	switch {
	case q.Mode == elicit.URL:
		// The whole host, in the letters of the DNS query. Where two programs could read the URL in different ways, there
		// is none that is certain to be the destination.
		if u, ok := risk.ParseURL(q.URL); ok {
			return "Open " + u.Host
		}
		return "Open this page"
	case q.Form != nil && len(q.Form.Fields) > 0:
		return "Submit"
	}
	return "Accept"
}
