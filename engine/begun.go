package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/journal"
)

// begunEvent stands in a journal where a new engine goes on with the chain of an earlier one. All that the earlier one
// knew is forgotten: its configuration, sessions, grants, time.
type begunEvent struct{}

// AppendJSON appends {"event":"begun"}.
func (begunEvent) AppendJSON(dst []byte) []byte { return jsontext.Whole(dst, "event", "begun") }

// Continue makes a new engine go on with a chain after head, and returns the effects of that: the record that says so.
// Call it before any Step. It is for a host that starts a process for each question and keeps one journal of them. A
// host cannot give this as an event, because open questions would be lost. The returned effects are performed like
// those of a step, the Append first. The record has no random bytes, because nothing in it makes an id.
func (e *Engine) Continue(head journal.Head, at int64) []effect.Effect {
	*e = *New()
	e.records.head = head
	return e.perform(Input{At: at}, begunEvent{})
}

// beginAnew makes an engine like a new one that goes on with the chain.
func (e *Engine) beginAnew() {
	// The chain goes on, so nobody can take records away between two runs. Nothing else survives.
	head, format := e.records.head, e.records.format
	*e = *New()
	e.records.head, e.records.format, e.records.flood.anchor = head, format, head.Hash
}
