package relay

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/mcp"
)

// TestModel plays connections in which the peers, the person, the clock, the journal and the engine act in any order.
// It compares the machine with a naive reference that tracks what each peer waits for (peers). The reference and this
// file have the properties that must hold in every order. For a long run: go test ./engine/relay -run TestModel
// -rapid.checks=100000
func TestModel(t *testing.T) {
	met := map[string]int{}
	defer func() { breaks = nil }()
	for range 8 { // a Check alone plays 100 connections
		for _, ask := range Askers() {
			t.Run(string(ask), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { play(t, ask, met) })
			})
		}
	}
	t.Logf("%v", met)
	for _, what := range subjects {
		if met[what] == 0 && !testing.Short() { // -short plays too few lives to count
			t.Errorf("no life had %q: the lives have lost their subject", what)
		}
	}
}

// play plays one connection from its beginning to its end.
func play(t *rapid.T, ask Asker, met map[string]int) {
	w := newWorld(t, drawnConfig(t, ask), met)
	for range rapid.IntRange(1, 80).Draw(t, "moves") {
		w.move()
	}
	w.quiet()
	w.end()
	w.replay()
	w.again()
}

// subjects are the events that a run must contain. Otherwise the generator no longer serves its purpose.
var subjects = []string{"question answered", "question cancelled", "question failed", "round repeated",
	"round handed over", "round resumed", "call cancelled", "call failed", "journal failed", "engine broke", "page opened",
	"asked of the client", "withdrawn", "progress", "late answer", "held call sent", "held call repeated",
	"edited call sent", "asked of the host after the client"}

// world is one connection with everything around it.
type world struct {
	t *rapid.T
	*peers
	met    map[string]int
	config Config
	m      *Machine
	inputs []given
	said   [][]byte // the effects of every step

	clock   int64 // of the host; it may go back
	timer   int64 // when the host will send a tick; 0 for never
	random  uint64
	arm     int // the engine fails at this many inputs from now; 0 for never
	armNext int // and once more at this many inputs after that
	tags    int // number of tags so far
	fail    int // the append that fails, counted from the next one; 0 for none
	broken  bool
	chains  [][]byte
	current string // the message that is being received

	plant           func([]Effect) []Effect // a bug for the checks to find; nil for none
	mute            bool                    // the client answers nothing any more
	policyMayAccept bool                    // a question that needs no data
	ev              Event                   // the event of this step
}

// given is one input, for playing the same connection again.
type given struct {
	Input
	arm, armNext int
}

func newWorld(t *rapid.T, config Config, met map[string]int) *world {
	w := &world{t: t, met: met, clock: 1_000_000, chains: [][]byte{nil}, config: config,
		policyMayAccept: mayAccept(config.Engine)}
	w.peers = newPeers(w)
	w.configured(bytes.Contains(config.Engine, []byte(`"pairs"`)))
	w.install()
	first := w.input(nil, nil)
	w.inputs = append(w.inputs, given{first, 0, 0})
	m, effects, problems := New(w.config, first)
	if len(problems) > 0 {
		t.Fatalf("the configuration is refused: %v", problems)
	}
	w.m = m
	other := first
	other.Random[0]++
	if m, _, _ := New(w.config, other); m.ids.Prefix == w.m.ids.Prefix || len(m.ids.Prefix) != len("elicit-")+24+1 {
		w.wrong("two connections have ids that begin with %s", m.ids.Prefix)
	}
	w.remember(effects)
	w.perform(first, effects)
	if at := fmt.Appendf(nil, `"at":%d,`, w.clock); !bytes.Contains(w.chains[0], at) {
		w.wrong("the connection begins at another time: %s", w.chains[0])
	}
	return w
}

// install makes the engine fail when arm says so.
func (w *world) install() {
	breaks = func(engine.Input) {
		if w.arm == 0 {
			return
		}
		if w.arm--; w.arm == 0 {
			w.arm, w.armNext = w.armNext, 0
			w.met["engine broke"]++
			panic("the engine breaks here")
		}
	}
}

func (w *world) wrong(format string, args ...any) {
	if w.plant != nil {
		panic(found(fmt.Sprintf(format, args...)))
	}
	w.t.Logf("ask %s, modes %v, engine %s, journal %.3000s", w.config.Ask, w.config.Modes, w.config.Engine, w.chains[0])
	w.t.Helper()
	for i, in := range w.inputs {
		ev := []byte("open")
		if in.Event != nil {
			ev = in.Event.AppendJSON(nil)
		}
		w.t.Logf("%d at %d: %s %s", i, in.At, ev, in.Message)
		if i < len(w.said) {
			w.t.Logf("   %s", record.ReplaceAll(w.said[i], []byte(`"append"`)))
		}
	}
	w.t.Logf("as a vector, without failures of the engine: %s", w.vector())
	w.t.Fatalf("%s", fmt.Sprintf(format, args...))
}

// record is an append among the effects of a step. A failure report is easier to read without it.
var record = regexp.MustCompile(`\{"effect":"append".*?"hash":"[0-9a-f]*"\}\}`)

func (w *world) input(ev Event, message []byte) Input {
	w.random++
	in := Input{At: w.clock, Event: ev, Message: message}
	binary.LittleEndian.PutUint64(in.Random[:], w.random)
	return in
}

// receive gives the machine a message of one end. It overwrites the host's own copy after the step, because the
// machine must not keep it.
func (w *world) receive(from End, line string) {
	w.crossed = request1{}
	if due := w.due(); due != 0 && due <= max(w.clock, w.m.time.Now) && (w.reuses(from, line) || w.respells(from, line)) {
		// otherwise it is unclear whether an answer is for the earlier request or the new one, and which call is meant
		w.tick()
	}
	w.hear(from, line)
	w.current = line
	w.step(Received{From: from}, []byte(line))
	w.current = ""
}

func (w *world) step(ev Event, message []byte) {
	in := w.input(ev, bytes.Clone(message))
	w.ev = ev
	if again, problems := ReadEvent(ev.AppendJSON(nil)); fmt.Sprintf("%+v", again) != fmt.Sprintf("%+v", ev) {
		w.wrong("the event %+v is read again as %+v %v", ev, again, problems)
	}
	w.inputs = append(w.inputs, given{Input{At: in.At, Random: in.Random, Event: ev, Message: message}, w.arm, w.armNext})
	effects := w.m.Step(in)
	if w.plant != nil {
		effects = w.plant(effects)
	}
	if !bytes.Equal(in.Message, message) {
		w.wrong("the message was changed")
	}
	for i := range in.Message {
		in.Message[i] = '#'
	}
	w.remember(effects)
	w.perform(in, effects)
}

func (w *world) remember(effects []Effect) {
	text := []byte("[")
	for i, next := range effects {
		if i > 0 {
			text = append(text, ',')
		}
		text = next.AppendJSON(text)
	}
	w.said = append(w.said, append(text, ']'))
}

// perform does what a host does, and drops the rest of the step if a record cannot be kept.
func (w *world) perform(in Input, effects []Effect) {
	for _, next := range slices.Clone(effects) {
		switch ef := next.(type) {
		case effect.Append:
			if w.broken {
				w.wrong("a record follows the failure of the journal: %s", ef.Record)
			}
			if w.fail == 1 {
				w.fail, w.broken = 0, true
				w.met["journal failed"]++
				w.step(AppendFailed{}, nil)
				w.nothingDecided()
				return
			}
			w.fail = max(0, w.fail-1)
			w.keepsTwo(ef.Record)
			last := len(w.chains) - 1
			w.chains[last] = append(append(w.chains[last], ef.Record...), '\n')
		case NewJournal:
			w.chains = append(w.chains, nil)
			w.asksAgain()
		case effect.Wake:
			w.timer = ef.At
		default:
			w.effect(next)
		}
	}
	w.checkWake()
	w.settledDown()
}

// checkWake checks that the machine has asked for a wake at or before the time at which something is due.
func (w *world) checkWake() {
	due := w.due()
	if due != 0 && (w.timer == 0 || w.timer > due) {
		w.wrong("something is due at %d, and the host was asked for a wake at %d", due, w.timer)
	}
}

// due returns when something is due in the machine, 0 for never.
func (w *world) due() int64 {
	due := w.m.decider.Wake
	if w.m.decider.Broken() {
		due = 0
	}
	for _, t := range w.m.time.Timers() {
		if due == 0 || t.At < due {
			due = t.At
		}
	}
	return due
}

// tick sends the tick of the host's timer, or one that no one asked for.
func (w *world) tick() {
	w.timer = 0
	w.step(event.Ticked{}, nil)
}

// quiet lets everybody do what is expected of them until no one waits for anything. Then it checks the memory of the
// machine.
func (w *world) quiet() {
	w.arm, w.armNext, w.fail = 0, 0, 0
	w.mute = w.config.AnswerWithin > 0 && w.below(2) == 0
	// A call may wait behind rounds that a client has and never continues, one after the other.
	for n := 0; n < 500+len(w.retries)*mcp.HandedFor/int(w.config.KeepAlive); n++ {
		if !w.settleOne() {
			w.checkOwed()
			if !w.closedServer { // otherwise calls wait for the end of the server
				w.checkMemory(false)
			}
			return
		}
	}
	w.wrong("after many answers somebody still waits: client %v, server %v, timer %d", w.clientWaits, w.serverWaits,
		w.timer)
}

// end closes the connection from both sides.
func (w *world) end() {
	w.ended(Server)
	w.ended(Host)
	w.checkMemory(true)
}

// checkMemory checks the tables of the machine when no one waits for anything.
func (w *world) checkMemory(over bool) {
	m := w.m
	sizes := map[string]int{"calls": len(m.calls.ByClient), "calls at the server": len(m.calls.ByServer),
		"tokens":         sizeOf(m.speaks, "link", "signs", "tokens"),
		"bytes of calls": m.calls.Kept, "asked": len(m.client.asked), "asks": len(m.client.asks),
		"questions":     m.decider.Open(),
		"visiting":      sizeOf(m.decider, "questions", "visiting"),
		"with the user": len(m.client.withUser), "timers": len(m.time.Timers()), "pending": sizeOf(m.decider, "queue")}
	if sizeOf(m.speaks, "handed", "list") > 0 && !over {
		// a client that never calls again keeps the questions that it was given
		delete(sizes, "questions")
		delete(sizes, "bytes of calls")
	}
	if over {
		sizes["handed"], sizes["sessions"] = sizeOf(m.speaks, "handed", "list"), m.decider.Sessions()
	}
	for what, n := range sizes {
		if n != 0 && (what != "asks" || !w.clientGone || over) {
			w.wrong("nobody waits for anything, and the machine remembers %d %s", n, what)
		}
	}
}

// replay checks that the journal gives the same records again.
func (w *world) replay() {
	for _, chain := range w.chains {
		if r := engine.Replay(chain, nil); r.Problem != nil {
			w.wrong("the journal does not replay: %s\nwant %s\ngot  %s", r.Problem.AppendJSON(nil), r.Want, r.Got)
		}
	}
}

// again plays the same inputs once more and compares the effects.
func (w *world) again() {
	w.arm = 0
	m, effects, _ := New(w.config, w.inputs[0].Input)
	said := w.said
	w.said = nil
	w.remember(effects)
	for _, in := range w.inputs[1:] {
		w.arm, w.armNext = in.arm, in.armNext
		w.remember(m.Step(in.Input))
	}
	for i := range said {
		if !bytes.Equal(said[i], w.said[i]) {
			w.t.Fatalf("step %d had other effects the second time:\n%s\n%s", i, said[i], w.said[i])
		}
	}
}

func drawnConfig(t *rapid.T, ask Asker) Config {
	c := Config{Server: "s", Ask: ask, KeepAlive: 5000,
		Modes: elicit.Modes{Form: true, URL: rapid.Bool().Draw(t, "url")}, MaxMessage: 1 << 16,
		HoldCalls: ask != AskClient && rapid.IntRange(0, 2).Draw(t, "hold") > 0}
	if ask == AskEither {
		c.Modes.Form, c.PolicyAlone = rapid.Bool().Draw(t, "form"), rapid.Bool().Draw(t, "policy alone")
	}
	c.Engine = []byte(rapid.SampledFrom([]string{
		`{"limits":{"burst":50,"per_minute":6000}}`,
		`{"limits":{"shown":2,"answer_ttl_ms":9000,"page_ttl_ms":7000,"burst":50,"per_minute":6000}}`,
		`{"limits":{"queue":2,"burst":5,"per_minute":60}}`,
		`{"limits":{"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"rules":[{"name":"r",` +
			`"when":{"kind":"confirm"},"then":"accept"}]}}}`,
		`{"limits":{"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"rules":[{"name":"r",` +
			`"when":{"kind":"approval","tool":"y"},"then":"accept"}]}}}`,
		`{"limits":{"burst":50,"per_minute":6000},"guardians":[{"name":"g","host":true,"reads":["/request"],` +
			`"deadline_ms":1500}]}`,
	}).Draw(t, "engine"))
	if rapid.IntRange(0, 3).Draw(t, "direct") == 0 {
		c.Session = &Session{Version: rapid.SampledFrom([]string{"2025-06-18", "2025-11-25"}).Draw(t, "version"),
			Declared: elicit.Modes{Form: true, URL: true}}
	}
	return c
}

// ids is what the person's side remembers.
type ids = map[elicit.ID]effect.Show
