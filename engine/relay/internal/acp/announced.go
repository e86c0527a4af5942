package acp

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// announcements are the tool calls that an agent has described in session/update and that have not ended. An agent
// that makes calls without end costs no more memory than these bounds: the oldest are forgotten.
//
// A permission often names only a tool call by its id, and its title, kind and arguments came in earlier updates. size
// is the sum of Size over calls, and order has the keys of calls, the oldest first.
type announcements struct {
	calls map[announcedKey]*acp.Announced
	order []announcedKey
	size  int
}

type announcedKey struct{ session, toolCall string }

const (
	maxAnnouncedCalls = 1024
	maxAnnouncedBytes = 8 << 20
)

func (a *announcements) find(session, toolCall string) *acp.Announced {
	return a.calls[announcedKey{session, toolCall}]
}

// announce takes a description of a tool call. Most updates are parts of the agent's text, which cost a search only.
//
// The update passes unless a reader could take one of its members for another. A person would then decide about a call
// other than the one that the editor shows.
func (d *Dialogue) announce(msg *gate.Message) gate.Passage {
	told := func(word string) bool { return bytes.Contains(msg.Params, []byte(word)) }
	// The search may find too much, never too little: a name that is spelled with escapes has \u in it.
	if !told("tool_call") && !told(`\u`) && !(d.version.States && told("state_update")) {
		return gate.Passes
	}
	u, ok := d.version.ReadUpdate(msg.Params)
	if !ok {
		d.working.told(d.version.ReadState(msg.Params))
		return gate.Passes
	}
	if problem := misspelledCall(u.Object, keysOf(d.version.Version), "/params/update"); problem != nil {
		d.link.Refuse(link.Server, nil, &wire.Refusal{Problems: []elicit.Problem{*problem}})
		return gate.Taken
	}
	d.announced.take(u)
	return gate.Passes
}

// take keeps what an update says of a call. A later update replaces only the members that it has. The update that ends
// a call forgets it.
func (a *announcements) take(u acp.Update) {
	key := announcedKey{u.Session, u.ToolCall}
	call := a.calls[key]
	switch {
	case call == nil && u.Over:
		return
	case call == nil:
		if a.calls == nil {
			a.calls = map[announcedKey]*acp.Announced{}
		}
		call = &acp.Announced{}
		a.calls[key] = call
		a.order = append(a.order, key)
	}
	// Add may make the call larger or smaller, so the sum loses the old size and gains the new one.
	a.size -= call.Size
	call.Add(u)
	a.size += call.Size
	if u.Over {
		a.forget(key)
	}
	for len(a.order) > 0 && (len(a.order) > maxAnnouncedCalls || a.size > maxAnnouncedBytes) {
		a.forget(a.order[0])
	}
}

func (a *announcements) forget(key announcedKey) {
	a.size -= a.calls[key].Size
	delete(a.calls, key)
	for i, one := range a.order {
		if one == key {
			a.order = append(a.order[:i], a.order[i+1:]...)
			return
		}
	}
}
