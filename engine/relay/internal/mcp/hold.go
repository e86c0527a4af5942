package mcp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// A held call is a tools/call that the server gets only after the engine has accepted it. The question is an approval,
// whose arguments the person may edit. The client of a refused call gets a result that the model reads.

// nothingToType is the schema of an approval.
var nothingToType = []byte(`{"type":"object","properties":{}}`)

// maxShownArguments is the most bytes of arguments in the message of a question. An interface that draws arguments has
// them whole.
const maxShownArguments = 16 << 10

// hold asks the engine about a tools/call of the client, with the arguments that the server would get. Only release
// calls it.
//
// The question has the form of an approval: an empty schema, and the arguments beside it. An interface that edits
// arguments sends them with the answer. Example of the message: rm: {"p":"/a"} and {"extra":1}.
func (d *Dialogue) hold(k *call) {
	// A call that was sent before, and needs a new decision, is not held: its tool must stay a candidate for questions.
	k.held, k.Shared, k.approval = !k.Sent, true, approval{}
	o, _ := wire.ReadObject(paramsOf(k.Request))
	q := &link.Question{Of: k}
	r := &q.Request
	// The ref cannot meet a server's ref, which is the JSON text of an id and begins with a digit, a sign or a quote.
	r.Session, r.Ref = d.open(mcp.Modes{Form: true}, mcp.Modes{}), "held-"+strconv.Itoa(k.Serial)
	r.Tool, r.Mode, r.Schema = k.tool, elicit.Form, nothingToType
	r.Claim, r.Does = elicit.ClaimApproval, elicit.DeedTool
	r.Persistable, r.Takes, r.HeldCall = true, elicit.TakesDeclineNote, true
	r.Description = d.link.tools.said[k.tool].description
	r.Message = k.tool
	switch arguments := gate.Clone(o.Get("arguments")); {
	case arguments == nil:
		r.Arguments = []byte("{}")
	case len(arguments) > d.link.calls.Engine().Arguments:
		// They cannot be shown whole. The digest binds a yes to them.
		sum := digest.Sum256(arguments)
		begun := strings.TrimSuffix(beginning(arguments, maxShownArguments), "…")
		r.Message += ": " + begun + "… (" + strconv.Itoa(len(arguments)) + " bytes, SHA-256 " +
			digest.Hex(sum[:]) + ")"
		r.MessageCut = true
	default:
		r.Arguments = arguments
		r.Message += ": " + beginning(jsontext.AppendValue(nil, arguments), maxShownArguments)
		r.MessageCut = len(arguments) > maxShownArguments
	}
	// A grant is about a tool and its arguments. A remembered yes would cover members that nobody has seen.
	if others := besideArguments(o); others != nil {
		r.Message += " and " + beginning(others, maxShownArguments)
		r.MessageCut = r.MessageCut || len(others) > maxShownArguments
		r.Persistable, r.CandidatesCut = false, true
	}
	if r.Arguments != nil {
		r.Takes |= elicit.TakesEdit
		r.ArgumentsSchema = d.link.tools.said[k.tool].schema
	}
	// The client's request says in which shape it can read a refusal.
	meta, _ := o.Child("_meta")
	refused := refusedCall
	switch {
	case o.Get("task") != nil:
		refused = refusedTask
	case meta.Get(gate.MetaVersion) != nil: // 2026-07-28 and later
		refused = refusedRound
	}
	q.Settle = func(r effect.Reply) { d.heldCallDecided(k, r, refused) }
	d.link.ask(q)
}

// heldCallDecided sends a held call on, or answers it.
//
// Outcome is Accepted, Declined, Cancelled or Failed. Only Accepted lets the call go. A decline is not an error of the
// protocol: the model should read the reason and go on, so it is a result with isError.
func (d *Dialogue) heldCallDecided(k *call, r effect.Reply, refused func(id []byte, r effect.Reply) []byte) {
	if !k.Open {
		return
	}
	k.held = false
	if r.Outcome == elicit.Accepted {
		d.approved(k, r)
		d.release(k)
		return
	}
	d.link.Calls.Remove(k.Call)
	d.link.signs.forget(k)
	switch r.Outcome {
	case elicit.Failed:
		d.link.Send(link.Client, wire.AppendProblems(nil, gate.Clone(k.ID), link.ErrorCode(r.Cause), r.Problems), nil)
	default:
		d.link.Send(link.Client, refused(gate.Clone(k.ID), r), func() {
			d.link.Send(link.Client, wire.AppendProblems(nil, gate.Clone(k.ID), wire.InternalError, link.Lost()), nil)
		})
	}
}

// approved records what was accepted. A person's arguments replace those of the call. A retry of the client still has
// its own.
//
// approval.digest is of the arguments as the journal may have them, with masks. approval.arguments is of those that are
// sent. They differ if a person typed a secret.
func (d *Dialogue) approved(k *call, r effect.Reply) {
	kept := r.KeptArguments
	if r.Arguments != nil {
		if k.asked == "" {
			k.asked = argumentsOf(paramsOf(k.Request))
		}
		edited, _ := wire.Set(nil, k.Request, r.Arguments, true, "params", "arguments")
		d.link.Calls.Keep(k.Call, len(edited)-len(k.Request))
		k.Request = edited
	} else {
		o, _ := wire.ReadObject(paramsOf(k.Request))
		// A call without arguments counts as one with {}, as the question has shown it.
		if kept = jsontext.AppendValue(nil, o.Get("arguments")); len(kept) == 0 {
			kept = []byte("{}")
		}
	}
	sum := digest.Sum256(kept)
	k.approval = approval{argumentsOf(paramsOf(k.Request)), d.link.calls.Engine().Rules, r.Session, r.Ref,
		digest.Hex(sum[:])}
}

// refusedCall answers a call that was not made. The model reads the text of the result.
func refusedCall(id []byte, r effect.Reply) []byte {
	return wire.AppendResult(nil, id, append(notMade(nil, r), '}'))
}

// refusedRound is refusedCall with the member that results have since 2026-07-28.
func refusedRound(id []byte, r effect.Reply) []byte {
	return wire.AppendResult(nil, id, append(notMade(nil, r), `,"resultType":"complete"}`...))
}

// refusedTask answers a call whose result would be a task. No task exists, so the answer is an error.
func refusedTask(id []byte, r effect.Reply) []byte {
	return wire.AppendError(nil, id, wire.InternalError, whyNotMade(r), nil)
}

func notMade(dst []byte, r effect.Reply) []byte {
	return append(mcp.AppendText(append(dst, `{"content":`...), whyNotMade(r)), `,"isError":true`...)
}

// whyNotMade tells a model why a call was not made, and what the person or the prepared answer had to say.
//
// The texts are for a language model. They say who decided, so that it does not try the same call in other words.
func whyNotMade(r effect.Reply) string {
	switch {
	case r.Cause == elicit.ByUser && r.Outcome == elicit.Declined && r.Note != "":
		return "The user declined this tool call. The user says: " + r.Note
	case r.Cause == elicit.ByUser && r.Outcome == elicit.Declined:
		return "The user declined this tool call."
	case r.Cause == elicit.ByUser:
		return "The user has not decided about this tool call. It was not made."
	case r.Cause == elicit.ByPolicy && r.Note != "":
		return "A prepared answer declines this tool call. It says: " + r.Note
	case r.Cause == elicit.ByPolicy:
		return "A policy does not allow this tool call."
	case r.Cause == elicit.ByGuardian:
		return "A guardian does not allow this tool call."
	case r.Cause == elicit.ByTimeout:
		return "Nobody decided about this tool call in time. It was not made."
	case r.Cause == elicit.ByNoUI, r.Cause == elicit.ByNoAnswer:
		return "Nobody could be asked about this tool call. It was not made."
	}
	return "This tool call was not made."
}

// heldParams are the params of a tools/call that a question about it accounts for. task says how the result comes.
var heldParams = []string{"name", "arguments", "task", "_meta", "inputResponses", "requestState"}

// heldFault returns why nobody can be asked about a tools/call with these params, or nil. Policy and the person decide
// about a tool, and a server may take a name that is no text for another tool.
//
// The gate has found that name occurs once. An absent or empty name, and one with half of a surrogate pair, are left.
func heldFault(params []byte) *elicit.Problem {
	o, _ := wire.ReadObject(params)
	name := o.Get("name")
	if name == nil {
		return gate.Faulty("missing", "/params/name")
	}
	// A half of a surrogate pair is read as U+FFFD, which may be the name of another tool.
	if text, ok := wire.Text(name); !ok || text == "" || strings.Contains(text, "\uFFFD") {
		return gate.Faulty("wrong_type", "/params/name", elicit.Str("expected", "string"))
	}
	return nil
}

// besideArguments returns the params that the protocol does not have, or nil. A server may act on them, so the
// question shows them, and no remembered yes answers it.
//
// heldParams are the known ones. Example: {"name":"rm","arguments":{},"sudo":true} gives {"sudo":true}.
func besideArguments(params wire.Object) []byte {
	if !slices.ContainsFunc(params.Members, func(m wire.Member) bool { return !slices.Contains(heldParams, m.Name) }) {
		return nil
	}
	text := wire.Apply(nil, params.Text, params.Exchange(nil, nil, heldParams...))
	return jsontext.AppendValue(nil, text)
}
