package hook

import (
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/desk"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// deskQuestion is the question of a hook for a desk.
func (r *hookRun) deskQuestion(hook hooks.Hook) desk.Question {
	q := desk.Question{Host: string(r.host), Subagent: hook.Subagent, Session: hook.Session, Server: r.shown.Server,
		Tool: r.shown.Tool, Kind: r.shown.Kind, Message: r.shown.Message, Schema: hook.Request.Schema,
		Findings: r.shown.Findings, Reasons: r.shown.Reasons, Arguments: r.shown.Arguments, Takes: r.shown.Takes,
		Parts: r.shown.Parts, Does: r.shown.Does, Command: r.shown.Command, Cwd: r.shown.Cwd, Paths: r.shown.Paths,
		Hosts: r.shown.Hosts, ReachCut: r.shown.ReachCut, Outside: r.shown.Outside}
	for _, scope := range r.shown.Remember {
		if scope == elicit.Always && r.grants != nil {
			q.Remember = append(q.Remember, scope)
		}
	}
	return q
}

// askPerson asks at the desks of this user, the best one first, until the question is settled or the time is up. A
// question that is not settled then is the host's to ask.
func (r *hookRun) askPerson(hook hooks.Hook) error {
	timeUp := time.NewTimer(r.within)
	defer timeUp.Stop()
	// The host may kill this process while the person reads. A desk that has greeted does not wait for a slow disk.
	if err := r.journal.flush(); err != nil {
		return err
	}
	places := desk.Find(r.leastDesk(hook))
	for _, place := range places {
		defer place.Close()
	}
	for _, place := range places {
		asking, err := place.Ask(r.deskQuestion(hook))
		if err != nil {
			continue
		}
		gone, err := r.follow(asking, timeUp.C)
		if err == nil && !gone && r.reply == nil {
			err = r.giveUp(hook)
		}
		asking.Close(r.reply)
		if err != nil || !gone {
			return err
		}
	}
	return nil
}

// follow gives what happens at a desk to the engine. gone reports that another desk may be asked.
func (r *hookRun) follow(asking *desk.Asking, timeUp <-chan time.Time) (gone bool, err error) {
	said, isAnswered := asking.Said, false
	for r.reply == nil {
		var err error
		select {
		case word, open := <-said:
			switch {
			case open:
				isAnswered = isAnswered || word.Answer != nil
				err = r.step(r.saidAtDesk(word))
			case isAnswered: // guardians go on without the desk
				said = nil
			default:
				return true, nil
			}
		case <-r.inbox.arrived:
			err = r.read()
		case <-timeUp:
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if len(r.problems) > 0 && r.reply == nil {
			asking.Reject(r.problems)
			r.problems, isAnswered = nil, false
		}
	}
	return false, nil
}

// saidAtDesk is the event of what a desk said.
func (r *hookRun) saidAtDesk(said desk.Said) event.Event {
	if said.Answer == nil {
		return event.Noted{Session: r.session, ID: r.shown.ID, Receipt: said.Receipt}
	}
	given := *said.Answer
	return event.Answered{Session: r.session, ID: r.shown.ID, Principal: r.principal, Action: given.Action,
		Content: given.Content, Cleared: ui.Cleared(*r.shown, given), Via: given.Via,
		Remember: elicit.Wish{Scope: given.Remember}, Note: given.Note, Arguments: given.Arguments}
}

// hookIdentity is what a grant is bound to that was given at a hook: the host whose own tool it is. For a tool of an
// MCP server there is none, because a host may start another server under the same name.
func hookIdentity(host hooks.Host, hook hooks.Hook) string {
	if hook.Asks != hooks.AboutCall || hook.Request.Server != string(host) {
		return ""
	}
	return "elicit hook " + string(host)
}
