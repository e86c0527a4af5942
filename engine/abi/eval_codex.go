//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/codex"
)

// evalDecodeCodex reads a question of the Codex app-server, and the client's answer if it is given:
//
//	{method, params, items?:[params of item/started,…], result?} → {"thread"?,"turn"?,"item"?,"server"?,"tool"?,
//	"annotations"?,"request":Q,"options":[decision,…],"unknown"?,"choice"?,"client_only"?,
//	"answer"?:{"action","content"?,"scope"?,"option"?,"strict"?,"note"?}} | {"error":{"code","problems"}} | {"problems"}
//
// Q is that of evalDecode. The count unknown is of decisions that this version does not know, which approve nothing.
// With client_only, only the client can make the answer, such as a proof of the device.
func evalDecodeCodex(in gjson.Result, dst []byte) []byte {
	c := wireCall{in: in}
	q, no := codexQuestion(&c)
	result := c.optional("result")
	switch {
	case c.wrong != nil:
		return appendProblem(dst, c.wrong...)
	case no != nil:
		return append(dst, refusalJSON(no)...)
	}
	o := jsontext.Begin(dst)
	o.OptStrs("thread", q.Thread, "turn", q.Turn, "item", q.Item, "server", q.Server, "tool", q.Request.Tool)
	if q.Request.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", q.Request.Annotations.AppendJSON)
	}
	o.Name("request", func(dst []byte) []byte { return appendQuestion(dst, &q.Request) })
	o.Name("options", q.AppendOptions)
	o.OptInt("unknown", int64(q.Unknown))
	o.OptTrue("choice", q.Choice)
	o.OptTrue("client_only", q.ClientOnly)
	if result == nil {
		return o.End()
	}
	a, problems := q.DecodeResult(result)
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	o.Name("answer", func(dst []byte) []byte { return appendCodexAnswer(dst, a) })
	return o.End()
}

// appendCodexAnswer writes what the client said, in words of the engine. option is the decision itself, where the
// protocol has one that no action expresses.
func appendCodexAnswer(dst []byte, a codex.Answer) []byte {
	o := jsontext.With(dst, "action", string(a.Action))
	o.OptRaw("content", a.Content)
	o.OptStr("scope", string(a.Scope))
	o.OptRaw("option", a.Option)
	o.OptTrue("strict", a.Strict)
	o.OptStr("note", a.Note)
	return o.End()
}

// evalEncodeCodex writes the result that answers a question: {method, params, items?,
// answer:{action, content?, scope?, option?, strict?, note?}}. It approves nothing that was not asked or not offered.
// For an unfit question, the result is a refusal.
func evalEncodeCodex(in gjson.Result, dst []byte) []byte {
	c := wireCall{in: in}
	q, no := codexQuestion(&c)
	r := strict.Of(member(in, "answer"))
	a := codex.Answer{Action: elicit.Action(r.Str("action")), Content: r.Raw("content"),
		Scope: elicit.Scope(r.Opt("scope")), Option: r.Raw("option"), Strict: r.Flag("strict"), Note: r.Opt("note")}
	r.RefuseUnknown()
	if r.Problems == nil && !a.Action.Valid() {
		r.Report("unknown_action", "action", elicit.Str("action", string(a.Action)))
	}
	switch {
	case c.wrong != nil:
		return appendProblem(dst, c.wrong...)
	case r.Problems != nil:
		return appendProblem(dst, within("/answer", r.Problems)...)
	// Nothing can answer a method that is none.
	case no != nil && no.Code == wire.MethodNotFound:
		return appendProblem(dst, no.Problems...)
	// An unfit question is never approved, whatever the caller says.
	case no != nil && a.Action == elicit.Accept:
		a = codex.Answer{Action: elicit.Decline}
	}
	return c.written(q.AppendResult(nil, a), dst)
}

// items are what the server has announced before: a question about a patch names an item and does not repeat it.
func codexQuestion(c *wireCall) (*codex.Question, *wire.Refusal) {
	params, items := c.gated("params"), &codex.List{}
	member(c.in, "items").ForEach(func(_, v gjson.Result) bool {
		if it := codex.ReadItem([]byte(v.Raw)); it != nil {
			items.Take(it)
		}
		return true
	})
	return codex.Decode(member(c.in, "method").String(), params, items)
}
