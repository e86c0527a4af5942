package asking

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// Event is something that happened: one of this package, or Ticked, Consulted, Configured, Revoked or Unmuted of
// package event.
type Event interface {
	// AppendJSON appends the event's canonical JSON, whose first member is "event".
	AppendJSON(dst []byte) []byte
}

// Called says that a handler begins to run for a call of the client. A call that was interrupted before runs again from
// its beginning. The machine knows it by Answers, or by the same method, target and arguments.
//
// Answers is trusted, because the host has opened its own seal. Responses is not, because anybody can write them.
type Called struct {
	Call       string // the host's name of this run, unique among those that run
	Method     string // "" for tools/call
	Target     string // the tool, prompt or resource
	Arguments  []byte // a JSON object, or nil
	Structured bool   // the tool promises structured content, which a text for the model cannot give
	Answers    []byte // the Body of the Interrupt that ended the call before, from a seal that was checked; nil for none
	Responses  []byte // the answers that came with a repeated call, raw and unchecked; nil for none
	Key        string // the host's name of the call in all its runs, unless an earlier run has one; "" for none
}

// Lost says that the process which ran a handler is gone. Its call keeps what it knows, and may be made again.
type Lost struct{ Call string }

// Keyed says that a handler uses the key of its call for what it does.
type Keyed struct{ Call string }

// Posed says that the handler of a call asks. Position counts the questions of a run from 0.
type Posed struct {
	Call     string
	Position int
	Question Question
}

// Question is what a handler asks.
//
// Two questions are the same if all members are equal, less the order of members in Schema. See Question.digest.
type Question struct {
	Mode    elicit.Mode
	Message string
	Schema  []byte // form mode
	URL     string // URL mode
	Wait    bool   // URL mode: settle when the page is finished; otherwise when the person consents to visit it
	Secret  bool   // form mode: the answer must not pass the client or a model
	For     string // form mode: the principal who may answer, on a page; "" for the caller
	TTL     int64  // milliseconds; 0 for the configuration's
}

// Responded brings the client's answer to a Send: a result or an error, raw.
type Responded struct {
	Ref           string
	Result, Error []byte
}

// Submitted brings an answer from the server's own page (Via is event.ViaPerson) or from the fallback tool
// (event.ViaModel). The question is named by the link of its page or by its id.
//
// Principal is who the host has authenticated, and never a name out of the request's body.
type Submitted struct {
	Link      string
	ID        elicit.ID
	Principal string
	Action    elicit.Action
	Content   []byte
	Cleared   []string
	Via       event.Via
}

// Completed says that the page of a question in URL mode was finished.
type Completed struct{ ID elicit.ID }

// Returned says that a handler's run is over: with its own result, or because it was interrupted.
type Returned struct{ Call string }

// Cancelled takes back a question of a handler, or a whole call that the client cancelled.
type Cancelled struct {
	Call string
	ID   elicit.ID
	By   string // who took the question back, for the history; "" for its handler; not in the JSON
}

// Closed ends everything. Cause is elicit.BySessionClosed or elicit.ByShutdown.
type Closed struct{ Cause elicit.Cause }

// EventNames lists the events that only this machine has.
func EventNames() []string {
	return []string{"called", "posed", "once", "responded", "claimed", "submitted", "completed", "returned", "cancelled",
		"closed", "lost", "keyed"}
}

// eventLimits let through every answer of a client, also one that is too large for the engine: it counts as one that
// does not fit, and is not lost.
var eventLimits = jsontext.Limits{Bytes: MaxState, Depth: event.Limits().Depth, Members: 1 << 20}

// ReadEvent reads the JSON of an event. It refuses unknown events and members. doc must have passed the gate.
func ReadEvent(doc []byte) (Event, []elicit.Problem) {
	r, problems := strict.Document(doc, eventLimits)
	if len(problems) > 0 {
		return nil, problems
	}
	var ev Event
	switch r.Str("event") {
	case "called":
		ev = Called{Call: takeLabel(&r, "call"), Method: takeLabel(&r, "method"), Target: takeLabel(&r, "target"),
			Arguments: r.Raw("arguments"), Structured: r.Flag("structured"), Answers: r.Raw("answers"),
			Responses: r.Raw("responses"), Key: takeLabel(&r, "key")}
	case "lost":
		ev = Lost{takeLabel(&r, "call")}
	case "keyed":
		ev = Keyed{takeLabel(&r, "call")}
	case "posed":
		ev = Posed{Call: takeLabel(&r, "call"), Position: r.Count("position"), Question: ReadQuestion(&r)}
	case "once":
		ev = readOnce(&r)
	case "responded":
		ev = Responded{Ref: r.Str("ref"), Result: r.Raw("result"), Error: r.Raw("error")}
	case "submitted":
		ev = Submitted{Link: takeLabel(&r, "link"), ID: elicit.ID(takeLabel(&r, "id")), Principal: takeLabel(&r, "principal"),
			Action: elicit.Action(r.Str("action")), Content: r.Raw("content"), Cleared: r.Strs("cleared"),
			Via: event.Via(r.Opt("via"))}
	case "claimed":
		ev = Claimed{Link: takeLabel(&r, "link"), Principal: takeLabel(&r, "principal"), Browser: takeLabel(&r, "browser")}
	case "completed":
		ev = Completed{elicit.ID(r.Str("id"))}
	case "returned":
		ev = Returned{takeLabel(&r, "call")}
	case "cancelled":
		ev = Cancelled{Call: takeLabel(&r, "call"), ID: elicit.ID(takeLabel(&r, "id"))}
	case "closed":
		ev = Closed{elicit.Cause(r.Str("cause"))}
	default:
		// The events that both machines have are read by one reader.
		given, problems := event.Read(doc)
		if len(problems) > 0 {
			return nil, problems
		}
		return given, nil
	}
	if r.RefuseUnknown(); len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return ev, nil
}

// ReadQuestion takes the members of a question.
func ReadQuestion(r *strict.Reader) Question {
	return Question{Mode: elicit.Mode(r.Str("mode")), Message: r.Str("message"), Schema: r.Raw("schema"),
		URL: r.Opt("url"), Wait: r.Flag("wait"), Secret: r.Flag("secret"),
		For: takeLabel(r, "for"), TTL: r.OptTime("ttl_ms")}
}

// AppendJSON appends {"event":"called","call","method"?,"target"?,"arguments"?,"structured"?,"answers"?,"responses"?}.
func (e Called) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "called", "call", e.Call)
	o.OptStrs("method", e.Method, "target", e.Target)
	o.OptRaw("arguments", e.Arguments)
	o.OptTrue("structured", e.Structured)
	o.OptRaw("answers", e.Answers)
	o.OptRaw("responses", e.Responses)
	o.OptStr("key", e.Key)
	return o.End()
}

// AppendJSON appends {"event":"lost","call"}.
func (e Lost) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "lost", "call", e.Call)
}

// AppendJSON appends {"event":"keyed","call"}.
func (e Keyed) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "keyed", "call", e.Call)
}

// AppendJSON appends
// {"event":"posed","call","position"?,"mode","message","schema"?,"url"?,"wait"?,"secret"?,"for"?,"ttl_ms"?}.
func (e Posed) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "posed", "call", e.Call)
	o.OptInt("position", int64(e.Position))
	e.Question.append(&o)
	return o.End()
}

func (q Question) append(o *jsontext.Object) {
	o.Strs("mode", string(q.Mode), "message", q.Message)
	o.OptRaw("schema", q.Schema)
	o.OptStr("url", q.URL)
	o.OptTrue("wait", q.Wait)
	o.OptTrue("secret", q.Secret)
	o.OptStr("for", q.For)
	o.OptInt("ttl_ms", q.TTL)
}

// AppendJSON appends {"event":"responded","ref","result"?,"error"?}.
func (e Responded) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "responded", "ref", e.Ref)
	o.OptRaw("result", e.Result)
	o.OptRaw("error", e.Error)
	return o.End()
}

// AppendJSON appends {"event":"submitted","link"?,"id"?,"principal"?,"action","content"?,"cleared"?,"via"?}.
func (e Submitted) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "submitted")
	o.OptStrs("link", e.Link, "id", string(e.ID), "principal", e.Principal)
	o.Str("action", string(e.Action))
	o.OptRaw("content", e.Content)
	jsontext.OptStrings(&o, "cleared", e.Cleared)
	o.OptStr("via", string(e.Via))
	return o.End()
}

// AppendJSON appends {"event":"completed","id"}.
func (e Completed) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "completed", "id", string(e.ID))
}

// AppendJSON appends {"event":"returned","call"}.
func (e Returned) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "returned", "call", e.Call)
}

// AppendJSON appends {"event":"cancelled","call"?,"id"?}.
func (e Cancelled) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "cancelled")
	o.OptStrs("call", e.Call, "id", string(e.ID))
	return o.End()
}

// AppendJSON appends {"event":"closed","cause"}.
func (e Closed) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "closed", "cause", string(e.Cause))
}
