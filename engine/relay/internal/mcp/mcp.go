// Package mcp is the dialogue of the Model Context Protocol, in all its dates. A server asks directly, by an error that
// requires pages, by a result that begins a round, or by what it says of a task. A held call asks before the server has
// it.
//
// Read mcp.go first: what the dialogue has. dialogue.go is what both ends say. call.go and release.go have the calls
// that are kept and repeated. Then follow one way to ask: rounds.go and handover.go, required.go, hold.go, or tasks.go.
// attribute.go and tools.go say which tool a question belongs to. keepalive.go tells a client that its call still
// waits. vocabulary.go has the names that are read strictly.
//
// These are the ways to ask, with the dates that have them, and what the machine does with each:
//
//	elicitation/create                  2025-06-18, 2025-11-25   answers the request
//	error -32042 with pages             2025-11-25               shows the pages, then repeats the call
//	result with inputRequests           2026-07-28               answers the entries, then repeats the call
//	task with inputRequests             2026-07-28               answers by tasks/update
//	tools/call, if calls are held       all                      sends the call on, or answers it itself
//
// A repeated call goes out under a new id of the machine. The client sees one request and one answer, under its own id.
// A client of 2026-07-28 that is asked itself is the exception. It gets the entries as the result of its call, with a
// token in place of the server's state. It then sends the call again. See handOver.
//
// These hold between two steps. A question of a page or a round belongs to a call that is Open, or whose round is in
// handed. A held call is not in Calls.ByServer. The bytes of every kept request, round and answer are counted in
// Calls.Kept, and those of task entries in tasks.kept.
package mcp

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/elicitation"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Dialogue is the dialogue of one connection.
//
// The fields belong to one connection and live as long as it. agreed changes only with initialize.
type Dialogue struct {
	link.Plain
	link   *conn
	asking elicitation.Elicitation
	gate   gate.Gate

	agreed agreed // of the session begun by initialize
	names  names  // of tools and methods
	past   past   // tool calls that are over
	tasks  tasks  // of 2026-07-28
	handed handed // rounds that the client has
}

// Config is what the dialogue knows of the configuration. Times are in milliseconds, as in the machine's own.
type Config struct {
	HoldCalls      bool // a tools/call waits for a decision
	Blind          bool // the machine sees no calls, only questions
	KeepAlive      int64
	AnswerWithin   int64
	CompletionWait int64
	CallOver       int64
}

// New makes the dialogue of a connection.
func New(l *link.Connection, calls link.Repeater, c Config) *Dialogue {
	to := &conn{Connection: l, calls: calls, config: c, tools: newToolbox(c.HoldCalls),
		signs: signs{tokens: map[gate.Key]*call{}}}
	return &Dialogue{link: to, asking: elicitation.New(l), gate: gate.New(&mcpWords), agreed: agreed{dialect: linked},
		names: names{}, tasks: newTasks(to)}
}

// These are the dates whose spelling is used for an unknown version.
var (
	oldest, _ = mcp.Lookup("2025-06-18")
	linked, _ = mcp.Lookup("2025-11-25")
	rounds, _ = mcp.Lookup("2026-07-28")
)

// direct returns the dialect of a session that begins with initialize. Dates before elicitation use the first date
// that has it. Dates after the last such session use that last one.
//
// Versions are dates, and they compare as text. A server that answers "2024-11-05" is read in the words of 2025-06-18.
func direct(version string) mcp.Dialect {
	if d, ok := mcp.Lookup(version); ok && d.Carrier == wire.Direct {
		return d
	}
	if version < oldest.Version {
		return oldest
	}
	return linked
}

// declarations lists where the request in o declares capabilities: initialize once, a 2026-07-28 request in its _meta.
//
// A request may have both places, because a client may put the members of 2026-07-28 into the _meta of its initialize.
func declarations(k gate.Method, o wire.Object) (list []link.Declaration) {
	params, ok := o.Child("params")
	if !ok {
		return nil
	}
	if k == methodInitialize {
		version, _ := wire.Text(params.Get("protocolVersion"))
		list = append(list, link.Declaration{Dialect: direct(version), Path: []string{"params", "capabilities"}})
	}
	if meta, ok := params.Child("_meta"); ok &&
		(meta.Get(gate.MetaVersion) != nil || meta.Get(gate.MetaCapabilities) != nil) {
		list = append(list, link.Declaration{Dialect: rounds, Path: []string{"params", "_meta", gate.MetaCapabilities}})
	}
	return list
}

// declareIn writes the host's modes into the request of a call, in every place where the client declares capabilities.
func (d *Dialogue) declareIn(k *call, which gate.Method, body []byte) []byte {
	o, _ := wire.ReadObject(body)
	// The last place counts for the call itself. A member in _meta says what the client can do in this one request.
	for _, at := range declarations(which, o) {
		body, k.declared, k.client = d.link.Who.Declare(body, at)
		if at.Dialect.Carrier == wire.Rounds {
			k.rounds = true
			k.session = d.open(k.declared, k.client)
		}
	}
	return body
}

// agreed is what both ends of MCP agreed on by initialize.
type agreed struct {
	dialect  mcp.Dialect
	declared mcp.Modes // what the session declared to the server
	client   mcp.Modes // what the client itself declared in it
	session  string    // the engine session of its questions
}

// begin opens the session for the questions that a server asks directly.
//
// A mode that the dialect does not have is dropped: in 2025-06-18 a server cannot ask for a page, whatever was
// declared.
func (d *Dialogue) begin(declared, client mcp.Modes) {
	a := &d.agreed
	a.declared = mcp.Modes{Form: declared.Form, URL: declared.URL && a.dialect.URL}
	a.client = mcp.Modes{Form: client.Form, URL: client.URL && a.dialect.URL}
	a.session = d.open(a.declared, a.client)
}

// open opens the engine session for questions in these modes.
func (d *Dialogue) open(declared, client mcp.Modes) string {
	session, _ := d.link.Session(declared.Plain(), client.Plain(), "")
	return session
}

// conn is the connection, with what the dialogue and its parts do there.
type conn struct {
	*link.Connection
	calls  link.Repeater
	config Config
	tools  toolbox // what the server has said about its tools
	signs  signs   // of calls that wait
}

// refused reports that a message of an end was refused.
func (c *conn) refused(from link.End, problems ...elicit.Problem) {
	c.Refuse(from, nil, &wire.Refusal{Problems: problems})
}

// refuse refuses a request of the client.
func (c *conn) refuse(id []byte, code int, problem elicit.Problem) {
	c.Refuse(link.Client, id, &wire.Refusal{Code: code, Problems: []elicit.Problem{problem}})
}

// answerCall gives the client an answer that contains a decision.
func (c *conn) answerCall(id, text []byte) {
	c.Send(link.Client, text, func() {
		c.Send(link.Client, wire.AppendProblems(nil, gate.Clone(id), wire.InternalError, link.Lost()), nil)
	})
}

// answer gives an answer to a question to the engine.
func (c *conn) answer(s *effect.Show, action elicit.Action, content []byte, via event.Via) {
	c.Tell(event.Answered{Session: s.Session, ID: s.ID, Principal: c.Who.Principal, Action: action,
		Content: content, Via: via})
}

// withoutResponses removes the answers of a round from a request, also where drafts have them, because no one asked
// for them.
func (c *conn) withoutResponses(body []byte) []byte {
	c.Note(link.Client, elicit.Problem{Code: "responses_removed"})
	o, _ := wire.ReadObject(body)
	params, _ := o.Child("params")
	body = wire.Apply(nil, body, params.Exchange(nil, nil, "inputResponses", "requestState"))
	return withoutDraftResponses(body)
}

// ask asks the engine a question that may belong to a tool.
func (c *conn) ask(q *link.Question) {
	c.tools.describe(q)
	c.keepAlive()
	c.Ask(q)
}

// answerLimits are for the answers that go into a message that the machine repeats.
// An answer may repeat anything that a client sends, so only memory bounds it, not the limits of a form.
var answerLimits = wire.Limits{Bytes: 1 << 30, Depth: gate.StrictLimits.Depth, Members: gate.StrictLimits.Members,
	LoneSurrogates: true}

// withoutDraftResponses removes the answers of a round in the spelling of the drafts, from _meta.
func withoutDraftResponses(body []byte) []byte {
	o, _ := wire.ReadObject(body)
	params, _ := o.Child("params")
	meta, _ := params.Child("_meta")
	return wire.Apply(nil, body, meta.Exchange(nil, nil, "inputResponses", "requestState"))
}
