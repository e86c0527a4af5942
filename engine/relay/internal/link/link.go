// Package link is what a dialogue and the machine of a connection know of each other. A dialogue is the part that
// speaks one protocol. It asks through a Link, and never sees the machine. The machine calls a Dialogue, and knows no
// word of its protocol.
package link

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// End is an end of the connection, with the numbers of the machine.
type End uint8

// These are the ends.
const (
	Client End = iota + 1
	Server
)

// Terms is what a dialogue knows of the configuration.
type Terms struct {
	Client bool // the client is asked
	Host   bool // the host is asked
	Forms  bool // the host shows forms
}

// Question is a question of the server, for the engine. It belongs to the dialogue until it is asked.
type Question struct {
	Request elicit.Request
	Show    func(*effect.Show) // shows it to the client; nil for the host's own user interface
	Settle  func(effect.Reply) // answers the server
	Of      any                // what the dialogue knows of it
	Calls   []gate.Key         // the unanswered calls that it may belong to; some time after the last, it is withdrawn
	Scope   []byte             // members for the client that say what it belongs to, with a comma after them
	// Withdrawn says that the client has cancelled what it belongs to. Nobody is asked, and the server gets a cancel.
	Withdrawn bool
}

// Request is what asks the client a question.
type Request struct {
	ID     []byte // nil for one that no one can guess
	Of     any    // for Dialogue.Withdrawal
	Method string
	Params []byte
	// Taken reads the result of the client, in which no key repeats. On problems, the question counts as if no one had
	// seen it.
	Taken func(result []byte) (event.Answered, []elicit.Problem)
}

// Link is the connection for a dialogue.
type Link interface {
	// Over reports whether the server's input is closed. It cannot get an answer then.
	Over() bool
	// InUse reports whether the server waits for an answer under an id already. A request under it has been refused
	// then.
	InUse(id []byte) bool
	// Session returns the engine session for questions in these modes, and the name of the server that asks: the one at
	// the other end, or the one behind it with that name.
	Session(modes mcp.Modes, behind string) (session, server string)
	// Ask gives a question to the engine.
	Ask(q *Question)
	// Open returns the open question with a ref, or nil, and whether the client has it.
	Open(ref string) (q *Question, atClient bool)
	// Drop ends open questions without an answer, because the server takes none any more.
	Drop(which func(*Question) bool)
	// Settled reports whether the request with an id has an answer, and the client has none under that id.
	Settled(id []byte) bool
	// Reply answers the server. If the record of the decision cannot be kept, lost runs instead.
	Reply(ref string, text []byte, lost func())
	// Refuse reports a question that nobody is asked, and answers it with an error. Without an id, it only reports.
	Refuse(id []byte, no *wire.Refusal)
	// Request asks the client a question. It returns the id of the request.
	Request(s *effect.Show, r Request) (id []byte)
	// Send sends a message that contains no decision.
	Send(to End, text []byte)
	// Note reports something about an end that a person may want to act on.
	Note(about End, problems ...elicit.Problem)
	// Cancelled acts on a notification of the server that withdraws a request of its own. withdraw gets the id and the
	// ref of that request.
	Cancelled(msg *gate.Message, withdraw func(id []byte, ref string) gate.Passage) gate.Passage
	// Completed says that a page of the server is finished.
	Completed(session, link string) gate.Passage
	// Create asks what an elicitation/create asks. read reads its params into q.
	Create(msg *gate.Message, dialect func() mcp.Dialect,
		read func(q *Question, params []byte) (mcp.Extra, *wire.Refusal))
	// AskClient asks the client a question by an elicitation/create.
	AskClient(q *Question, s *effect.Show, d mcp.Dialect)
	// Declare writes into a request the modes that can be shown, and returns those that the server reads there.
	Declare(body []byte, at Declaration) (out []byte, declared mcp.Modes)
	// Call reports whether a call of the client is open under an id, and otherwise whether the machine made the id.
	Call(id []byte) (open, own bool)
	// Fail fails a call whose answer cannot be used.
	Fail(key gate.Key, problem elicit.Problem)
	// Unreadable refuses a message of an end.
	Unreadable(from End, msg *gate.Message, problem elicit.Problem)
	// Withdraw ends open questions. The server gets a cancel, because it waits for an answer.
	Withdraw(which func(*Question) bool)
	// Forget forgets a request of the server that the client has. The server takes no answer to it any more.
	Forget(id []byte)
}

// Words are what a dialogue says and hears without a call of the client.
type Words interface {
	// Vocabulary returns what the gate reads strictly.
	Vocabulary() *gate.Vocabulary
	// Agreed records what both ends agreed on before the machine was opened.
	Agreed(version string, declared elicit.Modes)
	// Asks takes a request of the server that is a question. It returns false for any other request.
	Asks(msg *gate.Message) bool
	// ServerTold acts on a notification of the server.
	ServerTold(msg *gate.Message) gate.Passage
	// ClientTold acts on a notification of the client.
	ClientTold(msg *gate.Message) gate.Passage
	// Withdrawal returns the notification that withdraws a request of the machine, or nil if the client knows already.
	// of is what the request was made with.
	Withdrawal(id []byte, of any, why string) []byte
	// Late reports whether the client may answer a request of the server after it was settled, under this id.
	Late(id []byte) bool
	// Unread is the result for a request of the server that could not be read, or nil if an error says so. versioned
	// says that its message has a jsonrpc member.
	Unread(versioned bool) []byte
}

// Dialogue is what differs between the protocols.
type Dialogue interface {
	Words
	// Called takes a request of the client, and returns it as the server gets it. body is the request as it is now.
	Called(key gate.Key, msg *gate.Message, body []byte) []byte
	// Answered takes the server's answer to a call. It returns false for an answer that passes.
	Answered(key gate.Key, msg *gate.Message) (p gate.Passage, judged bool)
	// Ended forgets a call.
	Ended(key gate.Key)
}

// Hops turns the messages of one peer that stands for both ends into those of each, and back.
type Hops interface {
	// Received takes a message of the peer, or the problem with it.
	Received(msg *gate.Message, problem *elicit.Problem)
	// Sent returns a message for an end as the peer gets it.
	Sent(to End, text []byte) []byte
}

// Crossing is the connection for Hops.
type Crossing interface {
	// Handle handles a message as one that came from an end.
	Handle(from End, raw []byte)
	Unreadable(from End, msg *gate.Message, problem elicit.Problem)
	// Refused reports that a message of an end was refused.
	Refused(from End, problem elicit.Problem)
	// Reused refuses a request under an open id.
	Reused(id []byte)
	// Full refuses a request beyond those that are remembered.
	Full(id []byte)
}

// ErrorCode returns the JSON-RPC code of an error reply by its cause.
func ErrorCode(c elicit.Cause) int {
	switch c {
	case elicit.ByInvalidRequest, elicit.ByUnsupported:
		return wire.InvalidParams
	case elicit.ByRateLimit, elicit.ByDuplicate:
		return wire.InvalidRequest
	}
	return wire.InternalError
}

// Lost says why a decision does not hold whose record could not be kept.
func Lost() []elicit.Problem { return []elicit.Problem{{Code: "journal_failed"}} }
