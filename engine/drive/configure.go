package drive

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// Configure gives the engine another configuration and other guests, or nothing at all. With problems, in a policy as
// well as elsewhere, everything stays as it was, and the journal gets no record. The new guests are asked from this
// step on. The old guests are not asked after it, so the caller may close them when Configure returns.
//
// then, unless nil, is called when the configuration is in force, and before any other step. It must not call the
// driver. An error says that the driver cannot go on; then is called all the same. It is for a host that reloads its
// settings while questions are open. Open questions keep their decision, see event.Configured.
func (d *Driver) Configure(config []byte, guests engine.Guests, then func()) (problems []elicit.Problem, err error) {
	// Checked outside of the lock: reading a large policy must not hold up a message.
	problems, inPolicies := engine.CheckConfig(config)
	problems = append(append(problems, inPolicies...), engine.CheckGuests(config, guests)...)
	if len(problems) > 0 {
		return problems, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return nil, ErrShutdown
	}
	// The old configuration still decides what was due before this event, so its guests can be asked in this step.
	d.guests.old, d.guests.now = d.guests.now, guests
	defer func() { d.guests.old = nil }()
	err = d.locked(event.Configured{Config: config}, nil)
	if then != nil {
		then()
	}
	return nil, err
}

// guests are those in force and, in the step that replaces them, the old ones too. The driver's lock guards them. old
// is nil but for one step. A pointer to this struct is the engine.Guests of the machine, which so sees the change.
type guests struct{ now, old engine.Guests }

// holder is who holds the module of a digest and the data document of another, "" for none; else who holds the module,
// nil when nobody does. Old and new guests may hold one module, and each another document.
func (g *guests) holder(digest, data string) (found engine.Guests) {
	for _, some := range []engine.Guests{g.now, g.old} {
		if some == nil {
			continue
		}
		if _, _, held := some.Manifest(digest); held && (data == "" || some.Holds(data)) {
			return some
		} else if held && found == nil {
			found = some
		}
	}
	return found
}

// Holds reports whether a data document is held.
func (g *guests) Holds(data string) bool {
	return g.now != nil && g.now.Holds(data) || g.old != nil && g.old.Holds(data)
}

// Manifest is what the module of a digest says of itself.
func (g *guests) Manifest(digest string) (m guardian.Manifest, wasi, held bool) {
	if some := g.holder(digest, ""); some != nil {
		return some.Manifest(digest)
	}
	return m, false, false
}

// CheckSettings asks the module of a permit whether its settings fit.
func (g *guests) CheckSettings(permit guardian.Permit) (problems []elicit.Problem, asked bool) {
	if some := g.holder(permit.Digest, permit.Data); some != nil {
		return some.CheckSettings(permit)
	}
	return nil, false
}

// Evaluate asks a guardian.
func (g *guests) Evaluate(c effect.Consult) (said event.Consulted, known bool) {
	if some := g.holder(c.Digest, c.Data); some != nil {
		return some.Evaluate(c)
	}
	return said, false
}
