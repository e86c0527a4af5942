package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Effect is something that the host must do: Forward, Send, Close, Note, Question, Settled, NewJournal, or an effect
// of the engine (append, show, withdraw, consult, open_url, resolve, remember, extend, pause, wake, problem). The
// engine's Reply never comes out: it becomes a Send and a Settled.
type Effect interface {
	// AppendJSON appends the effect's canonical JSON, whose first member is "effect".
	AppendJSON(dst []byte) []byte
}

// Forward forwards the message that was received in this step, byte for byte.
type Forward struct{ To End }

// forwards has both Forward effects. Interface values made in advance spare an allocation for every message.
var forwards = [...]Effect{Client: Forward{Client}, Server: Forward{Server}}

// Send is a message of the machine, or a received message with some parts replaced. It has no line end.
//
// Message belongs to the host from then on. It never shares memory with Input.Message, so a host may queue it.
type Send struct {
	To      End
	Message []byte
	lost    func() // reports that the decision could not be recorded; nil if the message has no decision
}

// Close closes the host's output to an end, after everything before it was written. A stdio server exits when its
// input is closed.
type Close struct{ End End }

// Note tells a person, on an error stream or in a log, what the machine refused or changed, and why. From is the end
// that it is about. Texts in the arguments of the problems may come from a peer.
//
// It is not an answer to the peer. A refused request also gets an error, as a Send of the same step.
type Note struct {
	From     End
	Refused  bool // a message of that end was refused, for these problems
	Problems []elicit.Problem
}

// Question says that the server has asked something, before it is known whether a person will be asked. It comes
// before the Show with the same session and ref. A host without a list of questions and without a schema reader may
// ignore it.
type Question struct{ elicit.Request }

// Settled says how a question ended and why. A Send has answered the peer. A question that was withdrawn is settled
// too, as a cancel.
//
// Every Question has exactly one Settled, in the same step or a later one. A host that lists open questions adds one at
// Question and removes it at Settled.
type Settled struct {
	effect.Reply
	Request elicit.Request
}

// NewJournal says that the next records begin a new chain, because the engine failed and was replaced.
//
// The records before it in the same step still belong to the old chain. The host opens a new file for those after it.
type NewJournal struct{}

// EffectNames lists the effects that only a connection has.
func EffectNames() []string {
	return []string{"forward", "send", "close", "note", "question", "settled", "new_journal"}
}

// AppendJSON appends {"effect":"forward","to"}.
func (e Forward) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "effect", "forward", "to", e.To.String())
}

// AppendJSON appends {"effect":"send","to","message"}. The message is a string, because readers in most languages
// would not keep the spelling of a JSON document inside a document.
func (e Send) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "effect", "send", "to", e.To.String(), "message", string(e.Message))
}

// AppendJSON appends {"effect":"close","end"}.
func (e Close) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "effect", "close", "end", e.End.String())
}

// AppendJSON appends {"effect":"note","from","refused"?,"problems":[…]}.
func (e Note) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "note", "from", e.From.String())
	o.OptTrue("refused", e.Refused)
	jsontext.List(&o, "problems", e.Problems)
	return o.End()
}

// AppendJSON appends
// {"effect":"question","session","ref","server","tool"?,"mode","message","url"?,"link"?,"schema_text"?}. The schema is
// a string, for the same reason as the message of a Send.
func (e Question) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "question")
	appendQuestion(&o, e.Request)
	o.OptStrs("link", e.Link, "schema_text", string(e.Schema))
	return o.End()
}

// AppendJSON appends {"effect":"settled","session","ref","server","tool"?,"mode","message","url"?,"reply":{…}}. The
// reply is the engine's effect of that name, without the content of the answer, and with masks in the place of
// secrets in its note and arguments.
//
// A log may keep this effect, so it must not hold what a person typed. The masked texts are those of the journal.
func (e Settled) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "effect", "settled")
	appendQuestion(&o, e.Request)
	reply := e.Reply
	reply.Content, reply.Note, reply.Arguments = nil, reply.KeptNote, reply.KeptArguments
	o.Name("reply", reply.AppendJSON)
	return o.End()
}

// AppendJSON appends {"effect":"new_journal"}.
func (NewJournal) AppendJSON(dst []byte) []byte { return append(dst, `{"effect":"new_journal"}`...) }

func appendQuestion(o *jsontext.Object, r elicit.Request) {
	o.Strs("session", r.Session, "ref", r.Ref, "server", r.Server)
	o.OptStr("tool", r.Tool)
	o.Strs("mode", string(r.Mode), "message", r.Message)
	o.OptStr("url", r.URL)
}
