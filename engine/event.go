package engine

import "github.com/elicit-engine/elicit/engine/elicit"

// Input is everything one Step may depend on besides the engine's state. Time and chance travel in it.
type Input struct {
	At     int64    // milliseconds since 1970-01-01 UTC; a value before the last one counts as the last one
	Random [32]byte // fresh random bytes; request ids are minted from them
	Event  Event
}

// Event is something that happened outside. The set is closed.
type Event interface {
	isEvent()
	// AppendJSON appends the event's canonical JSON, whose first member is "event".
	AppendJSON(dst []byte) []byte
}

// Modes says which kinds of question a session's host can put before a person.
type Modes struct{ Form, URL bool }

// Has reports whether m includes mode; an unknown mode is never included.
func (m Modes) Has(mode elicit.Mode) bool {
	return mode == elicit.Form && m.Form || mode == elicit.URL && m.URL
}

// Configured replaces the whole configuration: a JSON object with the members that ConfigKeys lists. A document with
// problems changes nothing and is answered with a Problem effect. Requests that are open keep the decision they have.
//
// Refused, unless "", says why the host has another configuration and does not give it. Config is then not looked at,
// and nothing changes. The event is for the journal.
type Configured struct {
	Config  []byte
	Refused string
}

// Opened begins a session with one peer.
type Opened struct {
	Session   string
	Server    string // the name the host gave the server; shown to the person and matched by policy
	Side      elicit.Side
	Declared  Modes  // what was declared to the peer; asking for anything else is refused
	Shown     Modes  // what the host can put before a person right now; anything else settles as no_ui
	Principal string // whose session it is; answers must come from the same principal

	// Identity says what the server really is, such as its program and arguments or the origin of its URL; "" when the
	// host does not know. A yes that holds always answers only a server of the identity it was given to.
	Identity string
}

// Asked is a peer's question. Request.ID is ignored: the engine mints it.
type Asked struct {
	elicit.Request
	cutMessage, cutSchema, cutURL int      // lengths of parts that are not kept; only in events read back from a journal
	cutDigest                     string   // hex SHA-256 over the parts of a refused question, each with a zero byte behind it
	schema                        spelling // of Schema; no part of the event
}

// Via says how an answer came about.
type Via string

// The ways an answer arises. The zero value is a person in front of the host's own interface.
const (
	ViaPerson Via = ""
	ViaClient Via = "client" // a person in front of the client that the host forwarded the question to
	ViaScript Via = "script" // a file of prepared answers
	ViaNoUI   Via = "no_ui"  // nobody could be reached
)

// Vias lists every Via that has a name; ViaPerson has none and is left out of an event.
func Vias() []Via { return []Via{ViaClient, ViaScript, ViaNoUI} }

// Answered brings an answer to a shown request. Content is raw JSON or nil and matters only on accept of a form; fields
// it leaves out get their defaults, except those named in Cleared, which a person emptied on purpose.
type Answered struct {
	Session   string
	ID        elicit.ID
	Principal string
	Action    elicit.Action
	Content   []byte
	Cleared   []string
	Via       Via
	Remember  Wish            // accept by a person: agree to the same question from now on
	Mute      bool            // decline or cancel: hear no more of this server in this session
	withheld  []withheldValue // only in events read back from a journal
	content   spelling        // of Content; no part of the event
}

// withheldValue stands for a value the journal did not keep, with what was found in it.
type withheldValue struct {
	pointer  string
	problems []elicit.Problem
	findings []elicit.Finding // why it is withheld, unless the field is sensitive
}

// Completed says that the page behind a URL request has been finished.
type Completed struct{ Session, Link string }

// Cancelled takes back one request (Ref), or everything that belongs to one call (Parent). Cause is "" when the peer
// did so, which then waits for no reply. It is ByCallEnded when the host withdraws a question because its call is over:
// the peer still waits for its own request and is sent a cancel. No other value is taken.
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

// Resumed brings back a session that Save wrote, here or on another machine. Its shown requests are shown again.
type Resumed struct{ State []byte }

// Ticked only lets time pass; hosts send it when a Wake falls due.
type Ticked struct{}

func (Configured) isEvent() {}
func (Opened) isEvent()     {}
func (Asked) isEvent()      {}
func (Answered) isEvent()   {}
func (Completed) isEvent()  {}
func (Cancelled) isEvent()  {}
func (Closed) isEvent()     {}
func (Resumed) isEvent()    {}
func (Ticked) isEvent()     {}
