package decider

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
)

// configured notes a configuration that the engine took, so that an engine which replaces it has the same. A document
// without grants keeps those that the engine has, so the note keeps them too.
//
// Other rules count from here on for calls that are sent again. A policy with problems is taken too, so the rules may
// have changed whatever the engine reports.
//
// A configuration with problems in its effects was not taken as a whole, so a replacement keeps the earlier one.
func (d *Decider) configured(ev event.Configured, effects []effect.Effect) {
	if ev.Refused != "" {
		return
	}
	if rules := rulesOf(ev.Config); rules != d.ruled {
		d.ruled = rules
		d.state.Rules++
	}
	for _, next := range effects {
		if _, bad := next.(effect.Problem); bad {
			return
		}
	}
	d.config.Engine = withGrants(gate.Clone(ev.Config), d.config.Engine)
	d.state.Arguments = mostArguments(d.config.Engine)
}

// rulesOf returns what decides about a call in a configuration.
//
// The texts are compared as spelled. Another spelling of the same rules only costs a second question about a held call.
func rulesOf(config []byte) string {
	o, _ := wire.ReadObject(config)
	return string(o.Get("policy")) + string(o.Get("guardians"))
}

// withGrants is a configuration with the grants of the one before, unless it has a list of its own.
//
// A list in the new configuration replaces the earlier one, also an empty list. It is how a host takes grants away.
func withGrants(config, before []byte) []byte {
	next, ok := wire.ReadObject(config)
	old, had := wire.ReadObject(before)
	grants := old.Get("grants")
	if !ok || !had || grants == nil || next.Get("grants") != nil {
		return config
	}
	o := jsontext.Begin(nil)
	for _, m := range next.Members {
		o.Raw(m.Name, next.Raw(m))
	}
	o.Raw("grants", grants)
	return o.End()
}

// mostArguments is the engine's limit of the arguments that a question may have.
func mostArguments(config []byte) int {
	if v := gjson.GetBytes(config, "limits.arguments"); v.Exists() {
		return int(v.Int())
	}
	limits := engine.Limits()
	return limits[slices.IndexFunc(limits, func(l engine.Limit) bool { return l.Name == "arguments" })].Default
}
