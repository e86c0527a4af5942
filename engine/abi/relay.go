package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pull"
	"github.com/elicit-engine/elicit/engine/relay"
)

// MaxMessage is the most bytes of one message that Receive takes. A connection has its own limit, max_message, whose
// default is lower. It refuses a longer message in the peer's spelling. It is larger than the default limit, so that a
// host may raise the limit in the configuration.
const MaxMessage = relay.MostMessage

// connection is the machine of a connection in a slot.
type connection struct{ *relay.Machine }

// openRelay opens a connection from {"relay":{…},"pull"?:bool,"at"?,"random"?}. The effects of opening come with the
// handle, or with "pull" out of Next.
func openRelay(t *Table, r *strict.Reader, _ []byte) (reading, begins) {
	config, wrong := relay.ReadConfig(r.Raw("relay"))
	r.IncludeProblems("/relay", wrong)
	pulls := yes(r, "pull")
	given := readGiven(r)
	if t.Guests != nil {
		config.Guests = t.Guests
		r.Problems = append(r.Problems, within("/relay/config", engine.CheckGuests(config.Engine, t.Guests))...)
	}
	return given, func(in reading, dst []byte) (machine, []byte, []elicit.Problem) {
		m, effects, problems := relay.New(config, relay.Input{At: in.At, Elapsed: in.elapsed, Random: in.Random})
		if len(problems) > 0 {
			return nil, nil, within("/relay/config", problems)
		}
		if pulls {
			loop := pull.New(m, pull.Time{At: in.At, Elapsed: in.elapsed}, effects)
			return pulled{connection{m}, loop}, appendEffects[relay.Effect](dst, nil), nil
		}
		return connection{m}, appendEffects(dst, effects), nil
	}
}

// Receive gives the bytes of a message of one end to the connection of h and appends {"effects":[…]}. It does not keep
// the message. The message is not JSON to this function: it need not even be UTF-8. The machine answers what is wrong
// with it in the protocol's own words.
func (t *Table) Receive(h Handle, from relay.End, message, dst []byte) ([]byte, Status) {
	if len(message) > MaxMessage {
		return appendProblem(dst, tooLong(MaxMessage)), TooLarge
	}
	return t.stepMachine(h, dst, func(m machine) ([]byte, Status) {
		given := reading{Input: engine.Input{At: -1}}
		switch c := m.(type) {
		case connection:
			return t.perform(given, c.step(relay.Input{Event: received[from], Message: message}), nil, dst)
		// No time and no random bytes here: Next asks for them when it steps.
		case pulled:
			return c.message(from, message)(given, dst), OK
		}
		return appendProblem(dst, elicit.Problem{Code: Statuses()[UnknownHandle]}), UnknownHandle
	})
}

// Made once: an interface value for each message would be an allocation for each.
var received = [...]relay.Event{relay.Client: relay.Received{From: relay.Client},
	relay.Server: relay.Received{From: relay.Server}}

func (connection) limits() jsontext.Limits { return jsontext.Limits{Bytes: MaxMessage, Depth: 140} }

// tell answers {"list":"grants"}.
func (c connection) tell(root gjson.Result, dst []byte) ([]byte, Status, bool) {
	if member(root, "list").Str != "grants" {
		return nil, OK, false
	}
	return appendGrants(dst, c.Grants()), OK, true
}

// read reads {"event":{…},"message"?:text,"at"?,"random"?} or a bare event.
func (c connection) read(root gjson.Result) (reading, perform, []elicit.Problem) {
	given, in, problems := readRelayInput(root)
	return given, c.step(in), problems
}

// "message" is only for an event that has one, and must be a string: its bytes are the message.
func readRelayInput(root gjson.Result) (given reading, in relay.Input, problems []elicit.Problem) {
	if isBare(root) {
		in.Event, problems = relay.ReadEvent([]byte(root.Raw))
		return reading{Input: engine.Input{At: -1}}, in, problems
	}
	r := strict.Of(root)
	event, wrong := relay.ReadEvent(r.Raw("event"))
	r.IncludeProblems("/event", wrong)
	in.Event = event
	if v := r.Take("message"); v.Type == gjson.String {
		in.Message = []byte(v.String())
	} else if v.Exists() {
		r.Report("bad_input", "message")
	}
	return readGiven(&r), in, r.Problems
}

func (c connection) step(in relay.Input) perform {
	return func(given reading, dst []byte) []byte {
		in.At, in.Elapsed, in.Random = given.At, given.elapsed, given.Random
		return appendEffects(dst, c.Step(in))
	}
}
