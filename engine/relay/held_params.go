package relay

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
)

// heldParams are the params of a tools/call that a question about it accounts for. task says how the result comes.
var heldParams = []string{"name", "arguments", "task", "_meta", "inputResponses", "requestState"}

// heldFault returns why nobody can be asked about a tools/call with these params, or nil. Policy and the person decide
// about a tool, and a server may take a name that is no text for another tool.
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
func besideArguments(params wire.Object) []byte {
	if !slices.ContainsFunc(params.Members, func(m wire.Member) bool { return !slices.Contains(heldParams, m.Name) }) {
		return nil
	}
	text := wire.Apply(nil, params.Text, params.Exchange(nil, nil, heldParams...))
	return jsontext.AppendValue(nil, text)
}
