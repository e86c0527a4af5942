package relay

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// decider is the engine, and what a new one must know if this one fails.
type decider struct {
	engine    *engine.Engine
	pending   []effect.Effect // of the engine
	busy      bool            // they are being performed
	consults  int             // guests asked in this step
	replaced  int             // engines that failed
	broken    bool            // the journal or the engine failed for good: nothing is decided any more
	why       string          // the code of the reason
	sessions  []string        // open ones, in the order of opening
	revoked   []elicit.ID
	ruled     string // the rules of the latest configuration
	rules     int    // how often they may have changed
	arguments int    // the most bytes of arguments that a question may have
}

// next takes a pending effect. ok is false if there is none.
func (d *decider) next() (e effect.Effect, ok bool) {
	if len(d.pending) == 0 {
		d.pending = nil
		return nil, false
	}
	e, d.pending = d.pending[0], d.pending[1:]
	return e, true
}

// revoke records a grant as revoked.
func (d *decider) revoke(grant elicit.ID) {
	if len(d.revoked) < maxRevoked && !slices.Contains(d.revoked, grant) {
		d.revoked = append(d.revoked, grant)
	}
}

// maxRevoked is the most revoked grants that are remembered. An engine holds no more grants.
const maxRevoked = 4096

// rule notes the rules of a configuration.
func (d *decider) rule(config []byte) {
	if rules := rulesOf(config); rules != d.ruled {
		d.ruled, d.rules = rules, d.rules+1
	}
}

// opens notes a session, and reports whether it is new.
func (d *decider) opens(session string) bool {
	known := slices.Contains(d.sessions, session)
	if !known {
		d.sessions = append(d.sessions, session)
	}
	return !known
}

// fail records that nothing is decided any more, and why. The first reason stays.
func (d *decider) fail(code string) {
	if d.broken = true; d.why == "" {
		d.why = code
	}
}

// rulesOf returns what decides about a call in a configuration.
func rulesOf(config []byte) string {
	o, _ := wire.ReadObject(config)
	return string(o.Get("policy")) + string(o.Get("guardians"))
}

// withGrants is a configuration with the grants of the one before, unless it has a list of its own.
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
