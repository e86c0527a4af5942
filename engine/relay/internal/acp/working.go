package acp

import (
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// working has the sessions in which an agent works after its answer to the prompt, and whether the client has
// cancelled that work. Only ACP version 2 needs it.
//
// A session is in the map while its agent works: true if the editor has cancelled that work. A session beyond
// maxWorking is not noted, and its cancelled turn may then still ask.
type working map[string]bool

// maxWorking is the most sessions of which that is remembered.
const maxWorking = 1024

// on records that an agent works in a session.
func (w working) on(session string, cancelled bool) {
	if _, known := w[session]; !known && session != "" && len(w) < maxWorking {
		w[session] = cancelled
	}
}

// set records whether the client has cancelled the work in a session, if there is any.
func (w working) set(session string, cancelled bool) {
	if _, known := w[session]; known {
		w[session] = cancelled
	}
}

// told takes what an update says about the work in a session.
//
// An update without a state, and an unknown state, change nothing.
func (w working) told(session string, state string) {
	switch state {
	case acp.Running, acp.RequiresAction:
		w.on(session, false)
	case acp.Idle:
		delete(w, session)
	}
}
