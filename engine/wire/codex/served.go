package codex

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// `codex mcp-server` of 0.130 asks for approvals by elicitation/create, with members of its own, and expects an answer
// in the words of version 1 of the app-server. An answer of MCP counts as a refusal there, and an abort or an error
// makes the call hang for ever. So the answer has both spellings, and every refusal is "denied".

// readServer reads an elicitation of codex mcp-server. The members that begin with codex_ say what it is about. Without
// them it is refused: such a server has no other questions.
func readServer(q *Question, r *wire.Reading, _ *List) {
	q.Thread, q.Item = optional(r, "threadId"), optional(r, "codex_call_id")
	q.Options = reviewOptions()
	switch kind := r.Filled("codex_elicitation", maxName); kind {
	case "":
	case "exec-approval":
		q.approval(ToolShell)
		q.words(r, "codex_command", "codex_cwd", optional(r, "codex_reason"))
		q.finish(q.Choice)
	case "patch-approval":
		var text wire.Parts
		text.Add(elicit.PartText, strings.TrimSpace(optional(r, "codex_reason")), maxTitle)
		q.changes(&text, filesOf(r, "codex_changes"), optional(r, "codex_grant_root"))
	default:
		r.Report("unknown_option", "codex_elicitation", elicit.Str("option", wire.Shown(kind)))
	}
}

// readServed reads an answer of a client: {decision} of one that knows Codex, or else {action} of any other.
//
// An accept in the words of MCP holds once, whatever its content says.
func readServed(q *Question, result []byte) (Answer, []elicit.Problem) {
	o, _ := wire.ReadObject(result)
	if o.Get("decision") != nil {
		return readReview(q, result)
	}
	r := wire.Read(result, "")
	a := Answer{Action: elicit.Action(r.Str("action"))}
	switch {
	case r.Problems != nil:
	case !a.Action.Valid():
		r.Report("unknown_action", "action", elicit.Str("action", wire.Shown(string(a.Action))))
	case a.Action == elicit.Accept:
		a.Scope, a.Content = elicit.Once, wire.Given(r.Get("content"))
		if option, _ := q.find(nameAccept); !q.Choice || a.Content == nil {
			a.Content = q.contentFor(option)
		}
	}
	return a, r.Problems
}

// appendServed writes {"action":…,"content"?,"decision":…}. Codex reads decision, and a client of MCP in between reads
// the rest.
func appendServed(_ *Question, dst []byte, a Answer) []byte {
	decision := `"denied"`
	if a.Action == elicit.Accept {
		decision = string(appendReviewed(nil, a))
	}
	dst = jsontext.AppendString(append(dst, `{"action":`...), string(a.Action))
	if a.Action == elicit.Accept {
		dst = append(dst, `,"content":{}`...)
	}
	return append(append(append(dst, `,"decision":`...), decision...), '}')
}

// servedTitle is the first line of a question for a client that may draw nothing but the message.
func (q *Question) servedTitle() string {
	if q.Request.Does == elicit.DeedPatch {
		return "Allow Codex to make these changes?"
	}
	return "Allow Codex to run this command?"
}
