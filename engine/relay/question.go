package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// question is one thing that the engine was asked and has not replied to yet.
type question struct {
	request elicit.Request
	show    func(engine.Show)       // puts it before the client; nil for the host's own user interface
	shown   *engine.Show            // as it is before the client; nil when it is not
	settle  func(engine.Reply)      // answers the peer
	resolve func(engine.Resolution) // a consented page is over; nil when nobody waits for that
	stale   bool                    // somebody has it before them, and a new engine does not know that
	direct  bool                    // the server waits for an answer although the call is taken back
	born    int                     // how many calls and questions there were before it
	turn    *turn                   // the round that it is part of; nil for none
	calls   []*call                 // the calls it may belong to that have not been answered
	over    *timer                  // withdraws it when its calls have been over for a while; nil before that
}

// create asks the engine what the server asks by elicitation/create.
func (m *Machine) create(msg *message) {
	if m.ending.begun { // the server's input is closed: nobody could hear an answer
		return
	}
	ref := canonicalID(msg.id)
	if m.openAtServer(msg.id) { // of two answers under one id nobody could tell which question they answer
		m.inUse(msg.id)
		return
	}
	dialect := m.dialect
	if problem := askable(msg.raw); problem != nil {
		m.refuse(msg.id, &mcp.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{*problem}})
		return
	}
	params := slices.Clone(msg.params)
	req, extra, no := dialect.DecodeCreate(params, m.declared)
	if no != nil {
		m.refuse(msg.id, no)
		return
	}
	q := &question{}
	req.Session, req.Ref = m.session, ref
	q.request = req
	m.attribute(q)
	id, mode := slices.Clone(msg.id), req.Mode
	if m.config.Ask == AskClient {
		q.show = func(s engine.Show) { m.askClient(q, s, m.dialect) }
	} else if req.Link != "" {
		m.links.add(req.Link)
	}
	q.settle = func(r engine.Reply) {
		m.settled.add(ref)
		m.decided(Server, reply(dialect, id, mode, extra, r), func() {
			m.send(Server, reply(dialect, id, mode, extra, lost(r)))
		})
	}
	q.direct = true
	m.settled.drop(ref)
	m.ask(q)
}

// askable holds a message that asks something to the limits that a message which only passes does not have to meet.
func askable(raw []byte) *elicit.Problem {
	e, fault := wire.ReadEnvelope(raw, wire.Limits{})
	switch {
	case fault != nil:
		problem := elicit.FromFault(fault)
		return &problem
	case len(e.Problems) > 0:
		return &e.Problems[0]
	}
	return nil
}

// refuse answers a question that is unfit before the engine sees it.
func (m *Machine) refuse(id []byte, no *mcp.Refusal) {
	m.refused(Server, no.Problems...)
	m.settled.add(canonicalID(id))
	m.send(Server, no.Append(nil, id))
}

// inUse refuses a request of the server under an id that is open, and notes it.
func (m *Machine) inUse(id []byte) {
	m.refused(Server, elicit.Problem{Code: "ref_in_use", Args: []elicit.Arg{elicit.Str("ref", clipped(string(id)))}})
	m.refuseAgain(canonicalID(id))
}

// refuseAgain answers a request of the server under an id that is open. Under that id the error would be taken for the
// answer to the earlier request, so the error has no id, and its text names the id.
func (m *Machine) refuseAgain(ref string) {
	problem := elicit.Problem{Code: "ref_in_use", Args: []elicit.Arg{elicit.Raw("ref", ref)}}
	text := "request id " + ref + " is still in use: the earlier request with this id is not answered yet"
	content := append(elicit.AppendList([]byte(`{"problems":`), []elicit.Problem{problem}), '}')
	m.send(Server, wire.AppendError(nil, nil, wire.InvalidRequest, text, content))
}

// reply spells what the engine replied.
func reply(d mcp.Dialect, id []byte, mode elicit.Mode, extra mcp.Extra, r engine.Reply) []byte {
	a := mcp.Answer{Action: elicit.Action(r.Outcome), Mode: mode, Content: r.Content, Echo: extra.Echo}
	if out, ok := d.AppendAnswer(nil, id, a); ok && d.Carrier == wire.Rounds {
		return wire.AppendResult(nil, id, out) // of an SDK that hands over the questions of a round one by one
	} else if ok {
		return out
	}
	return wire.AppendProblems(nil, id, errorCode(r.Cause), r.Problems)
}

// errorCode is the JSON-RPC code of an error reply by its cause.
func errorCode(c elicit.Cause) int {
	switch c {
	case elicit.ByInvalidRequest, elicit.ByUnsupported:
		return wire.InvalidParams
	case elicit.ByRateLimit, elicit.ByDuplicate:
		return wire.InvalidRequest
	}
	return wire.InternalError
}

// ask puts a question to the engine.
func (m *Machine) ask(q *question) {
	q.request.Server, q.request.Side = m.config.Server, elicit.Answering
	if q.request.Tool != "" {
		q.request.Annotations = m.tools[q.request.Tool]
	}
	m.questions[q.request.Ref] = q
	m.emit(Question{q.request})
	q.born = m.calls.bear()
	m.keepAlive()
	if m.broken {
		m.failQuestion(q.request.Ref, m.why)
		return
	}
	m.do(engine.Asked{Request: q.request})
}

// openQuestions lists the questions without a reply in the order in which they were asked.
func (m *Machine) openQuestions() []*question {
	list := make([]*question, 0, len(m.questions))
	for _, q := range m.questions {
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b *question) int { return a.born - b.born })
	return list
}

// questionOf is the open question that an engine session knows by ref; nil when there is none. A server that begins
// another session may use an id again, and the engine may still hold the question of the session before, which was
// taken back.
func (m *Machine) questionOf(session, ref string) *question {
	if q := m.questions[ref]; q != nil && q.request.Session == session {
		return q
	}
	return nil
}

// failQuestion ends a question with an error of our own.
func (m *Machine) failQuestion(ref, code string) {
	q := m.questions[ref]
	if q == nil {
		return
	}
	m.takeDown(q)
	m.finishQuestion(q, lostReply(q.request, code))
}

// takeDown takes a question that ends without the engine away from whoever has it before them.
func (m *Machine) takeDown(q *question) {
	q.stale = false
	if s := m.withUser[q.request.ID]; s != nil {
		delete(m.withUser, q.request.ID)
		m.takeBack(s, string(elicit.ByShutdown))
	} else if q.request.ID != "" {
		m.emit(engine.Withdraw{Session: q.request.Session, ID: q.request.ID, Cause: elicit.ByShutdown})
	}
}

// finishQuestion strikes a question off and answers the peer.
func (m *Machine) finishQuestion(q *question, r engine.Reply) {
	if m.forget(q, r) {
		q.settle(r)
	}
}

// forget strikes a question off and reports whether it was open: what one question brings about may have ended others.
func (m *Machine) forget(q *question, r engine.Reply) bool {
	if m.questions[q.request.Ref] != q {
		return false
	}
	delete(m.questions, q.request.Ref)
	m.stop(q.over)
	if q.stale {
		m.takeDown(q)
	}
	m.emit(Settled{Reply: r, Request: q.request})
	return true
}

// takenBack is the reply that a question has which was taken back: nobody gets it.
func takenBack(r elicit.Request) engine.Reply {
	return engine.Reply{Session: r.Session, ID: r.ID, Ref: r.Ref, Outcome: elicit.Cancelled, Cause: elicit.ByPeerCancelled}
}

func lostReply(r elicit.Request, code string) engine.Reply {
	return engine.Reply{Session: r.Session, ID: r.ID, Ref: r.Ref, Outcome: elicit.Failed, Cause: elicit.ByShutdown,
		Problems: []elicit.Problem{{Code: code}}}
}

// lost is a reply whose record could not be kept: what was decided does not hold.
func lost(r engine.Reply) engine.Reply {
	return lostReply(elicit.Request{Session: r.Session, ID: r.ID, Ref: r.Ref}, "journal_failed")
}

// open returns the engine session for the modes that a request declared, and opens it when it is the first.
func (m *Machine) open(declared mcp.Modes) string {
	name := sessionOf(declared)
	if !slices.Contains(m.sessions, name) {
		m.sessions = append(m.sessions, name)
		modes := engine.Modes{Form: declared.Form, URL: declared.URL}
		m.do(engine.Opened{Session: name, Server: m.config.Server, Side: elicit.Answering,
			Identity: m.config.Identity, Principal: m.config.Principal,
			Declared: modes, Shown: m.shownModes(modes)})
	}
	return name
}

// sessionOf names the session for declared modes. Questions of both dates of a connection share it when they were
// declared alike.
func sessionOf(declared mcp.Modes) string {
	switch {
	case declared.None():
		return "none"
	case !declared.URL:
		return "form"
	case !declared.Form:
		return "url"
	}
	return "form+url"
}

func modesOf(session string) engine.Modes {
	return engine.Modes{Form: session == "form" || session == "form+url", URL: session == "url" || session == "form+url"}
}

// shownModes is what can be put before somebody of what was declared.
func (m *Machine) shownModes(declared engine.Modes) engine.Modes {
	switch m.config.Ask {
	case AskClient:
		return declared
	case AskHost:
		return engine.Modes{Form: declared.Form && m.config.Modes.Form, URL: declared.URL && m.config.Modes.URL}
	}
	return engine.Modes{}
}

// withdrawCall ends the questions of a call that the client no longer wants, or that has failed.
func (m *Machine) withdrawCall(k *call) {
	parent := m.parentOf(k)
	engines := m.replaced
	m.do(engine.Cancelled{Session: k.session, Parent: parent})
	if k.turn != nil {
		m.unrequest(k.turn)
	}
	for _, q := range m.openQuestions() {
		switch {
		case q.request.Parent == parent && q.request.Session == k.session:
			if m.replaced > engines { // the engine that was told is gone, and the new one still asks
				m.do(engine.Cancelled{Session: q.request.Session, Ref: q.request.Ref})
			}
		case k.turn != nil && q.turn == k.turn: // asked under the id that the call had before a client took it up again
			m.do(engine.Cancelled{Session: q.request.Session, Ref: q.request.Ref})
		default:
			continue
		}
		r := takenBack(q.request)
		if m.broken { // no record says that it was taken back
			r = lostReply(q.request, m.why)
		}
		if m.forget(q, r) && q.direct {
			q.settle(r)
		}
	}
}
