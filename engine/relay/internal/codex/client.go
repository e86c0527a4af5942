package codex

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/codex"
)

// keysOfAnswer are the members of the answers to all questions of an app-server.
var keysOfAnswer = []string{"_meta", "action", "content", "decision", "permissions", "scope", "strictAutoReview",
	"answers"}

// show asks the client a question, with the app-server's own parameters and under its own id. A question that is
// asked again, because its answer was unfit, needs another id: a client may take the first one for a replay.
func (d *Dialogue) show(s *effect.Show, a *asked) {
	id := a.id
	if a.atUser != nil {
		if !a.told {
			d.link.Send(link.Client, codex.AppendResolved(nil, a.Thread, a.atUser), nil)
		}
		id = nil
	}
	a.byHand, a.told, a.step = false, false, d.link.Clock.Steps
	a.text = a.AppendParams(nil, a.params, s.Message, s.Form)
	a.atUser = d.link.Request(link.Request{Show: s, ID: id, Of: a, Method: a.Method, Params: a.text,
		Taken: func(result []byte) (event.Answered, []elicit.Problem) { return taken(a, gate.Clone(result)) }})
}

// taken reads the client's answer strictly.
func taken(a *asked, result []byte) (answer event.Answered, problems []elicit.Problem) {
	if problem := gate.Distinct(result, ""); problem != nil {
		return answer, []elicit.Problem{*problem}
	}
	o, _ := wire.ReadObject(result)
	if problem := gate.Spelled(o, keysOfAnswer, ""); problem != nil {
		return answer, []elicit.Problem{*problem}
	}
	said, problems := a.DecodeResult(result)
	if problems != nil {
		return answer, problems
	}
	a.answer, a.byHand = said, true
	answer = event.Answered{Action: said.Action, Content: said.Content, Note: said.Note}
	if said.Action == elicit.Accept && !said.Part && !a.Choice {
		answer.Remember.Scope = said.Scope
	}
	return answer, nil
}

// answerTo spells the engine's reply. The person's choice in the client counts only if the engine's reply means the
// same. A yes that holds longer lets Codex act without asking, so Codex gets it only if policy allows that.
func (d *Dialogue) answerTo(a *asked, r effect.Reply) codex.Answer {
	out := codex.Answer{Action: elicit.Action(r.Outcome), Content: r.Content, Note: r.Note, Reason: reasonOf(r)}
	switch {
	case r.Outcome == elicit.Failed,
		r.Outcome == elicit.Cancelled && (r.Cause == elicit.ByNoUI || r.Cause == elicit.ByTimeout):
		out.Action = elicit.Decline // as Codex itself does if nobody answers; a cancel may end the turn
	case r.Cause != elicit.ByUser || !a.byHand || a.answer.Action != out.Action:
	default:
		out.Option, out.Strict, out.Scope = a.answer.Option, a.answer.Strict, a.answer.Scope
		if out.Action == elicit.Accept {
			out.Scope = keptScope(a.answer, a.Choice, r.Reasons)
		}
		if out.Scope != a.answer.Scope {
			d.link.Note(link.Client, elicit.Problem{Code: "always_lowered"})
		}
	}
	return out
}

// keptScope is how long a yes may hold: as long as the engine remembers it too.
func keptScope(a codex.Answer, choice bool, reasons []elicit.Reason) elicit.Scope {
	if choice || a.Part {
		return elicit.Once
	}
	for _, reason := range reasons {
		if reason.Code != "remember_lowered" {
			continue
		}
		for _, arg := range reason.Args {
			if arg.Name == "kept" {
				return elicit.Scope(strings.Trim(arg.Raw, `"`))
			}
		}
		return elicit.Once
	}
	return a.Scope
}

// reasonOf tells an agent why, in the words of the reason that decided.
func reasonOf(r effect.Reply) string {
	switch {
	case len(r.Problems) > 0:
		return wire.Sentence(r.Problems)
	case r.Cause == elicit.ByPolicy && len(r.Reasons) > 0:
		return english.Reason(r.Reasons[0])
	case r.Cause == elicit.ByNoAnswer, r.Cause == elicit.ByTimeout:
		return english.Cause(r.Cause)
	}
	return ""
}
