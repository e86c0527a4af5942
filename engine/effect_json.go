package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends {"effect":"append","record":…}.
func (a Append) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "append")
	o.Raw("record", a.Record)
	return o.End()
}

// AppendJSON appends {"effect":"show","session","id","ref","server","tool"?,"mode","kind","message","form"?,"url"?,
// "findings":[…],"reasons":[…],"deadline"?,"waiting"?,"draft"?,"suggestions"?:[…],"remember"?:[…]}.
func (s Show) AppendJSON(dst []byte) []byte { return s.appendJSON(dst, true, true) }

// appendJSON leaves out what the asked event already says when whole is false.
// appendJSON leaves out what the event of the question says, unless whole. Format 1 of the journal left out ref too.
func (s Show) appendJSON(dst []byte, whole, ref bool) []byte {
	o := beginEffect(dst, "show")
	o.Str("session", s.Session)
	o.Str("id", string(s.ID))
	if ref {
		o.Str("ref", s.Ref)
	}
	if whole {
		o.Str("server", s.Server)
		o.OptStr("tool", s.Tool)
		o.Str("mode", string(s.Mode))
	}
	o.Str("kind", string(s.Kind))
	if whole {
		o.Str("message", s.Message)
		if s.text != nil {
			o.Raw("form", s.text)
		} else if s.Form != nil {
			o.Name("form", s.Form.AppendJSON)
		}
		o.OptStr("url", s.URL)
	}
	list(&o, "findings", s.Findings)
	list(&o, "reasons", s.Reasons)
	o.OptInt("deadline", s.Deadline)
	o.OptInt("waiting", int64(s.Waiting))
	if whole {
		o.OptRaw("draft", s.Draft)
		optList(&o, "suggestions", s.Suggestions)
		if len(s.Remember) > 0 {
			o.Name("remember", func(dst []byte) []byte { return appendNames(dst, s.Remember) })
		}
	}
	return o.End()
}

// AppendJSON appends {"effect":"withdraw","session","id","cause"}.
func (w Withdraw) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "withdraw")
	o.Str("session", w.Session)
	o.Str("id", string(w.ID))
	o.Str("cause", string(w.Cause))
	return o.End()
}

// AppendJSON appends {"effect":"reply","session","id"?,"ref","outcome","cause","content"?,"problems"?,"findings"?,
// "reasons"?,"receipts"?:[…]}.
func (r Reply) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "reply")
	o.Str("session", r.Session)
	o.OptStr("id", string(r.ID))
	o.Str("ref", r.Ref)
	o.Str("outcome", string(r.Outcome))
	o.Str("cause", string(r.Cause))
	o.OptRaw("content", r.Content)
	optList(&o, "problems", r.Problems)
	optList(&o, "findings", r.Findings)
	optList(&o, "reasons", r.Reasons)
	if len(r.Receipts) > 0 {
		o.Name("receipts", func(dst []byte) []byte { return appendNames(dst, r.Receipts) })
	}
	return o.End()
}

// AppendJSON appends {"effect":"open_url","session","id","url"}.
func (u OpenURL) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "open_url")
	o.Str("session", u.Session)
	o.Str("id", string(u.ID))
	o.Str("url", u.URL)
	return o.End()
}

// AppendJSON appends {"effect":"resolve","session","id","ref","resolution"}.
func (r Resolve) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "resolve")
	o.Str("session", r.Session)
	o.Str("id", string(r.ID))
	o.Str("ref", r.Ref)
	o.Str("resolution", string(r.Resolution))
	return o.End()
}

// AppendJSON appends {"effect":"wake","at"}.
func (w Wake) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "wake")
	o.Int("at", w.At)
	return o.End()
}

// AppendJSON appends {"effect":"problem","about","session"?,"id"?,"ref"?,"problems":[…],"outcome"?,"cause"?}.
func (p Problem) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "problem")
	o.Str("about", string(p.About))
	o.OptStr("session", p.Session)
	o.OptStr("id", string(p.ID))
	o.OptStr("ref", p.Ref)
	list(&o, "problems", p.Problems)
	o.OptStr("outcome", string(p.Outcome))
	o.OptStr("cause", string(p.Cause))
	return o.End()
}

func beginEffect(dst []byte, name string) jsontext.Object {
	o := jsontext.Begin(dst)
	o.Str("effect", name)
	return o
}

func list[T interface{ AppendJSON([]byte) []byte }](o *jsontext.Object, name string, items []T) {
	o.Name(name, func(dst []byte) []byte { return elicit.AppendList(dst, items) })
}

func optList[T interface{ AppendJSON([]byte) []byte }](o *jsontext.Object, name string, items []T) {
	if len(items) > 0 {
		list(o, name, items)
	}
}

// EffectNames lists the spelling of every effect.
func EffectNames() []string {
	return []string{"append", "show", "withdraw", "reply", "open_url", "resolve", "remember", "extend", "pause", "wake", "problem", "consult"}
}
