package abi

import (
	"bytes"
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/relay"
)

// evalRelay gives the machine of a new connection a list of inputs and returns the effects of each:
//
//	{"relay":{…},"inputs":[{"client":text}|{"server":text}|{"event":{…},"message"?:text}…],"records"?:bool}
//	→ {"effects":[[…],…]}
//
// Every input may have "at" and "random". A message is text, or base64 in "client_base64" or "server_base64" if it is
// not UTF-8. The first list has the effects of opening. As in the operation run, ids are written "$1", "$2", … in
// events and effects. The machine's own request ids are written "elicit-1", "elicit-2", …, also in messages to it.
// Append effects are left out unless records is true. Inputs are those of a host without a loop: it performs nothing,
// and no append ever fails unless an event says so.
func evalRelay(in gjson.Result, dst []byte) []byte {
	config, problems := relay.ReadConfig([]byte(member(in, "relay").Raw))
	if len(problems) > 0 {
		return appendProblem(dst, within("/relay", problems)...)
	}
	if !member(in, "inputs").IsArray() {
		return missing(dst, "inputs")
	}
	machine, effects, problems := relay.New(config, relay.Input{})
	if len(problems) > 0 {
		return appendProblem(dst, within("/relay/config", problems)...)
	}
	r := relayRunner{machine: machine, runner: runner{records: member(in, "records").Bool()}}
	// An unreadable input ends the run here, unlike in run: later messages would meet a connection in another state.
	begin := len(dst) // what is before it belongs to the caller
	dst = r.append(append(dst, `{"effects":[`...), effects)
	for i, input := range member(in, "inputs").Array() {
		dst = append(dst, ',')
		given, problems := r.input(input)
		if problems != nil {
			return appendProblem(dst[:begin], within("/inputs/"+strconv.Itoa(i), problems)...)
		}
		dst = r.append(dst, machine.Step(given))
	}
	return append(dst, ']', '}')
}

// relayRunner is a runner without an engine of its own: the connection has one, and the names of ids are as in run.
type relayRunner struct {
	runner
	machine *relay.Machine
}

// shortPrefix replaces the part before the number in the machine's own ids. That part depends on the random bytes.
const shortPrefix = "elicit-"

// input reads one input: a message of an end, as text or base64, or an event, bare or wrapped. "cut" says that the
// message is the beginning of a longer one.
func (r *relayRunner) input(v gjson.Result) (relay.Input, []elicit.Problem) {
	for _, end := range []relay.End{relay.Client, relay.Server} {
		text := member(v, end.String())
		coded := member(v, end.String()+"_base64")
		if !text.Exists() && !coded.Exists() {
			continue
		}
		in, problems := given(v, end.String(), end.String()+"_base64", "cut")
		in.Event = relay.Received{From: end, Cut: member(v, "cut").Bool()}
		in.Message = []byte(text.String())
		if coded.Exists() {
			in.Message, _ = base64.Read(nil, coded.Str)
		}
		// A vector writes "elicit-1" for the machine's first request. The machine's own prefix has random bytes in it.
		in.Message = bytes.ReplaceAll(in.Message, []byte(`"`+shortPrefix), []byte(`"`+r.machine.Prefix()))
		return in, problems
	}
	var in relay.Input
	var problems []elicit.Problem
	var ev relay.Event
	if isBare(v) {
		ev, problems = relay.ReadEvent([]byte(v.Raw))
	} else {
		in, problems = given(v, "event")
		read, wrong := relay.ReadEvent([]byte(member(v, "event").Raw))
		ev, problems = read, append(problems, within("/event", wrong)...)
	}
	if inner, ok := ev.(event.Event); ok {
		ev = r.named(inner)
	}
	in.Event = ev
	return in, problems
}

// given reads the members beside those called subjects. The names are those that the caller has read. Any other member
// is refused as unknown.
func given(v gjson.Result, subjects ...string) (relay.Input, []elicit.Problem) {
	r := strict.Of(v)
	for _, name := range subjects {
		r.Take(name)
	}
	in := readGiven(&r)
	return relay.Input{At: max(in.At, 0), Elapsed: in.elapsed, Random: in.Random}, r.Problems
}

// append writes the effects of one input.
func (r *relayRunner) append(dst []byte, effects []relay.Effect) []byte {
	list := []byte{'['}
	for _, next := range effects {
		if inner, ok := next.(effect.Effect); ok {
			r.learn(inner)
		}
		if s, ok := next.(relay.Settled); ok {
			r.learn(s.Reply)
		}
		if _, record := next.(effect.Append); record && !r.records {
			continue
		}
		list = next.AppendJSON(jsontext.Comma(list))
	}
	list = append(list, ']')
	if !r.records {
		list = r.short(list)
	}
	return append(dst, bytes.ReplaceAll(list, []byte(r.machine.Prefix()), []byte(shortPrefix))...)
}
