package acp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/wire"
)

// Announced is what an agent said about a tool call in session/update. A permission for the call need not say it again.
type Announced struct {
	members map[string][]byte // raw, by name; a nil value was too long to keep
	Size    int               // bytes kept
}

// announcedNames are the members of a tool call that a permission may leave out.
var announcedNames = []string{"title", "name", "kind", "content", "locations", "rawInput"}

// maxAnnounced is the most bytes kept of one member. A longer one does not fit a message.
const maxAnnounced = maxContent

// Update is a tool call in the params of session/update.
type Update struct {
	Session, ToolCall string
	Over              bool // the call has ended
	Object            wire.Object
}

// ReadUpdate reads the params of session/update. It returns false for an update that is about no tool call.
func ReadUpdate(params []byte) (u Update, ok bool) {
	o, _ := wire.ReadObject(params)
	u.Object, ok = o.Child("update")
	if !ok {
		return u, false
	}
	kind, _ := wire.Text(u.Object.Get("sessionUpdate"))
	u.Session, _ = wire.Text(o.Get("sessionId"))
	u.ToolCall, _ = wire.Text(u.Object.Get("toolCallId"))
	status, _ := wire.Text(u.Object.Get("status"))
	u.Over = status == "completed" || status == "failed"
	known := len(u.Session) <= maxSession && len(u.ToolCall) <= maxSession && u.ToolCall != ""
	return u, known && (kind == "tool_call" || kind == "tool_call_update")
}

// Add takes what an update says. A later word replaces an earlier one.
func (a *Announced) Add(u Update) {
	if a.members == nil {
		a.members = map[string][]byte{}
	}
	for _, name := range announcedNames {
		raw := given(u.Object.Get(name))
		if raw == nil {
			continue
		}
		a.Size -= len(a.members[name])
		if len(raw) > maxAnnounced {
			raw = nil
		}
		a.members[name] = slices.Clone(raw)
		a.Size += len(raw)
	}
}

// member returns a member of a tool call: as the permission has it, or else as it was announced. It returns false if
// the member was announced and is not known any more.
func (a *Announced) member(tool *wire.Reading, name string) (raw []byte, ok bool) {
	if raw = given(tool.Get(name)); raw != nil || a == nil {
		return raw, true
	}
	raw, announced := a.members[name]
	return raw, raw != nil || !announced
}
