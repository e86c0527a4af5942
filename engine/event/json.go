package event

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends {"event":"configured","config"?:…,"refused"?}; a configuration that is not valid JSON is
// config_text.
func (c Configured) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "configured")
	o.Document("config", c.Config, jsontext.Unread)
	o.OptStr("refused", c.Refused)
	return o.End()
}

// AppendJSON appends {"event":"opened","session","server","side","declared":[…],"shown":[…],"client"?:[…],"principal"?,
// "identity"?,"labels"?:[…]}.
func (e Opened) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "opened", "session", e.Session, "server", e.Server, "side", string(e.Side))
	o.Name("declared", e.Declared.AppendJSON)
	o.Name("shown", e.Shown.AppendJSON)
	if e.Client != (elicit.Modes{}) {
		o.Name("client", e.Client.AppendJSON)
	}
	o.OptStrs("principal", e.Principal, "identity", e.Identity)
	jsontext.OptStrings(&o, "labels", e.Labels)
	return o.End()
}

// AppendJSON appends {"event":"asked","session","ref","parent"?,"tool"?,"annotations"?:{…},"candidates"?:[…],
// "candidates_cut"?,"mode","message","parts"?:[…],"message_cut"?,"schema"?,"url"?,"link"?,"claim"?,"does"?,
// "command"?,"command_candidate"?,"cwd"?,"paths"?:[…],"hosts"?:[…],"reach_cut"?,"outside"?,"for"?,"command_at"?,
// "arguments"?:{…},"arguments_schema"?:{…},"held_call"?,"description"?,"definition"?,
// "takes"?:[…],"strict_review"?,"persistable"?}. Server and side are the session's.
func (e Asked) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	e.AppendMembers(&o, jsontext.Unread)
	return o.End()
}

// AppendMembers is AppendJSON for the journal of package engine, which has members of its own behind these. schema says
// what is known of the spelling of Schema.
func (e *Asked) AppendMembers(o *jsontext.Object, schema jsontext.Spelling) {
	o.Strs("event", "asked", "session", e.Session, "ref", e.Ref)
	o.OptStrs("parent", e.Parent, "tool", e.Tool)
	if e.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", e.Annotations.AppendJSON)
	}
	jsontext.OptList(o, "candidates", e.Candidates)
	o.OptTrue("candidates_cut", e.CandidatesCut)
	o.Strs("mode", string(e.Mode), "message", e.Message)
	jsontext.OptList(o, "parts", e.Parts)
	o.OptTrue("message_cut", e.MessageCut)
	o.Document("schema", e.Schema, schema)
	o.OptStrs("url", e.URL, "link", e.Link, "claim", string(e.Claim))
	e.Request.AppendDeed(o)
	o.OptStr("for", e.For)
	e.Request.AppendHeld(o)
	o.OptTrue("strict_review", e.StrictReview)
	o.OptTrue("persistable", e.Persistable)
}

// AppendJSON appends {"event":"answered","session","id","principal"?,"action","content"?,"cleared"?:[…],"via"?,
// "remember"?,"mute"?,"note"?,"arguments"?:{…}}.
func (e Answered) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	e.AppendMembers(&o, jsontext.Unread)
	return o.End()
}

// AppendMembers is AppendJSON for the journal of package engine. content says what is known of the spelling of Content.
func (e *Answered) AppendMembers(o *jsontext.Object, content jsontext.Spelling) {
	o.Strs("event", "answered", "session", e.Session, "id", string(e.ID))
	o.OptStr("principal", e.Principal)
	o.Str("action", string(e.Action))
	o.Document("content", e.Content, content)
	jsontext.OptStrings(o, "cleared", e.Cleared)
	o.OptStr("via", string(e.Via))
	if e.Remember.Scope != "" {
		o.Name("remember", e.Remember.AppendJSON)
	}
	o.OptTrue("mute", e.Mute)
	o.OptStr("note", e.Note)
	o.Document("arguments", e.Arguments, jsontext.Unread)
}

// AppendJSON appends {"event":"completed","session","link"}.
func (e Completed) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "completed", "session", e.Session, "link", e.Link)
}

// AppendJSON appends {"event":"called","session","ref","tool","digest","again"?}.
func (e Called) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "called", "session", e.Session, "ref", e.Ref, "tool", e.Tool, "digest", e.Digest)
	o.OptTrue("again", e.Again)
	return o.End()
}

// AppendJSON appends {"event":"cancelled","session","ref"?,"parent"?,"cause"?}.
func (e Cancelled) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "cancelled", "session", e.Session)
	o.OptStrs("ref", e.Ref, "parent", e.Parent, "cause", string(e.Cause))
	return o.End()
}

// AppendJSON appends {"event":"closed","session","cause"}.
func (e Closed) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "closed", "session", e.Session, "cause", string(e.Cause))
}

// AppendJSON appends {"event":"resumed","state":…}.
func (e Resumed) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "resumed")
	o.Document("state", e.State, jsontext.Unread)
	return o.End()
}

// AppendJSON appends {"event":"ticked"}.
func (Ticked) AppendJSON(dst []byte) []byte { return jsontext.Whole(dst, "event", "ticked") }

// AppendJSON appends {"event":"noted","session","id","receipt"}.
func (e Noted) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "noted", "session", e.Session, "id", string(e.ID), "receipt", string(e.Receipt))
}

// AppendJSON appends {"event":"drafted","session","id","draft"?}.
func (e Drafted) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "drafted", "session", e.Session, "id", string(e.ID))
	o.Document("draft", e.Draft, jsontext.Unread)
	return o.End()
}

// AppendJSON appends {"event":"extended","session","id","until"}.
func (e Extended) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "extended", "session", e.Session, "id", string(e.ID))
	o.Int("until", e.Until)
	return o.End()
}

// AppendJSON appends {"event":"preferred","session","ref"}.
func (e Preferred) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "preferred", "session", e.Session, "ref", e.Ref)
}

// AppendJSON appends {"event":"revoked","grant"}.
func (e Revoked) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "revoked", "grant", string(e.Grant))
}

// AppendJSON appends {"event":"unmuted","session","server"}.
func (e Unmuted) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "unmuted", "session", e.Session, "server", e.Server)
}

// AppendJSON appends {"event":"forgotten","session","field"?}.
func (e Forgotten) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "forgotten", "session", e.Session)
	o.OptStr("field", e.Field)
	return o.End()
}

// AppendJSON appends {"event":"consulted","session","id","round","output"?,"fault"?,"fuel"?,"principal"?}.
func (c Consulted) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "consulted", "session", c.Session, "id", string(c.ID))
	o.Int("round", int64(c.Round))
	o.OptStrs("output", c.Output, "fault", string(c.Fault))
	o.OptInt("fuel", c.Fuel)
	o.OptStr("principal", c.Principal)
	return o.End()
}

// Names lists the spelling of every event.
func Names() []string {
	return []string{"configured", "opened", "asked", "answered", "completed", "called", "cancelled", "closed", "resumed",
		"noted", "drafted", "extended", "preferred", "revoked", "unmuted", "forgotten", "ticked", "consulted"}
}

func (Configured) isEvent() {}
func (Opened) isEvent()     {}
func (Asked) isEvent()      {}
func (Answered) isEvent()   {}
func (Completed) isEvent()  {}
func (Called) isEvent()     {}
func (Cancelled) isEvent()  {}
func (Closed) isEvent()     {}
func (Resumed) isEvent()    {}
func (Ticked) isEvent()     {}
func (Noted) isEvent()      {}
func (Drafted) isEvent()    {}
func (Extended) isEvent()   {}
func (Preferred) isEvent()  {}
func (Revoked) isEvent()    {}
func (Unmuted) isEvent()    {}
func (Forgotten) isEvent()  {}
func (Consulted) isEvent()  {}
