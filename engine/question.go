package engine

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// question is what the engine knows of one request, beyond its place in time. The request is as it was admitted. A
// person's edit replaces it when the answer is sent, and a joined request may take over its handle. All that follows
// from the form alone is in facts and is shared with other questions of the same schema, so nothing may write to it. A
// question is made by handleAsked, or by readItem for a saved session. The map holds it from keep to drop. Nothing else
// keeps a pointer to it between two steps, but the links of pages.
type question struct {
	request elicit.Request
	// Into the session, which is open as long as the question is.
	opened *event.Opened // the session that it came in
	kind   elicit.Kind
	form   *schema.Form
	facts  *formFacts
	// The basis of the last decision, plus what guardians added. weighFacts replaces both lists, and no list is changed
	// in place: a Show effect may have it.
	findings []elicit.Finding
	reasons  []elicit.Reason
	came     coming // for a decision that is made again
	joined   []joined
	// A question is charged once. One that guardians release later must not be charged again.
	charged  bool // counted among the questions that somebody has to look at
	bytes    int  // the size of a held call, once it was needed
	shown    showing
	warned   warnings
	consults consults
	end      settling
}

// coming is what policy may have looked at when a request came, and what is another thing later. A session that an
// earlier version saved tells nothing of it.
type coming struct {
	// The wall clock's time, because policy looks at hours of the day.
	at    int64 // 0 if it is not known
	haste known
	// Labels are only ever appended, so their number says which of them the question came with.
	labels int // how many the session had
}

// known is a fact that may not be known.
type known uint8

const (
	notKnown known = iota
	knownFalse
	knownTrue
)

// knownAs is for a fact that the engine has just seen, and so never notKnown.
func knownAs(is bool) known {
	if is {
		return knownTrue
	}
	return knownFalse
}

// joined is a request that waits for the answer to the same question, asked before it. Its id appears in no effect
// until it ends.
type joined struct {
	id          elicit.ID
	ref, parent string
}

// AppendJSON appends {"id","ref","parent"?}.
func (j joined) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "id", string(j.id), "ref", j.ref)
	o.OptStr("parent", j.parent)
	return o.End()
}

// showing is how a question stands before the person.
type showing struct {
	at       int64 // when it was shown, as the receipt or else the effect tells; 0 before that
	byClient bool  // the peer's client draws it, and not the host
	// left is the code of leavesClient in surface.go that says why the client no longer draws it; "" if it may. It stays,
	// because a question never goes back to the client.
	left      string
	preferred bool   // shown before its turn, where no place has to be free
	draft     []byte // canonical, without sensitive fields
	receipts  []event.Receipt
}

// warnings are the secrets that the person was warned of, and whether the client was asked again.
type warnings struct {
	fields []string // pointers of fields
	extras []string // "note", or "arguments" and a pointer
	unfit  bool     // the client's content did not fit
}

// consults are what guardians have to do with a question.
type consults struct {
	open *consultation // nil when no guardian is being asked
	// It only grows, also over saves. A verdict names a round, so an old verdict fits no later consult.
	rounds    int      // consultations so far
	confirmed []string // guardian and answer, for each answer that the person was asked to confirm
}

// settling is what a question has of its end while it is open.
type settling struct {
	over bool         // it had its reply, or was withdrawn: there is no other
	by   elicit.Cause // of the accept, while its page is awaited; "" for a person's
}

// A saved session must be readable again, whatever has to be escaped in it.
const (
	// One eighth: a control character is one byte in a request and six in JSON (\u0001), and a state in a record may be
	// a string with escapes of its own.
	maxState = 4 << 20      // bytes that a Resumed event may bring; a journal record must be able to hold it
	maxHeld  = maxState / 8 // bytes of the open questions of one session
)

// size is what a question and those joined to it count towards maxHeld.
func (q *question) size() int {
	if q.request.HeldCall && q.bytes == 0 {
		q.bytes = size(q.request)
	}
	n := q.bytes
	if n == 0 {
		n = size(q.request)
	}
	for _, j := range q.joined {
		n += len(j.id) + len(j.ref) + len(j.parent)
	}
	return n
}

// size is how many bytes a request takes in a saved session, more or less. A peer chooses every text here, so all of
// them count. A held call may carry large documents, so its true size is counted, by the share that maxHeld is of
// maxState.
func size(r elicit.Request) (n int) {
	if r.HeldCall { // most of it are documents, which need no escapes
		return len(event.Asked{Request: r}.AppendJSON(nil))*maxHeld/maxState + 1
	}
	for i := range r.Candidates {
		n += len(r.Candidates[i].Tool) + candidateSize
	}
	reach, bytes := r.ReachSize()
	n += reach*reachSize + bytes + len(r.Parts)*partSize
	return n + len(r.Message) + len(r.Schema) + len(r.URL) + len(r.Session) + len(r.Ref) + len(r.Parent) +
		len(r.Tool) + len(r.Link) + len(r.Command) + len(r.CommandCandidate) + len(r.Cwd) + len(r.CommandAt) +
		len(r.Arguments) + len(r.ArgumentsSchema) + len(r.Description) + len(r.Definition)
}

// These are what an element takes in a saved session beside its text.
const (
	reachSize     = 4  // a path or host
	partSize      = 40 // a part of a message
	candidateSize = 128
)

// readArguments reads the arguments of a question's held call and keeps them in canonical form. The person, the grant
// and the digest that goes with the call are about these bytes. Two spellings of one call are one call. Pointers of
// problems are into the question: /arguments/… . A duplicate name is a problem, because two readers would take
// different values (RFC 8259 section 4).
func (q *question) readArguments() []elicit.Problem {
	r := &q.request
	if r.Arguments == nil {
		return nil
	}
	problems := unreadable(r.Arguments, maxState)
	for i := range problems {
		problems[i].Pointer = "/arguments" + problems[i].Pointer
	}
	if problems == nil {
		r.Arguments = jsontext.AppendValue(nil, r.Arguments)
	}
	return problems
}

// kindOf is what a person is asked for. A peer's claim that a question is an approval counts only if there is nothing
// to fill in, or if the fields can only take away: an approval may be remembered. The claim approval comes from a peer.
// A form that asks for a name and claims to be an approval is a form.
func kindOf(req elicit.Request, form *schema.Form) elicit.Kind {
	switch {
	case form == nil:
		return elicit.KindURL
	case req.Claim == elicit.ClaimSuggestion:
		return elicit.KindSuggestion
	case req.Claim == elicit.ClaimApproval && (len(form.Fields) == 0 || narrows(req, form)):
		return elicit.KindApproval
	}
	return form.Kind()
}

// narrows reports whether the fields of an approval of permissions can only take away from what it opens: all choices
// are chosen at first. Then a yes without a word of the person is a yes to all, as without the fields.
func narrows(req elicit.Request, form *schema.Form) bool {
	return req.Does == elicit.DeedPermissions && form.AllChosen()
}

// narrowedBy reports whether an answer takes away from what an approval opens. Such a yes cannot be remembered: a grant
// says yes to all.
func (q *question) narrowedBy(content []byte) bool {
	return q.kind == elicit.KindApproval && !bytes.Equal(content, q.form.Fill(nil, nil))
}

// because adds reasons for what becomes of a question.
func (q *question) because(reasons ...elicit.Reason) { q.reasons = append(q.reasons, reasons...) }

// unasked is the outcome of a question for which nobody can be reached: a rule that declines and only may match holds
// then.
func (q *question) unasked() elicit.Outcome {
	if policy.DeclinesUnasked(q.reasons) {
		return elicit.Declined
	}
	return elicit.Cancelled
}

// acceptedBy is the cause of the accept of a question whose page is awaited.
func (q *question) acceptedBy() elicit.Cause { return cmp.Or(q.end.by, elicit.ByUser) }

// mayAnswer reports whether a question is for the principal of an answer. The one who asked may always give up. Giving
// up is a cancel and not a decline: nobody refuses in the place of another person. Example: a question with For "bob"
// in alice's session. Bob may accept, decline and cancel, and alice may cancel.
func (q *question) mayAnswer(ev event.Answered) bool {
	asker, person := q.opened.Principal, q.request.For
	person = cmp.Or(person, asker)
	return ev.Principal == person || ev.Principal == asker && ev.Action == elicit.Cancel
}

// withheldFields names the fields that policy withholds beside the sensitive ones.
func (q *question) withheldFields(stack policy.Stack) (names []string) {
	for i := range q.form.Fields {
		if field := &q.form.Fields[i]; !field.Sensitive && stack.Withholds(q.request.Server, field.Name) {
			names = append(names, field.Name)
		}
	}
	return names
}

// privateFields names all fields whose values are kept nowhere.
func (q *question) privateFields(stack policy.Stack) []string {
	return append(sensitive(q.form), q.withheldFields(stack)...)
}

// secrets is what happens to a secret in an answer to a question.
func (q *question) secrets(stack policy.Stack) policy.Secrets {
	say := stack.Secrets()
	if say == policy.SecretsConfirm && q.request.Side == elicit.Asking {
		return policy.SecretsNote // the answer has already left the person; a warning would come too late
	}
	return say
}

// canAnswerAgain reports that whoever answered can be asked once more for an answer that is not taken. On the asking
// side that is always so, because the caller counts the attempts. A script and a model have no second try: the same
// script would give the same answer without an end.
func (q *question) canAnswerAgain(via event.Via, secret bool, say policy.Secrets) bool {
	if q.request.Side == elicit.Asking {
		return true
	}
	switch via {
	case event.ViaPerson:
		return true
	case event.ViaClient:
		return secret && say == policy.SecretsConfirm
	}
	return false
}

// causeOf tells an answer nobody gave from one that a person gave.
func causeOf(via event.Via) elicit.Cause {
	switch via {
	case event.ViaPerson, event.ViaClient, event.ViaModel:
		return elicit.ByUser
	case event.ViaScript:
		return elicit.ByPolicy
	}
	if via == event.ViaNoAnswer {
		return elicit.ByNoAnswer
	}
	return elicit.ByNoUI
}

// commandIn is the text at a pointer into canonical arguments, "" if there is none. RFC 6901 section 4: ~1 is a slash,
// and ~0 a tilde, in that order. An index of an array is no member name here, so a pointer into an array finds nothing.
// A host may give any text for the pointer. One that does not begin with a slash finds nothing either.
func commandIn(arguments []byte, pointer string) string {
	if !strings.HasPrefix(pointer, "/") {
		return ""
	}
	v := gjson.ParseBytes(arguments)
	for _, token := range strings.Split(pointer[1:], "/") {
		name := strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		next := gjson.Result{}
		v.ForEach(func(key, value gjson.Result) bool {
			if key.Type == gjson.String && key.Str == name {
				next = value
			}
			return !next.Exists()
		})
		v = next
	}
	if v.Type != gjson.String {
		return ""
	}
	return v.Str
}
