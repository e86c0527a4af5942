package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// questions are those that the engine has not replied to, and what remains of others.
type questions struct {
	byRef    map[string]*question
	visiting map[elicit.ID]*question // consented pages whose end somebody waits for
	withUser map[elicit.ID]*sent     // questions that the client has, with the request that carries them
}

func newQuestions() questions {
	return questions{map[string]*question{}, map[elicit.ID]*question{}, map[elicit.ID]*sent{}}
}

// list lists the questions without a reply in the order of their arrival.
func (l *questions) list() []*question {
	list := make([]*question, 0, len(l.byRef))
	for _, q := range l.byRef {
		list = append(list, q)
	}
	order.Stable(list, func(a, b *question) int { return a.Serial - b.Serial })
	return list
}

// has reports whether a question with this id of the engine is open.
func (l *questions) has(id elicit.ID) bool {
	for _, q := range l.byRef {
		if q.Request.ID == id {
			return true
		}
	}
	return false
}

// of returns the open question that an engine session knows by ref, or nil. A server that begins another session may
// reuse an id, while the engine may still have the withdrawn question of the earlier session.
func (l *questions) of(session, ref string) *question {
	if q := l.byRef[ref]; q != nil && q.Request.Session == session {
		return q
	}
	return nil
}

// takenBack is the reply to a withdrawn question. No one gets it.
func takenBack(r elicit.Request) effect.Reply {
	return effect.Reply{Session: r.Session, ID: r.ID, Ref: r.Ref, Outcome: elicit.Cancelled, Cause: elicit.ByPeerCancelled}
}

func lostReply(r elicit.Request, code string) effect.Reply {
	return effect.Reply{Session: r.Session, ID: r.ID, Ref: r.Ref, Outcome: elicit.Failed, Cause: elicit.ByShutdown,
		Problems: []elicit.Problem{{Code: code}}}
}

// recents are what is remembered of requests that are over.
type recents struct {
	settled link.Recent // refs of direct questions that have an answer
	givenUp link.Recent // ids of requests that the client did not answer in time
}
