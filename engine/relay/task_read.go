package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// readTask reads a task, which is at a place of the message.
func readTask(
	g *gate.Gate, msg *gate.Message, text []byte, declared mcp.Modes, at string,
) (mcp.Task, []elicit.Problem) {
	if msg.InputRequests != nil || msg.Asks {
		o, _ := wire.ReadObject(text)
		problem := g.Distinct(text, at)
		if problem == nil {
			problem = gate.Spelled(o, taskWords, at)
		}
		if problem == nil {
			problem = gate.Askable(msg.Raw)
		}
		if problem == nil {
			problem = g.ReadEntries(o.Get("inputRequests"))
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

// asksWithin returns the problem with a task whose own result asks. The task is over then, and the client may read
// that result like the one of the call.
func asksWithin(text []byte, at string) *elicit.Problem {
	o, _ := wire.ReadObject(text)
	for _, member := range o.Members {
		inner, ok := wire.ReadObject(o.Raw(member))
		if !ok || member.Name != "result" && !gate.Alike([]byte(member.Name), "result") {
			continue
		}
		for _, one := range inner.Members {
			kind, _ := wire.Text(inner.Raw(one))
			asks := one.Name == "inputRequests" || gate.Alike([]byte(one.Name), "inputRequests")
			if asks || gate.FoldEqual([]byte(one.Name), "resultType") && gate.FoldEqual([]byte(kind), "input_required") ||
				one.Name == "_meta" && asksInMeta(inner.Raw(one)) {
				return gate.Faulty("input_not_allowed", at+"/result", elicit.Str("method", "tasks/get"))
			}
		}
	}
	return nil
}
