package mcp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// continuation is a round that a client has, which supports multi-round calls. The retry of its call is built from
// nothing else: of the retry, the machine takes only the answers and _meta.
type continuation struct {
	state    string      // the token that the client has; no one can guess it
	request  []byte      // the call as the server gets it: with the person's arguments, without answers
	asked    string      // argumentsOf the call as the client made it
	approval approval    // of a held call
	turn     *turn       // the questions, and the answers so far
	keys     []string    // the questions that the client was given
	over     *link.Timer // abandons the round when it expires
}

// size is what a continuation counts towards the bytes that are kept.
func (c *continuation) size() int { return len(c.request) + c.turn.size }

// handed are the rounds that clients have. Each is taken once.
type handed struct{ list []*continuation } // the oldest first

func (r *handed) find(state string) *continuation {
	if i := slices.IndexFunc(r.list, func(c *continuation) bool { return c.state == state }); i >= 0 {
		return r.list[i]
	}
	return nil
}

// has reports whether a call whose round a client has is known to the engine by this name.
func (r *handed) has(parent string) bool {
	return slices.ContainsFunc(r.list, func(c *continuation) bool { return c.turn.call.parent == parent })
}

func (r *handed) take(c *continuation) {
	r.list = slices.DeleteFunc(r.list, func(one *continuation) bool { return one == c })
}

// notArguments are the params of a call that its retry may change.
var notArguments = []string{"_meta", "inputResponses", "requestState"}

// argumentsOf is a digest of the params of a call, less those that a retry may change: of the tool, its arguments, and
// whatever else the client may ask of the server in the call.
func argumentsOf(params []byte) string {
	o, ok := wire.ReadObject(params)
	if !ok {
		return sortedDigest([]byte("null")) // never "", which says that a call is not approved
	}
	return sortedDigest(wire.Apply(nil, params, o.Exchange(nil, nil, notArguments...)))
}

// sortedDigest is SHA-256 in hex. The order of members does not count, except in a document that is larger or deeper
// than any other that is read whole.
func sortedDigest(document []byte) string {
	spell := jsontext.AppendSorted
	if jsontext.Check(document, jsontext.DocumentLimits()) != nil {
		spell = jsontext.AppendValue
	}
	sum := digest.Sum256(spell(nil, document))
	return digest.Hex(sum[:])
}

// paramsOf returns the params of a request, or nil.
func paramsOf(request []byte) []byte {
	o, _ := wire.ReadObject(request)
	return o.Get("params")
}

// withMeta returns a request with the _meta of another one, or without _meta if meta is nil.
func withMeta(request, meta []byte) []byte {
	if meta != nil {
		out, _ := wire.Set(nil, request, meta, true, "params", "_meta")
		return out
	}
	o, _ := wire.ReadObject(request)
	params, _ := o.Child("params")
	return wire.Apply(nil, request, params.Exchange(nil, nil, "_meta"))
}

// entryText returns the text of an entry for the client: a question in the words that were inspected, and anything
// else with its method and params.
func entryText(e *mcp.Entry) []byte {
	params := e.Params
	if !e.Foreign() {
		params, _ = rounds.AppendCreate(nil, &e.Request)
	}
	out := jsontext.Begin(nil)
	out.Str("method", e.Method)
	if params != nil {
		out.Raw("params", params)
	}
	return out.End()
}
