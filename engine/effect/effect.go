// Package effect has everything that the engine can ask of its host. Each step returns effects, to be performed in
// order.
//
// Effects are values. A host may keep them and their bytes: the engine does not touch them again. It must not write
// into them either, since a Show shares its form and its texts with the question.
//
// Only a few have an answer: Show is answered by event.Answered (or by nothing, until Withdraw or Extend), Consult by
// event.Consulted, Wake by event.Ticked, OpenURL by event.Completed where the protocol reports it. A Problem is for the
// log or the person, and no event answers it.
//
// Each effect is a plain struct with a JSON spelling, which docs/reference/abi.md shows and AppendJSON writes.
//
//	records, rest := effect.Records(e.Step(input))
//	keep(records) // durably, before anything else
//	for _, next := range rest {
//		switch ef := next.(type) {
//		case effect.Show:
//			draw(ef.Form)
//		case effect.Reply:
//			answer(ef.Ref, ef.Outcome, ef.Content)
//		}
//	}
package effect

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Effect is something the host must do. The set is closed. Effects of one Step are performed in order, and an Append
// must be durable before any Reply, OpenURL or Resolve that follows it.
type Effect interface {
	isEffect()
	// AppendJSON appends the effect's canonical JSON, whose first member is "effect".
	AppendJSON(dst []byte) []byte
}

// Append keeps one journal record: a single line of JSON without its newline. The host adds the newline. A record that
// could not be kept stops everything: the machine of a connection then answers each question with an error
// (relay.AppendFailed).
type Append struct{ Record []byte }

// Records divides the effects of a step into its records, which stand first, and what else is to be done. Nothing of
// the rest may be performed before every record is durable.
func Records(effects []Effect) (records [][]byte, rest []Effect) {
	for i, next := range effects {
		a, ok := next.(Append)
		if !ok {
			return records, effects[i:]
		}
		records = append(records, a.Record)
	}
	return records, nil
}

// Show puts a request before a person. Strings from the peer are untrusted text: draw them as text. A second Show of
// the same ID replaces the first: a session was resumed, or the client's surface gave way to the host's. Fields that
// belong to one mode are empty in the other.
type Show struct {
	Session string
	ID      elicit.ID
	// The peer's handle. It is for a host that lists what waits, see event.Preferred; an answer names the ID.
	Ref      string
	Server   string
	Tool     string
	Mode     elicit.Mode
	Kind     elicit.Kind
	Message  string
	Parts    []elicit.Part // what the lines of Message are; nil if all of it is plain text
	Form     *schema.Form  // form mode
	URL      string        // URL mode
	Findings []elicit.Finding
	Reasons  []elicit.Reason
	ByClient bool  // the peer's own client draws it, and not the host
	Deadline int64 // milliseconds since 1970, 0 for none
	// Over all sessions, at the time of this step. A host shows it so that a person knows how much is left.
	Waiting int    // how many more requests wait behind this one
	Draft   []byte // what the person had typed before a reload, canonical JSON object or nil

	// Suggestions are what the person typed into such fields before. They are shown apart from defaults and never sent
	// by themselves.
	Suggestions []Suggestion
	Remember    []elicit.Scope // for how long a yes may be remembered, when the configuration says "offer_scopes": true

	// Description and Annotations are what the server says of the tool of a held call.
	Description string
	Annotations elicit.Annotations

	Arguments []byte       // of the held call, canonical JSON object; nil if they are not known
	Takes     elicit.Takes // what of an answer reaches the peer beside the action and the content

	// These tell what an approval would do, as in elicit.Request. The message shows it too.
	Does         elicit.Deed
	Command, Cwd string
	Paths, Hosts []string
	ReachCut     bool
	Outside      elicit.Said

	// Changed says what is different from the last message of the same tool that the person accepted and that was
	// almost the same, when the configuration says "show_changes": true. The texts of SameText and NewText together are
	// Message.
	Changed []Change

	text []byte // see KeepForm
}

// KeepForm gives s the JSON of its form, so that AppendJSON need not write it again. The text must be the JSON of
// s.Form. Nobody changes it afterwards.
func (s *Show) KeepForm(text []byte) { s.text = text }

// Suggestion is what the person typed when the same server asked for the same before. It is no part of an answer until
// the person takes it, and no default: it is never filled in. Policy says which earlier answers count: those for the
// same tool, or for the same server.
type Suggestion struct {
	Field string
	Value []byte    // canonical JSON
	At    int64     // when it was answered, milliseconds since 1970
	ID    elicit.ID // the question it answered
}

// Change is a part of a message, or of an earlier message that the person accepted.
type Change struct {
	Is   ChangeKind
	Text string
}

// ChangeKind says in which of two messages a text is.
type ChangeKind string

// A text is in both messages, only in this one, or only in the earlier one.
const (
	SameText ChangeKind = "same"
	NewText  ChangeKind = "new"
	GoneText ChangeKind = "gone"
)

// Withdraw says that a held request is over without an answer. A host that shows it takes it away; one that was still
// queued was never shown, and what guardians still say of it comes too late. It names no outcome: whether the peer got
// a reply is for the Reply in the same step to say.
type Withdraw struct {
	Session string
	ID      elicit.ID
	Cause   elicit.Cause
}

// Reply answers the peer. There is at most one for a request, ever. Content is there when Outcome is accept and the
// question is a form, {} for a form without fields. Problems say why it failed or was cancelled. A relay spells the
// reply in the peer's protocol; where that has no word for the cause, only the journal has it.
type Reply struct {
	Session  string
	ID       elicit.ID // "" when the request was refused before it had an id
	Ref      string
	Outcome  elicit.Outcome
	Cause    elicit.Cause
	Content  []byte // canonical JSON object on accept of a form, else nil
	Problems []elicit.Problem
	Findings []elicit.Finding // what was noticed, also when nobody was asked
	Reasons  []elicit.Reason
	Receipts []event.Receipt
	// A host that keeps a log of its own must leave these members out as well, and take KeptNote and KeptArguments.
	Hidden []string // members of Content that a journal must not keep

	Note      string // words for the peer, "" for none
	Arguments []byte // those with which the held call is to go on, canonical; nil if the person did not change them

	KeptNote      string // Note without its secrets: what a journal may hold
	KeptArguments []byte // the same of Arguments
}

// OpenURL asks the host to open a page the person has just consented to, in a browser neither host nor model can read.
// MCP 2025-11-25 client/elicitation, Safe URL Handling: no prefetch, no opening without consent, and the system's
// browser in place of a view that the client could read.
type OpenURL struct {
	Session string
	ID      elicit.ID
	URL     string
}

// Resolution is how a consented URL request ended.
type Resolution string

// A consented page was finished, or nobody said so in time.
const (
	PageCompleted Resolution = "completed"
	PageLapsed    Resolution = "lapsed"
)

// Resolutions lists every Resolution.
func Resolutions() []Resolution { return []Resolution{PageCompleted, PageLapsed} }

// Resolve says that a consented URL request is over; the peer had its Reply before.
type Resolve struct {
	Session    string
	ID         elicit.ID
	Ref        string
	Resolution Resolution
}

// Wake asks once for a Ticked input at At or soon after. It replaces every earlier Wake; 0 means none is needed. With
// In, the input had a time that does not follow the wall clock, and the tick is due so long after that input. A tick
// that comes early does nothing, and the earlier Wake goes on to hold. One that comes late ends what is overdue.
type Wake struct {
	At int64
	In elicit.Elapsed
}

// Remember tells of a new grant. The host keeps those with scope Always and gives them back in the configuration's
// "grants"; the engine keeps the others as long as their session. It comes before the effects that follow from it: the
// grant may answer other questions in the same step.
type Remember struct {
	Session string
	Grant   elicit.Grant
}

// Extend says which deadline holds after an event Extended.
type Extend struct {
	Session  string
	ID       elicit.ID
	Deadline int64
}

// Pause tells a host to stop (On) or restart its own timers for the calls of a session, because a person is being
// asked. TotalMS is how long they have been stopped in all. Emitted only when the configuration says "pauses": true. A
// tool call with a limit of 60 seconds must not fail because its person reads for two minutes.
type Pause struct {
	Session string
	On      bool
	TotalMS int64
}

// About says what kind of input a Problem effect is about. A host reads it to decide who must be told.
type About string

// A Problem effect is about one of these. AboutAnswer is the only value whose problems a person can mend.
const (
	AboutQuestion      About = "question"      // an asked that was not taken (Ref), or a receipt, draft or extension (ID)
	AboutAnswer        About = "answer"        // an answer; also one that was taken first and a guardian refused
	AboutSession       About = "session"       // opened, closed, resumed, unmuted, forgotten or revoked
	AboutGuardian      About = "guardian"      // what a guardian said about a request (ID) cannot be used
	AboutConfiguration About = "configuration" // configured
	AboutHost          About = "host"          // the host gave an event that no record can hold
)

// Abouts lists every value of About.
func Abouts() []About {
	return []About{AboutQuestion, AboutAnswer, AboutSession, AboutGuardian, AboutConfiguration, AboutHost}
}

// Problem reports an input that could not be used, such as an unknown id or an unreadable configuration. After a wrong
// answer the request stays open. For a late answer, Outcome and Cause say how the request had ended. No input of a host
// or a peer makes a step fail in another way. A step may report several.
type Problem struct {
	About    About
	Session  string
	ID       elicit.ID
	Ref      string
	Problems []elicit.Problem
	Outcome  elicit.Outcome
	Cause    elicit.Cause
}
