package proxy

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// newID mints an id for a request of our own. It is a string nobody can guess, because an answer is believed by its id
// and both peers number their requests from one.
func (p *Proxy) newID() []byte {
	p.minted++
	return quote(p.prefix + strconv.Itoa(p.minted))
}

// ownID reports whether an id was minted here.
func (p *Proxy) ownID(id []byte) bool {
	s, ok := wire.Text(id)
	return ok && strings.HasPrefix(s, p.prefix)
}

func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string always can be
	return b
}

// askClient puts a question before the client, in the words of whoever asked. Whatever comes back goes through the
// engine; what cannot be read as an answer counts as nobody having seen the question.
func (p *Proxy) askClient(id elicit.ID, params []byte, mode elicit.Mode, done answer) {
	requestID := p.newID()
	dialect := p.dialect
	p.asked[wire.IDKey(requestID)] = func(e wire.Envelope) {
		delete(p.withClient, id)
		if e.Kind != wire.Result {
			p.note("the client did not answer a question: %s", printable(errorText(e)))
			done(ui.Given{Action: elicit.Cancel, Via: engine.ViaNoUI})
			return
		}
		a, problems := dialect.DecodeAnswer(e.Result, mode)
		if problems != nil {
			p.note("the client's answer cannot be used: %s", printable(wire.Sentence(problems)))
			done(ui.Given{Action: elicit.Cancel, Via: engine.ViaNoUI})
			return
		}
		done(ui.Given{Action: a.Action, Content: a.Content, Via: engine.ViaClient})
	}
	p.withClient[id] = func(why elicit.Cause) { p.takeBack(requestID, string(why)) }
	p.toClient.put(ended(wire.AppendRequest(nil, requestID, mcp.MethodCreate, params)))
}

// errorText is why an error came instead of an answer.
func errorText(e wire.Envelope) string {
	if e.Problems != nil {
		return wire.Sentence(e.Problems)
	}
	o, _ := wire.ReadObject(e.Error)
	why, _ := wire.Text(o.Get("message"))
	return why
}

// takeBack tells the client that an answer to our request is no longer wanted.
func (p *Proxy) takeBack(requestID []byte, why string) {
	delete(p.asked, wire.IDKey(requestID))
	params := append(append([]byte(`{"requestId":`), requestID...), `,"reason":`...)
	params = append(append(params, quote(why)...), '}')
	p.toClient.put(ended(wire.AppendNotification(nil, mcp.MethodCancelled, params)))
}
