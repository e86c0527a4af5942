// Package pull is the loop around a machine, without input and output. A host gives it messages and events, and takes
// one effect after another. The loop keeps the order, gives the machine its ticks, and reports a record that could not
// be kept and a guardian that no one could ask. Package drive adds a clock, a journal and a timer for Go hosts. Package
// abi gives the same loop to hosts in other languages, as elicit_next.
//
// One turn of a host:
//
//	l.Give(relay.Received{From: relay.Server}, message)
//	for {
//		next, bytes, wait := l.Next(now(), random)
//		if next == nil {
//			sleep(wait) // at most Recheck; then Next again
//			break
//		}
//		if !perform(next, bytes) {
//			l.Failed()
//		}
//	}
//
// These hold between two calls of Next:
//
//   - Effects of one step are given out completely before the machine steps again, except after a failure.
//   - An input is stepped once, in the order of Give. Faults of guardians and a failed append come before inputs.
//   - At most one tick is asked for: the last Wake counts.
package pull

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/relay"
)

// Machine is what the loop steps: the machine of a connection, or one with fewer events and effects. The loop never
// asks it for anything else, so a machine decides what a failed append or an early tick means.
type Machine interface {
	Step(relay.Input) []relay.Effect
}

// Time is the time of a step, as in relay.Input.
type Time struct {
	At      int64
	Elapsed elicit.Elapsed
}

// Recheck is the longest wait of Next, in milliseconds. A timer may not count suspended time, so the host calls Next
// again after at most that long. A call that comes early costs no step.
const Recheck = 20_000

// Never is the wait of Next if nothing is due.
const Never = -1

// Loop is the loop around one machine. It is not safe for concurrent use.
type Loop struct {
	machine Machine
	inputs  []input        // given and not stepped
	faults  []relay.Event  // of guardians that no one could ask; they come before other inputs
	effects []relay.Effect // of the last step, not taken
	// It belongs to the host and is dropped when Next returns nil. A Forward has these very bytes.
	message []byte       // of the last step
	last    relay.Effect // the effect that Next returned last
	stepped Time         // of the last step
	wake    effect.Wake  // when a tick is due
	woken   Time         // of the step with that wake
	// Both are set by fail: failing for one step, broken for good. A machine that is told once refuses everything
	// itself.
	failing bool // the next step tells the machine that a record could not be kept
	broken  bool // a record could not be kept, so no further record is
}

type input struct {
	event   relay.Event
	message []byte
}

// New returns the loop around a machine that was opened at a time, with the effects of opening it.
func New(machine Machine, at Time, beginning []relay.Effect) *Loop {
	return &Loop{machine: machine, stepped: at, effects: beginning}
}

// Give takes an event, and the message of a relay.Received. The loop reads the message until Next has returned nil. The
// event AppendFailed counts as a call of Failed. It steps nothing. Any number of inputs may wait, so a host that gives
// without taking fills memory.
func (l *Loop) Give(ev relay.Event, message []byte) {
	if _, failed := ev.(relay.AppendFailed); failed {
		l.fail()
		return
	}
	l.inputs = append(l.inputs, input{ev, message})
}

// Failed tells that the host could not perform the effect that Next returned last. For a consult, the guardian fails.
// For any other effect, the machine decides nothing more. The remaining effects of the step are dropped then. A call
// before Next has returned anything counts as a failed append too: a host that does not know what it did must not go
// on.
func (l *Loop) Failed() {
	c, consult := l.last.(effect.Consult)
	if !consult {
		l.fail()
		return
	}
	// A consult with a digest and without Host is for whoever has the module. Nobody loaded it here.
	fault := guardian.FaultUnavailable
	if c.Digest != "" && !c.Host {
		fault = guardian.FaultNotLoaded
	}
	l.faults = append(l.faults, c.Answer(event.Consulted{Fault: fault}))
}

// fail drops what follows from the last step. Inputs that were given stay, since the machine must refuse each of them.
func (l *Loop) fail() {
	l.effects, l.faults = nil, nil
	l.failing, l.broken = l.failing || !l.broken, true
}

// Next returns the next effect that the host must perform, with the bytes of a Forward or Send. It steps the machine
// when the effects of the last step were taken, and asks for random bytes only then. Without an effect, it returns how
// long to wait, in milliseconds, or Never. If random returns false, an id could be guessed, so the machine decides
// nothing more.
func (l *Loop) Next(now Time, random func(*[32]byte) bool) (next relay.Effect, message []byte, wait int64) {
	for {
		for len(l.effects) > 0 {
			next, l.effects = l.effects[0], l.effects[1:]
			switch ef := next.(type) {
			case effect.Wake:
				l.wake, l.woken = ef, l.stepped
				continue
			// After a failure the rest of a step would follow from a record that does not exist, so it is dropped as a
			// whole.
			case effect.Append, relay.NewJournal:
				if l.broken {
					l.effects = nil
					continue
				}
			case relay.Forward:
				message = l.message
			case relay.Send:
				message = ef.Message
			}
			l.last = next
			return next, message, 0
		}
		// The message is held until here because a Forward of the last step may have been the last effect.
		in, due := l.due(now)
		if !due {
			l.message = nil
			return nil, nil, l.wait(now)
		}
		in.At, in.Elapsed = now.At, now.Elapsed
		if !random(&in.Random) && !l.broken {
			// The effects of the last step have been performed. AppendFailed is about the last step, so a step without
			// effects comes first. The input comes after it: a machine that decides nothing needs no random bytes.
			l.machine.Step(relay.Input{})
			l.inputs = append([]input{{in.Event, in.Message}}, l.inputs...)
			in.Event, in.Message, l.broken = relay.AppendFailed{}, nil, true
		}
		l.stepped, l.message = now, in.Message
		l.effects = l.machine.Step(in)
	}
}

// due returns the input of the next step, if there is one.
func (l *Loop) due(now Time) (in relay.Input, due bool) {
	switch {
	case l.failing:
		in.Event, l.failing = relay.AppendFailed{}, false
	case len(l.faults) > 0:
		in.Event, l.faults = l.faults[0], l.faults[1:]
	case len(l.inputs) > 0:
		in.Event, in.Message = l.inputs[0].event, l.inputs[0].message
		l.inputs[0] = input{} // the message may be long
		if len(l.inputs) == 1 {
			l.inputs = l.inputs[:0]
		} else {
			l.inputs = l.inputs[1:]
		}
	case l.wait(now) == 0:
		in.Event, l.wake = event.Ticked{}, effect.Wake{}
	default:
		return in, false
	}
	return in, true
}

// wait returns for how long nothing is due. A tick comes after the time of the step that asked for it, so no machine
// keeps Next busy. After a clock has started again, a tick is due, and the machine then asks for another. By elapsed
// time when both the wake and now have one, else by the wall clock. A result of 0 makes the next step a tick.
func (l *Loop) wait(now Time) int64 {
	left, least := l.wake.At-now.At, int64(0)
	if now == l.woken {
		least = 1
	}
	switch {
	case l.wake.At == 0:
		return Never
	case l.wake.In > 0 && now.Elapsed > 0 && now.Elapsed < l.woken.Elapsed:
		return 0
	case l.wake.In > 0 && now.Elapsed > 0:
		left = int64(l.wake.In) - 1 - int64(now.Elapsed-l.woken.Elapsed)
	}
	return min(max(left, least), Recheck)
}
