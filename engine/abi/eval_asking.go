//go:build !browser

package abi

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// evalAsking gives a new machine of the asking side a list of inputs and returns the effects of each:
//
//	{"asking":{…},"inputs":[{"at"?,"random"?,"event":{…}}|{"save":true}|{"state":{…}}|{"fresh":true}…],"records"?:bool}
//	→ {"effects":[[…],…]}
//
// The first list has the effects of opening. An input {"save":true} saves the machine and goes on with one that was
// loaded from the state, {"state":{…}} with one loaded from that state, and {"fresh":true} with one that knows nothing.
// Each may have "at", and an event may be bare. An input {"look":{…}} tells what a host has missed.
//
// Ids and links depend on the random bytes. They are written "$1", "$2", … in the order in which effects first name
// them, and the refs of requests "ask-1", "ask-2", …. A string of an event may be such a name, or "$body" for the body
// of the last interrupt. Append effects are left out unless records is true; names then stay as they are.
//
// With {"asker":{…}} in place of "asking", the machine is that of a whole process, and its inputs are events alone. An
// input {"on":1,"event":{…}} is for another process. The states of commits are written "state-1", "state-2", …, and so
// an event names them. Records are left out.
func evalAsking(in gjson.Result, dst []byte) []byte {
	if member(in, "asker").Exists() {
		return evalAsker(in, dst)
	}
	config, problems := asking.ReadConfig([]byte(member(in, "asking").Raw))
	if len(problems) > 0 {
		return appendProblem(dst, within("/asking", problems)...)
	}
	if !member(in, "inputs").IsArray() {
		return missing(dst, "inputs")
	}
	r := askingRunner{config: config, records: member(in, "records").Bool()}
	effects, problems := r.begin(nil)
	if len(problems) > 0 {
		return appendProblem(dst, problems...)
	}
	dst = r.append(append(dst, `{"effects":[`...), effects)
	for i, input := range member(in, "inputs").Array() {
		dst = append(dst, ',')
		effects, problems := r.input(input)
		if len(problems) > 0 {
			dst = elicit.AppendList(dst, within("/inputs/"+strconv.Itoa(i), problems))
			continue
		}
		dst = r.append(dst, effects)
	}
	return append(dst, ']', '}')
}

// One run over one machine. For "asker" there are several machines, which share the names, the time and the count of
// steps.
type askingRunner struct {
	config  asking.Config
	machine *asking.Machine
	at      int64
	steps   int // so far; random bytes that an input does not give are made from it
	aliases
	records bool
}

func (r *askingRunner) begin(state []byte) ([]asking.Effect, []elicit.Problem) {
	m, effects, problems := beginAsking(r.config, state, r.given(reading{}))
	if len(problems) == 0 {
		r.machine = m
	}
	return effects, problems
}

// given is the time and the random bytes of an input. Two inputs never have the same random bytes by default, because
// the machine makes links from them. at never goes back. Random bytes count up: 01 00 …, 02 00 …, so vectors show real
// ids without giving any.
func (r *askingRunner) given(in reading) asking.Input {
	r.at = max(r.at, in.At)
	r.steps++
	if !in.random {
		in.Random = [32]byte{byte(r.steps), byte(r.steps >> 8), byte(r.steps >> 16)}
	}
	return asking.Input{At: r.at, Random: in.Random}
}

// The shapes: a bare event, {"event":…}, {"look":…}, {"save":true}, {"state":…} and {"fresh":true}.
func (r *askingRunner) input(v gjson.Result) ([]asking.Effect, []elicit.Problem) {
	if isBare(v) {
		ev, problems := asking.ReadEvent(r.long(v.Raw))
		if len(problems) > 0 {
			return nil, problems
		}
		in := r.given(reading{})
		in.Event = ev
		return r.machine.Step(in), nil
	}
	if v := member(v, "look"); v.Exists() {
		l, problems := asking.ReadLook(r.long(v.Raw))
		if len(problems) > 0 {
			return nil, within("/look", problems)
		}
		return r.machine.Look(l), nil
	}
	d := strict.Of(v)
	save, fresh, state := d.Flag("save"), d.Flag("fresh"), d.Raw("state")
	if save {
		state = r.machine.Save()
	}
	// The machine is made again, and its effects are those of opening.
	if save || fresh || state != nil {
		r.at = max(r.at, readGiven(&d).At)
		if len(d.Problems) > 0 {
			return nil, d.Problems
		}
		return r.begin(state)
	}
	ev, wrong := asking.ReadEvent(r.long(member(v, "event").Raw))
	d.Take("event")
	d.IncludeProblems("/event", wrong)
	in := r.given(readGiven(&d))
	if len(d.Problems) > 0 {
		return nil, d.Problems
	}
	in.Event = ev
	return r.machine.Step(in), nil
}

// append writes the effects of one input. Names are learned before the text is written, so the first effect that has an
// id shows it short.
func (r *askingRunner) append(dst []byte, effects []asking.Effect) []byte {
	list := []byte{'['}
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Append:
			if !r.records {
				continue
			}
		case asking.Send:
			r.refs = append(r.refs, ef.Ref)
		case asking.Interrupt:
			r.body = slices.Clone(ef.Body)
		}
		list = next.AppendJSON(jsontext.Comma(list))
	}
	list = append(list, ']')
	if r.records {
		return append(dst, list...)
	}
	return append(dst, r.short(list)...)
}
