package asker

import (
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/site"
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
)

// Effect is something that the host must do, in the order of the effects of a step. Work that takes time may run
// beside others. Its result comes back as an event.
//
//	Load             Loaded, Missing or StoreFailed
//	Commit           Committed, Conflicted or StoreFailed
//	Unseal, Seal     Unsealed, Sealed
//	Redeem           Redeemed or StoreFailed
//	Watch            Watched or Unwatched, later Hinted or Unwatched
//	Due              Found or StoreFailed
//	Append           Appended
//	Send             Responded, or none
//	Progress         Progressed
//	Consult          Consulted, or none
//	the others       nothing
type Effect interface {
	// AppendJSON appends the effect's canonical JSON, whose first member is "effect".
	AppendJSON(dst []byte) []byte
}

// Load reads a session. The result is Loaded, Missing or StoreFailed.
type Load struct{ Session string }

// Commit writes a session if the store still has version From of it; 0: if it has none. The result is Committed,
// Conflicted or StoreFailed. The change keeps to the rules of package stored, so that a driver decides nothing.
type Commit struct{ stored.Change }

// Unseal opens the state of a call that is made again, with the keys of the host. The result is Unsealed.
type Unseal struct {
	Call, State string
	Expected    seal.Expected
}

// Seal seals what the client carries until it makes the call again, with the keys of the host. The result is Sealed.
type Seal struct {
	Call   string
	Random [32]byte
	Claims seal.Claims
}

// Redeem lets the store remember that a state came back. The result is Redeemed or StoreFailed. In JSON, the moment
// until which the store remembers it stands in place of Expires.
type Redeem struct {
	Call, ID     string
	Now, Expires int64
}

// Watch asks the store to tell of commits to a session. The result is Watched or Unwatched, and Hinted for each commit.
type Watch struct{ Session string }

// Unwatch ends a Watch.
type Unwatch struct{ Session string }

// Due asks the store for sessions that are due. The result is Found or StoreFailed.
type Due struct {
	Now         int64
	Skip, Limit int
}

// Append asks the host to keep records of a session in its own journal. The result is Appended.
type Append struct {
	Session string
	Records [][]byte
}

// Send asks the host to send a request to the client, on behalf of the wait To. The answer comes back in Responded.
//
// The client may never answer. The question then ends by its time, and CancelSent follows.
type Send struct {
	Ref, To string
	Method  string
	Params  []byte
	Visit   string // of a question that waits for the end of the flow behind a URL: the ID of its Completed
}

// CancelSent takes a request back.
type CancelSent struct{ Ref string }

// Progress asks the host to send a notification with a call. The result is Progressed. Until then the Reply to the
// call's Returned waits, so the host reports soon, also if the notification does not leave.
type Progress struct {
	Call   string
	Method string
	Params []byte
}

// Consult asks a guardian. The result is Consulted.
type Consult struct {
	Session string
	Consult effect.Consult
}

// Reply is the result for who waits: of the event with the same Ref or, for Called and Returned, Call. One member says
// what it is; none of them is a plain success.
//
// To is unique among those that wait, so a host needs one table. Failed says why a call or a question has no outcome of
// its own, and Settle is such an outcome. They exclude each other.
type Reply struct {
	To       string
	Failed   Failure // why there is nothing else
	Why      error   // more of it, for people
	Problems []elicit.Problem
	Open     bool           // after Submitted with Problems: they are about the answer, and the question is still open
	Settle   *asking.Settle // how a question ended
	Notice   *asking.Notify // to send to the client first
	Value    []byte         // after Kept and Keyed
	Position int            // after Kept without a Value
	Result   []byte         // after Called and Returned: the call's result, in place of the handler's
	Error    []byte         // after Called and Returned: the call's JSON-RPC error
	Keep     bool           // after Called: Returned is to bring the result
	Resume   *asking.Resume // after Submitted and Called: the call to run, in place of one of the fallback tool
	Session  string         // of Resume, for Called
	Page     *Page          // after Viewed
	Response *site.Response // after Requested, also with Failed
	Visit    string         // after Posed: as in Send
	Listed   *List          // after Listed
}

// List is what Listed found. With More there are others, which are in a list when these are answered.
type List struct {
	Questions []Listing
	More      bool
}

// Listing is an open question.
type Listing struct {
	asking.OpenQuestion
	ID     string // for TakenBack
	Caller string // the principal who caused it
}

// Page is an open page, or one that is over. Without a Link it is over.
type Page struct {
	asking.Page
	Principal string       // who may answer
	Over      elicit.Cause // why it is over
}

// Opened says that a question is open on a page, so that the host can tell somebody. Its Link is that of Viewed.
type Opened struct{ asking.Page }

// Wake asks for a Ticked after so many milliseconds, in place of an earlier Wake; less than 0 for never.
type Wake struct{ In int64 }

// Failure says why there is no result.
type Failure string

// These are the failures.
const (
	NoCall       Failure = "no_call"         // the call is not known, or over
	Interrupted  Failure = "interrupted"     // the run ends while the person thinks
	GaveUp       Failure = "given_up"        // nobody has answered, and the handler waits no more
	NoSession    Failure = "session_closed"  // the session is closed, or there is none
	NoState      Failure = "state_invalid"   // the sealed state does not open, or came back before
	NotYours     Failure = "wrong_principal" // the session belongs to another principal
	LinkUsed     Failure = "link_used"       // another browser has the page
	NobodyWaits  Failure = "nobody_waits"    // no question waits for the end of this flow
	NoStore      Failure = "store_failed"
	NoJournal    Failure = "journal_failed"
	NoSeal       Failure = "seal_failed"
	TooLarge     Failure = "values_too_large"
	StillRunning Failure = "still_running"  // the answer was taken, and the call still runs
	Unknown      Failure = "result_unknown" // the answer was taken, and nobody knows what came of it
	Refused      Failure = "refused"        // Problems say why
)

// Failures lists the failures.
func Failures() []Failure {
	return []Failure{NoCall, Interrupted, GaveUp, NoSession, NoState, NotYours, LinkUsed, NobodyWaits, NoStore, NoJournal,
		NoSeal, TooLarge, StillRunning, Unknown, Refused}
}
