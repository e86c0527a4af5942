package abi

import (
	"slices"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pull"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Status is the result of a call. Everything else about the result is in the output.
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

// Handle names an open engine by a slot number and a generation, never by a pointer. 0 is never valid.
type Handle uint64

// World supplies the values that callers leave out of an input. Either may be nil if callers always give the value.
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

	mu    sync.Mutex
	slots []slot
}

// slot holds one engine, form, connection or machine of the asking side.
type slot struct {
	generation uint32
	engine     *engine.Engine
	clock      *elicit.Clock // of the engine
	form       *schema.Form
	machine    machine
	busy       bool
	poisoned   bool
}

func (s *slot) vacant() bool { return s.engine == nil && s.form == nil && s.machine == nil }

// Open makes an engine from a configuration, or from {"config":{…},"at"?,"elapsed"?,"random"?}, and appends the effects
// of configuring it. {"relay":{…},"at"?,"elapsed"?,"random"?} opens a connection instead, and
// {"asking":{…},"state"?,"at"?,"random"?} a machine of the asking side.
func (t *Table) Open(input, dst []byte) (Handle, []byte, Status) {
	if len(input) <= maxOpen {
		root, fault := gate(input, jsontext.Limits{Bytes: maxOpen, Depth: 140})
		if open := opens(root); fault == nil && open != nil {
			return t.openMachine(open, root, dst)
		}
	}
	e, clock := engine.New(), new(elicit.Clock)
	out, status := t.run(e, clock, input, dst, "config")
	if status != OK {
		return 0, out, status
	}
	return t.place(slot{engine: e, clock: clock}), out, OK
}

// place puts the engine, form or connection into the first vacant slot. Its handle is never an earlier one of that
// slot.
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
// may have {"message":"text"} beside it; see Receive. A connection cannot be saved. A machine of the asking side
// takes its own events, and {"save":true}.
func (t *Table) Step(h Handle, input, dst []byte) ([]byte, Status) {
	if m := t.machine(h); m != nil {
		return t.input(h, m, input, dst)
	}
	s, status := t.borrow(h)
	if status != OK {
		return appendProblem(dst, elicit.Problem{Code: Statuses()[status]}), status
	}
	kind := "event"
	if s.poisoned {
		kind = "save"
	}
	out, status := t.run(s.engine, s.clock, input, dst, kind)
	t.giveBack(h, status == Internal)
	return out, status
}

// Save is Step with {"save":session}.
func (t *Table) Save(h Handle, session string, dst []byte) ([]byte, Status) {
	return t.Step(h, append(jsontext.AppendString([]byte(`{"save":`), session), '}'), dst)
}

// Close ends the engine, form or connection of h. A later call with the same handle returns UnknownHandle.
func (t *Table) Close(h Handle) Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.find(h)
	if s == nil {
		return UnknownHandle
	}
	if s.busy {
		return Conflict
	}
	s.engine, s.form, s.machine = nil, nil, nil
	return OK
}

func (t *Table) find(h Handle) *slot {
	at := int(uint32(h)) - 1
	if at < 0 || at >= len(t.slots) || t.slots[at].vacant() || t.slots[at].generation != uint32(h>>32) {
		return nil
	}
	return &t.slots[at]
}

func (t *Table) borrow(h Handle) (slot, Status) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.find(h)
	switch {
	case s == nil || s.engine == nil:
		return slot{}, UnknownHandle
	case s.busy:
		return slot{}, Conflict
	}
	s.busy = true
	return *s, OK
}

func (t *Table) giveBack(h Handle, poison bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.find(h); s != nil {
		s.busy, s.poisoned = false, s.poisoned || poison
	}
}

// run reads one input for e and performs it. kind says what the input may be: a configuration ("config"), an event or a
// save ("event"), or only a save ("save", for a poisoned engine). A panic is a bug in this module: run recovers and
// returns Internal.
func (t *Table) run(e *engine.Engine, clock *elicit.Clock, input, dst []byte, kind string) (out []byte, status Status) {
	start := len(dst)
	defer func() {
		if recover() != nil {
			out, status = appendProblem(dst[:start], elicit.Problem{Code: "internal"}), Internal
		}
	}()
	if len(input) > MaxInput {
		return appendProblem(dst, tooLarge()), TooLarge
	}
	root, fault := gate(input, jsontext.Limits{Bytes: MaxInput, Depth: 140})
	if fault != nil {
		return appendProblem(dst, *fault), Invalid
	}
	var given reading
	var problems []elicit.Problem
	if kind == "config" {
		given, problems = readConfig(root, input)
	} else {
		if s := member(root, "save"); s.Exists() && !isBare(root) {
			return save(e, s, dst)
		}
		if list := member(root, "list"); list.Exists() && !isBare(root) {
			return listed(e, list, dst)
		}
		if kind == "save" {
			return appendProblem(dst, elicit.Problem{Code: "internal"}), Internal
		}
		given, problems = readInput(root)
	}
	if len(problems) > 0 {
		return appendProblem(dst, problems...), Invalid
	}
	if problem := t.fill(&given); problem != nil {
		return appendProblem(dst, *problem), Invalid
	}
	if problems := t.guestProblems(given.Input, kind); len(problems) > 0 {
		return appendProblem(dst, problems...), Invalid
	}
	effects := pull.StepWithGuests(e, t.Guests, given.resolved(clock))
	if kind == "config" {
		for _, next := range effects {
			if p, bad := next.(effect.Problem); bad {
				return appendProblem(dst, p.Problems...), Invalid
			}
		}
	}
	dst = append(dst, `{"effects":`...)
	return append(elicit.AppendList(dst, effects), '}'), OK
}

func save(e *engine.Engine, session gjson.Result, dst []byte) ([]byte, Status) {
	if session.Type != gjson.String {
		return missing(dst, "save"), Invalid
	}
	state, ok := e.Save(session.String())
	if !ok {
		return appendProblem(dst, elicit.Problem{Code: "unknown_session", Pointer: "/save"}), Invalid
	}
	dst = append(dst, `{"state":`...)
	return append(append(dst, state...), '}'), OK
}

// listed reads {"list":"grants"} and returns {"grants":[…]}.
func listed(e *engine.Engine, what gjson.Result, dst []byte) ([]byte, Status) {
	if what.Str != "grants" {
		return missing(dst, "list"), Invalid
	}
	dst = append(dst, `{"grants":`...)
	return append(elicit.AppendList(dst, e.Grants()), '}'), OK
}

// reading is an input as the caller gave it. A missing time is -1.
type reading struct {
	engine.Input
	elapsed elicit.Elapsed // 0 for none
	random  bool           // the caller gave random bytes
}

// resolved is the input with the time of an engine's clock.
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
	if isBare(root) {
		ev, problems := event.Read([]byte(root.Raw))
		return reading{Input: engine.Input{At: -1, Event: ev}}, problems
	}
	r := strict.Of(root)
	ev, wrong := event.Read(r.Raw("event"))
	r.IncludeProblems("/event", wrong)
	in := readGiven(&r)
	in.Event = ev
	return in, r.Problems
}

// readConfig reads a configuration, or {"config","at"?,"random"?} from a caller that also sets the time and the random
// bytes of the first record. No configuration has a member config.
func readConfig(root gjson.Result, input []byte) (reading, []elicit.Problem) {
	r := strict.Of(root)
	config := r.Take("config")
	if !config.Exists() {
		return reading{Input: engine.Input{At: -1, Event: event.Configured{Config: input}}}, nil
	}
	in := readGiven(&r)
	in.Event = event.Configured{Config: []byte(config.Raw)}
	return in, r.Problems
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

// fill adds the time and the random bytes that the caller left out.
func (t *Table) fill(in *reading) *elicit.Problem {
	t.fillTime(in)
	if !in.random && t.World.Random != nil && !t.World.Random(&in.Random) {
		return &elicit.Problem{Code: "no_random"}
	}
	return nil
}

func (t *Table) fillTime(in *reading) {
	if in.At >= 0 {
		return
	}
	// A host with a time of its own may have none of this machine's.
	if in.elapsed == 0 && t.World.Elapsed != nil {
		in.elapsed = t.World.Elapsed()
	}
	in.At = 0
	if t.World.Now != nil {
		in.At = t.World.Now()
	}
}
