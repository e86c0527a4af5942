//go:build !core

package abi

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// describeAnswering lists what a question is made of.
func describeAnswering(o *jsontext.Object) {
	names(o, "events", event.Names())
	names(o, "effects", effect.Names())
	names(o, "abouts", effect.Abouts())
	names(o, "protocols", protocols())
	names(o, "actions", []elicit.Action{elicit.Accept, elicit.Decline, elicit.Cancel})
	names(o, "outcomes", []elicit.Outcome{elicit.Accepted, elicit.Declined, elicit.Cancelled, elicit.Failed})
	names(o, "causes", elicit.Causes())
}

// describeMachines lists what configures an engine or a connection.
func describeMachines(o *jsontext.Object) {
	jsontext.List(o, "limits", engine.Limits())
	jsontext.List(o, "configuration", engine.ConfigKeys())
	names(o, "layers", layers())
	names(o, "policy_keys", policy.Keys(""))
	names(o, "receipts", event.Receipts())
	names(o, "scopes", elicit.Scopes())
	names(o, "vias", event.Vias())
	names(o, "takes", elicit.TakesNames())
	names(o, "parts", elicit.PartKinds())
	names(o, "faults", guardian.Faults())
	names(o, "phases", effect.Phases())
	names(o, "resolutions", effect.Resolutions())
	names(o, "frameworks", frameworks())
	names(o, "interrupt_options", interruptOptions())
	o.Name("relay", describeRelay)
	// nil in the build for browsers, whose description then lacks the member asking.
	if describeAsking != nil {
		o.Name("asking", describeAsking)
	}
}

func describeRelay(dst []byte) []byte {
	o := jsontext.Begin(dst)
	names(&o, "events", relay.EventNames())
	names(&o, "effects", relay.EffectNames())
	names(&o, "roles", relay.Roles())
	names(&o, "askers", relay.Askers())
	jsontext.List(&o, "config", relay.ConfigKeys())
	return o.End()
}

// protocols lists the versions of MCP, the oldest first, as "mcp 2025-06-18".
func protocols() (versions []string) {
	for _, d := range mcp.Dialects() {
		versions = append(versions, "mcp "+d.Version)
	}
	return versions
}

// layers names every layer of policy that a configuration may have, the strongest first. The builtin layer is none of a
// configuration.
func layers() (list []string) {
	for _, l := range policy.Layers() {
		list = append(list, l.String())
	}
	return list
}
