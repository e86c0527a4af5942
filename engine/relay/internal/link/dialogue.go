package link

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
)

// End is an end of the connection, with the numbers of the machine.
type End uint8

// These are the ends.
const (
	Client End = iota + 1
	Server
)

// Question is a question of the server, for the engine. It belongs to the dialogue until it is asked.
type Question struct {
	Request elicit.Request
	Show    func(*effect.Show)      // shows it to the client; nil for the host's own user interface
	Settle  func(effect.Reply)      // answers the server
	Resolve func(effect.Resolution) // a consented page has ended; nil if no one waits for that
	Of      any                     // what the dialogue knows of it
	Calls   []gate.Key              // the open calls that it may belong to; some time after the last, it is withdrawn
	Scope   []byte                  // members for the client that say what it belongs to, with a comma after them
	Waits   bool                    // the server waits for an answer under the ref, even if a call is cancelled
	Serial  int                     // how many calls and questions came before it
	// Withdrawn says that the client has cancelled what it belongs to. Nobody is asked, and the server gets a cancel.
	Withdrawn bool
}

// Dialogue is what differs between the protocols. Plain has the methods that most dialogues do not need.
//
// The machine calls Called, Added and Ended for a request of the client in this order. Answered comes between Added and
// Ended, once for each time that the server answers the call. Nothing here may keep a span of msg without a copy.
type Dialogue interface {
	// Vocabulary returns what the gate reads strictly.
	Vocabulary() *gate.Vocabulary
	// Agreed records what both ends agreed on before the machine was opened.
	Agreed(version string, declared elicit.Modes)
	// Called takes a request of the client, for which k has the id. It returns the request as the server gets it, or nil
	// if the client has an answer.
	Called(k *Call, msg *gate.Message) []byte
	// Added reports whether a call that is open now must not go to the server yet.
	Added(k *Call) (waits bool)
	// Answered takes the server's answer to a call, or to a request of the machine if k is nil. It returns false for an
	// answer that passes.
	Answered(k *Call, msg *gate.Message) (p gate.Passage, judged bool)
	// Ended forgets a call. answered says that the client has the server's answer. It reports whether questions may
	// belong to the call that do not share it.
	Ended(k *Call, answered bool) bool
	// Handed returns the bytes that are kept of calls that clients may continue.
	Handed() int
	// Over forgets everything: nothing more can be asked or answered.
	Over()
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

// Plain lets all pass that a dialogue may do without. Every dialogue writes Vocabulary, Agreed, Asks, ServerTold and
// Withdrawal itself.
type Plain struct{}

// Called lets a request pass.
func (Plain) Called(_ *Call, msg *gate.Message) []byte { return msg.Raw }

// Added lets every call go to the server.
func (Plain) Added(*Call) bool { return false }

// Answered lets every answer pass.
func (Plain) Answered(*Call, *gate.Message) (p gate.Passage, judged bool) { return gate.Taken, false }

// Ended does nothing.
func (Plain) Ended(*Call, bool) bool { return false }

// Handed is none: every call is open until it is over.
func (Plain) Handed() int { return 0 }

// Over does nothing.
func (Plain) Over() {}

// ClientTold lets every notification of the client pass.
func (Plain) ClientTold(*gate.Message) gate.Passage { return gate.Passes }

// Late is false: a late answer has an id of the machine.
func (Plain) Late([]byte) bool { return false }

// Unread is nil: an error is the answer to a request that cannot be read.
func (Plain) Unread(bool) []byte { return nil }

// Ends take messages of the one peer of Hops for each end.
type Ends struct {
	Handle func(from End, raw []byte)                                // handles one as a message of an end
	Refuse func(from End, msg *gate.Message, problem elicit.Problem) // refuses one that cannot be read
}

// Hops turns the messages of one peer that stands for both ends into those of each, and back.
type Hops interface {
	// Received takes a message of the peer, or the problem with it.
	Received(msg *gate.Message, problem *elicit.Problem)
	// Sent returns a message for an end as the peer gets it.
	Sent(to End, text []byte) []byte
}
