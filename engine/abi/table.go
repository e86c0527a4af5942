package abi

import (
	"slices"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Status is the result of a call. Everything else about the result is in the output. A status other than OK comes with
// {"problems":[…]}. Everything that an engine says about an event, also a refusal, is an effect, and the status is OK.
type Status int

// These are the statuses. Every interface uses these numbers.
const (
	OK            Status = 0
	Invalid       Status = 1 // the input could not be read; the output names the problems
	UnknownHandle Status = 2 // closed, from another table, or never opened
	TooLarge      Status = 3
	Conflict      Status = 4 // another caller is stepping the engine
	Internal      Status = 5 // a bug in this module; the engine is poisoned and only Save and Close work
)

// Statuses lists the statuses by number.
func Statuses() []string {
	return []string{"ok", "invalid", "unknown_handle", "too_large", "conflict", "internal"}
}

// MaxInput is the most bytes of one input document.
const MaxInput = 8 << 20

// Handle names an open engine by a slot number and a generation, never by a pointer. 0 is never valid. The upper half
// is the generation, the lower half the place plus one. A handle of a closed engine finds another generation there, and
// so no engine of somebody else.
type Handle uint64

// World supplies the values that callers leave out of an input. Either may be nil if callers always give the value. The
// functions may be called from any goroutine, and inside of a call of the table.
type World struct {
	Now     func() int64            // milliseconds since 1970-01-01 UTC
	Elapsed func() elicit.Elapsed   // of an input that gives no time at all
	Random  func(to *[32]byte) bool // fills to with random bytes; false if there are none

	// Managed reads the policy of the machine's administrator, for the operation managed_policy.
	Managed func() Managed
}

// Table holds the open engines of one interface. Its methods are safe for concurrent use. An engine steps for one
// caller at a time; a second caller gets Conflict and does not wait.
type Table struct {
	World  World
	Guests Guests // nil if the interface has none

	// Governed puts World.Managed into each configuration and list of policies that a caller gives.
	Governed bool

	// It guards slots, and is never held while a machine works: a slow guest in one engine stops no other.
	mu    sync.Mutex
	slots []slot
}

// slot holds one form or machine. form or machine, or neither in a vacant slot. busy is set by borrowMachine and reset
// when the caller is done. poisoned is for good.
type slot struct {
	generation uint32
	form       *schema.Form
	machine    machine
	texts      bool // see inTexts
	busy       bool
	poisoned   bool
}

func (s *slot) vacant() bool { return s.form == nil && s.machine == nil }

// Open makes a machine and appends the effects of opening it:
//
//	a configuration                                  → an engine
//	{"config":{…},"at"?,"elapsed"?,"random"?}        → an engine
//	{"relay":{…},"pull"?,"at"?,"elapsed"?,"random"?} → a connection
//	{"asking":{…},"state"?,"at"?,"random"?}          → a machine of the asking side
//
// With "texts":true beside these members, effects have records and the questions of guardians as texts. A machine that
// could not be opened leaves no handle behind, and the output names the problems.
func (t *Table) Open(input, dst []byte) (Handle, []byte, Status) {
	root, fault := gate(input, jsontext.Limits{Bytes: maxOpen, Depth: 140})
	// An input over MaxInput is only for machines whose state may be larger than that.
	open := openEngine
	if fault == nil && opens(root) != nil {
		open = opens(root)
	} else if len(input) > MaxInput {
		return 0, appendProblem(dst, tooLarge()), TooLarge
	}
	if fault != nil {
		return 0, appendProblem(dst, *fault), Invalid
	}
	return t.openMachine(open, root, input, dst)
}

// place puts the engine, form or connection into the first vacant slot. Its handle is never an earlier one of that
// slot. The first vacant slot keeps the numbers small. After 2^32 openings of one slot a handle would come again.
func (t *Table) place(opened slot) Handle {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.slots, func(s slot) bool { return s.vacant() })
	if at < 0 {
		at, t.slots = len(t.slots), append(t.slots, slot{})
	}
	opened.generation = t.slots[at].generation + 1
	t.slots[at] = opened
	return Handle(uint64(opened.generation)<<32 | uint64(at+1))
}

// Step gives one input to the engine of h:
//
//	{"event":{…},"at"?:milliseconds,"elapsed"?:milliseconds,"random"?:"64 hex digits"} → {"effects":[…]}
//	{"event":"name",…}                                       → {"effects":[…]}
//	{"save":"session"}                                       → {"state":{…}}
//	{"list":"grants"}                                        → {"grants":[…]}
//
// The second form is a bare event; see isBare. For a connection, the event may be one of a connection. A wrapped event
// may have {"message":"text"} beside it; see Receive. A connection cannot be saved. A machine of the asking side takes
// its own events, and {"save":true}. A second call for the same handle, from another thread or from within a callback,
// is Conflict.
func (t *Table) Step(h Handle, input, dst []byte) ([]byte, Status) {
	// Asked without borrowing, for the limits alone. The handle may be closed before stepMachine looks again.
	m := t.machine(h)
	if m == nil {
		return appendProblem(dst, elicit.Problem{Code: Statuses()[UnknownHandle]}), UnknownHandle
	}
	limits := m.limits()
	switch {
	case len(input) > limits.Bytes && limits.Bytes == MaxInput:
		return appendProblem(dst, tooLarge()), TooLarge
	case len(input) > limits.Bytes:
		return appendProblem(dst, tooLong(limits.Bytes)), TooLarge
	}
	root, fault := gate(input, limits)
	if fault != nil {
		return appendProblem(dst, *fault), Invalid
	}
	return t.stepMachine(h, dst, func(m machine) (out []byte, status Status) {
		if !isBare(root) {
			if out, status, done := m.tell(root, dst); done {
				return out, status
			}
		}
		given, perform, problems := m.read(root)
		return t.perform(given, perform, problems, dst)
	})
}

// Save is Step with {"save":session}. The component calls it.
func (t *Table) Save(h Handle, session string, dst []byte) ([]byte, Status) {
	return t.Step(h, append(jsontext.AppendString([]byte(`{"save":`), session), '}'), dst)
}

// Close ends the engine, form or connection of h. A later call with the same handle returns UnknownHandle. It answers
// nobody: a host that leaves gives the event closed with the cause shutdown first.
func (t *Table) Close(h Handle) Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.find(h)
	if s == nil {
		return UnknownHandle
	}
	// A step is under way. Its caller would come back to a slot of somebody else.
	if s.busy {
		return Conflict
	}
	s.form, s.machine = nil, nil
	return OK
}

// find returns nil for a handle of another table, of a closed slot, or of a generation that is over. The caller holds
// the lock.
func (t *Table) find(h Handle) *slot {
	at := int(uint32(h)) - 1
	if at < 0 || at >= len(t.slots) || t.slots[at].vacant() || t.slots[at].generation != uint32(h>>32) {
		return nil
	}
	return &t.slots[at]
}

// reading is an input as the caller gave it. A missing time is -1. Input has the event for an engine alone; the other
// machines keep theirs in a closure (perform).
type reading struct {
	engine.Input
	elapsed elicit.Elapsed // 0 for none
	random  bool           // the caller gave random bytes
}

// resolved is the input with the time of an engine's clock. It moves the clock of the engine, so it is called once for
// each step.
func (in *reading) resolved(clock *elicit.Clock) engine.Input {
	if wall, now := clock.Read(in.At, in.elapsed, strict.LastMoment); in.elapsed > 0 {
		in.At, in.Now = wall, now
	}
	return in.Input
}

// isBare reports whether an input is an event itself, not {"event":{…}} around one. The member event of a bare event is
// its name, a string, and that of any other input is an object. So no input can be read in both ways.
func isBare(root gjson.Result) bool { return member(root, "event").Type == gjson.String }

// readInput reads {"event","at"?,"elapsed"?,"random"?} or a bare event.
func readInput(root gjson.Result) (reading, []elicit.Problem) {
	ev, in, problems := readEvent(root, event.Read)
	in.Event = ev
	return in, problems
}

// readEvent is readInput for the events of any machine. The pointers of problems begin at the root of the input, for a
// wrapped event with /event.
func readEvent[E any](root gjson.Result, read func([]byte) (E, []elicit.Problem)) (E, reading, []elicit.Problem) {
	if isBare(root) {
		ev, problems := read([]byte(root.Raw))
		return ev, reading{Input: engine.Input{At: -1}}, problems
	}
	r := strict.Of(root)
	ev, wrong := read(r.Raw("event"))
	r.IncludeProblems("/event", wrong)
	in := readGiven(&r)
	return ev, in, r.Problems
}

// yes takes an optional true or false.
func yes(r *strict.Reader, name string) bool {
	v := r.Take(name)
	if v.Exists() && !v.IsBool() {
		r.Report("bad_input", name)
	}
	return v.Bool()
}

// readGiven reads the time and the random bytes of an input whose other members have been taken. It refuses an unknown
// member, which may be a misspelt one.
func readGiven(r *strict.Reader) (in reading) {
	in.At = -1
	if v := r.Take("at"); v.Exists() {
		n, ok := strict.Integer(v)
		if in.At = n; !ok || n < 0 {
			r.Report("bad_input", "at")
		}
	}
	if v := r.Take("elapsed"); v.Exists() {
		n, ok := strict.Integer(v)
		if in.elapsed = elicit.ElapsedMS(n); !ok || n < 0 || n > strict.LastMoment {
			r.Report("bad_input", "elapsed")
		}
	}
	if v := r.Take("random"); v.Exists() {
		if in.random = true; !digest.ReadHex(in.Random[:], v.String()) {
			r.Report("bad_input", "random")
		}
	}
	r.RefuseUnknown()
	return in
}

// fill adds the time and the random bytes that the caller left out. Without random bytes and without World.Random they
// stay zero, as in the vectors. A host that serves people must give one of the two, or ids can be guessed.
func (t *Table) fill(in *reading) *elicit.Problem {
	t.fillTime(in)
	if !in.random && t.World.Random != nil && !t.World.Random(&in.Random) {
		return &elicit.Problem{Code: "no_random"}
	}
	return nil
}

// fillTime fills in both times only where the caller gave neither.
func (t *Table) fillTime(in *reading) {
	if in.At >= 0 {
		return
	}
	// A host with a time of its own may have none of this machine's. An input with "elapsed" and no "at" gets the wall
	// clock, and keeps its own elapsed time.
	if in.elapsed == 0 && t.World.Elapsed != nil {
		in.elapsed = t.World.Elapsed()
	}
	in.At = 0
	if t.World.Now != nil {
		in.At = t.World.Now()
	}
}
