package relay

import (
	"cmp"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// approval is the yes to a held call. The zero value is none.
type approval struct {
	arguments string // argumentsOf the call that was accepted, with the person's edits
	rules     int    // Machine.rules when it was accepted
	// These are for the journal: the question, and the digest of the arguments as it may keep them.
	session, ref, digest string
}

// holds reports whether a call needs an approval.
func (t *toolbox) holds(which gate.Method) bool { return t.held && which == methodToolsCall }

// release sends a call to the server, for the first time or again. A held call takes no other way to the server. It
// leaves only as it was accepted, under the rules that were in force then. Under other rules, it is decided again.
func (m *Machine) release(k *call) {
	held := m.tools.holds(k.method)
	if held && (k.approval.arguments == "" || k.approval.rules != m.decider.rules) {
		m.hold(k)
		return
	}
	id := k.first.Raw()
	if k.sent {
		id = m.ids.Next()
	}
	body, problems := k.message(id, answerLimits)
	switch {
	case problems != nil:
		m.failCall(k, problems...)
		return
	case held && argumentsOf(paramsOf(body)) != k.approval.arguments:
		m.failCall(k, elicit.Problem{Code: "call_not_accepted"})
		return
	case held && !m.recordCall(k):
		m.failCall(k, elicit.Problem{Code: cmp.Or(m.decider.why, "internal")})
		return
	}
	k.sent = true
	m.calls.sent(k, gate.KeyOf(id))
	m.out.decided(Server, body, func() {
		if m.calls.open(k) {
			m.failCall(k, elicit.Problem{Code: "journal_failed"})
		}
	})
}

// recordCall puts into the journal that a held call is sent. It returns false if no record says so.
func (m *Machine) recordCall(k *call) bool {
	engines := m.decider.replaced
	m.do(event.Called{Session: k.approval.session, Ref: k.approval.ref, Tool: k.tool, Digest: k.approval.digest,
		Again: k.sent})
	return !m.decider.broken && m.decider.replaced == engines
}

// message is the call for the server, under an id, with the answers of its last round.
func (k *call) message(id []byte, lim wire.Limits) ([]byte, []elicit.Problem) {
	switch {
	case !k.sent:
		return gate.Clone(k.request), nil
	case k.turn == nil:
		return gate.Splice(k.request, "id", id), nil
	}
	retry, problems := k.turn.Retry(id)
	if problems != nil {
		return nil, problems
	}
	return mcp.AppendRetry(nil, k.request, retry, lim)
}
