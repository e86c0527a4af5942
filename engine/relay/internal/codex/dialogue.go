// Package codex is the dialogue of the Codex app-server. The app-server asks directly, and it tells the client when a
// request of its own is settled: by serverRequest/resolved, which names the id of the request. So a question keeps its
// id at the client.
//
// Read dialogue.go first: what comes from the app-server, and what its client answers. words.go has the names that the
// gate reads strictly.
//
// known has a question from its request until the app-server says that it is settled:
//
//	asked     the engine decides; params are kept
//	shown     the client has it under atUser, which is the app-server's own id the first time
//	settled   reply is kept, because the app-server may send the request once more
//	resolved  forgotten; the client hears of it, unless it knows (told)
package codex

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/codex"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// requestID is the member of a cancellation that names its request.
const requestID = "requestId"

// Dialogue is the dialogue of one connection.
type Dialogue struct {
	link.Plain
	link  *link.Connection
	items codex.List
	known known
}

// New makes the dialogue of a connection.
func New(l *link.Connection) *Dialogue { return &Dialogue{link: l} }

// Vocabulary returns the words of the app-server.
func (*Dialogue) Vocabulary() *gate.Vocabulary { return &words }

// Agreed does nothing. Every version of the app-server is read in the same way, and a question opens its own session.
func (*Dialogue) Agreed(string, elicit.Modes) {}

// Called declares in initialize that a person can be asked, if the host asks one. Otherwise Codex refuses a command
// for which an administrator demands a person, unless the client has declared it.
func (d *Dialogue) Called(_ *link.Call, msg *gate.Message) []byte {
	body := msg.Raw
	if msg.Method != initialize {
		return body
	}
	o, _ := wire.ReadObject(body)
	params, _ := o.Child("params")
	if _, declares := params.Child("capabilities"); !declares || !d.hostForms() {
		return body
	}
	body, _ = wire.Set(nil, body, []byte("true"), true, "params", "capabilities", "requiredHumanApproval")
	return body
}

// hostForms reports whether the host is asked, and shows forms.
func (d *Dialogue) hostForms() bool { return d.link.Who.Host() && d.link.Who.Modes.Form }

// Unread declines what codex mcp-server asks, because it hangs after an error. codex mcp-server writes the jsonrpc
// member, and the app-server does not. versioned tells them apart.
func (*Dialogue) Unread(versioned bool) []byte {
	if !versioned {
		return nil
	}
	return codex.Unread(codex.MethodServer).AppendResult(nil, codex.Answer{Action: elicit.Decline})
}

// Late reports whether a question with this id has ended. It had the same id at the client.
func (d *Dialogue) Late(id []byte) bool { return d.link.Settled(id, false) }

// Withdrawal tells the client that a question is settled.
func (*Dialogue) Withdrawal(id []byte, of any, why string) []byte {
	a, ok := of.(*asked)
	if !ok || a.told {
		return nil
	}
	a.told = true
	if a.Method == codex.MethodServer {
		return mcp.AppendCancelled(nil, id, why)
	}
	return codex.AppendResolved(nil, a.Thread, id)
}

// Asks takes the questions. A request that is not known goes to the client only if the client is asked: its user then
// decides, as without the machine. Otherwise nobody would, so the machine answers with an error. Requests for the
// client's program always pass.
func (d *Dialogue) Asks(msg *gate.Message) bool {
	if msg.Question {
		d.ask(msg)
		return true
	}
	name, _ := wire.Text(msg.Name)
	switch {
	case codex.ForProgram(name):
		return false
	case d.link.Who.Client():
		d.link.Note(link.Server,
			gate.Problem("request_passed", elicit.Str("method", gate.Clipped(name))))
		return false
	}
	unknown := []elicit.Problem{codex.UnknownMethod(name)}
	d.link.Refuse(link.Server, gate.Clone(msg.ID), &wire.Refusal{Code: wire.MethodNotFound, Problems: unknown})
	return true
}

// ask asks the engine about a request of the app-server.
func (d *Dialogue) ask(msg *gate.Message) {
	if !d.link.Takes(nil) {
		return
	}
	a := &asked{id: gate.Clone(msg.ID), ref: gate.CanonicalID(msg.ID), digest: digestOf(msg)}
	// A replay is recognised first: its id is open, and Takes would refuse it.
	if d.replays(a) || !d.link.Takes(msg.ID) {
		return
	}
	a.params = gate.Clone(msg.Params)
	method := words.Methods[msg.Method]
	q, no := codex.Unread(method), (*wire.Refusal)(nil)
	if problem := gate.EnvelopeProblem(wire.ReadBareEnvelope(msg.Raw, gate.QuestionLimits)); problem != nil {
		no = &wire.Refusal{Problems: []elicit.Problem{*problem}}
	} else {
		q, no = codex.Decode(method, a.params, &d.items)
	}
	// It is known even if it could not be read. The answer is a decline then, and a replay gets the same.
	a.Question = q
	d.known.add(a)
	if no != nil {
		d.link.Refuse(link.Server, nil, no)
		d.settle(a, codex.Answer{Action: elicit.Decline, Reason: wire.Sentence(no.Problems)})
		return
	}
	q.Take()
	d.link.Ask(d.questionFor(a))
}

// digestOf names a request, so that the same request is recognised.
func digestOf(msg *gate.Message) [32]byte {
	sum := digest.New()
	sum.Write(msg.Name)
	sum.Write(msg.Params)
	return [32]byte(sum.Sum(nil))
}

// replays answers a request that the app-server sends again, as it does after thread/resume. It returns false for a new
// request. If the host has the question, it still shows it, and nothing is sent.
func (d *Dialogue) replays(again *asked) bool {
	a := d.known.by[again.ref]
	if a == nil || a.digest != again.digest {
		return false
	}
	if a.reply != nil { // the answer and the request have crossed
		d.link.Send(link.Server, a.reply, nil)
		return true
	}
	q, atClient := d.link.Open(a.ref)
	if q == nil || q.Of != a {
		return false
	}
	if atClient { // the client has asked for it
		d.link.Send(link.Client, wire.AppendRequest(nil, a.atUser, a.Method, a.text), nil)
	}
	return true
}

// questionFor makes the engine's question.
func (d *Dialogue) questionFor(a *asked) *link.Question {
	if d.hostForms() {
		a.OfferSubset()
	}
	q := &link.Question{Request: a.Request, Of: a, Waits: true}
	q.Request.Ref, q.Request.Parent = a.ref, "thread "+a.Thread
	if a.Turn != "" {
		q.Request.Parent += " turn " + a.Turn
	}
	q.Request.Session, q.Request.Server = d.link.Session(elicit.Modes{Form: true, URL: true}, elicit.Modes{}, a.Server)
	// Only the client can make some answers, such as a proof of the device. It gets these although the host is asked.
	if d.link.Who.Client() || a.ClientOnly && d.link.Who.Host() {
		q.Show = func(s *effect.Show) { d.show(s, a) }
	}
	q.Settle = func(r effect.Reply) {
		if r.Outcome == elicit.Cancelled && r.Cause == elicit.ByShutdown {
			return // the client leaves; another one may still answer, and an app-server of its own ends too
		}
		d.settle(a, d.answerTo(a, r))
	}
	return q
}

// settle answers the app-server. a keeps the reply for a replay. If its record is lost, a decline takes its place there
// too.
func (d *Dialogue) settle(a *asked, answer codex.Answer) {
	a.params, a.text = nil, nil
	a.reply = wire.AppendResult(nil, a.id, a.AppendResult(nil, answer))
	d.link.Reply(a.ref, a.reply, func() {
		a.reply = wire.AppendResult(nil, a.id, a.AppendResult(nil, codex.Answer{Action: elicit.Decline}))
		d.link.Send(link.Server, a.reply, nil)
	})
}

// ServerTold watches for what ends questions, and for the items that they are about.
func (d *Dialogue) ServerTold(msg *gate.Message) gate.Passage {
	switch msg.Method {
	case itemStarted, patchUpdated:
		if msg.Method == patchUpdated || codex.AboutItems(msg.Params) {
			if it := codex.ReadItem(msg.Params); it != nil {
				d.items.Take(it)
			}
		}
	case itemDone:
		if !d.items.Empty() && codex.AboutItems(msg.Params) {
			d.items.Done(codex.ItemOf(msg.Params))
		}
	// A turn without an id ends nothing: it could be any turn of the thread.
	case turnDone:
		thread, turn := codex.TurnOf(msg.Params)
		d.items.Close(thread)
		d.end(func(a *asked) bool { return a.Thread == thread && a.Turn == turn && turn != "" })
	case threadClosed:
		thread, _ := codex.TurnOf(msg.Params)
		d.items.Close(thread)
		d.end(func(a *asked) bool { return a.Thread == thread })
	case resolved:
		return d.resolved(msg)
	case cancelled:
		return d.link.Cancelled(msg, requestID, d.withdrawn)
	}
	return gate.Passes
}

// end ends open questions without an answer, because the app-server takes none any more.
func (d *Dialogue) end(which func(*asked) bool) {
	d.link.Drop(func(q *link.Question) bool {
		a, ok := q.Of.(*asked)
		if !ok || !which(a) {
			return false
		}
		a.params = nil
		return true
	})
}

// withdrawn ends a question that codex mcp-server withdraws.
func (d *Dialogue) withdrawn(_ []byte, ref string) gate.Passage {
	a := d.known.drop(ref)
	if a == nil {
		return gate.Passes
	}
	same := string(a.atUser) == string(a.id)
	if a.atUser != nil {
		a.told = same // then the notification itself tells the client
	}
	d.end(func(one *asked) bool { return one == a })
	return gate.Passage{Pass: same}
}

// resolved ends a question that is settled. The client hears of it once, and only if it has seen the question.
//
// It comes also after the app-server has taken the machine's own answer.
func (d *Dialogue) resolved(msg *gate.Message) gate.Passage {
	id := codex.ResolvedID(msg.Params)
	if id == nil {
		return gate.Passes
	}
	a := d.known.drop(gate.CanonicalID(id))
	if a == nil {
		d.link.Settled(id, true)
		return gate.Passes
	}
	knew := a.told
	a.told = true
	d.end(func(one *asked) bool { return one == a })
	switch {
	case knew || a.atUser == nil:
		return gate.Taken
	// In the step that sends the request, a forwarded notification would come before it.
	case string(a.atUser) == string(a.id) && a.step != d.link.Clock.Steps:
		return gate.Passes
	}
	d.link.Send(link.Client, codex.AppendResolved(nil, a.Thread, a.atUser), nil)
	return gate.Taken
}

// forClient are the requests that the client answers: of the app-server, and at last of codex mcp-server.
var forClient = []string{"item/tool/call", "account/chatgptAuthTokens/refresh", "attestation/generate",
	"currentTime/read", "ping", "roots/list", "sampling/createMessage"}

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
	a.answer, a.told, a.step = codex.Answer{}, false, d.link.Clock.Steps
	a.text = a.AppendParams(nil, a.params, s.Message, s.Form)
	a.atUser = d.link.Request(link.Request{Show: s, ID: id, Of: a, Method: a.Method, Params: a.text,
		Taken: func(result []byte) (event.Answered, []elicit.Problem) { return taken(a, gate.Clone(result)) }})
}

// taken reads the client's answer strictly. It keeps the client's whole answer in a, because the engine's reply has
// only a part of it. answerTo joins both.
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
	a.answer = said
	answer = event.Answered{Action: said.Action, Content: said.Content, Note: said.Note}
	if said.Action == elicit.Accept && !said.Part && !a.Choice {
		answer.Remember.Scope = said.Scope
	}
	return answer, nil
}

// answerTo spells the engine's reply. The person's choice in the client counts only if the engine's reply means the
// same. A yes that holds longer lets Codex act without asking, so Codex gets it only if policy allows that, or if Codex
// offers nothing shorter. If policy lets a yes hold only once, acceptForSession of the client becomes accept, and a
// person reads a note.
func (d *Dialogue) answerTo(a *asked, r effect.Reply) codex.Answer {
	out := codex.Answer{Action: elicit.Action(r.Outcome), Content: r.Content, Note: r.Note, Reason: reasonOf(r)}
	switch {
	case r.Outcome == elicit.Failed,
		r.Outcome == elicit.Cancelled && (r.Cause == elicit.ByNoUI || r.Cause == elicit.ByTimeout):
		out.Action = elicit.Decline // as Codex itself does if nobody answers; a cancel may end the turn
	case r.Cause != elicit.ByUser || a.answer.Action != out.Action:
	default:
		out.Option, out.Strict, out.Scope = a.answer.Option, a.answer.Strict, a.answer.Scope
		if out.Action == elicit.Accept {
			out.Scope = keptScope(a.answer, a.Choice, r.Reasons)
		}
		if out.Scope != a.answer.Scope && string(a.AppendResult(nil, out)) != string(a.AppendResult(nil, a.answer)) {
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
