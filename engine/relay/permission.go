package relay

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
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// permission is a permission that an agent asked for and has not got an answer to.
type permission struct {
	acp.Permission
	params []byte
	chosen acp.Option // what the client selected; zero for none
}

// askPermission asks the engine about a session/request_permission.
func (m *Machine) askPermission(msg *gate.Message) {
	if m.ending.begun { // the agent's input is closed, so it cannot get an answer
		return
	}
	ref := gate.CanonicalID(msg.ID)
	if m.openAtServer(msg.ID) { // with two answers under one id, no one could tell which question each answers
		m.inUse(msg.ID)
		return
	}
	params := slices.Clone(msg.Params)
	p, no := m.readPermission(params)
	if no != nil {
		m.refuse(msg.ID, no)
		return
	}
	id := slices.Clone(msg.ID)
	if m.turnCancelled(p.Session) {
		m.note(Server, elicit.Problem{Code: "turn_cancelled"})
		m.settled.add(ref)
		m.send(Server, acp.AppendCancelled(nil, id))
		return
	}
	if p.Unknown > 0 {
		m.note(Server, elicit.Problem{Code: "unknown_option_kind", Pointer: "/options"})
	}
	if p.Subject != "" {
		m.note(Server, elicit.Problem{Code: "unknown_subject", Pointer: "/subject/type",
			Args: []elicit.Arg{elicit.Str("type", p.Subject)}})
	}
	asked := &permission{Permission: p, params: params}
	q := &question{Question: &link.Question{Request: p.Request}, direct: true}
	// A client that shows no forms still shows permissions.
	q.Request.Session, q.Request.Ref = m.open(mcp.Modes{Form: true}), ref
	m.belongs(q, acp.Scope{Session: p.Session})
	switch {
	case m.config.Ask != AskClient:
	case p.Asks() && m.declared.Form: // the editor draws a form of ours
		q.Show = func(s effect.Show) { m.askClient(q, s, m.dialect) }
		q.scope = acp.Scope{Session: p.Session}.AppendMembers(nil)
	default:
		q.Show = func(s effect.Show) { m.showPermission(s, asked) }
	}
	q.Settle = func(r effect.Reply) {
		m.settled.add(ref)
		m.decided(Server, m.permissionReply(id, asked, r), func() {
			m.send(Server, wire.AppendProblems(nil, id, wire.InternalError, lost(r).Problems))
		})
	}
	m.settled.drop(ref)
	m.ask(q)
}

func (m *Machine) readPermission(params []byte) (p acp.Permission, no *wire.Refusal) {
	if m.unread != "" {
		return p, &wire.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{m.unreadVersion()}}
	}
	if problem := m.misspelled(params); problem != nil {
		return p, &wire.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{*problem}}
	}
	return m.agent.DecodePermission(params, m.announced.find)
}

// showPermission asks the client for a permission, with the agent's own parameters. The answer goes through the engine.
// An answer that cannot be read counts as if no one had seen the question.
func (m *Machine) showPermission(s effect.Show, p *permission) {
	p.chosen = acp.Option{}
	m.withUser[s.ID] = m.request(acp.MethodPermission, p.AppendParams(nil, p.params), func(msg *gate.Message) {
		delete(m.withUser, s.ID)
		m.permissionSays(s, p, msg)
	})
}

// permissionSays gives the client's answer to a permission to the engine.
func (m *Machine) permissionSays(s effect.Show, p *permission, msg *gate.Message) {
	if !m.hasSaid(s, msg) {
		return
	}
	option, problems := m.readOutcome(p, msg)
	if problems != nil {
		m.unseen(s, problems...)
		return
	}
	if p.Choice && option.Kind == acp.AllowAlways {
		switch lowered, ok := p.Lowered(option); {
		case !ok: // no one can tell for which of several it stands
			m.unseen(s, elicit.Problem{Code: "always_unfit"})
			return
		case lowered.ID != option.ID:
			m.note(Client, elicit.Problem{Code: "always_lowered"})
			option = lowered
		}
	}
	p.chosen = option
	answer := event.Answered{Session: s.Session, ID: s.ID, Principal: m.config.Principal, Action: elicit.Cancel,
		Via: event.ViaClient}
	switch {
	case option.Kind.Rejects():
		answer.Action = elicit.Decline
	case option.Kind.Allows():
		answer.Action, answer.Content = elicit.Accept, []byte(`{}`)
		switch {
		case p.Asks():
			if answer.Content = p.ContentOf(msg.Result); answer.Content == nil {
				m.unseen(s, elicit.Problem{Code: "answers_missing"})
				return
			}
		case p.Choice:
			answer.Content = append(jsontext.AppendString([]byte(`{"`+acp.FieldOption+`":`), option.ID), '}')
		}
		if option.Kind == acp.AllowAlways && !p.Choice && !p.Asks() {
			answer.Remember.Scope = elicit.Always
		}
	}
	m.do(answer)
}

// readOutcome reads the client's answer to a permission, strictly.
func (m *Machine) readOutcome(p *permission, msg *gate.Message) (acp.Option, []elicit.Problem) {
	if problem := m.gate.Distinct(msg.Result, ""); problem != nil {
		return acp.Option{}, []elicit.Problem{*problem}
	}
	o, _ := wire.ReadObject(msg.Result)
	outcome, _ := o.Child("outcome")
	if problem := gate.Spelled(outcome, []string{"_meta", "outcome", "optionId"}, "/outcome"); problem != nil {
		return acp.Option{}, []elicit.Problem{*problem}
	}
	return p.DecodeOutcome(msg.Result)
}

// permissionReply spells the engine's reply. An option that a person chose in the client counts only if the engine's
// reply means the same. An option that allows more than one use would let the agent act without asking, so the agent
// gets it only if policy lets the person's yes hold always.
func (m *Machine) permissionReply(id []byte, p *permission, r effect.Reply) []byte {
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
				m.note(Client, elicit.Problem{Code: "always_lowered"})
			} else {
				option, ok = p.chosen, true
			}
		}
	case r.Outcome == elicit.Declined:
		if option, ok = p.Declining(); byClient && p.chosen.Kind.Rejects() {
			option, ok = p.chosen, true
		}
	case r.Outcome == elicit.Failed:
		return wire.AppendProblems(nil, id, errorCode(r.Cause), r.Problems)
	}
	if !ok {
		return acp.AppendCancelled(nil, id)
	}
	return acp.AppendSelected(nil, id, option.ID)
}
