// Package hooks reads what a coding agent gives to a command hook, and writes the answer that the agent understands.
//
// A hook is a program that the agent starts before it does something. The agent writes one JSON object to the program's
// standard input and reads one from its standard output. Each host spells both in its own way. Decode turns the first
// into an [elicit.Request], so that the same policy decides it as a question of a server. Append writes the second.
//
//	hook, problems := hooks.Decode(hooks.ClaudeCode, stdin)
//	// hook.Request: a tool approval of the tool Bash, with the command and its directory
//	answer, ok := hooks.Append(nil, hooks.ClaudeCode, hook.Event, hooks.Verdict{Decision: hooks.Deny, Reason: "…"})
//
// The input is hostile: a model chose the arguments in it. Decode bounds it and refuses what two readers could read
// differently. Members that it does not know are skipped, because hosts add members. An unknown event, an unknown word
// and a missing member are problems, and a caller must never allow a call that has one. docs/hooks.md has the table of
// hosts and events with its sources.
//
// Read hooks.go first, then hosts.go: the table of hosts has the reader and the writer of each event. call.go makes a
// tool call an approval, with call_hosts.go for the hosts that spell it in another way, patch.go and search.go for the
// files, and own.go and opencode.go for questions of the agent itself. question.go reads the questions of servers.
// answer.go writes. gates.go says what a host does with an answer, and with none.
//
// Example of an input, and of the request that Decode makes of it:
//
//	{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","tool_name":"Bash",
//	 "tool_input":{"command":"bash -lc 'git push'"}}
//	server claude-code, tool Bash, claim approval, does command, command "git push", cwd "/w"
//
// These rules hold in all readers. The server is the host only for a tool of the host itself. A path, a command or a
// host that is in the input is in the request, or the request says that its reach is not known. The message shows all
// that policy sees. If it does not fit, its end is replaced by a digest and MessageCut is set.
package hooks

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// MaxInput is the most bytes that Decode reads. A file that an agent writes is part of the input.
const MaxInput = 4 << 20

// ProbeSession begins the session of a call by which `elicit doctor` tries a hook. A person is not asked about it.
const ProbeSession = "elicit-doctor-"

// limits bound one input.
var limits = jsontext.Limits{Bytes: MaxInput, Depth: 64, Members: 100_000}

// Asks says what a hook wants to know.
type Asks string

// A hook asks about one of these.
const (
	AboutCall     Asks = "call"     // may this tool call run?
	AboutQuestion Asks = "question" // what is the answer to this question of a server?
	AboutAnswer   Asks = "answer"   // may this answer of the person go to the server?

	// AboutOwnQuestion is a call by which the agent itself asks the person something. Allow needs the arguments of
	// [Hook.Answered], because a yes without answers is no answer.
	AboutOwnQuestion Asks = "own_question"

	// AboutNothing is a call that no hook may answer, only with Silent: by it the agent itself asks the person something,
	// and the event has no place for the answer. Or another event of the same call names its server.
	AboutNothing Asks = "nothing"
)

// Hook is one input, independent of a host's spelling.
//
// Decode makes it. It has spans of doc, so doc must not change while it is used. Asks says which of the members count.
type Hook struct {
	Event   string // in the host's spelling
	Asks    Asks
	Session string // the host's name for its conversation, "" when the host gave none

	// Request has Ref, Server, Tool, Annotations, Mode, Message, Schema, URL, Link, Claim, Command and Cwd. The server of
	// a tool that the host itself has is the host.
	Request elicit.Request

	Subagent string // the kind of the subagent that this comes from, "" for none

	// Later reports that an event of its own follows for this call, at which the host can ask the person.
	Later bool

	Action  elicit.Action // AboutAnswer: what the person did
	Content []byte        // AboutAnswer: the content, nil without one

	asked   wire.Questions // AboutOwnQuestion
	input   wire.Object    // the arguments of the call that asks them
	answers func(*Hook, wire.Object) []byte
}

// Decode reads one input. It returns either a Hook without problems, or problems. When only the event could be read,
// the Hook has it, so that the caller can write an answer. Slices alias doc.
func Decode(host Host, doc []byte) (Hook, []elicit.Problem) {
	h := host.table()
	if h == nil {
		named := []elicit.Arg{elicit.Str("host", string(host))}
		return Hook{}, []elicit.Problem{{Code: "hook_unknown_host", Args: named}}
	}
	if f := jsontext.Check(doc, limits); f != nil {
		return Hook{}, []elicit.Problem{elicit.FromFault(f)}
	}
	o, ok := wire.ReadObject(doc)
	if !ok {
		return Hook{}, []elicit.Problem{{Code: "bad_input"}}
	}
	r := reading{Object: o, host: h}
	e := r.event()
	if e == nil {
		return Hook{}, r.problems
	}
	r.takes = e.takes
	hook := Hook{Event: e.name, Asks: e.asks, Session: r.optional(h.session), Subagent: r.subagent(), answers: e.answers}
	e.read(&r, &hook)
	if hook.Asks == AboutCall {
		r.readOwnQuestion(&hook, e)
	}
	if r.problems != nil {
		return Hook{Event: e.name, Asks: e.asks}, r.problems
	}
	return hook, nil
}

// reading is one input that is being read.
//
// takes is that of the event, for the readers of calls. problems may get several entries, and any of them refuses the
// input.
type reading struct {
	wire.Object
	host     *table
	takes    elicit.Takes // of the event
	problems []elicit.Problem
}

// report records a problem with the member at pointer, which begins with a slash.
func (r *reading) report(code, pointer string, args ...elicit.Arg) {
	r.problems = append(r.problems, elicit.Problem{Code: code, Pointer: pointer, Args: args})
}

// event finds the event's row. The members here are all that hosts have for its name. A host with one event may leave
// the name out.
//
// An input with both names of the member is refused: two readers could take another one of them.
func (r *reading) event() *spelling {
	name, given := "", false
	for _, member := range [...]string{"hook_event_name", "hookEventName"} {
		if raw := r.Get(member); raw != nil {
			var ok bool
			if name, ok = wire.Text(raw); !ok || given {
				r.report("bad_input", "/"+member)
				return nil
			}
			given = true
		}
	}
	events := r.host.events
	if !given && r.host.unnamed {
		return &events[0]
	}
	for i := range events {
		if given && events[i].name == name {
			return &events[i]
		}
	}
	r.report("hook_unknown_event", "", elicit.Str("host", string(r.host.host)), elicit.Str("event", shown(name)))
	return nil
}

// text reads a string that must be there.
func (r *reading) text(member string) string {
	s, ok := wire.Text(r.Get(member))
	if !ok {
		r.report("bad_input", "/"+member)
	}
	return s
}

// filled reads a string that must be there and not be empty.
func (r *reading) filled(member string) string {
	s, ok := wire.Text(r.Get(member))
	if !ok || s == "" {
		r.report("bad_input", "/"+member)
	}
	return s
}

// optional reads a string that may be absent or null.
func (r *reading) optional(member string) string {
	switch raw := r.Get(member); wire.TypeOf(raw) {
	case wire.Absent, wire.Null:
		return ""
	}
	return r.text(member)
}

// maxShown bounds what a problem repeats of the input.
const maxShown = 64

func shown(s string) string {
	if len(s) > maxShown {
		return wire.Clip(s, maxShown) + "…"
	}
	return s
}
