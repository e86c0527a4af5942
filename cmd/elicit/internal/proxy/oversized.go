package proxy

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// glimpse is what can be told about a message from its beginning alone, or from text that no strict reader accepts. It
// is good for saying that something was refused, never for acting on.
type glimpse struct {
	id      []byte   // raw, nil when not seen
	methods []string // every method named, because peers differ on which of two duplicate members counts
	answer  bool     // has a result or an error
}

// glance reads members of the outermost object as far as they can be read.
func glance(head []byte) (g glimpse) {
	d := json.NewDecoder(bytes.NewReader(head))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return g
	}
	for {
		name, err := d.Token()
		if err != nil {
			return g
		}
		if name == "result" || name == "error" {
			g.answer = true
		}
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return g
		}
		g.member(name, v)
	}
}

func (g *glimpse) member(name json.Token, v json.RawMessage) {
	switch name {
	case "id":
		if wire.ValidID(v) {
			g.id = bytes.Clone(v)
		}
	case "method":
		var s string
		if json.Unmarshal(v, &s) == nil {
			g.methods = append(g.methods, s)
		}
	}
}

// asks reports whether some peer might read an elicitation out of the message.
func (g *glimpse) asks() bool { return slices.Contains(g.methods, mcp.MethodCreate) }

// tooLong answers for a message that is lost: whoever waits for it gets an error instead of silence. sender wrote it,
// receiver was to get it.
func (p *Proxy) tooLong(l line, from string, sender, receiver *outlet) {
	g := glance(l.raw)
	problem := elicit.Problem{Code: "message_too_long", Args: []elicit.Arg{elicit.Num("limit", p.o.MaxLine)}}
	switch {
	case g.id == nil:
		p.note("dropped a message of the %s longer than %d bytes; --max-message raises the limit", from, p.o.MaxLine)
		return
	case g.answer && from == "server":
		p.failCall(p.calls.answered(g.id), g.id, wire.InternalError, problem)
	case g.answer && p.asked[wire.IDKey(g.id)] != nil:
		take := p.asked[wire.IDKey(g.id)]
		delete(p.asked, wire.IDKey(g.id))
		take(wire.Envelope{Kind: wire.Error, ID: g.id, Problems: []elicit.Problem{problem}})
	case g.answer && (p.ownID(g.id) || p.questions[canonicalID(g.id)] != nil):
		return
	case g.answer:
		receiver.put(ended(wire.AppendProblems(nil, g.id, wire.InternalError, []elicit.Problem{problem})))
	default:
		sender.put(ended(wire.AppendProblems(nil, g.id, wire.InvalidRequest, []elicit.Problem{problem})))
	}
	p.note("refused a message of the %s longer than %d bytes (id %s); --max-message raises the limit", from, p.o.MaxLine, g.id)
}
