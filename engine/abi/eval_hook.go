//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// evalDecodeHook reads the input of a command hook:
//
//	{host, input} → {"event","asks","session"?,"subagent"?,"later"?,"ref","server","tool"?,"annotations"?,"request":Q,
//	"action"?,"content"?} | {"event"?,"problems"}
//
// Q is that of evalDecode. The text is passed on as it came: package hooks has the gate. The member asks says what the
// hook wants to know. An event that wants nothing is no problem.
func evalDecodeHook(in gjson.Result, dst []byte) []byte {
	doc, ok := document(in, "input")
	if !ok {
		return missing(dst, "input")
	}
	hook, problems := hooks.Decode(hooks.Host(member(in, "host").String()), doc)
	o := jsontext.Begin(dst)
	o.OptStr("event", hook.Event)
	if problems != nil {
		jsontext.List(&o, "problems", problems)
		return o.End()
	}
	q := &hook.Request
	o.Str("asks", string(hook.Asks))
	o.OptStrs("session", hook.Session, "subagent", hook.Subagent)
	if hook.Later {
		o.Bool("later", true)
	}
	o.Strs("ref", q.Ref, "server", q.Server)
	o.OptStr("tool", q.Tool)
	if q.Annotations != (elicit.Annotations{}) {
		o.Name("annotations", q.Annotations.AppendJSON)
	}
	o.Name("request", func(dst []byte) []byte { return appendQuestion(dst, q) })
	o.OptStr("action", string(hook.Action))
	o.OptRaw("content", hook.Content)
	return o.End()
}

// evalEncodeHook writes the answer of a command hook: {host, event, decision, reason?, content?, arguments?, input?}.
// The content of an answer to the agent's own question needs the input, which has the question. With "text":true it
// returns {"text": the exact text}.
func evalEncodeHook(in gjson.Result, dst []byte) []byte {
	c := wireCall{in: in}
	verdict := hooks.Verdict{Decision: hooks.Decision(member(in, "decision").String()),
		Reason: member(in, "reason").String(), Content: c.optional("content"),
		Arguments: c.optional("arguments")}
	host := hooks.Host(member(in, "host").String())
	// The answer to an agent's own question goes into the arguments of the tool call that asks it.
	if doc, ok := document(in, "input"); ok && verdict.Decision == hooks.Allow {
		if hook, wrong := hooks.Decode(host, doc); hook.Asks == hooks.AboutOwnQuestion {
			c.demand(wrong == nil, "input")
			verdict.Arguments, verdict.Content = hook.Answered(verdict.Content), nil
			c.demand(verdict.Arguments != nil, "content")
		}
	}
	out, ok := hooks.Append(nil, host, member(in, "event").String(), verdict)
	c.demand(ok, "decision")
	return c.written(out, dst)
}
