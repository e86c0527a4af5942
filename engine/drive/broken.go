package drive

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// failClosed is what happens when a batch could not be journaled: whatever it had decided gives way to an error, every
// open request of every session ends the same way, and from then on nothing is asked or answered.
func (d *Driver) failClosed(effects []engine.Effect, why error) {
	d.broken = why
	d.setWake(0)
	d.replyFailed(effects)
	for _, session := range d.engine.Sessions() {
		in := engine.Input{At: d.opts.Now().UnixMilli(), Event: engine.Closed{Session: session, Cause: elicit.ByShutdown}}
		d.replyFailed(d.engine.Step(in))
	}
}

// replyFailed performs what remains of a batch whose decisions may not stand.
func (d *Driver) replyFailed(effects []engine.Effect) {
	for _, effect := range effects {
		switch ef := effect.(type) {
		case engine.Reply:
			d.host.Reply(unjournaled(ef.Session, ef.ID, ef.Ref))
		case engine.Withdraw:
			d.host.Withdraw(ef)
		case engine.Problem:
			d.host.Problem(ef)
		}
	}
}

// refuse answers a question that comes after the journal has failed.
func (d *Driver) refuse(ev engine.Event) {
	if asked, ok := ev.(engine.Asked); ok {
		d.host.Reply(unjournaled(asked.Session, "", asked.Ref))
	}
}

func unjournaled(session string, id elicit.ID, ref string) engine.Reply {
	return engine.Reply{Session: session, ID: id, Ref: ref, Outcome: elicit.Failed, Cause: elicit.ByShutdown,
		Problems: []elicit.Problem{{Code: "journal_failed"}}}
}
