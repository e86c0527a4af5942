package hooks

import (
	"cmp"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Decision is what a hook answers.
type Decision string

// These are the decisions. Any other value is refused by Append.
const (
	Allow  Decision = "allow"  // the call runs; a question is accepted with Verdict.Content; an answer goes on
	Ask    Decision = "ask"    // the host asks the person
	Silent Decision = "silent" // the host goes on as without a hook
	Deny   Decision = "deny"   // the call does not run; the question is declined
	Cancel Decision = "cancel" // as Deny, but a question is cancelled
)

// Verdict is an answer.
//
// The zero value has no decision, and Append refuses it. Reason goes to the host as it is.
type Verdict struct {
	Decision Decision
	Reason   string // for the person, and for the model when the call is denied
	Content  []byte // AboutQuestion with Allow: a JSON object, or nil

	// Arguments, with Allow, replace those of the call: a JSON object, or nil. Only some events take them.
	Arguments []byte
}

// writer appends an answer. It returns false when the host cannot say it.
//
// It is called with a decision that the event can spell. Cancel counts as Deny, except for questions.
type writer func(dst []byte, event string, v Verdict) ([]byte, bool)

// Append appends the answer to an event of a host. It returns false, with dst unchanged, for a host, an event or a
// decision that it does not know, and for content that is not allowed. It writes Deny in place of Ask at an event whose
// host would let the call run in every mode. [CanAsk] tells of hosts that would in one mode.
func Append(dst []byte, host Host, event string, v Verdict) ([]byte, bool) {
	h := host.table()
	switch v.Decision {
	case Allow, Ask, Silent, Deny, Cancel:
	default:
		return dst, false
	}
	if h == nil || v.Content != nil && jsontext.Check(v.Content, limits) != nil {
		return dst, false
	}
	for i := range h.events {
		if e := &h.events[i]; e.name == event {
			if v.Content != nil && (e.asks != AboutQuestion || v.Decision != Allow) {
				return dst, false
			}
			if v.Arguments != nil && !v.fits(e) {
				return dst, false
			}
			return e.append(dst, host, v)
		}
	}
	return dst, false
}

// append appends the answer to one event.
//
// Silent is {} for every host: no member, so the host goes on by its own rules. For an answer of the person that would
// be a yes, so it is refused.
func (e *spelling) append(dst []byte, host Host, v Verdict) ([]byte, bool) {
	switch {
	case v.Decision == Silent && e.asks == AboutAnswer:
		return dst, false // silence would send the answer
	case v.Decision == Silent:
		return append(dst, "{}"...), true
	case v.Decision == Ask && neverAsks(host, e.name):
		v.Decision = Deny
	}
	out, ok := e.write(dst, e.name, v)
	if !ok {
		return dst, false
	}
	return out, true
}

// fits reports whether the arguments of a verdict can be told in an event.
func (v Verdict) fits(e *spelling) bool {
	return v.Decision == Allow && e.takes&elicit.TakesEdit != 0 && jsontext.Check(v.Arguments, limits) == nil &&
		wire.TypeOf(v.Arguments) == wire.Map
}

// Unread returns the event whose answers a host takes for input that could not be read: the only one it has, or any if
// all are spelled alike. It is "" when the answers differ. Input that names an unknown event must not be answered so.
//
// An answer in the words of another event could be read as no answer, and the call would run.
func Unread(host Host) string {
	switch h := host.table(); {
	case h == nil:
		return ""
	case host == Cursor: // this event has no ask
		return beforeReadFile
	case len(h.events) == 1:
		return h.events[0].name
	}
	return ""
}

// permission is the word of hosts that know allow, ask and deny.
func (v Verdict) permission() string {
	if v.Decision == Cancel {
		return string(Deny)
	}
	return string(v.Decision)
}

// specific appends {"hookSpecificOutput":{"hookEventName":event, …}}.
//
// Claude Code, Codex, VS Code and Qwen Code read this shape.
func specific(dst []byte, event string, add func(o *jsontext.Object)) []byte {
	outer := jsontext.Begin(dst)
	outer.Name("hookSpecificOutput", func(dst []byte) []byte {
		o := jsontext.With(dst, "hookEventName", event)
		add(&o)
		return o.End()
	})
	return outer.End()
}

// writePreToolUse writes the decision about a call, with its reason and new arguments. Example:
// {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"…"}}.
func writePreToolUse(dst []byte, event string, v Verdict) ([]byte, bool) {
	return specific(dst, event, func(o *jsontext.Object) {
		o.Str("permissionDecision", v.permission())
		o.OptStr("permissionDecisionReason", v.Reason)
		o.OptRaw("updatedInput", v.Arguments)
	}), true
}

// writePermissionRequest writes {} for Ask: the host is about to ask, and goes on with that. Codex takes no member but
// these.
func writePermissionRequest(dst []byte, event string, v Verdict) ([]byte, bool) {
	if v.Decision == Ask {
		return append(dst, '{', '}'), true
	}
	return specific(dst, event, func(o *jsontext.Object) {
		o.Name("decision", func(dst []byte) []byte {
			d := jsontext.With(dst, "behavior", v.permission())
			if v.Decision != Allow {
				d.OptStr("message", v.Reason)
			}
			d.OptRaw("updatedInput", v.Arguments)
			return d.End()
		})
	}), true
}

// writeCodexGate writes the answer to Codex before a call. Codex runs a call whose hook says allow in words, because it
// does not know the word here, and one that is denied without a reason. To a call that may run, silence says the same.
func writeCodexGate(dst []byte, event string, v Verdict) ([]byte, bool) {
	if v.Decision == Allow {
		return append(dst, "{}"...), true
	}
	v.Reason = cmp.Or(strings.TrimSpace(v.Reason), "The hook denies this call.")
	return writePreToolUse(dst, event, v)
}

// writeElicitation writes {} for Ask, so that the host shows the question itself.
func writeElicitation(dst []byte, event string, v Verdict) ([]byte, bool) {
	if v.Decision == Ask {
		return append(dst, '{', '}'), true
	}
	return specific(dst, event, func(o *jsontext.Object) {
		o.Str("action", string(v.action()))
		o.OptRaw("content", v.Content)
	}), true
}

// writeElicitationResult writes {} for Allow: the answer goes on as it is. The person has answered, so the host cannot
// ask again, and Ask is a refusal.
func writeElicitationResult(dst []byte, event string, v Verdict) ([]byte, bool) {
	if v.Decision == Allow {
		return append(dst, '{', '}'), true
	}
	return specific(dst, event, func(o *jsontext.Object) { o.Str("action", string(v.action())) }), true
}

func (v Verdict) action() elicit.Action {
	switch v.Decision {
	case Allow:
		return elicit.Accept
	case Cancel:
		return elicit.Cancel
	}
	return elicit.Decline
}

// writeCursor gives the reason to the person and to the model, because Cursor has a member for each.
func writeCursor(dst []byte, _ string, v Verdict) ([]byte, bool) {
	o := jsontext.With(dst, "permission", v.permission())
	if v.Decision != Allow {
		o.OptStrs("user_message", v.Reason, "agent_message", v.Reason)
	}
	return o.End(), true
}

func writeCopilot(dst []byte, _ string, v Verdict) ([]byte, bool) {
	o := jsontext.With(dst, "permissionDecision", v.permission())
	o.OptStr("permissionDecisionReason", v.Reason)
	return o.End(), true
}

func writeGemini(dst []byte, _ string, v Verdict) ([]byte, bool) {
	o := jsontext.With(dst, "decision", v.permission())
	o.OptStr("reason", v.Reason)
	if v.Decision == Ask {
		o.OptStr("systemMessage", v.Reason) // this is what the prompt shows
	}
	return o.End(), true
}
