package hooks

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// readOwnQuestion makes a call by which the agent asks its person something a question. Only some events take the
// answers. At all others the call is about nothing: a yes without answers would destroy the question.
//
// A server may have a tool of the same name, so the host must be the server.
func (r *reading) readOwnQuestion(hook *Hook, e *spelling) {
	if hook.Request.Server != string(r.host.host) || !slices.Contains(r.host.questions, hook.Request.Tool) {
		return
	}
	if e.answers == nil {
		hook.Asks = AboutNothing
		return
	}
	input, _ := r.Child("tool_input")
	r.asked(hook, input, "/tool_input", hook.Request)
}

// asked makes the hook the question that the arguments of a call ask.
//
// The request is a new one, because approval has filled the old one for a call and not for a question.
func (r *reading) asked(hook *Hook, input wire.Object, at string, call elicit.Request) {
	questions, ok := wire.ReadQuestions(input.Get("questions"))
	if !ok {
		r.report("wrong_type", at+"/questions", elicit.Str("expected", "array of questions"))
		return
	}
	hook.Asks, hook.asked, hook.input = AboutOwnQuestion, questions, input
	hook.Request = elicit.Request{Ref: call.Ref, Server: call.Server, Tool: call.Tool, Mode: elicit.Form,
		Schema: questions.AppendSchema(nil), Takes: r.takes & note}
	var text wire.Parts
	heading, _ := wire.Text(input.Get("title"))
	text.Add(elicit.PartText, heading, maxName)
	questions.Describe(&text)
	text.Set(&hook.Request)
}

// Answered returns the arguments of the answer to an agent's own question: what the content of the form has. It returns
// nil if that is nothing, or if the question could not be read. It leaves out answers in the arguments that the model
// wrote itself.
func (h *Hook) Answered(content []byte) []byte {
	if h.Asks != AboutOwnQuestion || h.answers == nil {
		return nil
	}
	given, _ := wire.ReadObject(content)
	return h.answers(h, given)
}

// claudeAnswers are the arguments of AskUserQuestion with the answers.
//
//	{"questions":[…],"answers":{"Go?":"Yes"},"annotations":{"Why?":{"notes":"Not answered."}}}
//
// Questions are named by their texts, which ReadQuestions has found to differ.
func claudeAnswers(h *Hook, given wire.Object) []byte {
	answers, notes := jsontext.Begin(nil), jsontext.Begin(nil)
	for i := range h.asked {
		said, beside := h.asked.Answer(i, given)
		if said == "" {
			beside = wire.NotAnswered
		}
		answers.OptStr(h.asked.Text(i), said)
		if beside != "" {
			notes.Raw(h.asked.Text(i), jsontext.Whole(nil, "notes", beside))
		}
	}
	if answers.Empty() {
		return nil
	}
	o := jsontext.Begin(nil)
	for _, member := range [...]string{"title", "questions", "metadata"} {
		o.OptRaw(member, h.input.Get(member))
	}
	o.Raw("answers", answers.End())
	if !notes.Empty() {
		o.Raw("annotations", notes.End())
	}
	return o.End()
}

// subagent is the kind of a subagent that an event comes from, "" for the agent itself.
//
// The kind is text of the model's configuration, so it is shortened, and only plain letters stay.
func (r *reading) subagent() string {
	if id, _ := wire.Text(r.Get("agent_id")); id == "" {
		return ""
	}
	kind, _ := wire.Text(r.Get("agent_type"))
	return shown(plainName(cmp.Or(kind, "unnamed")))
}
