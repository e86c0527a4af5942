package relay

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
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
func (m *Machine) hold(k *call) {
	k.held, k.shared, k.approval = !k.sent, true, approval{}
	o, _ := wire.ReadObject(paramsOf(k.request))
	q := &question{Question: &link.Question{}, held: k}
	q.Calls = []gate.Key{k.key}
	r := &q.Request
	r.Session, r.Ref = m.open(m.who.between(mcp.Modes{Form: true}, mcp.Modes{})), "held-"+strconv.Itoa(k.serial)
	r.Tool, r.Mode, r.Schema = k.tool, elicit.Form, nothingToType
	r.Claim, r.Does = elicit.ClaimApproval, elicit.DeedTool
	r.Persistable, r.Takes, r.HeldCall = true, elicit.TakesDeclineNote, true
	r.Description = m.tools.said[k.tool].description
	r.Message = k.tool
	switch arguments := gate.Clone(o.Get("arguments")); {
	case arguments == nil:
		r.Arguments = []byte("{}")
	case len(arguments) > mostArguments(m.config.Engine):
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
	if others := besideArguments(o); others != nil {
		r.Message += " and " + beginning(others, maxShownArguments)
		r.MessageCut = r.MessageCut || len(others) > maxShownArguments
		r.Persistable, r.CandidatesCut = false, true
	}
	if r.Arguments != nil {
		r.Takes |= elicit.TakesEdit
		r.ArgumentsSchema = m.tools.said[k.tool].schema
	}
	meta, _ := o.Child("_meta")
	refused := refusedCall
	switch {
	case o.Get("task") != nil:
		refused = refusedTask
	case meta.Get(gate.MetaVersion) != nil: // 2026-07-28 and later
		refused = refusedRound
	}
	q.Settle = func(r effect.Reply) { m.heldCallDecided(k, r, refused) }
	m.askOfTool(q)
}

// beginning is a text up to a number of bytes. A text that is cut ends with a whole character and a mark.
func beginning(text []byte, most int) string {
	if len(text) <= most {
		return string(text)
	}
	n := most
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return string(text[:n]) + "…"
}

// mostArguments is the engine's limit of the arguments that a question may have.
func mostArguments(config []byte) int {
	if v := gjson.GetBytes(config, "limits.arguments"); v.Exists() {
		return int(v.Int())
	}
	limits := engine.Limits()
	return limits[slices.IndexFunc(limits, func(l engine.Limit) bool { return l.Name == "arguments" })].Default
}

// heldCallDecided sends a held call on, or answers it.
func (m *Machine) heldCallDecided(k *call, r effect.Reply, refused func(id []byte, r effect.Reply) []byte) {
	if !m.calls.open(k) {
		return
	}
	k.held = false
	switch r.Outcome {
	case elicit.Accepted:
		m.approved(k, r)
		m.release(k)
	case elicit.Failed:
		m.calls.remove(k)
		m.out.send(Client, wire.AppendProblems(nil, gate.Clone(k.id), link.ErrorCode(r.Cause), r.Problems))
	default:
		m.calls.remove(k)
		m.out.decided(Client, refused(gate.Clone(k.id), r), func() {
			m.out.send(Client, wire.AppendProblems(nil, gate.Clone(k.id), wire.InternalError, lost(r).Problems))
		})
	}
}

// approved records what was accepted. A person's arguments replace those of the call. A retry of the client still has
// its own.
func (m *Machine) approved(k *call, r effect.Reply) {
	kept := r.KeptArguments
	if r.Arguments != nil {
		if k.asked == "" {
			k.asked = argumentsOf(paramsOf(k.request))
		}
		edited, _ := wire.Set(nil, k.request, r.Arguments, true, "params", "arguments")
		m.calls.keep(k, len(edited)-len(k.request))
		k.request = edited
	} else {
		o, _ := wire.ReadObject(paramsOf(k.request))
		if kept = jsontext.AppendValue(nil, o.Get("arguments")); len(kept) == 0 {
			kept = []byte("{}")
		}
	}
	sum := digest.Sum256(kept)
	k.approval = approval{argumentsOf(paramsOf(k.request)), m.decider.rules, r.Session, r.Ref, digest.Hex(sum[:])}
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
	dst = jsontext.AppendString(append(dst, `{"content":[{"type":"text","text":`...), whyNotMade(r))
	return append(dst, `}],"isError":true`...)
}

// whyNotMade tells a model why a call was not made, and what the person or the prepared answer had to say.
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
