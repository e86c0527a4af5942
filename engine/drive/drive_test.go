package drive

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// room is a host that writes down what it is told to do.
type room struct {
	mu       sync.Mutex
	said     []string
	shown    []engine.Show
	replies  map[string][]engine.Reply // by ref
	problems int
}

func newRoom() *room { return &room{replies: map[string][]engine.Reply{}} }

func (r *room) note(what string) { r.said = append(r.said, what) }

func (r *room) lock() func() { r.mu.Lock(); return r.mu.Unlock }

func (r *room) Show(s engine.Show) {
	defer r.lock()()
	r.note("show " + s.Ref)
	r.shown = append(r.shown, s)
}
func (r *room) Withdraw(w engine.Withdraw) { defer r.lock()(); r.note("withdraw " + string(w.Cause)) }
func (r *room) OpenURL(u engine.OpenURL)   { defer r.lock()(); r.note("open " + u.URL) }
func (r *room) Resolve(e engine.Resolve)   { defer r.lock()(); r.note("resolve " + string(e.Resolution)) }
func (r *room) Problem(engine.Problem)     { defer r.lock()(); r.note("problem"); r.problems++ }
func (r *room) Reply(e engine.Reply) {
	defer r.lock()()
	r.note("reply " + e.Ref + " " + string(e.Outcome) + " " + string(e.Cause))
	r.replies[e.Ref] = append(r.replies[e.Ref], e)
}

func (r *room) story() string { defer r.lock()(); return strings.Join(r.said, ", ") }

// book is a journal that fails from its n-th record on, or never when n is 0.
type book struct {
	room    *room
	records int
	failAt  int
}

var errFull = errors.New("disk full")

func (b *book) Append([]byte) error {
	b.records++
	if b.failAt > 0 && b.records >= b.failAt {
		return errFull
	}
	defer b.room.lock()()
	b.room.note("append")
	return nil
}

func open(session string) engine.Opened {
	return engine.Opened{Session: session, Server: "build", Side: elicit.Answering,
		Declared: engine.Modes{Form: true, URL: true}, Shown: engine.Modes{Form: true, URL: true}}
}

func ask(session, ref string) engine.Asked {
	return engine.Asked{Request: elicit.Request{Session: session, Ref: ref, Mode: elicit.Form, Message: "Go on?",
		Schema: []byte(`{"type":"object","properties":{}}`)}}
}

func start(t *testing.T, config string, r *room, o Options) *Driver {
	t.Helper()
	d, err := New([]byte(config), r, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Shutdown)
	return d
}

func do(t *testing.T, d *Driver, events ...engine.Event) {
	t.Helper()
	for _, event := range events {
		if err := d.Do(event); err != nil {
			t.Fatalf("%T: %v", event, err)
		}
	}
}

// await polls until the story holds what is wanted.
func await(t *testing.T, r *room, want string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		if strings.Contains(r.story(), want) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %q in: %s", want, r.story())
		}
		time.Sleep(time.Millisecond)
	}
}

func TestRecordIsDurableBeforeItsEffects(t *testing.T) {
	r := newRoom()
	d := start(t, "{}", r, Options{Journal: &book{room: r}})
	do(t, d, open("s"), ask("s", "1"))
	do(t, d, engine.Answered{Session: "s", ID: r.shown[0].ID, Action: elicit.Accept})
	if got, want := r.story(), "append, append, append, show 1, append, reply 1 accept user"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFloodIsToldBeforeWhatFollows: steps without a record are performed, and the record that tells of them is durable
// before the next step's effects.
func TestFloodIsToldBeforeWhatFollows(t *testing.T) {
	r := newRoom()
	c := &clock{now: time.UnixMilli(1_000_000)}
	d := start(t, `{"limits":{"burst":1,"per_minute":0}}`, r, Options{Journal: &book{room: r}, Now: c.Now})
	do(t, d, open("s"), ask("s", "1"))
	for range 40 {
		do(t, d, ask("s", "2"))
	}
	before := strings.Count(r.story(), "append")
	do(t, d, engine.Closed{Session: "s", Cause: elicit.ByShutdown})
	if replies := len(r.replies["2"]); replies != 40 || before >= 20 {
		t.Errorf("%d replies, %d records", replies, before)
	}
	if want := "reply 2 error rate_limited, append, append, reply 1 cancel shutdown, withdraw shutdown"; !strings.HasSuffix(r.story(), want) {
		t.Errorf("got %s\nwant it to end in %s", r.story(), want)
	}
}

func TestNewNamesEveryProblemOfTheConfiguration(t *testing.T) {
	_, err := New([]byte(`{"polcy":{},"limits":{"queue":-1}}`), newRoom(), Options{})
	for _, want := range []string{"/polcy", "/limits/queue"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name %s", err, want)
		}
	}
	if _, err := New(nil, newRoom(), Options{Journal: &book{failAt: 1}}); !errors.Is(err, errFull) {
		t.Errorf("a journal that fails at once: %v", err)
	}
	if _, err := New(nil, newRoom(), Options{Dice: strings.NewReader("few")}); err == nil {
		t.Error("no dice, no driver")
	}
}

// TestFailClosed lets the journal fail at each point of a run: every question asked has exactly one reply in the end,
// nobody accepts anything once it failed, and no page opens.
func TestFailClosed(t *testing.T) {
	page := engine.Asked{Request: elicit.Request{Session: "s", Ref: "3", Mode: elicit.URL, Message: "Pay?",
		URL: "https://example.com/pay", Link: "L"}}
	for failAt := 2; failAt <= 11; failAt++ {
		r := newRoom()
		d := start(t, `{"limits":{"shown":9}}`, r, Options{Journal: &book{room: r, failAt: failAt}})
		var failed bool
		asked := map[string]bool{}
		events := []func() engine.Event{
			func() engine.Event { return open("s") },
			func() engine.Event { return open("t") },
			func() engine.Event { return ask("s", "1") },
			func() engine.Event { return ask("t", "2") },
			func() engine.Event { return page },
			func() engine.Event { return r.answer("1") },
			func() engine.Event { return r.answer("3") },
			func() engine.Event { return ask("s", "4") },
			func() engine.Event { return engine.Closed{Session: "t", Cause: elicit.ByShutdown} },
			func() engine.Event { return ask("s", "5") },
		}
		for i, event := range events {
			ev := event()
			if a, ok := ev.(engine.Asked); ok {
				asked[a.Ref] = true
			}
			err := d.Do(ev)
			failed = failed || err != nil
			if failed != errors.Is(err, errFull) {
				t.Fatalf("failing at %d, event %d: %v", failAt, i, err)
			}
		}
		if !failed {
			t.Fatalf("failing at %d: the journal never failed", failAt)
		}
		d.Shutdown()
		for ref := range asked {
			if got := r.replies[ref]; len(got) != 1 {
				t.Errorf("failing at %d: %d replies for %s: %s", failAt, len(got), ref, r.story())
			}
		}
		if failAt <= 7 && strings.Contains(r.story(), "accept") || failAt <= 8 && strings.Contains(r.story(), "open ") {
			t.Errorf("failing at %d: something was accepted: %s", failAt, r.story())
		}
		if r.problems > 0 && failAt > 3 {
			t.Errorf("failing at %d: the failure made problems of its own: %s", failAt, r.story())
		}
	}
}

// answer accepts the shown request with that ref.
func (r *room) answer(ref string) engine.Answered {
	a := engine.Answered{Session: "s", Action: elicit.Accept}
	for _, s := range r.shown {
		if s.Ref == ref {
			a.ID = s.ID
		}
	}
	return a
}

func TestShutdownSettlesEverything(t *testing.T) {
	r := newRoom()
	d := start(t, "{}", r, Options{})
	do(t, d, open("s"), open("t"), ask("s", "1"), ask("s", "2"), ask("t", "3"))
	d.Shutdown()
	d.Shutdown()
	for _, ref := range []string{"1", "2", "3"} {
		if got := r.replies[ref]; len(got) != 1 || got[0].Cause != elicit.ByShutdown {
			t.Errorf("replies for %s: %v", ref, got)
		}
	}
	if err := d.Do(ask("s", "4")); !errors.Is(err, ErrShutdown) {
		t.Errorf("after shutdown: %v", err)
	}
}

// TestShutdownKnowsResumedSessions: a session that was loaded is as open as one that was opened.
func TestShutdownKnowsResumedSessions(t *testing.T) {
	e := engine.New()
	e.Step(engine.Input{Event: open("s")})
	e.Step(engine.Input{Event: ask("s", "1")})
	state, _ := e.Save("s")
	r := newRoom()
	d := start(t, "{}", r, Options{})
	do(t, d, engine.Resumed{State: state})
	d.Shutdown()
	if got, want := r.story(), "show 1, reply 1 cancel shutdown, withdraw shutdown"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTimerEndsARequest(t *testing.T) {
	r := newRoom()
	d := start(t, `{"limits":{"answer_ttl_ms":20}}`, r, Options{})
	do(t, d, open("s"), ask("s", "1"), ask("s", "2"))
	await(t, r, "reply 2 cancel timeout")
	if got := len(r.replies["1"]); got != 1 {
		t.Errorf("%d replies for 1", got)
	}
}

// clock is a time that only moves when told.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time          { c.mu.Lock(); defer c.mu.Unlock(); return c.now }
func (c *clock) advance(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// TestTimerSurvivesAClockSetBack: the timer falls due by the machine's time while the clock says it is early. It must
// be set anew, or nobody would ever wake the engine again.
func TestTimerSurvivesAClockSetBack(t *testing.T) {
	r := newRoom()
	c := &clock{now: time.UnixMilli(1_000_000)}
	d := start(t, `{"limits":{"answer_ttl_ms":10}}`, r, Options{Now: c.Now})
	do(t, d, open("s"), ask("s", "1"))
	c.advance(-time.Millisecond) // the timer set for 10 ms fires with 11 to go
	d.tick()
	if got := r.story(); got != "show 1" {
		t.Fatalf("too early: %s", got)
	}
	c.advance(time.Second)
	await(t, r, "reply 1 cancel timeout")
}

// TestManyCallers is for the race detector: questions and answers from everywhere while timers run out.
func TestManyCallers(t *testing.T) {
	r := newRoom()
	d := start(t, `{"limits":{"answer_ttl_ms":1,"burst":1000,"shown":100,"queue":1000}}`, r, Options{})
	var all sync.WaitGroup
	for _, session := range []string{"a", "b", "c", "d"} {
		all.Go(func() {
			do(t, d, open(session))
			for i := range 50 {
				do(t, d, ask(session, session+string(rune('0'+i))))
			}
		})
	}
	all.Wait()
	d.Shutdown()
	defer r.lock()()
	if len(r.replies) != 200 {
		t.Errorf("%d requests have a reply, want 200", len(r.replies))
	}
	for ref, replies := range r.replies {
		if len(replies) != 1 {
			t.Errorf("%d replies for %s", len(replies), ref)
		}
	}
}

func TestJournalThatTakesNothingLeavesADriverThatRefuses(t *testing.T) {
	r := newRoom()
	d, err := New(nil, r, Options{Journal: &book{room: r, failAt: 1}})
	var lost *JournalError
	if !errors.As(err, &lost) || !errors.Is(err, errFull) || d == nil {
		t.Fatalf("got driver %v and error %v, want both", d, err)
	}
	for _, ev := range []engine.Event{open("s"), ask("s", "1"), ask("s", "2")} {
		if err := d.Do(ev); !errors.Is(err, errFull) {
			t.Errorf("Do: got %v want %v", err, errFull)
		}
	}
	d.Shutdown()
	if want := "reply 1 error shutdown, reply 2 error shutdown"; r.story() != want {
		t.Errorf("got %s\nwant %s", r.story(), want)
	}
}
