package asker

import (
	"cmp"
	"strings"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/site"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
)

// Config is what a machine is told about its server and its host.
//
// A host has one for all its machines. Times below 0 mean none, and 0 means the default.
type Config struct {
	// Asking is the configuration of each session. The machine sets what concerns one client: Principal, Version,
	// Declared, Requests, Prefix, and Page, to which it adds the name of the session.
	Asking asking.Config
	// Keep is how many milliseconds a store keeps the history. 0 is 90 days.
	Keep int64
	// KeepJournal is how many milliseconds a store keeps the journal. 0 is Keep; less than 0 gives the store no records.
	KeepJournal int64
	// Store says that the host has a store. Without one, this process alone has the sessions.
	Store bool
	// Journal says that the host keeps records itself: Append.
	Journal bool
	// Results is how many milliseconds the result of a call is kept for who makes the call again with the same answer,
	// because the response was lost. 0 is 15 minutes; less than 0 keeps none.
	Results int64
	// Progress is how many milliseconds lie between two notifications to a client whose call waits for a person. 0 is ten
	// seconds; less than 0 sends none. A client that gave no token gets none.
	Progress int64
	// SignIn is where a person signs in for the server's own pages: a path or an address, "" for none.
	SignIn string
}

// Input is one event, with the time and the random bytes of its step.
type Input struct {
	At      int64    // milliseconds since 1970-01-01 UTC
	Elapsed int64    // milliseconds since some moment; never goes back
	Random  [32]byte // fresh random bytes
	Event   Event
}

// Machine is the asking side of one process. See New.
//
// sessions has all that concerns one session. The other fields are about calls, and about what concerns many sessions.
type Machine struct {
	// A run is in calls from Called to the last Reply, and in waiting while it waits for another run. A call of the
	// fallback tool is in passing. All three have the name of the call as their key.
	sessions sessions
	calls    map[string]*run // by the name of the call
	passing  map[string]*passing
	redeemed map[string]int64 // states that came back, with their expiry; without a store
	sweep    sweep
	woken    [2]int64
	waiting  map[string]*run // calls that were made again while their first run goes on
	patience timers          // of these
	rates    rates
	closing  *closing
	site     *site.Site // nil if the host serves pages of its own
	visits   int        // requests that wait for their sessions
	lists    []*list    // that are being made; the first is at work
}

// New makes a machine. For a configuration with problems, it makes none.
func New(c Config) (*Machine, []elicit.Problem) {
	c.Keep = cmp.Or(c.Keep, 90*24*3600*1000)
	m := &Machine{calls: map[string]*run{}, passing: map[string]*passing{},
		redeemed: map[string]int64{}, waiting: map[string]*run{}}
	m.sessions = sessions{config: c, asks: map[string]*ask{}, sends: map[string]*sending{}, byName: map[string]*session{}}
	// A wrong configuration must fail here and not at the first question of some client.
	tried := m.sessions.asking("", client{Version: "2025-11-25"})
	if _, _, problems := asking.New(tried, asking.Input{}); len(problems) > 0 {
		return nil, problems
	}
	m.sessions.config.Asking.Forms = asking.SharedForms()
	m.rates = newRates(c.Asking)
	if strings.HasSuffix(c.Asking.Page, site.Fragment) || c.SignIn != "" {
		s, problems := site.New(c.Asking.Page, c.Asking.Server, c.SignIn)
		if len(problems) > 0 {
			return nil, problems
		}
		m.site = s
	}
	return m, nil
}

// Step takes one input and returns the effects in order. It never fails: an event of something that is over changes
// nothing.
//
// The effects belong to the caller, and the machine keeps none of them.
func (m *Machine) Step(in Input) []Effect {
	m.sessions.clock.read(in)
	// An allowance is a session of the store too. It has no machine, and its name is in no table of the sessions.
	if m.rated(in.Event) {
		return m.stepped()
	}
	switch ev := in.Event.(type) {
	case Ticked:
		if m.woken != [2]int64{} {
			m.woken = [2]int64{-1, -1} // the host has no timer now, also when the tick came early
		}
	case Called:
		m.called(ev)
	case Unsealed:
		m.unsealed(ev)
	case Redeemed:
		m.wasRedeemed(ev)
	case Posed:
		m.posed(ev)
	case Checked:
		m.sessions.checked(ev)
	case Kept:
		m.kept(ev)
	case Keyed:
		m.keyed(ev)
	case Computed:
		m.computed(ev)
	case GivenUp:
		m.givenUp(ev)
	case Returned:
		m.returned(ev)
	case Sealed:
		m.sealed(ev)
	case Responded:
		m.responded(ev)
	case Submitted:
		m.submitted(ev)
	case Claimed:
		m.claimed(ev)
	case Viewed:
		m.viewed(ev)
	case Requested:
		m.requested(ev)
	case Completed:
		m.completed(ev)
	case Listed:
		m.listed(ev)
	case TakenBack:
		m.sessions.takenBack(ev, m.closing != nil)
	case Progressed:
		m.progressed(ev)
	case Consulted:
		m.consulted(ev)
	case Closed:
		m.closed(ev)
	case StoreFailed:
		m.storeFailed(ev)
	case Found:
		m.found(ev)
	default:
		m.sessions.ofSession(ev)
	}
	return m.stepped()
}

// stepped does what is due, and returns the effects of the step.
//
// A reply to a call of the fallback tool may let another call begin, and that may make something due.
func (m *Machine) stepped() []Effect {
	m.pass()
	if m.passed() {
		m.pass()
	}
	effects := m.sessions.out
	m.sessions.out = nil
	return effects
}

// pass does what is due, and asks for a tick when the next one is at another time than before.
//
// Deadlines of questions follow the wall clock, because all processes must agree on them. Pauses and patience follow
// the elapsed time of this process, which no clock change can move.
func (m *Machine) pass() {
	m.sessions.pass()
	m.sessions.beatDue(m.calls, m.closing != nil)
	m.look()
	m.sweepDue()
	pauses := sooner(sooner(m.sessions.pauses.next(), m.sessions.beats.next()), m.patience.next())
	next, now := [2]int64{m.sessions.ticks.next(), sooner(pauses, m.sweep.next)}, m.sessions.clock
	if next == m.woken {
		return
	}
	m.woken = next
	in := int64(-1)
	if next[0] != 0 {
		in = max(0, next[0]-now.at)
	}
	if next[1] != 0 && (in < 0 || next[1]-now.elapsed < in) {
		in = max(0, next[1]-now.elapsed)
	}
	m.sessions.emit(Wake{in})
}

// sooner returns the earlier of two moments, of which 0 means never.
func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// clock has the time and the random bytes of a step.
type clock struct {
	at, elapsed int64
	random      [32]byte
}

func (c *clock) read(in Input) {
	c.at, c.elapsed, c.random = in.At, max(c.elapsed, in.Elapsed), in.Random
}

// draw returns random bytes for one use.
func (c *clock) draw() [32]byte {
	drawn := c.random
	c.random = digest.Sum256(c.random[:])
	return drawn
}

// name returns a name that nobody can guess.
func (c *clock) name(bytes int) string {
	random := c.draw()
	return digest.Hex(random[:bytes])
}
