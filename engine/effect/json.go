package effect

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends {"effect":"append","record":…}.
func (a Append) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "append")
	o.Raw("record", a.Record)
	return o.End()
}

// AppendJSON appends {"effect":"show","session","id","ref","server","tool"?,"mode","kind","message","parts"?:[…],
// "form"?,"url"?,"does"?,"command"?,"cwd"?,"paths"?:[…],"hosts"?:[…],"reach_cut"?,"outside"?,"by_client"?,
// "findings":[…],"reasons":[…],"deadline"?,"waiting"?,"draft"?,"suggestions"?:[…],"remember"?:[…],"description"?,
// "annotations"?:{…},"arguments"?:{…},"takes"?:[…],"changed"?:[…]}. The order of members is part of the contract, as in
// every AppendJSON here: vectors compare bytes, and the sum in a record is over them.
func (s Show) AppendJSON(dst []byte) []byte { return s.appendJSON(dst, true, true) }

// AppendBrief is AppendJSON without what the event of the question says, for a journal. Format 1 of the journal left
// out ref too.
func (s Show) AppendBrief(dst []byte, ref bool) []byte { return s.appendJSON(dst, false, ref) }

// appendJSON writes all members with whole, and otherwise those that the event of the question lacks. ref is false only
// for records of format 1.
func (s Show) appendJSON(dst []byte, whole, ref bool) []byte {
	o := jsontext.With(dst, "effect", "show", "session", s.Session, "id", string(s.ID))
	if ref {
		o.Str("ref", s.Ref)
	}
	// Brief leaves out what the record of the event says already. The results of the engine stay: kind, findings,
	// reasons.
	if whole {
		o.Str("server", s.Server)
		o.OptStr("tool", s.Tool)
		o.Str("mode", string(s.Mode))
	}
	o.Str("kind", string(s.Kind))
	if whole {
		o.Str("message", s.Message)
		jsontext.OptList(&o, "parts", s.Parts)
		if s.text != nil {
			o.Raw("form", s.text)
		} else if s.Form != nil {
			o.Name("form", s.Form.AppendJSON)
		}
		o.OptStr("url", s.URL)
		deed := elicit.Request{Does: s.Does, Command: s.Command, Cwd: s.Cwd, Paths: s.Paths, Hosts: s.Hosts,
			ReachCut: s.ReachCut, Outside: s.Outside}
		deed.AppendDeed(&o)
	}
	o.OptTrue("by_client", s.ByClient)
	jsontext.List(&o, "findings", s.Findings)
	jsontext.List(&o, "reasons", s.Reasons)
	o.OptInt("deadline", s.Deadline)
	o.OptInt("waiting", int64(s.Waiting))
	if whole {
		o.OptRaw("draft", s.Draft)
		jsontext.OptList(&o, "suggestions", s.Suggestions)
		jsontext.OptStrings(&o, "remember", s.Remember)
		o.OptStr("description", s.Description)
		if s.Annotations != (elicit.Annotations{}) {
			o.Name("annotations", s.Annotations.AppendJSON)
		}
		o.OptRaw("arguments", s.Arguments)
		if s.Takes != 0 {
			o.Name("takes", s.Takes.AppendJSON)
		}
		jsontext.OptList(&o, "changed", s.Changed)
	}
	return o.End()
}

// AppendJSON appends {"effect":"withdraw","session","id","cause"}.
func (w Withdraw) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "effect", "withdraw", "session", w.Session, "id", string(w.ID), "cause", string(w.Cause))
}

// AppendJSON appends {"effect":"reply","session","id"?,"ref","outcome","cause","content"?,"note"?,"arguments"?:{…},
// "problems"?,"findings"?,"reasons"?,"receipts"?:[…]}.
func (r Reply) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "reply", "session", r.Session)
	o.OptStr("id", string(r.ID))
	o.Strs("ref", r.Ref, "outcome", string(r.Outcome), "cause", string(r.Cause))
	o.OptRaw("content", r.Content)
	o.OptStr("note", r.Note)
	o.OptRaw("arguments", r.Arguments)
	jsontext.OptList(&o, "problems", r.Problems)
	jsontext.OptList(&o, "findings", r.Findings)
	jsontext.OptList(&o, "reasons", r.Reasons)
	jsontext.OptStrings(&o, "receipts", r.Receipts)
	return o.End()
}

// AppendJSON appends {"effect":"open_url","session","id","url"}.
func (u OpenURL) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "effect", "open_url", "session", u.Session, "id", string(u.ID), "url", u.URL)
}

// AppendJSON appends {"effect":"resolve","session","id","ref","resolution"}.
func (r Resolve) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "effect", "resolve", "session", r.Session, "id", string(r.ID), "ref", r.Ref,
		"resolution", string(r.Resolution))
}

// AppendJSON appends {"effect":"remember","session","grant":{…}}.
func (r Remember) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "remember", "session", r.Session)
	o.Name("grant", r.Grant.AppendJSON)
	return o.End()
}

// AppendJSON appends {"effect":"extend","session","id","deadline"}.
func (e Extend) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "extend", "session", e.Session, "id", string(e.ID))
	o.Int("deadline", e.Deadline)
	return o.End()
}

// AppendJSON appends {"effect":"pause","session","on","total_ms"}.
func (p Pause) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "pause", "session", p.Session)
	o.Bool("on", p.On)
	o.Int("total_ms", p.TotalMS)
	return o.End()
}

// AppendJSON appends {"effect":"wake","at","in"?}.
func (w Wake) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "wake")
	o.Int("at", w.At)
	if w.In > 0 {
		o.Int("in", int64(w.In)-1)
	}
	return o.End()
}

// AppendJSON appends {"effect":"problem","about","session"?,"id"?,"ref"?,"problems":[…],"outcome"?,"cause"?}.
func (p Problem) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "problem", "about", string(p.About))
	o.OptStrs("session", p.Session, "id", string(p.ID), "ref", p.Ref)
	jsontext.List(&o, "problems", p.Problems)
	o.OptStrs("outcome", string(p.Outcome), "cause", string(p.Cause))
	return o.End()
}

// AppendJSON appends {"effect":"consult","session","id","round","guardian","digest"?,"phase","attempt"?,"reviewer"?,
// "host"?,"fuel"?,"wasi"?,"data_digest"?,"deadline","question":{…}}.
func (c Consult) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "consult", "session", c.Session, "id", string(c.ID))
	o.Int("round", int64(c.Round))
	o.Str("guardian", c.Guardian)
	o.OptStr("digest", c.Digest)
	o.Str("phase", string(c.Phase))
	o.OptInt("attempt", int64(c.Attempt))
	o.OptTrue("reviewer", c.Reviewer)
	o.OptTrue("host", c.Host)
	o.OptInt("fuel", c.Fuel)
	o.OptTrue("wasi", c.WASI)
	o.OptStr("data_digest", c.Data)
	o.Int("deadline", c.Deadline)
	o.OptRaw("question", c.Question)
	return o.End()
}

// AppendJSON appends {"field","value","at","id"}.
func (g Suggestion) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "field", g.Field)
	o.Raw("value", g.Value)
	o.Int("at", g.At)
	o.Str("id", string(g.ID))
	return o.End()
}

// AppendJSON appends {"is","text"}.
func (c Change) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "is", string(c.Is), "text", c.Text)
}

// IDOf returns the id of the request that an effect shows, asks about or ends, or of the grant that it remembers. It is
// "" for any other effect. Extend is left out: a host that lists open questions learns an id from a Show first.
func IDOf(e Effect) elicit.ID {
	switch e := e.(type) {
	case Show:
		return e.ID
	case Reply:
		return e.ID
	case Withdraw:
		return e.ID
	case OpenURL:
		return e.ID
	case Consult:
		return e.ID
	case Resolve:
		return e.ID
	case Remember:
		return e.Grant.ID
	}
	return ""
}

// Names lists the spelling of every effect.
func Names() []string {
	return []string{"append", "show", "withdraw", "reply", "open_url", "resolve", "remember", "extend", "pause", "wake",
		"problem", "consult"}
}

func (Append) isEffect()   {}
func (Show) isEffect()     {}
func (Withdraw) isEffect() {}
func (Reply) isEffect()    {}
func (OpenURL) isEffect()  {}
func (Resolve) isEffect()  {}
func (Remember) isEffect() {}
func (Extend) isEffect()   {}
func (Pause) isEffect()    {}
func (Wake) isEffect()     {}
func (Problem) isEffect()  {}
func (Consult) isEffect()  {}
