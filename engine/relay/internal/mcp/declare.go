package mcp

import (
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// These are the dates whose spelling is used for an unknown version.
var (
	oldest, _ = mcp.Lookup("2025-06-18")
	linked, _ = mcp.Lookup("2025-11-25")
	rounds, _ = mcp.Lookup("2026-07-28")
)

// direct returns the dialect of a session that begins with initialize. Dates before elicitation use the first date
// that has it. Dates after the last such session use that last one.
func direct(version string) mcp.Dialect {
	if d, ok := mcp.Lookup(version); ok && d.Carrier == wire.Direct {
		return d
	}
	if version < oldest.Version {
		return oldest
	}
	return linked
}

// declarations lists where the request in o declares capabilities: initialize once, a 2026-07-28 request in its _meta.
func declarations(k gate.Method, o wire.Object) (list []link.Declaration) {
	params, ok := o.Child("params")
	if !ok {
		return nil
	}
	if k == methodInitialize {
		version, _ := wire.Text(params.Get("protocolVersion"))
		list = append(list, link.Declaration{Dialect: direct(version), Path: []string{"params", "capabilities"}})
	}
	if meta, ok := params.Child("_meta"); ok &&
		(meta.Get(gate.MetaVersion) != nil || meta.Get(gate.MetaCapabilities) != nil) {
		list = append(list, link.Declaration{Dialect: rounds, Path: []string{"params", "_meta", gate.MetaCapabilities}})
	}
	return list
}

// declareIn writes the host's modes into the request of a call, in every place where the client declares capabilities.
func (d *Dialogue) declareIn(k *call, which gate.Method, body []byte) []byte {
	o, _ := wire.ReadObject(body)
	for _, at := range declarations(which, o) {
		body, k.declared, k.client = d.link.Who.Declare(body, at)
		if at.Dialect.Carrier == wire.Rounds {
			k.rounds = true
			k.session = d.open(k.declared, k.client)
		}
	}
	return body
}

// agreed is what both ends of MCP agreed on by initialize.
type agreed struct {
	dialect  mcp.Dialect
	declared mcp.Modes // what the session declared to the server
	client   mcp.Modes // what the client itself declared in it
	session  string    // the engine session of its questions
}
