package proxy

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Keeper keeps the grants that hold always. It is called from the loop alone.
type Keeper interface {
	Add(engine.Grant) error
	Revoked() []elicit.ID // those that somebody has revoked elsewhere since
}

// Remember keeps a grant that holds always; the engine keeps the others.
func (h host) Remember(r engine.Remember) {
	if r.Grant.Scope != engine.Always {
		return
	}
	h.inbox.post(func() {
		if h.o.Grants == nil {
			h.note("there is nowhere to keep what you agreed to always; it holds until this run ends")
		} else if err := h.o.Grants.Add(r.Grant); err != nil {
			h.note("%v; what you agreed to holds until this run ends", err)
		}
	})
}

// revoke ends the grants that have been revoked elsewhere, before they can answer.
func (p *Proxy) revoke() {
	if p.o.Grants == nil {
		return
	}
	for _, id := range p.o.Grants.Revoked() {
		p.do(engine.Revoked{Grant: id})
	}
}
