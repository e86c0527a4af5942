package decider

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// question is something that the engine was asked and has not replied to yet.
type question struct {
	*link.Question
	shown *effect.Show // as the engine has shown it to the client; nil if it has not
	stale bool         // somebody has it, and a new engine does not know that
	over  *link.Timer  // withdraws it some time after its calls have ended; nil before that
}

// questions are those that the engine has not replied to, and what remains of others.
//
// byRef has a question from Ask to its reply. visiting has one from the reply that accepts a page to the engine's
// Resolve. A ref is unique over all sessions, because it is the id of a request at the one server.
type questions struct {
	byRef    map[string]*question
	visiting map[elicit.ID]*question // consented pages whose end somebody waits for
}

func newQuestions() questions { return questions{map[string]*question{}, map[elicit.ID]*question{}} }

// list lists the questions without a reply in the order of their arrival.
func (l *questions) list() []*question {
	list := make([]*question, 0, len(l.byRef))
	for _, q := range l.byRef {
		list = append(list, q)
	}
	order.Stable(list, func(a, b *question) int { return a.Serial - b.Serial })
	return list
}

// of returns the open question that an engine session knows by ref, or nil. A server that begins another session may
// reuse an id, while the engine may still have the withdrawn question of the earlier session.
func (l *questions) of(session, ref string) *question {
	if q := l.byRef[ref]; q != nil && q.Request.Session == session {
		return q
	}
	return nil
}

// Question returns the open question with a ref, or nil.
func (d *Decider) Question(ref string) *link.Question {
	if q := d.questions.byRef[ref]; q != nil {
		return q.Question
	}
	return nil
}

// Asks reports whether a question with this id of the engine is open.
//
// The search is over open questions only, of which the engine's limits allow few.
func (d *Decider) Asks(id elicit.ID) bool {
	for _, q := range d.questions.byRef {
		if q.Request.ID == id {
			return true
		}
	}
	return false
}

// Open returns how many questions are open.
func (d *Decider) Open() int { return len(d.questions.byRef) }

// Questions lists the open questions.
func (d *Decider) Questions() (list []*link.Question) {
	for _, q := range d.questions.byRef {
		list = append(list, q.Question)
	}
	return list
}

// takenBack is the reply to a withdrawn question. No one gets it.
func takenBack(r elicit.Request) effect.Reply {
	return effect.Reply{Session: r.Session, ID: r.ID, Ref: r.Ref, Outcome: elicit.Cancelled, Cause: elicit.ByPeerCancelled}
}

func lostReply(r elicit.Request, code string) effect.Reply {
	return effect.Reply{Session: r.Session, ID: r.ID, Ref: r.Ref, Outcome: elicit.Failed, Cause: elicit.ByShutdown,
		Problems: []elicit.Problem{{Code: code}}}
}
