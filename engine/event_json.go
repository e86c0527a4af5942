package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends {"event":"configured","config"?:…,"refused"?}; a configuration that is not valid JSON is
// config_text.
func (c Configured) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "configured")
	putDocument(&o, "config", c.Config)
	o.OptStr("refused", c.Refused)
	return o.End()
}

// AppendJSON appends {"event":"opened","session","server","side","declared":[…],"shown":[…],"principal"?,"identity"?}.
func (e Opened) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "opened")
	o.Str("session", e.Session)
	o.Str("server", e.Server)
	o.Str("side", string(e.Side))
	o.Name("declared", e.Declared.appendJSON)
	o.Name("shown", e.Shown.appendJSON)
	o.OptStr("principal", e.Principal)
	o.OptStr("identity", e.Identity)
	return o.End()
}

func (m Modes) appendJSON(dst []byte) []byte {
	switch {
	case m.Form && m.URL:
		return append(dst, `["form","url"]`...)
	case m.Form:
		return append(dst, `["form"]`...)
	case m.URL:
		return append(dst, `["url"]`...)
	}
	return append(dst, `[]`...)
}

// AppendJSON appends
// {"event":"asked","session","ref","parent"?,"tool"?,"annotations"?:{…},"candidates"?:[…],"candidates_cut"?,"mode","message","schema"?,"url"?,"link"?,
// "claim"?,"strict_review"?,"persistable"?}. Server and side are the session's.
func (e Asked) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "asked")
	o.Str("session", e.Session)
	o.Str("ref", e.Ref)
	o.OptStr("parent", e.Parent)
	o.OptStr("tool", e.Tool)
	if e.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", e.Annotations.AppendJSON)
	}
	if len(e.Candidates) > 0 {
		list(&o, "candidates", e.Candidates)
	}
	o.OptTrue("candidates_cut", e.CandidatesCut)
	o.Str("mode", string(e.Mode))
	o.Str("message", e.Message)
	putSpelled(&o, "schema", e.Schema, e.schema)
	o.OptStr("url", e.URL)
	o.OptStr("link", e.Link)
	o.OptStr("claim", string(e.Claim))
	o.OptTrue("strict_review", e.StrictReview)
	o.OptTrue("persistable", e.Persistable)
	o.OptInt("cut_message", int64(e.cutMessage))
	o.OptInt("cut_schema", int64(e.cutSchema))
	o.OptInt("cut_url", int64(e.cutURL))
	o.OptStr("cut_digest", e.cutDigest)
	return o.End()
}

// AppendJSON appends {"event":"answered","session","id","principal"?,"action","content"?,"cleared"?:[…],"via"?,
// "remember"?,"mute"?,"withheld"?}.
func (e Answered) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "answered")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	o.OptStr("principal", e.Principal)
	o.Str("action", string(e.Action))
	putSpelled(&o, "content", e.Content, e.content)
	if len(e.Cleared) > 0 {
		o.Name("cleared", func(dst []byte) []byte { return appendNames(dst, e.Cleared) })
	}
	o.OptStr("via", string(e.Via))
	if e.Remember.Scope != "" {
		o.Name("remember", e.Remember.AppendJSON)
	}
	o.OptTrue("mute", e.Mute)
	if len(e.withheld) > 0 {
		o.Name("withheld", func(dst []byte) []byte { return elicit.AppendList(dst, e.withheld) })
	}
	return o.End()
}

func appendNames[T ~string](dst []byte, names []T) []byte {
	for i, name := range names {
		dst = jsontext.AppendString(append(dst, "[,"[min(i, 1)]), string(name))
	}
	return append(dst, ']')
}

// AppendJSON appends {"pointer","problems"?,"findings"?}.
func (w withheldValue) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("pointer", w.pointer)
	if len(w.problems) > 0 {
		o.Name("problems", func(dst []byte) []byte { return elicit.AppendList(dst, w.problems) })
	}
	optList(&o, "findings", w.findings)
	return o.End()
}

// AppendJSON appends {"event":"completed","session","link"}.
func (e Completed) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "completed")
	o.Str("session", e.Session)
	o.Str("link", e.Link)
	return o.End()
}

// AppendJSON appends {"event":"cancelled","session","ref"?,"parent"?,"cause"?}.
func (e Cancelled) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "cancelled")
	o.Str("session", e.Session)
	o.OptStr("ref", e.Ref)
	o.OptStr("parent", e.Parent)
	o.OptStr("cause", string(e.Cause))
	return o.End()
}

// AppendJSON appends {"event":"closed","session","cause"}.
func (e Closed) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "closed")
	o.Str("session", e.Session)
	o.Str("cause", string(e.Cause))
	return o.End()
}

// AppendJSON appends {"event":"resumed","state":…}.
func (e Resumed) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "resumed")
	putDocument(&o, "state", e.State)
	return o.End()
}

// AppendJSON appends {"event":"ticked"}.
func (Ticked) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "ticked")
	return o.End()
}

func beginEvent(dst []byte, event string) jsontext.Object {
	o := jsontext.Begin(dst)
	o.Str("event", event)
	return o
}

// putDocument appends a peer's document inline when that keeps its every byte, else as exact text: problems point
// into it by byte, so a replay must see the same bytes.
func putDocument(o *jsontext.Object, name string, doc []byte) { putSpelled(o, name, doc, unread) }

// spelling is what is known of how a document is written.
type spelling uint8

const (
	unread    spelling = iota
	canonical          // JSON within documentLimits, in the spelling of a record
	otherwise          // JSON within documentLimits, in another
)

func spellingOf(isCanonical bool) spelling {
	if isCanonical {
		return canonical
	}
	return otherwise
}

// putSpelled is putDocument for a document that may have been read already.
func putSpelled(o *jsontext.Object, name string, doc []byte, known spelling) {
	switch {
	case doc == nil:
	case known == canonical || known == unread && inline(doc):
		o.Raw(name, doc)
	default:
		o.Str(name+"_text", string(doc))
	}
}

func inline(doc []byte) bool {
	return jsontext.Check(doc, documentLimits) == nil && jsontext.IsCanonical(doc)
}

// documentLimits let every document through that any stage may accept; the stages have tighter ones.
var documentLimits = jsontext.Limits{Bytes: 4 << 20, Depth: 128}

// EventNames lists the spelling of every event.
func EventNames() []string {
	return []string{"configured", "opened", "asked", "answered", "completed", "cancelled", "closed", "resumed", "noted",
		"drafted", "extended", "preferred", "revoked", "unmuted", "forgotten", "ticked", "consulted"}
}
