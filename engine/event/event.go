// Package event has everything that can happen to the engine: an event goes into each step, beside the time and the
// random bytes.
//
// Each event is a plain struct with a JSON spelling, which docs/reference/abi.md shows. AppendJSON writes it; Read
// reads it, and refuses unknown events and members.
//
//	e.Step(engine.Input{At: now, Random: random, Event: event.Opened{Session: "s1", Server: "backup", …}})
//
//	ev, problems := event.Read([]byte(`{"event":"ticked"}`))
//
// A peer's messages become Asked, Completed and Cancelled. A person's acts become Answered, Drafted, Noted, Extended,
// Preferred, Revoked, Unmuted and Forgotten. A guardian's word becomes Consulted. Configured, Opened, Resumed, Closed
// and Ticked come from the host.
//
// Strings are valid UTF-8 and names have at most 1,024 bytes; an event beyond that is refused, because a record could
// not hold it. Slices are read during the step. Of an event that the engine takes, it may keep them, so a host does not
// change them afterwards.
//
// A journal also has records of events that no host can give. They belong to package engine.
package event

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Event is something that happened outside. The set is closed.
type Event interface {
	isEvent()
	// AppendJSON appends the event's canonical JSON, whose first member is "event".
	AppendJSON(dst []byte) []byte
}

// Configured replaces the whole configuration: a JSON object with the members that engine.ConfigKeys lists. A document
// with problems changes nothing and is answered with a Problem effect. Requests that are open keep the decision they
// have.
//
// Refused, unless "", says why the host has another configuration and does not give it. Config is then not looked at,
// and nothing changes. The event is for the journal.
type Configured struct {
	Config  []byte
	Refused string
}

// Opened begins a session with one peer. The engine keeps a copy for the life of the session. A session of that name
// must not be open. A host that learns more later, such as another surface, closes the session and opens it again.
type Opened struct {
	Session string
	Server  string // the name the host gave the server; shown to the person and matched by policy
	Side    elicit.Side
	// Declared is a promise to the peer and fixed by the protocol's handshake. Shown and Client are who can draw a
	// question, and may both be empty.
	Declared  elicit.Modes // what was declared to the peer; asking for anything else is refused
	Shown     elicit.Modes // what the host can put before a person right now
	Client    elicit.Modes // what the peer's own client draws; anything in neither settles as no_ui
	Principal string       // whose session it is; answers must come from the same principal

	// Identity says what the server really is, such as its program and arguments or the origin of its URL; "" when the
	// host does not know. A yes that holds always answers only a server of the identity it was given to.
	Identity string

	// Labels are what the session did where this host cannot see it: in another process, or before it began anew.
	Labels []string
}

// Asked is a peer's question. Request.ID is ignored: the engine mints it. Server and Side are ignored too: they are the
// session's. A question is answered by one Reply, now or later, unless its peer takes it back.
type Asked struct{ elicit.Request }

// Via says how an answer came about. It decides what may be learned and who may try again: only ViaPerson counts for
// haste, changes and confirmations.
type Via string

// The ways an answer arises. The zero value is a person in front of the host's own interface.
const (
	ViaPerson Via = ""
	ViaClient Via = "client" // a person in front of the client that the host forwarded the question to
	ViaScript Via = "script" // a file of prepared answers
	ViaNoUI   Via = "no_ui"  // nobody could be reached
	// ViaNoAnswer is a decline in place of a client that had the question and gave no answer.
	ViaNoAnswer Via = "no_answer"
	ViaModel    Via = "model" // asking side: a model passed on what it says that the person said
)

// Vias lists every Via that has a name; ViaPerson has none and is left out of an event.
func Vias() []Via { return []Via{ViaClient, ViaScript, ViaNoUI, ViaNoAnswer, ViaModel} }

// Valid reports whether v is a known way.
func (v Via) Valid() bool { return v == ViaPerson || slices.Contains(Vias(), v) }

// Answered brings an answer to a shown request. Content is raw JSON or nil and matters only on accept of a form; fields
// it leaves out get their defaults, except those named in Cleared, which a person emptied on purpose. It must come from
// a person or a program that was shown the question: its ID cannot be guessed. A wrong answer is a Problem with the
// place of each mistake, and the person may send another.
type Answered struct {
	Session   string
	ID        elicit.ID
	Principal string
	Action    elicit.Action
	Content   []byte
	Cleared   []string
	Via       Via
	Remember  elicit.Wish // accept by a person: agree to the same question from now on
	Mute      bool        // decline or cancel: hear no more of this server in this session

	// Note is words for whoever asked: a model, or a server. It goes no further than the journal if the question does not
	// take a note with this action. Lines end with a newline, and there are no other control characters.
	Note string
	// Arguments replace the arguments of the held call: a raw JSON object, or nil to leave them. They matter only on
	// accept of a question that takes an edit.
	Arguments []byte
}

// Completed says that the page behind a URL request has been finished.
type Completed struct{ Session, Link string }

// Called says that a held call is sent to its server, with the arguments that were accepted. It is for the journal.
// Ref is that of the question about the call. Digest is SHA-256 in hex over the canonical arguments, as a journal may
// keep them: the digest of the reason arguments_edited, if the person edited them.
type Called struct {
	Session, Ref string
	Tool, Digest string
	Again        bool // the server has had the call before, and answered with questions
}

// Cancelled takes back one request (Ref), or everything that belongs to one call (Parent). Cause is "" when the peer
// did so, which then waits for no reply. It is ByCallEnded when the host withdraws a question because its call is over:
// the peer still waits for its own request and is sent a cancel. It is ByHandedOver when the peer is an agent that asks
// the person itself, and ByLeftOpen when it goes on by its own rules. A session of the asking side takes other causes
// instead: ByTimeout, BySuperseded, ByUnsupported, ByAttemptsUsed, ByPeerError and ByCarried. There the host's own tool
// waits for the reply. No other value is taken. A request that is not open, or has its answer already, is left as it
// is: the message and the answer may have crossed.
type Cancelled struct {
	Session, Ref, Parent string
	Cause                elicit.Cause
}

// Closed ends a session. Cause is BySessionClosed when the peer is gone, ByShutdown when our host is leaving and the
// peer can still be answered; any other value counts as BySessionClosed.
type Closed struct {
	Session string
	Cause   elicit.Cause
}

// Resumed brings back a session that Engine.Save wrote, here or on another machine. Its shown requests are shown again.
// The state may come from anywhere. Everything in it is checked, and what is wrong with it is a Problem about the
// session, which then is not open.
type Resumed struct{ State []byte }

// Ticked only lets time pass; hosts send it when a Wake falls due. Every other event lets time pass in the same way,
// before it is looked at.
type Ticked struct{}
