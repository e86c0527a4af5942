// Package acp is the dialogue of the Agent Client Protocol, versions 1 and 2. An agent asks directly. Every request
// keeps its id and gets one answer, also after it was withdrawn.
//
// Read dialogue.go first: what both ends say. permission.go is what an agent asks most. prompts.go and working.go tell
// which turn a question belongs to. announced.go has the tool calls that an agent has described. keys.go and words.go
// have the names that are read strictly. chain.go is a proxy in a chain of agents.
//
// The machine's server is the agent, and its client is the editor. A question begins with a session/request_permission
// or an elicitation/create, which comes to Asks. The dialogue reads it with all that the agent has said of the tool
// call, notes which prompt and session it belongs to, and asks the engine. The answer is an option of the agent's own
// list, or the content of a form.
//
// These hold between two steps:
//
//   - Every request of the agent gets exactly one answer, also if it was withdrawn or its turn was cancelled.
//   - The id of the agent's request is also its id at the editor, unless the machine asks in other words.
//   - prompts has the open session/prompt calls and the open initialize, and nothing else.
package acp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/elicitation"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// requestID is the member of a cancellation that names its request.
const requestID = "requestId"

// Dialogue is the dialogue of one connection.
//
// version, unread, declared and session change together, with the answer to initialize. In a version that is
// not read, messages pass and every question gets an error.
type Dialogue struct {
	link.Plain
	link     *link.Connection
	asking   elicitation.Elicitation
	versions []acp.Dialect // that are read
	words    *gate.Vocabulary

	version   acp.Dialect // that both ends agreed on
	unread    string      // that version, if it is not read
	declared  mcp.Modes   // the modes that the agent reads
	session   string      // the engine session of its questions
	announced announcements
	working   working
	prompts   prompts
}

// New makes the dialogue of a connection. early leaves version 2 out. inChain is for a proxy of a chain. An agent may
// ask before initialize has an answer. Its questions are then read in version 1.
func New(l *link.Connection, early, inChain bool) *Dialogue {
	d := &Dialogue{link: l, asking: elicitation.New(l), version: acp.V1, working: working{}, prompts: prompts{},
		versions: []acp.Dialect{acp.V1, acp.V2}, words: wordsOf(early, inChain)}
	if early {
		d.versions = d.versions[:1]
	}
	return d
}

// Vocabulary returns the words of the versions that are read.
func (d *Dialogue) Vocabulary() *gate.Vocabulary { return d.words }

// Agreed takes the version and the modes of a session.
func (d *Dialogue) Agreed(version string, declared elicit.Modes) {
	d.speak(version)
	d.begin(mcp.Modes{Form: declared.Form, URL: declared.URL})
}

// speak takes the version that both ends agreed on. In a version that is not read, nothing can be asked.
//
// version is the raw JSON value, such as 1. It is "null" in unread if the answer has none.
func (d *Dialogue) speak(version string) {
	d.version, d.unread = acp.V1, ""
	if at := slices.IndexFunc(d.versions, func(v acp.Dialect) bool { return v.Version == version }); at >= 0 {
		d.version = d.versions[at]
	} else if d.unread = gate.Clipped(version); version == "" {
		d.unread = "null"
	}
}

// begin opens the session for questions in these modes.
func (d *Dialogue) begin(declared mcp.Modes) {
	d.declared = declared
	d.session, _ = d.link.Session(declared.Plain(), declared.Plain(), "")
}

func (d *Dialogue) unreadVersion() elicit.Problem {
	return gate.Problem("unknown_version", elicit.Str("version", d.unread))
}

// Called takes a request of the client.
//
// It changes only initialize. Other calls are noted for the question which call, and so which turn, a question is of.
func (d *Dialogue) Called(k *link.Call, msg *gate.Message) []byte {
	switch {
	case msg.Method == initialize:
		p := &prompt{begins: true}
		d.prompts[k.Key] = p
		return d.declare(p, msg.Raw)
	case msg.Params == nil:
	// The prompt is in the table before the agent gets it, so a question that comes at once finds its turn.
	case msg.Method == startsTurn:
		session := acp.SessionOf(msg.Params)
		d.prompts[k.Key] = &prompt{session: session}
		d.working.set(session, false) // a question that comes after it belongs to a turn that is not cancelled
	case msg.Method == sessionClose:
		d.sessionCancelled(msg) // the agent then ends the session's work as after session/cancel
	}
	return msg.Raw
}

// declare writes into initialize what can be shown, wherever a client says what it can do. An agent may answer with an
// earlier version than the client's, so a client of the later version may say it in both ways.
//
// An editor of version 2 gets both places written, clientCapabilities and capabilities, because the agent may choose
// version 1. p keeps what each place says, and Answered takes the one of the chosen version.
func (d *Dialogue) declare(p *prompt, body []byte) []byte {
	o, _ := wire.ReadObject(body)
	params, _ := o.Child("params")
	version := string(params.Get("protocolVersion"))
	for i, v := range d.versions {
		if i == 0 || version != acp.V1.Version {
			modes := &p.declared
			if v.Version == acp.V2.Version {
				modes = &p.declaredLater
			}
			at := link.Declaration{Dialect: v.Dialect, Path: []string{"params", v.Capabilities}}
			body, *modes, _ = d.link.Who.Declare(body, at)
		}
	}
	return body
}

// Answered takes the agent's answer to a call.
func (d *Dialogue) Answered(k *link.Call, msg *gate.Message) (v gate.Passage, judged bool) {
	if k == nil {
		return gate.Taken, true
	}
	p := d.prompts[k.Key]
	switch {
	case msg.Kind != gate.Result || p == nil:
	// In version 2 the answer to a prompt only says that the agent has begun. The work ends with a state update.
	case !p.begins:
		if d.version.States {
			d.working.on(p.session, p.cancelled)
		}
	default:
		if problem := gate.Distinct(msg.Result, "/result"); problem != nil { // readers could read it in different ways
			d.link.Refuse(link.Server, nil, &wire.Refusal{Problems: []elicit.Problem{*problem}})
			d.link.Fail(k, *problem)
			return gate.Taken, true
		}
		o, _ := wire.ReadObject(msg.Result)
		if d.speak(string(o.Get("protocolVersion"))); d.unread != "" {
			d.link.Note(link.Server, d.unreadVersion())
		}
		declared := p.declared
		if d.version.Version == acp.V2.Version {
			declared = p.declaredLater
		}
		d.begin(declared)
	}
	return gate.Taken, false
}

// Ended forgets a call.
func (d *Dialogue) Ended(k *link.Call, _ bool) bool {
	delete(d.prompts, k.Key)
	return false
}

// Asks takes permissions and elicitations.
func (d *Dialogue) Asks(msg *gate.Message) bool {
	switch msg.Method {
	case create:
		d.asking.Ask(msg, func() mcp.Dialect { return d.version.Dialect }, d.readQuestion)
	case asksPermission:
		d.askPermission(msg)
	default:
		return false
	}
	return true
}

// readQuestion reads an elicitation/create into q.
//
// A scope names a session, or a request of the editor, and maybe a tool call. Scope goes to the client again in Show.
func (d *Dialogue) readQuestion(q *link.Question, params []byte) (x mcp.Extra, no *wire.Refusal) {
	if d.unread != "" {
		return x, &wire.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{d.unreadVersion()}}
	}
	req, x, no := d.version.DecodeCreate(params, d.declared)
	if no != nil {
		no.Code = wire.InvalidParams // also without any declared mode
		return x, no
	}
	scope, problems := acp.ReadScope(params)
	if problems != nil {
		return x, &wire.Refusal{Code: wire.InvalidParams, Problems: problems}
	}
	q.Request, q.Scope = req, scope.AppendMembers(nil)
	q.Request.Session = d.session
	q.Request.CandidatesCut = scope.ToolCall != nil // a tool asks, and the agent does not say which one
	d.belongs(q, scope)
	if d.turnCancelled(scope.Session) {
		d.link.Note(link.Server, turnCancelled)
		q.Withdrawn = true
	}
	return x, nil
}

// turnCancelled is reported about a question of a turn that the client has cancelled.
var turnCancelled = elicit.Problem{Code: "turn_cancelled"}

// ServerTold takes the notifications that are for the dialogue.
func (d *Dialogue) ServerTold(msg *gate.Message) gate.Passage {
	switch msg.Method {
	case update:
		return d.announce(msg)
	case cancelled:
		return d.link.Cancelled(msg, requestID, d.withdrawn)
	case complete:
		if page, problems := d.version.DecodeComplete(msg.Params); problems == nil {
			return d.asking.Completed(d.session, page)
		}
	}
	return gate.Passes
}

// withdrawn withdraws a question of the agent. The agent still gets an answer to it. A request that the client has
// stays open for the same reason.
//
// A question at the host or the editor ends with a cancel to the agent. A question that has its answer is settled. Any
// other id is of a request that passed, and so does the withdrawal.
func (d *Dialogue) withdrawn(id []byte, ref string) gate.Passage {
	if q, _ := d.link.Open(ref); q != nil {
		d.link.Withdraw(func(one *link.Question) link.How { return answered(one == q) })
		return gate.Taken
	}
	if d.link.Settled(id, false) {
		return gate.Taken // too late, and the client never saw this id
	}
	return gate.Passes
}

// ClientTold takes the notifications that end questions.
func (d *Dialogue) ClientTold(msg *gate.Message) gate.Passage {
	switch msg.Method {
	case cancelled:
		return d.callCancelled(msg)
	case sessionCancel:
		return d.sessionCancelled(msg)
	}
	return gate.Passes
}

// Withdrawal withdraws a request.
func (*Dialogue) Withdrawal(id []byte, _ any, _ string) []byte { return acp.AppendWithdraw(nil, id) }

// answered ends a question with a cancel if it is one that ends.
func answered(ends bool) link.How {
	if ends {
		return link.Answer
	}
	return link.Keep
}

// forClient are the requests of an agent that the client answers. Another one waits for the work of a terminal.
var forClient = []string{"fs/read_text_file", "fs/write_text_file", "terminal/create", "terminal/output",
	"terminal/kill", "terminal/release"}
