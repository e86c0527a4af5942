package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// readTask reads a task, which is at a place of the message.
func (g *gate) readTask(msg *message, text []byte, declared mcp.Modes, at string) (mcp.Task, []elicit.Problem) {
	if msg.inputRequests != nil || msg.asks {
		o, _ := wire.ReadObject(text)
		problem := g.distinct(text, at)
		if problem == nil {
			problem = spelled(o, taskWords, at)
		}
		if problem == nil {
			problem = askable(msg.raw)
		}
		if problem == nil {
			problem = g.readEntries(o.Get("inputRequests"))
		}
		if problem != nil {
			return mcp.Task{}, []elicit.Problem{*problem}
		}
	}
	told, problems := rounds.DecodeTask(text, declared)
	for i := range problems {
		problems[i].Pointer = at + problems[i].Pointer
	}
	return told, problems
}

// asksWithin returns the problem with a task whose own result asks. The task is over then, and the client may read that
// result like the one of the call.
func asksWithin(text []byte, at string) *elicit.Problem {
	o, _ := wire.ReadObject(text)
	for _, member := range o.Members {
		inner, ok := wire.ReadObject(o.Raw(member))
		if !ok || member.Name != "result" && !alike([]byte(member.Name), "result") {
			continue
		}
		for _, one := range inner.Members {
			kind, _ := wire.Text(inner.Raw(one))
			asks := one.Name == "inputRequests" || alike([]byte(one.Name), "inputRequests")
			if asks || foldEqual([]byte(one.Name), "resultType") && foldEqual([]byte(kind), "input_required") ||
				one.Name == "_meta" && asksInMeta(inner.Raw(one)) {
				return faulty("input_not_allowed", at+"/result", elicit.Str("method", "tasks/get"))
			}
		}
	}
	return nil
}
