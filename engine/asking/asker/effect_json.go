package asker

import (
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/seal"
)

// EffectNames lists the effects.
func EffectNames() []string {
	return []string{"load", "commit", "unseal", "seal", "redeem", "watch", "unwatch", "due", "append", "send",
		"cancel_sent", "progress", "consult", "page", "reply", "wake"}
}

func ofSession(dst []byte, name, session string) []byte {
	return jsontext.Whole(dst, "effect", name, "session", session)
}

// AppendJSON appends {"effect":"load","session"}.
func (e Load) AppendJSON(dst []byte) []byte { return ofSession(dst, "load", e.Session) }

// AppendJSON appends {"effect":"watch","session"}.
func (e Watch) AppendJSON(dst []byte) []byte { return ofSession(dst, "watch", e.Session) }

// AppendJSON appends {"effect":"unwatch","session"}.
func (e Unwatch) AppendJSON(dst []byte) []byte { return ofSession(dst, "unwatch", e.Session) }

// AppendJSON appends
// {"effect":"commit","session","from","version","now","state"?,"records"?:["…"],"history"?:[{…}],"next"?,"expires",
// "keep","keep_records","lazy"?}: write the session as that version if it has the version from. The state is text;
// without one, the session is deleted. What is lazy may come to the disk with the next commit that is not.
func (e Commit) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "commit", "session", e.Session)
	o.Int("from", int64(e.From))
	o.Int("version", int64(e.Version()))
	o.Int("now", e.Now)
	o.OptStr("state", string(e.State))
	optTexts(&o, "records", e.Records)
	jsontext.OptList(&o, "history", entries(e.Entries))
	o.OptInt("next", e.Next)
	o.Int("expires", e.Expires)
	o.Int("keep", e.Keep)
	o.Int("keep_records", e.KeepRecords)
	o.OptTrue("lazy", e.Lazy)
	return o.End()
}

func optTexts(o *jsontext.Object, name string, list [][]byte) {
	all := make([]string, len(list))
	for i, one := range list {
		all[i] = string(one)
	}
	if len(all) > 0 {
		o.Name(name, func(dst []byte) []byte { return jsontext.AppendStrings(dst, all) })
	}
}

// entry is one of a history.
type entry stored.Entry

func entries(all []stored.Entry) (list []entry) {
	for _, one := range all {
		list = append(list, entry(one))
	}
	return list
}

// AppendJSON appends {"id","at","server","tool"?,"outcome","text"?,"body"}. The body is text.
func (e entry) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "id", e.ID)
	o.Int("at", e.At)
	o.Str("server", e.Server)
	o.OptStr("tool", e.Tool)
	o.Str("outcome", e.Outcome)
	o.OptStr("text", e.Text)
	o.Str("body", string(e.Body))
	return o.End()
}

// bound are the members that bind a sealed state to its call.
func bound(o *jsontext.Object, principal, method, target, audience string, arguments [32]byte) {
	o.OptStrs("principal", principal, "method", method, "target", target, "audience", audience)
	if arguments != ([32]byte{}) {
		o.Str("arguments_digest", digest.Hex(arguments[:]))
	}
}

// AppendJSON appends {"effect":"unseal","call","token","purpose","expected":{…}}. Without effect and call, it is the
// input of the operation unseal but for the keys.
func (e Unseal) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "unseal", "call", e.Call, "token", e.State, "purpose", string(seal.State))
	o.Name("expected", func(dst []byte) []byte {
		x, o := &e.Expected, jsontext.Begin(dst)
		bound(&o, x.Principal, x.Method, x.Target, x.Audience, x.Arguments)
		o.Int("now", x.Now)
		o.Int("skew", x.Skew)
		return o.End()
	})
	return o.End()
}

// AppendJSON appends {"effect":"seal","call","random","purpose","claims":{…}}, for the operation seal. The body is
// text.
func (e Seal) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "seal", "call", e.Call, "random", digest.Hex(e.Random[:]),
		"purpose", string(seal.State))
	o.Name("claims", func(dst []byte) []byte {
		c, o := &e.Claims, jsontext.Begin(dst)
		bound(&o, c.Principal, c.Method, c.Target, c.Audience, c.Arguments)
		o.Int("issued_at", c.IssuedAt)
		o.Int("expires_at", c.ExpiresAt)
		o.Str("body_text", string(c.Body))
		return o.End()
	})
	return o.End()
}

// AppendJSON appends {"effect":"redeem","call","id","now","until"}.
func (e Redeem) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "redeem", "call", e.Call, "id", e.ID)
	o.Int("now", e.Now)
	o.Int("until", e.Expires+stored.Skew)
	return o.End()
}

// AppendJSON appends {"effect":"due","now","skip"?,"limit"}.
func (e Due) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "due")
	o.Int("now", e.Now)
	o.OptInt("skip", int64(e.Skip))
	o.Int("limit", int64(e.Limit))
	return o.End()
}

// AppendJSON appends {"effect":"append","session","records":["…"]}.
func (e Append) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "append", "session", e.Session)
	optTexts(&o, "records", e.Records)
	return o.End()
}

// AppendJSON appends {"effect":"send","ref","to","method","params","visit"?}.
func (e Send) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "send", "ref", e.Ref, "to", e.To, "method", e.Method)
	o.Raw("params", e.Params)
	o.OptStr("visit", e.Visit)
	return o.End()
}

// AppendJSON appends {"effect":"cancel_sent","ref"}.
func (e CancelSent) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "effect", "cancel_sent", "ref", e.Ref)
}

// AppendJSON appends {"effect":"progress","call","method","params"}.
func (e Progress) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "progress", "call", e.Call, "method", e.Method)
	o.Raw("params", e.Params)
	return o.End()
}

// AppendJSON appends {"effect":"consult","session","ask":{…}}, where ask is the effect of an engine.
func (e Consult) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "consult", "session", e.Session)
	o.Name("ask", e.Consult.AppendJSON)
	return o.End()
}

// AppendJSON appends {"effect":"wake","in"}, without "in" for never.
func (e Wake) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "wake")
	if e.In >= 0 {
		o.Int("in", e.In)
	}
	return o.End()
}

// AppendJSON appends {"effect":"reply","to","failed"?,"why"?,"problems"?,"open"?,"settle"?,"kind"?,"text"?,"code"?,
// "notice"?,"value"?,"position"?,"result"?,"error"?,"resume"?,"session"?,"page"?,"visit"?,"listed"?,"keep"?,
// "response"?:{"status","headers","body"?,"file"?}}.
// Settle, notice and resume are effects of a session.
//
// kind, text and code are made from the other members, so that no language derives them by itself.
func (e Reply) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "reply", "to", e.To)
	o.OptStr("failed", string(e.Failed))
	if e.Why != nil {
		o.Str("why", e.Why.Error())
	}
	jsontext.OptList(&o, "problems", e.Problems)
	o.OptTrue("open", e.Open)
	if e.Settle != nil {
		o.Name("settle", e.Settle.AppendJSON)
		o.OptStr("kind", string(KindOf(e.Settle.Outcome, e.Settle.Cause)))
	}
	o.OptStr("text", e.Text())
	o.OptInt("code", int64(e.Code()))
	if e.Notice != nil {
		o.Name("notice", e.Notice.AppendJSON)
	}
	o.OptRaw("value", e.Value)
	o.OptInt("position", int64(e.Position))
	o.OptRaw("result", e.Result)
	o.OptRaw("error", e.Error)
	if e.Resume != nil {
		o.Name("resume", e.Resume.AppendJSON)
	}
	o.OptStr("session", e.Session)
	if e.Page != nil {
		o.Name("page", e.Page.append)
	}
	o.OptStr("visit", e.Visit)
	if e.Listed != nil {
		o.Name("listed", e.Listed.append)
	}
	o.OptTrue("keep", e.Keep)
	if e.Response != nil {
		o.Name("response", e.Response.AppendJSON)
	}
	return o.End()
}

// append appends {"questions":[{"id","caller"?,"principal"?,"target","message","offer"?,"page"?,"expires"}],"more"?}.
func (l List) append(dst []byte) []byte {
	o := jsontext.Begin(dst)
	jsontext.List(&o, "questions", l.Questions)
	o.OptTrue("more", l.More)
	return o.End()
}

// AppendJSON appends one of the questions of a List.
func (l Listing) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "id", l.ID)
	o.OptStrs("caller", l.Caller, "principal", l.Principal)
	o.Strs("target", l.Target, "message", l.Message)
	o.OptStr("offer", string(l.Offer))
	o.OptTrue("page", l.Page)
	o.Int("expires", l.Expires)
	return o.End()
}

// append appends {"open"?:{…},"principal"?,"expires"?,"browser"?,"consented"?}, where open is the effect page of a
// session. Without it, the page is over.
func (p Page) append(dst []byte) []byte {
	o := jsontext.Begin(dst)
	if p.Link != "" {
		o.Name("open", p.AppendJSON)
	}
	o.OptStr("principal", p.Principal)
	o.OptInt("expires", p.Expires)
	o.OptStr("browser", p.Browser)
	o.OptTrue("consented", p.Consented)
	return o.End()
}
