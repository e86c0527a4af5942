package abi

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// decodeHook reads the input of a command hook. It passes the text on as it came: the package has the gate.
func decodeHook(c *wireCall, dst []byte) []byte {
	doc, ok := document(c.in, "input")
	if !ok {
		return missing(dst, "input")
	}
	hook, problems := hooks.Decode(hooks.Host(member(c.in, "host").String()), doc)
	o := jsontext.Begin(dst)
	o.OptStr("event", hook.Event)
	if problems != nil {
		o.Name("problems", func(dst []byte) []byte { return elicit.AppendList(dst, problems) })
		return o.End()
	}
	q := &hook.Request
	o.Str("asks", string(hook.Asks))
	o.OptStr("session", hook.Session)
	o.Str("ref", q.Ref)
	o.Str("server", q.Server)
	o.OptStr("tool", q.Tool)
	if q.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", q.Annotations.AppendJSON)
	}
	o.Name("request", func(dst []byte) []byte { return appendQuestion(dst, q) })
	o.OptStr("action", string(hook.Action))
	o.OptRaw("content", hook.Content)
	return o.End()
}

func encodeHook(c *wireCall) []byte {
	verdict := hooks.Verdict{Decision: hooks.Decision(member(c.in, "decision").String()),
		Reason: member(c.in, "reason").String(), Content: c.optional("content")}
	out, ok := hooks.Append(nil, hooks.Host(member(c.in, "host").String()), member(c.in, "event").String(), verdict)
	c.demand(ok, "decision")
	return out
}
