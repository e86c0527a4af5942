//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// askingMachine is a machine of the asking side in a slot.
type askingMachine struct{ *asking.Machine }

// openAsking opens the machine of one client from {"asking":{…},"state"?:{…},"at"?,"random"?}. With a state, it goes on
// with the machine that {"save":true} wrote.
func openAsking(t *Table, r *strict.Reader, _ []byte) (reading, begins) {
	config, wrong := asking.ReadConfig(r.Raw("asking"))
	r.IncludeProblems("/asking", wrong)
	state := r.Raw("state")
	given := readGiven(r)
	if t.Guests != nil {
		config.Guests = t.Guests
		r.Problems = append(r.Problems, within("/asking/config", engine.CheckGuests(config.Engine, t.Guests))...)
	}
	return given, func(in reading, dst []byte) (machine, []byte, []elicit.Problem) {
		m, effects, problems := beginAsking(config, state, asking.Input{At: in.At, Random: in.Random})
		if len(problems) > 0 {
			return nil, nil, problems
		}
		return askingMachine{m}, appendEffects(dst, effects), nil
	}
}

// beginAsking makes a machine, or loads one if there is a state.
func beginAsking(c asking.Config, state []byte, in asking.Input) (*asking.Machine, []asking.Effect, []elicit.Problem) {
	if state == nil {
		m, effects, problems := asking.New(c, in)
		return m, effects, within("/asking/config", problems)
	}
	m, effects, problems := asking.Load(c, state, in)
	return m, effects, within("/state", problems)
}

func (askingMachine) limits() jsontext.Limits {
	return jsontext.Limits{Bytes: maxAsking, Depth: 140, Members: 1 << 20}
}

// maxAsking is the most bytes of an input: it has room for the largest state. One more MiB is for the members around
// the state.
const maxAsking = asking.MaxState + 1<<20

// tell answers {"save":true} with {"state":{…}}, and {"look":{…}} with the effects that the host has missed. A machine
// whose session is closed has no state.
func (a askingMachine) tell(root gjson.Result, dst []byte) ([]byte, Status, bool) {
	// The look changes nothing, so a host may ask again and again.
	if v := member(root, "look"); v.Exists() {
		l, problems := asking.ReadLook([]byte(v.Raw))
		if len(problems) > 0 {
			return appendProblem(dst, within("/look", problems)...), Invalid, true
		}
		return appendEffects(dst, a.Look(l)), OK, true
	}
	v := member(root, "save")
	if !v.Exists() {
		return nil, OK, false
	}
	// {"save":"name"} is for an engine, which has several sessions. A machine of the asking side has one.
	if v.Type != gjson.True {
		return missing(dst, "save"), Invalid, true
	}
	state := a.Save()
	if state == nil {
		return appendProblem(dst, elicit.Problem{Code: "session_closed", Pointer: "/save"}), Invalid, true
	}
	return append(append(append(dst, `{"state":`...), state...), '}'), OK, true
}

// read reads {"event":{…},"at"?,"random"?} or a bare event.
func (a askingMachine) read(root gjson.Result) (reading, perform, []elicit.Problem) {
	event, given, problems := readEvent(root, asking.ReadEvent)
	return given, a.step(event), problems
}

func (a askingMachine) step(event asking.Event) perform {
	return func(given reading, dst []byte) []byte {
		return appendEffects(dst, a.Step(asking.Input{At: given.At, Random: given.Random, Event: event}))
	}
}
