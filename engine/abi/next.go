package abi

import (
	"bytes"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pull"
	"github.com/elicit-engine/elicit/engine/relay"
)

// pulled is a connection that was opened with "pull":true. Its inputs wait, and Next gives its effects. Step and
// Receive only put inputs into the loop. Their output is {"effects":[]} always.
type pulled struct {
	connection
	loop *pull.Loop
}

// read reads an event as a connection does. The event waits for Next, which has the time and the random bytes.
func (p pulled) read(root gjson.Result) (reading, perform, []elicit.Problem) {
	given, in, problems := readRelayInput(root)
	if given.At >= 0 || given.elapsed > 0 || given.random { // these come with Next
		problems = append(problems, elicit.Problem{Code: "bad_input", Pointer: "/at"})
	}
	return reading{Input: engine.Input{At: -1}}, p.give(in), problems
}

// give puts an input into the loop. Its effects come out of Next.
func (p pulled) give(in relay.Input) perform {
	return func(_ reading, dst []byte) []byte {
		p.loop.Give(in.Event, in.Message)
		return appendEffects[relay.Effect](dst, nil)
	}
}

// message returns what takes a message of an end. The caller may change the bytes after the call, so they are copied.
func (p pulled) message(from relay.End, message []byte) perform {
	return p.give(relay.Input{Event: received[from], Message: bytes.Clone(message)})
}

// Next performs the loop of package pull for a connection that was opened with "pull":true, until the host has
// something to do. It reads {"at"?,"elapsed"?,"random"?,"no_random"?:bool,"failed"?:bool}, or nothing, and appends one
// effect, or {"wait":milliseconds} where -1 means no limit. The bytes of a forward or a send follow the JSON and a zero
// byte; size is the size of the JSON. "failed" says that the host could not perform the effect that came last, and
// "no_random" that it has no random bytes. Call it again until it answers {"wait"}; then after that time, or after the
// next Step or Receive. Example of a turn:
//
//	client → {"effects":[]}
//	next   → {"effect":"forward","to":"server"} 0x00 the bytes of the message
//	next   → {"wait":-1}
func (t *Table) Next(h Handle, input, dst []byte) (size int, out []byte, status Status) {
	start := len(dst)
	out, status = t.stepMachine(h, dst, func(m machine) ([]byte, Status) {
		p, is := m.(pulled)
		if !is {
			return appendProblem(dst, elicit.Problem{Code: Statuses()[UnknownHandle]}), UnknownHandle
		}
		// Nothing has happened yet, so an input with a problem may be given again.
		given, failed, none, problems := readNext(input)
		if len(problems) > 0 {
			return appendProblem(dst, problems...), Invalid
		}
		t.fillTime(&given)
		if failed {
			p.loop.Failed()
		}
		// Asked by the loop only when it steps. false stops all decisions for good: ids could be guessed.
		random := func(to *[32]byte) bool {
			if given.random {
				*to = given.Random
				return true
			}
			return !none && (t.World.Random == nil || t.World.Random(to))
		}
		next, message, wait := p.loop.Next(pull.Time{At: given.At, Elapsed: given.elapsed}, random)
		var out []byte
		switch ef := next.(type) {
		case nil:
			o := jsontext.Begin(dst)
			o.Int("wait", wait)
			out = o.End()
		case relay.Send:
			o := jsontext.With(dst, "effect", "send", "to", ef.To.String())
			out = o.End()
		default:
			out = next.AppendJSON(dst)
		}
		// The zero byte parts the JSON from the message, which may be any bytes. JSON has no zero byte.
		size = len(out) - start
		if message != nil {
			out = append(append(out, 0), message...)
		}
		return out, OK
	})
	return size, out, status
}

// readNext reads the input of Next.
func readNext(input []byte) (given reading, failed, none bool, problems []elicit.Problem) {
	if len(input) == 0 {
		return reading{Input: engine.Input{At: -1}}, false, false, nil
	}
	root, fault := gate(input, jsontext.Limits{Bytes: 1 << 12, Depth: 4})
	if fault != nil {
		return given, false, false, []elicit.Problem{*fault}
	}
	r := strict.Of(root)
	failed, none = yes(&r, "failed"), yes(&r, "no_random")
	given = readGiven(&r)
	return given, failed, none, r.Problems
}
