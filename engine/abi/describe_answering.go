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
	jsontext.Strings(o, "events", event.Names())
	jsontext.Strings(o, "effects", effect.Names())
	jsontext.Strings(o, "abouts", effect.Abouts())
	jsontext.Strings(o, "protocols", protocols())
	jsontext.Strings(o, "actions", []elicit.Action{elicit.Accept, elicit.Decline, elicit.Cancel})
	jsontext.Strings(o, "outcomes", []elicit.Outcome{elicit.Accepted, elicit.Declined, elicit.Cancelled, elicit.Failed})
	jsontext.Strings(o, "causes", elicit.Causes())
}

// describeMachines lists what configures an engine or a connection.
func describeMachines(o *jsontext.Object) {
	jsontext.List(o, "limits", engine.Limits())
	jsontext.List(o, "configuration", engine.ConfigKeys())
	jsontext.Strings(o, "layers", layers())
	jsontext.Strings(o, "policy_keys", policy.Keys(""))
	jsontext.Strings(o, "receipts", event.Receipts())
	jsontext.Strings(o, "scopes", elicit.Scopes())
	jsontext.Strings(o, "vias", event.Vias())
	jsontext.Strings(o, "takes", elicit.TakesNames())
	jsontext.Strings(o, "parts", elicit.PartKinds())
	jsontext.Strings(o, "faults", guardian.Faults())
	jsontext.Strings(o, "phases", effect.Phases())
	jsontext.Strings(o, "resolutions", effect.Resolutions())
	jsontext.Strings(o, "frameworks", frameworks())
	jsontext.Strings(o, "interrupt_options", interruptOptions())
	o.Name("relay", describeRelay)
	// nil in the build for browsers, whose description then lacks the member asking.
	if describeAsking != nil {
		o.Name("asking", describeAsking)
	}
}

func describeRelay(dst []byte) []byte {
	o := jsontext.Begin(dst)
	jsontext.Strings(&o, "events", relay.EventNames())
	jsontext.Strings(&o, "effects", relay.EffectNames())
	jsontext.Strings(&o, "roles", relay.Roles())
	jsontext.Strings(&o, "askers", relay.Askers())
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
