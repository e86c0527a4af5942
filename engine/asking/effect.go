package asking

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Effect is something that the host must do: one of this package, or append, consult, remember, wake and problem of
// package effect.
type Effect interface {
	// AppendJSON appends the effect's canonical JSON, whose first member is "effect".
	AppendJSON(dst []byte) []byte
}

// Send asks the host to send a request to the client. Its answer comes back in a Responded with the same Ref.
//
// A client that connects only for a call gets the request in that call's stream. Ref cannot be guessed.
type Send struct {
	Ref    string
	Call   string // the call that the question belongs to; the request must travel with that call (MCP SEP-2260)
	ID     elicit.ID
	Method string
	Params []byte

	Position int // of the question in the run; not in the JSON
}

// CancelSent asks the host to cancel such a request (notifications/cancelled), so that the client takes its form away.
type CancelSent struct{ Ref string }

// Notify asks the host to send a notification to the client.
type Notify struct {
	Call   string // which waits for the question; not in the JSON
	Method string
	Params []byte
}

// Offer says how a question reaches the person.
type Offer string

// These are the offers.
const (
	ByRequest Offer = "request"        // a request to the client
	ByRounds  Offer = "input_required" // a result, after which the client makes the call again
	ByError   Offer = "url_required"   // the error -32042
	ByText    Offer = "fallback"       // a text for the model
)

// Offers lists the offers.
func Offers() []Offer { return []Offer{ByRequest, ByRounds, ByError, ByText} }

// Interrupt ends the run of a call: the host stops the handler and answers the call with what stands here. Waiting asks
// of that run end without an answer. The handler runs again when the client makes the call again, or after a Resume.
//
// Exactly one of Requests, Error and Result is set, by Offer. The host seals Body, because a client can change what it
// carries.
type Interrupt struct {
	Call     string
	ID       elicit.ID // of the question
	Offer    Offer
	Requests []byte // ByRounds: the value of inputRequests
	Error    []byte // ByError: the JSON-RPC error object
	Result   []byte // ByText: the result of the call
	Body     []byte // ByRounds: what the host must seal into the state of the result, and give back in Called.Answers
	Expires  int64  // when the question is over, milliseconds since 1970
	Keep     bool   // the machine must be kept until then: a page is open, which only it knows
}

// Page says that a question is open on the server's own page: the host answers requests for the link with the form, and
// reports what the person does in a Submitted.
type Page struct {
	Link   string // unguessable; names the page
	URL    string // Config.Page and the link
	Secret bool   // what is typed must not be shown or kept
	For    string // the principal who may answer, "" for the caller
	Show   effect.Show

	// These are not in the JSON of the effect, because they come later or stand elsewhere.
	Expires   int64  // milliseconds since 1970
	Browser   string // which has claimed the link
	Consented bool   // the client has reported that the person agreed to visit the page
}

// Settle gives a handler the outcome of its question.
//
// Content is set only for an accepted form. Problems says why a failed, unsupported or given-up question could not be
// answered. Reasons says what policy decided by.
type Settle struct {
	Call     string
	Position int
	ID       elicit.ID // "" for a question that was refused before it had one
	Outcome  elicit.Outcome
	Cause    elicit.Cause
	Content  []byte // canonical JSON object on accept of a form
	Problems []elicit.Problem
	Reasons  []elicit.Reason
	Offer    Offer  // how it reached the person; "" if it did not
	Page     bool   // it was answered on the server's own page
	Replayed bool   // it was settled in an earlier run of the call
	By       string // who took it back, if somebody else than its handler did

	// Completed is the id of the page that the client must be told is finished; "" for none. It is not in the JSON, where
	// a Notify says so. A host that learns of the end with Look gets the Notify, too.
	Completed string

	Target, Message string // of the call and the question, for a history; in the JSON with Config.History alone

	history bool
}

// Resume asks the host to run the handler of an interrupted call again, with the same arguments. The host first names
// the run with a Called. The result is the result of the fallback tool's call.
type Resume struct {
	Call      string // of the interrupted run
	Method    string
	Target    string
	Arguments []byte
}

// EffectNames lists the effects that only this machine has.
func EffectNames() []string {
	return []string{"send", "cancel_sent", "notify", "interrupt", "page", "settle", "value", "resume"}
}

// AppendJSON appends {"effect":"send","ref","call","id","method","params"}.
func (e Send) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "send", "ref", e.Ref, "call", e.Call, "id", string(e.ID), "method", e.Method)
	o.Raw("params", e.Params)
	return o.End()
}

// AppendJSON appends {"effect":"cancel_sent","ref"}.
func (e CancelSent) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "effect", "cancel_sent", "ref", e.Ref)
}

// AppendJSON appends {"effect":"notify","method","params"}.
func (e Notify) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "notify", "method", e.Method)
	o.Raw("params", e.Params)
	return o.End()
}

// AppendJSON appends
// {"effect":"interrupt","call","id","offer","requests"?,"error"?,"result"?,"body"?,"expires","keep"?}.
func (e Interrupt) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "interrupt", "call", e.Call, "id", string(e.ID), "offer", string(e.Offer))
	o.OptRaw("requests", e.Requests)
	o.OptRaw("error", e.Error)
	o.OptRaw("result", e.Result)
	o.OptRaw("body", e.Body)
	o.Int("expires", e.Expires)
	o.OptTrue("keep", e.Keep)
	return o.End()
}

// AppendJSON appends {"effect":"page","link","url","secret"?,"for"?,"show":{…}}.
func (e Page) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "page", "link", e.Link, "url", e.URL)
	o.OptTrue("secret", e.Secret)
	o.OptStr("for", e.For)
	o.Name("show", e.Show.AppendJSON)
	return o.End()
}

// AppendJSON appends
// {"effect":"settle","call","position","id"?,"outcome","cause","content"?,"problems"?,"reasons"?,"offer"?,
// "page"?,"replayed"?,"by"?,"target"?,"message"?}.
func (e Settle) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "settle", "call", e.Call)
	o.Int("position", int64(e.Position))
	o.OptStr("id", string(e.ID))
	o.Strs("outcome", string(e.Outcome), "cause", string(e.Cause))
	o.OptRaw("content", e.Content)
	if len(e.Problems) > 0 {
		jsontext.List(&o, "problems", e.Problems)
	}
	jsontext.OptList(&o, "reasons", e.Reasons)
	o.OptStr("offer", string(e.Offer))
	o.OptTrue("page", e.Page)
	o.OptTrue("replayed", e.Replayed)
	o.OptStr("by", e.By)
	if e.history {
		o.OptStrs("target", e.Target, "message", e.Message)
	}
	return o.End()
}

// AppendJSON appends {"effect":"resume","call","method"?,"target"?,"arguments"?}.
func (e Resume) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "resume", "call", e.Call)
	o.OptStrs("method", e.Method, "target", e.Target)
	o.OptRaw("arguments", e.Arguments)
	return o.End()
}
