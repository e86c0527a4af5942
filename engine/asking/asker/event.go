package asker

import (
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/site"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// Event is something that happened: in a handler, in a client, at a page, or in a store.
//
// The host's own events (Called, Posed, Submitted …) may come at any time. Results of effects come once for each
// effect. A result that comes again or too late changes nothing.
type Event interface{ askerEvent() }

// Client says who calls, as the host's transport knows it.
//
// Every call brings it, because a stateless server knows nothing else. It says what is true of this call. The state of
// a session has the client of its first call.
type Client struct {
	Session   string // the transport's name of the client's session, "" for none: every call stands alone
	Principal string // who is behind the client, from the server's own authorization
	Version   string // the protocol date
	Declared  elicit.Modes
	Requests  bool // the transport can carry requests to the client
}

// Called says that a handler is to run for a call. The Reply with the call's name lets it run, or says why not. With a
// Result or an Error, the call is answered with that, and no handler runs.
type Called struct {
	Call       string // the host's name of this run, unique for ever
	Client     Client
	Method     string // "" for tools/call
	Target     string // the tool, prompt or resource
	Arguments  []byte // a JSON object, or nil
	Structured bool   // the tool promises structured content
	State      string // sealed, of a call that is made again; "" for none
	Responses  []byte // of a call that is made again, raw
	Session    string // Resume.Session of a call that Submitted lets run again; "" otherwise
	Token      []byte // the raw progressToken of the request, nil for none or if the client cannot be notified
}

// Unsealed is the result of Unseal. A state that does not open has no body.
type Unsealed struct {
	Call    string
	ID      string // unique; a state counts once
	Body    []byte
	Expires int64
}

// Redeemed is the result of Redeem. Again says that the state came back before.
type Redeemed struct {
	Call  string
	Again bool
}

// Posed says that the handler of a call asks. The Reply has the same Ref.
type Posed struct {
	Ref      string // the host's name of this wait, unique for ever
	Call     string
	Question asking.Question
}

// Checked brings content that a hook of the host has made or changed, and the schema that it must fit. The Reply has
// how the question ends if it does not fit.
type Checked struct {
	Ref             string
	Schema, Content []byte
}

// Kept asks for the value at the next position of a run. The Reply has the value that an earlier run kept, or the
// position at which a Computed is to keep one.
type Kept struct{ Ref, Call, Key string }

// Keyed asks for the key of the call, which is the same in every run and in every process. The Reply has it as a Value,
// a JSON string.
type Keyed struct{ Ref, Call string }

// Computed keeps a value. The Reply refuses one that is too large.
type Computed struct {
	Ref, Call, Key string
	Position       int
	Value          []byte // JSON
}

// GivenUp says that the handler does not wait for a question any more. Its Reply comes nevertheless: the answer, if
// there was one in time.
type GivenUp struct{ Ref string }

// Returned says that a handler is over. The Reply with the call's name has what the call is answered with, if that is
// not the handler's own result.
type Returned struct {
	Call      string
	Cancelled bool // the client took the call back
	// What the call is answered with, if the Reply to Called said Keep: a JSON object, nil for none.
	Result, Error []byte
}

// Sealed is the result of Seal. A state that could not be sealed is "". In JSON, said is the result of the operation.
type Sealed struct {
	Call, State string
	Why         error
}

// Responded brings the client's answer to a Send.
type Responded struct {
	Ref           string
	Result, Error []byte
}

// Submitted brings an answer of a model, with the id that it was told, or of a page, with what follows Config.Page in
// the page's link.
type Submitted struct {
	Ref     string
	ID      string
	Link    string
	Client  Client // of the fallback tool's call; of a page, Principal alone
	Action  elicit.Action
	Content []byte
	Cleared []string
}

// Claimed gives a page to a browser.
type Claimed struct{ Ref, Link, Principal, Browser string }

// Viewed asks for an open page.
type Viewed struct{ Ref, Link string }

// Requested brings a request of a browser to the server's own pages, which are at Config.Asking.Page.
type Requested struct {
	Ref     string
	Request site.Request
}

// Completed says that the flow behind a URL is finished. ID is the Visit of the question that waits for it. The Reply
// is NobodyWaits if there is none.
type Completed struct{ Ref, ID string }

// Listed asks for the open questions of all processes: those that a principal caused or may answer, everybody's for "".
// The Reply has them as Questions.
type Listed struct{ Ref, Principal string }

// TakenBack takes back an open question. ID is that of a Listing. By says who did it, for the history.
type TakenBack struct{ Ref, ID, By string }

// Progressed says that a Progress has left, or never will.
type Progressed struct{ Call string }

// Consulted brings what a guardian said.
type Consulted struct {
	Session string
	Event   event.Consulted
}

// Closed ends the session with the transport's name, or the whole machine for "". The Reply says that it is done.
// Sessions in a store outlive the machine: other processes go on with them.
type Closed struct{ Ref, Session string }

// Loaded is the result of Load, Missing that there is no such session.
type Loaded struct {
	Session string
	Version uint64
	State   []byte
}

// Missing says that the store has no such session.
type Missing struct{ Session string }

// Committed is the result of Commit.
type Committed struct {
	Session string
	Version uint64
}

// Conflicted says that another commit came first.
type Conflicted struct{ Session string }

// StoreFailed is the result of a Load, a Commit, a Redeem or a Due that the store could not take. A Commit may count
// nevertheless. It names the session or the call, or neither after a Due.
type StoreFailed struct {
	Session, Call string
	Why           error // for people
	Away          bool  // the store cannot be reached
}

// Watched says that a Watch has begun, Unwatched that it could not begin or has ended.
type Watched struct{ Session string }

// Unwatched says that nobody tells of commits to a session any more.
type Unwatched struct{ Session string }

// Hinted says that somebody may have committed to a session: the commit that gave Version, or any commit for 0.
type Hinted struct {
	Session string
	Version uint64
}

// Found is the result of Due.
type Found struct{ Sessions []string }

// Appended is the result of Append. Why says why the records could not be kept, nil if they are durable.
type Appended struct {
	Session string
	Why     error
}

// Ticked says that time has passed.
type Ticked struct{}

func (Called) askerEvent()      {}
func (Unsealed) askerEvent()    {}
func (Redeemed) askerEvent()    {}
func (Posed) askerEvent()       {}
func (Checked) askerEvent()     {}
func (Kept) askerEvent()        {}
func (Keyed) askerEvent()       {}
func (Computed) askerEvent()    {}
func (GivenUp) askerEvent()     {}
func (Returned) askerEvent()    {}
func (Sealed) askerEvent()      {}
func (Responded) askerEvent()   {}
func (Submitted) askerEvent()   {}
func (Claimed) askerEvent()     {}
func (Viewed) askerEvent()      {}
func (Requested) askerEvent()   {}
func (Completed) askerEvent()   {}
func (Listed) askerEvent()      {}
func (TakenBack) askerEvent()   {}
func (Progressed) askerEvent()  {}
func (Consulted) askerEvent()   {}
func (Closed) askerEvent()      {}
func (Loaded) askerEvent()      {}
func (Missing) askerEvent()     {}
func (Committed) askerEvent()   {}
func (Conflicted) askerEvent()  {}
func (StoreFailed) askerEvent() {}
func (Watched) askerEvent()     {}
func (Unwatched) askerEvent()   {}
func (Hinted) askerEvent()      {}
func (Found) askerEvent()       {}
func (Appended) askerEvent()    {}
func (Ticked) askerEvent()      {}
