package acp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// permission is a permission that an agent asked for and has not got an answer to.
//
// params are the agent's, for the editor. chosen is set by the editor's answer and read by permissionReply: the engine
// knows only yes and no, and the agent must get the option that the person picked.
type permission struct {
	acp.Permission
	params []byte
	chosen acp.Option // what the client selected; zero for none
}

// askPermission asks the engine about a session/request_permission.
//
// The engine gets an approval, or a form if the permission has questions or several options that allow. The order of
// the checks is that of the answers: unreadable, then cancelled turn, then a question.
func (d *Dialogue) askPermission(msg *gate.Message) {
	// The agent's input may be closed. And with two answers under one id, no one could tell which question each answers.
	if !d.link.Takes(msg.ID) {
		return
	}
	params := slices.Clone(msg.Params)
	p, no := d.readPermission(params)
	if no != nil {
		d.link.Refuse(link.Server, msg.ID, no)
		return
	}
	id, ref := slices.Clone(msg.ID), gate.CanonicalID(msg.ID)
	if d.turnCancelled(p.Session) {
		d.link.Note(link.Server, turnCancelled)
		d.link.Reply(ref, acp.AppendCancelled(nil, id), nil)
		return
	}
	if p.Unknown > 0 {
		d.link.Note(link.Server, elicit.Problem{Code: "unknown_option_kind", Pointer: "/options"})
	}
	if p.Subject != "" {
		d.link.Note(link.Server, elicit.Problem{Code: "unknown_subject", Pointer: "/subject/type",
			Args: []elicit.Arg{elicit.Str("type", p.Subject)}})
	}
	asked := &permission{Permission: p, params: params}
	q := &link.Question{Request: p.Request, Waits: true}
	// A client that shows no forms still shows permissions.
	q.Request.Session, _ = d.link.Session(elicit.Modes{Form: true}, elicit.Modes{}, "")
	q.Request.Ref = ref
	d.belongs(q, acp.Scope{Session: p.Session})
	switch {
	case !d.link.Who.Client():
	case p.Asks() && d.declared.Form: // the editor draws a form of ours
		q.Show = func(s *effect.Show) { d.asking.Show(q, s, d.version.Dialect) }
		q.Scope = acp.Scope{Session: p.Session}.AppendMembers(nil)
	default:
		q.Show = func(s *effect.Show) { d.showPermission(s, asked) }
	}
	q.Settle = func(r effect.Reply) {
		d.link.Reply(ref, d.permissionReply(id, asked, r), func() {
			d.link.Send(link.Server, wire.AppendProblems(nil, id, wire.InternalError, link.Lost()), nil)
		})
	}
	d.link.Ask(q)
}

func (d *Dialogue) readPermission(params []byte) (p acp.Permission, no *wire.Refusal) {
	if d.unread != "" {
		return p, &wire.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{d.unreadVersion()}}
	}
	if problem := misspelled(params, d.version.Version); problem != nil {
		return p, &wire.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{*problem}}
	}
	return d.version.DecodePermission(params, d.announced.find)
}

// showPermission asks the client for a permission, with the agent's own parameters.
func (d *Dialogue) showPermission(s *effect.Show, p *permission) {
	p.chosen = acp.Option{}
	d.link.Request(link.Request{Show: s, Method: acp.MethodPermission, Params: p.AppendParams(nil, p.params),
		Taken: func(result []byte) (event.Answered, []elicit.Problem) { return d.taken(p, result) }})
}

// taken reads the client's answer to a permission.
//
// The result is read twice, for its keys and for its meaning. chosen stays zero unless the whole answer is good.
func (d *Dialogue) taken(p *permission, result []byte) (answer event.Answered, problems []elicit.Problem) {
	if problem := gate.Distinct(result, ""); problem != nil {
		return answer, []elicit.Problem{*problem}
	}
	option, problems := readOutcome(p, result)
	if problems != nil {
		return answer, problems
	}
	// With a choice, an option that holds always cannot become a grant, because grants are for approvals. The editor's yes
	// counts for the option of the same meaning that holds once.
	if p.Choice && option.Kind == acp.AllowAlways {
		switch lowered, ok := p.Lowered(option); {
		case !ok: // no one can tell for which of several it stands
			return answer, []elicit.Problem{{Code: "always_unfit"}}
		case lowered.ID != option.ID:
			d.link.Note(link.Client, elicit.Problem{Code: "always_lowered"})
			option = lowered
		}
	}
	p.chosen = option
	// The outcome cancelled has no option, and its kind neither rejects nor allows.
	answer.Action = elicit.Cancel
	switch {
	case option.Kind.Rejects():
		answer.Action = elicit.Decline
	case option.Kind.Allows():
		answer.Action, answer.Content = elicit.Accept, []byte(`{}`)
		switch {
		case p.Asks():
			if answer.Content = p.ContentOf(result); answer.Content == nil {
				return answer, []elicit.Problem{{Code: "answers_missing"}}
			}
		case p.Choice:
			answer.Content = append(jsontext.AppendString([]byte(`{"`+acp.FieldOption+`":`), option.ID), '}')
		}
		// The engine decides whether it may hold always. permissionReply reads the result of that in r.Reasons.
		if option.Kind == acp.AllowAlways && !p.Choice && !p.Asks() {
			answer.Remember.Scope = elicit.Always
		}
	}
	return answer, nil
}

// readOutcome reads the client's answer to a permission, strictly.
func readOutcome(p *permission, result []byte) (acp.Option, []elicit.Problem) {
	o, _ := wire.ReadObject(result)
	outcome, _ := o.Child("outcome")
	if problem := gate.Spelled(outcome, []string{"_meta", "outcome", "optionId"}, "/outcome"); problem != nil {
		return acp.Option{}, []elicit.Problem{*problem}
	}
	return p.DecodeOutcome(result)
}

// permissionReply spells the engine's reply. An option that a person chose in the client counts only if the engine's
// reply means the same. An option that allows more than one use would let the agent act without asking, so the agent
// gets it only if policy lets the person's yes hold always.
//
//	accept   the person's option if policy lets it hold, else one that allows once; with questions, their answers
//	decline  the person's option if it rejects, else one that rejects
//	failed   an error
//	no such option, and every other outcome   cancelled
//
// An agent that offers no option that rejects cannot be told no in another way than cancelled.
func (d *Dialogue) permissionReply(id []byte, p *permission, r effect.Reply) []byte {
	byClient := r.Cause == elicit.ByUser
	option, ok := acp.Option{}, false
	switch {
	case r.Outcome == elicit.Accepted && p.Asks():
		answers := p.Answers(r.Content)
		if option, ok = p.Accepting(nil); ok && answers != nil {
			return acp.AppendAnswered(nil, id, option.ID, answers)
		}
		option, ok = p.Declining()
	case r.Outcome == elicit.Accepted:
		option, ok = p.Accepting(r.Content)
		if byClient && p.chosen.Kind == acp.AllowAlways && !p.Choice {
			if lowered(r.Reasons) {
				d.link.Note(link.Client, elicit.Problem{Code: "always_lowered"})
			} else {
				option, ok = p.chosen, true
			}
		}
	case r.Outcome == elicit.Declined:
		if option, ok = p.Declining(); byClient && p.chosen.Kind.Rejects() {
			option, ok = p.chosen, true
		}
	case r.Outcome == elicit.Failed:
		return wire.AppendProblems(nil, id, link.ErrorCode(r.Cause), r.Problems)
	}
	if !ok {
		return acp.AppendCancelled(nil, id)
	}
	return acp.AppendSelected(nil, id, option.ID)
}

// lowered reports whether a yes that should hold always holds for a shorter time.
func lowered(reasons []elicit.Reason) bool {
	return slices.ContainsFunc(reasons, func(r elicit.Reason) bool { return r.Code == "remember_lowered" })
}
