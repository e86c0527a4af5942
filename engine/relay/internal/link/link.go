// Package link is what a dialogue and the machine of a connection know of each other. A dialogue is the part that
// speaks one protocol. It asks through a Connection, and never sees the machine. The machine calls a Dialogue, and
// knows no word of its protocol.
//
// Read link.go first, then dialogue.go. The clock, the ids and the open calls are in files of their own. Both sides use
// them.
//
// One question goes round as follows. The machine gives a request of the server to Dialogue.Asks. The dialogue makes a
// Question and gives it to Link.Ask. The engine decides, and the machine calls Question.Show if the client is to be
// asked, and then Question.Settle at most once. Settle spells the answer and gives it to Connection.Reply.
//
// A callback may run inside the call that causes it: Settle may run before Ask returns, if policy answers. So a
// dialogue must have recorded everything about a question before it calls Ask.
package link

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Connection is the connection for a dialogue.
type Connection struct {
	Link
	Who   *Audience
	Calls *Calls
	Clock *Clock
	IDs   *IDs
	// Answered has the refs of the server's requests that have an answer.
	Answered *Recent
}

// Reply answers the request of the server with a ref. If the record of the decision cannot be kept, lost runs instead.
//
// From here on, Settled holds for the ref. A cancellation or a late answer under it does not pass.
func (c *Connection) Reply(ref string, text []byte, lost func()) {
	c.Answered.Add(ref)
	c.Send(Server, text, lost)
}

// Link is what the machine does for a dialogue.
type Link interface {
	// Takes reports whether the server can get an answer under an id: its input is open, and it does not wait for
	// another answer under that id. A request under an id in use has been refused then. id may be nil.
	Takes(id []byte) bool
	// Session returns the engine session for questions in the declared modes, and the name of the server that asks. The
	// client itself has some of the modes. behind is for a server behind the one at the other end.
	Session(declared, client elicit.Modes, behind string) (session, server string)
	// Ask gives a question to the engine.
	Ask(q *Question)
	// Open returns the open question with a ref, or nil, and whether the client has it.
	Open(ref string) (q *Question, atClient bool)
	// Drop ends open questions without an answer, because the server takes none any more.
	Drop(which func(*Question) bool)
	// Withdraw ends open questions.
	Withdraw(how func(*Question) How)
	// Settled reports whether the request of the server with an id has an answer, and the client has none under that id.
	// forget forgets the client's before, because the server takes no answer to it any more.
	Settled(id []byte, forget bool) bool
	// Send sends a message. If it contains a decision whose record cannot be kept, lost runs instead. lost is nil for a
	// message without one.
	Send(to End, text []byte, lost func())
	// Refuse reports that a message of an end was refused, and answers it with an error. Without an id, it only reports.
	Refuse(from End, id []byte, no *wire.Refusal)
	// Request asks the client something. It returns the id of the request.
	Request(r Request) (id []byte)
	// Note reports something about an end that a person may want to act on.
	Note(about End, problems ...elicit.Problem)
	// Cancelled acts on a notification of the server that withdraws a request of its own, and names it in a member of
	// the params. withdraw gets the id and the ref of that request.
	Cancelled(msg *gate.Message, member string, withdraw func(id []byte, ref string) gate.Passage) gate.Passage
	// Tell gives the engine an event.
	Tell(ev event.Event)
	// Fail answers a call with an error of the machine, unless it has an answer.
	Fail(k *Call, problems ...elicit.Problem)
}

// Repeater is what the machine does for a dialogue that keeps calls from the server, and repeats them.
type Repeater interface {
	// Deliver sends a call to the server under an id. The call fails if the record of its decision cannot be kept.
	Deliver(k *Call, id, body []byte)
	// End performs the end of a call that was removed. answered says that the client has the server's answer. Questions
	// that belong only to this call are withdrawn some time later.
	End(k *Call, answered bool)
	// TakeBack tells the client that an answer to a request is no longer needed, unless it has answered.
	TakeBack(id []byte, why string)
	// Hurry sends the client a message before the others of this step.
	Hurry(text []byte)
	// Questions lists the open questions.
	Questions() []*Question
	// Engine returns what the calls depend on.
	Engine() Engine
}

// Engine is what calls depend on: the configuration of the engine, and its failures.
//
// It is a copy. A dialogue that must notice a change reads it before and after Tell, as recordCall and withdrawCall do.
type Engine struct {
	Rules     int    // how often the rules may have changed
	Late      bool   // servers are assumed to ask about calls that they have answered
	Arguments int    // the most bytes of arguments that a question may have
	Failed    int    // engines that failed and were replaced
	Broken    bool   // nothing is decided any more
	Why       string // the code of the reason, if broken
}

// How says how open questions end.
type How uint8

// These are the ways.
const (
	Keep   How = iota // the question stays open
	Answer            // the server gets a cancel, because it waits for an answer
	Cancel            // the engine forgets the question too; only a server that waits gets a cancel
	Forget            // as Cancel, but the engine has forgotten the question
)

// Request is what asks the client something.
//
// Either Show with Taken, or Heard is set. The machine calls Heard or Taken at most once. It calls neither if the
// request is withdrawn first.
type Request struct {
	ID     []byte // nil for one that no one can guess
	Of     any    // for Dialogue.Withdrawal
	Method string
	Params []byte
	// Show is the question, nil for something else. Taken reads the result of the client. On problems, the question
	// counts as if no one had seen it.
	Show  *effect.Show
	Taken func(result []byte) (event.Answered, []elicit.Problem)
	// Heard takes the client's answer to something else: a result, an error, a message that could not be read, or
	// silence.
	Heard func(*gate.Message)
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

// NoAnswer is reported about a client that did not answer in time.
func NoAnswer(within int64) elicit.Problem {
	return gate.Problem("client_given_up", elicit.Num("seconds", int(max(within/1000, 1))))
}

// Lost says why a decision does not hold whose record could not be kept.
func Lost() []elicit.Problem { return []elicit.Problem{{Code: "journal_failed"}} }
