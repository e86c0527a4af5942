package acp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/wire"
)

// Announced is what an agent said about a tool call in session/update. A permission for the call need not say it again.
//
// The values are copies, because they outlive the message. Its owner bounds the sum of Size.
type Announced struct {
	members map[string][]byte // raw, by name; a nil value was too long to keep
	Size    int               // bytes kept
}

// announcedNames are the members of a tool call that a permission may leave out.
var announcedNames = []string{"title", "name", "kind", "content", "locations", "rawInput"}

// maxAnnounced is the most bytes kept of one member. A longer one does not fit a message.
const maxAnnounced = maxContent

// Update is a tool call in the params of session/update.
//
// Object has spans of the params. Add copies what it keeps.
type Update struct {
	Session, ToolCall string
	Over              bool // the call has ended
	Object            wire.Object

	patches bool // of the dialect
	part    bool // it has one more piece of the content
}

// ReadUpdate reads the params of session/update. It returns false for an update that is about no tool call.
//
//	version 1   tool_call (all of a call), tool_call_update (parts of it)
//	version 2   tool_call_update, tool_call_content_chunk (one piece of content)
func (d Dialect) ReadUpdate(params []byte) (u Update, ok bool) {
	o, _ := wire.ReadObject(params)
	u.Object, ok = o.Child("update")
	if !ok {
		return u, false
	}
	kind, _ := wire.Text(u.Object.Get("sessionUpdate"))
	u.Session, _ = wire.Text(o.Get("sessionId"))
	u.ToolCall, _ = wire.Text(u.Object.Get("toolCallId"))
	status, _ := wire.Text(u.Object.Get("status"))
	u.patches, u.part = d.patches, kind == "tool_call_content_chunk"
	u.Over = status == "completed" || status == "failed" || d.patches && status == "cancelled"
	known := len(u.Session) <= maxSession && len(u.ToolCall) <= maxSession && u.ToolCall != ""
	if d.patches {
		return u, known && (kind == "tool_call_update" || u.part)
	}
	return u, known && (kind == "tool_call" || kind == "tool_call_update")
}

// These are the states of an agent's work in a session that the protocol names.
const (
	Running        = "running"
	RequiresAction = "requires_action"
	Idle           = "idle"
)

// ReadState returns the state of the agent's work that an update of a session tells, or "".
func (d Dialect) ReadState(params []byte) (session, state string) {
	o, _ := wire.ReadObject(params)
	update, _ := o.Child("update")
	if kind, _ := wire.Text(update.Get("sessionUpdate")); !d.States || kind != "state_update" {
		return "", ""
	}
	if session, _ = wire.Text(o.Get("sessionId")); session == "" || len(session) > maxSession {
		return "", ""
	}
	state, _ = wire.Text(update.Get("state"))
	return session, state
}

// Add takes what an update says. A later word replaces an earlier one.
//
// Examples in version 2: {"title":null} takes the title away, and a chunk adds to content. In version 1 null says
// nothing.
func (a *Announced) Add(u Update) {
	if a.members == nil {
		a.members = map[string][]byte{}
	}
	if u.part {
		if piece := wire.Given(u.Object.Get("content")); piece != nil {
			a.keep("content", a.longer(piece))
		}
		return
	}
	for _, name := range announcedNames {
		raw := u.Object.Get(name)
		switch {
		case wire.Given(raw) != nil:
			a.keep(name, raw)
		case raw != nil && u.patches: // null takes away what was said
			a.Size -= len(a.members[name])
			delete(a.members, name)
		}
	}
}

// keep takes a member in place of the earlier one.
//
// A member that is too long stays in the map as nil: it was announced, and a permission that relies on it must not look
// as if it had none.
func (a *Announced) keep(name string, raw []byte) {
	a.Size -= len(a.members[name])
	if len(raw) > maxAnnounced {
		raw = nil
	}
	a.members[name] = slices.Clone(raw)
	a.Size += len(raw)
}

// longer returns the content with one more piece, or nil if the content was too long before.
func (a *Announced) longer(piece []byte) []byte {
	content, said := a.members["content"]
	switch _, n := wire.Elements(content, 0); {
	case said && content == nil:
		return nil
	case n == 0: // also for content that is no list, because readers take it for none
		return append(append([]byte{'['}, piece...), ']')
	}
	content = content[: len(content)-1 : len(content)-1]
	return append(append(append(content, ','), piece...), ']')
}

// member returns a member of a tool call: as the permission has it, or else as it was announced. It returns false if
// the member was announced and is not known any more. patches says that null in the permission means no member.
func (a *Announced) member(tool *wire.Reading, name string, patches bool) (raw []byte, ok bool) {
	raw = tool.Get(name)
	if patches && raw != nil {
		return wire.Given(raw), true
	}
	if raw = wire.Given(raw); raw != nil || a == nil {
		return raw, true
	}
	raw, announced := a.members[name]
	return raw, raw != nil || !announced
}
