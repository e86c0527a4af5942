package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/relay"
)

// MaxMessage is the most bytes of one message that Receive takes. A connection has its own limit, max_message, whose
// default is lower. It refuses a longer message in the peer's spelling.
const MaxMessage = relay.MostMessage

// openRelay opens a connection from {"relay":{…},"at"?,"random"?} and appends the effects of opening it.
func (t *Table) openRelay(root gjson.Result, dst []byte) (h Handle, out []byte, status Status) {
	start := len(dst)
	defer func() {
		if recover() != nil {
			h, out, status = 0, appendProblem(dst[:start], elicit.Problem{Code: "internal"}), Internal
		}
	}()
	r := strict.Of(root)
	config, wrong := relay.ReadConfig(r.Raw("relay"))
	r.IncludeProblems("/relay", wrong)
	given := readGiven(&r)
	problems := r.Problems
	if t.Guests != nil {
		config.Guests = t.Guests
		problems = append(problems, within("/relay/config", engine.Unfit(config.Engine, t.Guests))...)
	}
	if len(problems) > 0 {
		return 0, appendProblem(dst, problems...), Invalid
	}
	if problem := t.fill(&given); problem != nil {
		return 0, appendProblem(dst, *problem), Invalid
	}
	machine, effects, problems := relay.New(config, relay.Input{At: given.At, Random: given.Random})
	if len(problems) > 0 {
		return 0, appendProblem(dst, within("/relay/config", problems)...), Invalid
	}
	return t.place(slot{relay: machine}), appendEffects(dst, withDeprecated(effects, given.deprecated)), OK
}

// within puts the pointer of the surrounding document before the pointers of problems.
func within(at string, problems []elicit.Problem) []elicit.Problem {
	for i := range problems {
		problems[i].Pointer = at + problems[i].Pointer
	}
	return problems
}

// Receive gives the bytes of a message of one end to the connection of h and appends {"effects":[…]}. It does not keep
// the message.
func (t *Table) Receive(h Handle, from relay.End, message, dst []byte) ([]byte, Status) {
	if len(message) > MaxMessage {
		return appendProblem(dst, tooLong()), TooLarge
	}
	return t.stepRelay(h, dst, func(*relay.Machine) (relay.Input, *elicit.Problem) {
		given := reading{}
		given.At = -1
		problem := t.fill(&given)
		return relay.Input{At: given.At, Random: given.Random, Event: received[from], Message: message}, problem
	})
}

func tooLong() elicit.Problem {
	return elicit.Problem{Code: "message_too_long", Args: []elicit.Arg{elicit.Num("limit", MaxMessage)}}
}

var received = [...]relay.Event{relay.Client: relay.Received{From: relay.Client},
	relay.Server: relay.Received{From: relay.Server}}

// relayInput steps the connection of h with {"event":{…},"message"?:text,"at"?,"random"?} or a bare event, or lists its
// grants.
func (t *Table) relayInput(h Handle, input, dst []byte) ([]byte, Status) {
	if len(input) > MaxMessage {
		return appendProblem(dst, tooLong()), TooLarge
	}
	root, fault := gate(input, jsontext.Limits{Bytes: MaxMessage, Depth: 140})
	if fault != nil {
		return appendProblem(dst, *fault), Invalid
	}
	if member(root, "list").Str == "grants" && !isBare(root) {
		return t.relayGrants(h, dst)
	}
	in, deprecated, problems := t.readRelayInput(root)
	if len(problems) > 0 {
		return appendProblem(dst, problems...), Invalid
	}
	return t.stepRelay(h, dst, func(*relay.Machine) (relay.Input, *elicit.Problem) { return in, nil },
		deprecated...)
}

func (t *Table) relayGrants(h Handle, dst []byte) ([]byte, Status) {
	m, status := t.borrowRelay(h)
	if status != OK {
		return appendProblem(dst, elicit.Problem{Code: Statuses()[status]}), status
	}
	defer t.giveBack(h, false)
	return append(elicit.AppendList(append(dst, `{"grants":`...), m.Grants()), '}'), OK
}

func (t *Table) readRelayInput(root gjson.Result) (in relay.Input, deprecated, problems []elicit.Problem) {
	if isBare(root) {
		event, problems := relay.ReadEvent([]byte(root.Raw))
		given := reading{Input: engine.Input{At: -1}}
		if problem := t.fill(&given); problem != nil {
			problems = append(problems, *problem)
		}
		return relay.Input{At: given.At, Random: given.Random, Event: event}, nil, problems
	}
	r := strict.Of(root)
	event, wrong := relay.ReadEvent(r.Raw("event"))
	r.IncludeProblems("/event", wrong)
	if v := r.Take("message"); v.Type == gjson.String {
		in.Message = []byte(v.String())
	} else if v.Exists() {
		r.Report("bad_input", "message")
	}
	given := readGiven(&r)
	problems = r.Problems
	if problem := t.fill(&given); problem != nil {
		problems = append(problems, *problem)
	}
	in.At, in.Random, in.Event = given.At, given.Random, event
	return in, given.deprecated, problems
}

// stepRelay steps the connection of h. A panic is a bug in this module: stepRelay recovers, and the connection then
// takes no more input.
func (t *Table) stepRelay(
	h Handle, dst []byte, input func(*relay.Machine) (relay.Input, *elicit.Problem),
	deprecated ...elicit.Problem,
) (out []byte, status Status) {
	m, status := t.borrowRelay(h)
	if status != OK {
		return appendProblem(dst, elicit.Problem{Code: Statuses()[status]}), status
	}
	start := len(dst)
	defer func() {
		if recover() != nil {
			out, status = appendProblem(dst[:start], elicit.Problem{Code: "internal"}), Internal
		}
		t.giveBack(h, status == Internal)
	}()
	in, problem := input(m)
	if problem != nil {
		return appendProblem(dst, *problem), Invalid
	}
	return appendEffects(dst, withDeprecated(m.Step(in), deprecated)), OK
}

// borrowRelay takes the connection of h for one caller.
func (t *Table) borrowRelay(h Handle) (*relay.Machine, Status) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.find(h)
	switch {
	case s == nil || s.relay == nil:
		return nil, UnknownHandle
	case s.busy:
		return nil, Conflict
	case s.poisoned:
		return nil, Internal
	}
	s.busy = true
	return s.relay, OK
}

// isRelay reports whether h names a connection.
func (t *Table) isRelay(h Handle) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.find(h)
	return s != nil && s.relay != nil
}

func appendEffects(dst []byte, effects []relay.Effect) []byte {
	dst = append(dst, `{"effects":[`...)
	for i, next := range effects {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = next.AppendJSON(dst)
	}
	return append(dst, ']', '}')
}
