package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pull"
)

// lone is an engine without a connection in a slot. It has the clock of its inputs, because an engine takes both times
// ready-made.
type lone struct {
	*engine.Engine
	clock    elicit.Clock
	guests   Guests // nil for none
	poisoned bool   // only a save and a list work
}

// openEngine opens an engine from a configuration, or from {"config","at"?,"random"?} of a caller that also sets the
// time and the random bytes of the first record. No configuration has a member config.
func openEngine(t *Table, r *strict.Reader, input []byte) (reading, begins) {
	given := reading{Input: engine.Input{At: -1}}
	if config := r.Take("config"); config.Exists() {
		input, given = []byte(config.Raw), readGiven(r)
	}
	if t.Guests != nil {
		r.Problems = append(r.Problems, engine.CheckGuests(input, t.Guests)...)
	}
	return given, func(in reading, dst []byte) (machine, []byte, []elicit.Problem) {
		e := &lone{Engine: engine.New(), guests: t.Guests}
		in.Event = event.Configured{Config: input}
		effects := e.step(in)
		// The first problem ends it, also one in a policy: a caller should not go on with a policy that fails closed by
		// a slip.
		for _, next := range effects {
			if p, bad := next.(effect.Problem); bad {
				return nil, nil, p.Problems
			}
		}
		return e, appendEffects(dst, effects), nil
	}
}

func (*lone) limits() jsontext.Limits { return jsontext.Limits{Bytes: MaxInput, Depth: 140} }

// read reads {"event","at"?,"elapsed"?,"random"?} or a bare event. CheckGuests is asked here and not in the engine,
// which knows no modules. So a configuration that names a module wrongly is refused before it is an event, and leaves
// no record.
func (e *lone) read(root gjson.Result) (reading, perform, []elicit.Problem) {
	if e.poisoned {
		panic("a poisoned engine steps no more")
	}
	in, problems := readInput(root)
	if c, configures := in.Event.(event.Configured); configures && e.guests != nil && len(problems) == 0 {
		problems = within("/event/config", engine.CheckGuests(c.Config, e.guests))
	}
	return in, func(in reading, dst []byte) []byte { return appendEffects(dst, e.step(in)) }, problems
}

// Guests run inside of the step, as in a host of Go.
func (e *lone) step(in reading) []effect.Effect {
	return pull.StepWithGuests(e.Engine, e.guests, in.resolved(&e.clock))
}

// tell answers {"save":session} with {"state":{…}}, and {"list":"grants"} with {"grants":[…]}. The state is a copy. A
// host may save after each step, or only before it moves the session.
func (e *lone) tell(root gjson.Result, dst []byte) ([]byte, Status, bool) {
	session, list := member(root, "save"), member(root, "list")
	switch {
	case session.Exists() && session.Type != gjson.String:
		return missing(dst, "save"), Invalid, true
	case session.Exists():
		state, ok := e.Save(session.String())
		if !ok {
			return appendProblem(dst, elicit.Problem{Code: "unknown_session", Pointer: "/save"}), Invalid, true
		}
		return append(append(append(dst, `{"state":`...), state...), '}'), OK, true
	case list.Exists() && list.Str != "grants":
		return missing(dst, "list"), Invalid, true
	case list.Exists():
		return appendGrants(dst, e.Grants()), OK, true
	}
	return nil, OK, false
}

func appendGrants(dst []byte, grants []elicit.Grant) []byte {
	return append(elicit.AppendList(append(dst, `{"grants":`...), grants), '}')
}
