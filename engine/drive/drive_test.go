package drive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pull"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/swarm"
)

// recorder is a host that records its calls.
type recorder struct {
	mu      sync.Mutex
	said    []string
	shown   []effect.Show
	replies map[string]int // messages to the server, by what they answer
}

func newRecorder() *recorder { return &recorder{replies: map[string]int{}} }

func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func (r *recorder) Forward(to relay.End) { r.note("forward %s", to) }

func (r *recorder) Send(to relay.End, message []byte) {
	short := strings.NewReplacer(`{"jsonrpc":"2.0","id":`, "", `"result":{"action":`, "", `"`, "", `}`,
		"").Replace(string(message))
	if id, _, answer := strings.Cut(short, ","); answer {
		r.mu.Lock()
		r.replies[id]++
		r.mu.Unlock()
	}
	r.note("send %s %s", to, short)
}

func (r *recorder) Perform(next relay.Effect) {
	switch ef := next.(type) {
	case effect.Show:
		r.note("show %s", ef.Ref)
		r.mu.Lock()
		r.shown = append(r.shown, ef)
		r.mu.Unlock()
	case effect.Withdraw:
		r.note("withdraw %s", ef.Cause)
	case effect.OpenURL:
		r.note("open %s", ef.URL)
	case relay.Close:
		r.note("close %s", ef.End)
	}
}

func (r *recorder) story() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.said, ", ")
}

// answer accepts the first shown question with that ref.
func (r *recorder) answer(ref string) event.Answered {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := event.Answered{Action: elicit.Accept}
	for _, s := range r.shown {
		if s.Ref == ref {
			a.Session, a.ID = s.Session, s.ID
		}
	}
	return a
}

// fakeJournal is a journal that fails from its n-th record on, or never if n is 0.
type fakeJournal struct {
	recorder *recorder
	records  int
	failAt   int
}

var errFull = errors.New("disk full")

func (b *fakeJournal) Append([]byte) error {
	b.records++
	if b.failAt > 0 && b.records >= b.failAt {
		return errFull
	}
	b.recorder.note("append")
	return nil
}

func config(engineConfig string) relay.Config {
	both := elicit.Modes{Form: true, URL: true}
	return relay.Config{Engine: []byte(engineConfig), Server: "build", Modes: both,
		Session: &relay.Session{Version: "2025-11-25", Declared: both, CallsSeen: true}}
}

func question(id int) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"Go on?",`+
		`"requestedSchema":{"type":"object","properties":{}}}}`, id)
}

func page(id int) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"mode":"url",`+
		`"message":"Pay?","url":"https://example.com/pay","elicitationId":"L"}}`, id)
}

func start(t *testing.T, engineConfig string, r *recorder, o Options) *Driver {
	t.Helper()
	d, err := New(config(engineConfig), r, o)
	if d == nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Shutdown)
	return d
}

func receive(t *testing.T, d *Driver, messages ...[]byte) {
	t.Helper()
	for _, m := range messages {
		if err := d.Receive(relay.Server, m); err != nil {
			t.Fatalf("%s: %v", m, err)
		}
	}
}

func TestEffectsComeInOrderAndRecordsFirst(t *testing.T) {
	r := newRecorder()
	d := start(t, "{}", r, Options{Journal: &fakeJournal{recorder: r}})
	receive(t, d, []byte(`{"jsonrpc":"2.0","method":"n"}`), question(1))
	must.OK(t, d.Do(r.answer("1")))
	got, want := r.story(), "append, append, forward client, append, show 1, append, send server 1,accept,content:{"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFloodIsToldBeforeWhatFollows checks that steps without a record are performed, and that the record that reports
// them is durable before the next step's effects.
func TestFloodIsToldBeforeWhatFollows(t *testing.T) {
	r := newRecorder()
	c := &clock{now: time.UnixMilli(1_000_000)}
	d := start(t, `{"limits":{"burst":1,"per_minute":0,"flood_bytes":4096}}`, r, Options{
		Journal: &fakeJournal{recorder: r},
		Now:     c.Now})
	receive(t, d, question(1))
	for i := range 40 {
		receive(t, d, question(100+i))
	}
	before := strings.Count(r.story(), "append")
	d.Shutdown()
	if replies := len(r.replies); replies != 41 || before >= 20 {
		t.Errorf("%d replies, %d records", replies, before)
	}
	if want := "append, append, send server 1,cancel, withdraw shutdown, close server"; !strings.HasSuffix(r.story(),
		want) {
		t.Errorf("got %s\nwant it to end in %s", r.story(), want)
	}
}

func TestNewNamesEveryProblemOfTheConfiguration(t *testing.T) {
	_, err := New(config(`{"polcy":{},"limits":{"queue":-1}}`), newRecorder(), Options{})
	for _, want := range []string{"/polcy", "/limits/queue"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name %s", err, want)
		}
	}
	if _, err := New(relay.Config{}, newRecorder(), Options{}); err == nil || !strings.Contains(err.Error(), "/server") {
		t.Errorf("a connection without a name: %v", err)
	}
	if _, err := New(config("{}"), newRecorder(), Options{Random: strings.NewReader("few")}); err == nil {
		t.Error("no randomness, no driver")
	}
}

// TestFailClosed lets the journal fail at each point of a run. In the end every question has exactly one reply. After
// the failure nothing is accepted, no page opens, and messages that are no questions pass as before.
func TestFailClosed(t *testing.T) {
	notice := []byte(`{"jsonrpc":"2.0","method":"n"}`)
	for failAt := 1; failAt <= 9; failAt++ {
		r := newRecorder()
		d := start(t, `{"limits":{"shown":9}}`, r, Options{Journal: &fakeJournal{recorder: r, failAt: failAt}})
		steps := []func() error{
			func() error { return d.Receive(relay.Server, question(1)) },
			func() error { return d.Receive(relay.Server, question(2)) },
			func() error { return d.Receive(relay.Server, page(3)) },
			func() error { return d.Do(r.answer("1")) },
			func() error { return d.Do(r.answer("3")) },
			func() error { return d.Receive(relay.Server, notice) },
			func() error { return d.Receive(relay.Server, question(4)) },
			func() error { return d.Receive(relay.Server, question(5)) },
		}
		failures := 0
		for i, step := range steps {
			if err := step(); err != nil {
				failures++
				if !errors.Is(err, errFull) {
					t.Fatalf("failing at %d, step %d: %v", failAt, i, err)
				}
			}
		}
		if want := 1; failAt <= 2 { // New has returned the error
			want = 0
			if failures != want {
				t.Fatalf("failing at %d: %d steps failed, want %d", failAt, failures, want)
			}
		} else if failures != want {
			t.Fatalf("failing at %d: %d steps failed, want %d: %s", failAt, failures, want, r.story())
		}
		d.Shutdown()
		for _, id := range []string{"1", "2", "3", "4", "5"} {
			if got := r.replies[id]; got != 1 {
				t.Errorf("failing at %d: %d replies for %s: %s", failAt, got, id, r.story())
			}
		}
		if failAt <= 6 && strings.Contains(r.story(), "accept") || failAt <= 7 && strings.Contains(r.story(), "open ") {
			t.Errorf("failing at %d: something was accepted: %s", failAt, r.story())
		}
		if !strings.Contains(r.story(), "forward client") {
			t.Errorf("failing at %d: a notification did not pass: %s", failAt, r.story())
		}
	}
}

func TestShutdownSettlesEverything(t *testing.T) {
	r := newRecorder()
	d := start(t, "{}", r, Options{})
	receive(t, d, question(1), question(2))
	d.Shutdown()
	d.Shutdown()
	got, want := r.story(), "show 1, send server 1,cancel, withdraw shutdown, send server 2,cancel, withdraw shutdown, "+
		"close server"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := d.Receive(relay.Server, question(4)); !errors.Is(err, ErrShutdown) {
		t.Errorf("after shutdown: %v", err)
	}
}

// clock is a time that moves only when the test moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time          { c.mu.Lock(); defer c.mu.Unlock(); return c.now }
func (c *clock) advance(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// TestATickThatCameEarlyIsAskedForAgain sets the clock back while the timer runs. Without another wake, nothing would
// ever end the question.
func TestATickThatCameEarlyIsAskedForAgain(t *testing.T) {
	r := newRecorder()
	c := &clock{now: time.UnixMilli(1_000_000)}
	d := start(t, `{"limits":{"answer_ttl_ms":10000}}`, r, Options{Now: c.Now})
	receive(t, d, question(1))
	c.advance(-time.Millisecond)
	must.OK(t, d.Do(event.Ticked{}))
	if got := r.story(); got != "show 1" {
		t.Fatalf("too early: %s", got)
	}
	d.mu.Lock()
	armed := d.timer != nil
	d.mu.Unlock()
	if !armed {
		t.Fatal("no timer is running")
	}
	c.advance(time.Minute)
	must.OK(t, d.Do(event.Ticked{}))
	if got, want := r.story(), "show 1, send server 1,cancel, withdraw timeout"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestManyCallers is for the race detector: many goroutines ask questions while timers run out.
func TestManyCallers(t *testing.T) {
	r := newRecorder()
	d := start(t, `{"limits":{"answer_ttl_ms":1,"burst":1000,"shown":100,"queue":1000}}`, r, Options{})
	var all sync.WaitGroup
	for caller := range 4 {
		all.Go(func() {
			for i := range 50 {
				receive(t, d, question(100*(caller+1)+i))
			}
		})
	}
	all.Wait()
	d.Shutdown()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.replies) != 200 {
		t.Errorf("%d requests have a reply, want 200", len(r.replies))
	}
	for ref, n := range r.replies {
		if n != 1 {
			t.Errorf("%d replies for %s", n, ref)
		}
	}
}

// TestDeadlinesDoNotFollowTheWallClock sets the wall clock back and forward by an hour. The deadline of 50 ms comes
// after 50 ms, by the loop's own timer, and that of ten minutes does not come.
func TestDeadlinesDoNotFollowTheWallClock(t *testing.T) {
	for name, set := range map[string]time.Duration{"back": -time.Hour, "forward": time.Hour} {
		t.Run(name, func(t *testing.T) {
			for ttl, want := range map[string]string{"50": "show 1, send server 1,cancel, withdraw timeout",
				"600000": "show 1"} {
				r := newRecorder()
				c := &clock{now: time.UnixMilli(1_000_000_000)}
				began := time.Now()
				d := start(t, `{"limits":{"answer_ttl_ms":`+ttl+`}}`, r, Options{Now: c.Now,
					Elapsed: func() time.Duration { return time.Since(began) }})
				receive(t, d, question(1))
				c.advance(set)
				must.OK(t, d.Do(event.Ticked{}))
				for ttl == "50" && r.story() != want {
					time.Sleep(time.Millisecond)
				}
				if got := r.story(); got != want {
					t.Errorf("ttl %s: got %s, want %s", ttl, got, want)
				}
				d.Shutdown()
			}
		})
	}
}

// disk is a simulated file system with the journal of one driver, and the host of that driver. A write may be cut, a
// sync may fail, the disk may be full, and the process may crash before or after any effect.
type disk struct {
	t        *rapid.T
	met      map[string]int
	chains   [][]byte // what a crash leaves for certain, one journal after the other
	unsynced []byte   // what a crash may leave, or a part of it
	broken   bool     // an append has failed
	crash    int      // the crash comes at this effect from now; 0 for none
	faults   bool
	now      time.Time
	n        uint64
	shown    []effect.Show
	consults []effect.Consult
	holds    bool
	released int // held calls that left
	received []byte
	passed   []relay.End // who got the message that is being received
	failed   error       // the first fault
	told     bool        // the driver has returned it
}

const beginning = 1_000_000 // of each life on a disk

var (
	errCrash    = errors.New("the process crashes here")
	errNoRandom = errors.New("no random bytes here")
)

func (k *disk) fails(err error) {
	if k.failed == nil {
		k.failed = err
	}
}

func (k *disk) below(n int) int { return rapid.IntRange(0, n-1).Draw(k.t, "n") }

// happens counts an effect, and may crash.
func (k *disk) happens() {
	if k.crash > 0 {
		if k.crash--; k.crash == 0 {
			panic(errCrash)
		}
	}
}

func (k *disk) Append(record []byte) error {
	k.happens()
	if k.broken {
		k.t.Fatalf("a record follows the failure of the journal: %s", record)
	}
	// A record of a flood, or of what was due, is of an earlier moment.
	if at := gjson.GetBytes(record, "at").Int(); at < beginning || at > k.now.UnixMilli() {
		k.t.Fatalf("at %d there is a record of another time: %s", k.now.UnixMilli(), record)
	}
	line := append(bytes.Clone(record), '\n')
	if k.faults {
		switch k.below(60) {
		case 59:
			k.met["disk full"]++
			k.fails(errFull)
			k.unsynced, k.broken = append(k.unsynced, line[:k.below(len(line))]...), true
			return errFull
		case 58:
			k.met["sync failed"]++
			k.fails(errFull)
			k.unsynced, k.broken = append(k.unsynced, line...), true
			return errFull
		}
	}
	k.unsynced = line
	k.happens() // between the write and the sync
	last := len(k.chains) - 1
	k.chains[last], k.unsynced = append(k.chains[last], line...), nil
	return nil
}

func (k *disk) Restart() error {
	k.chains = append(k.chains, nil)
	return nil
}

func (k *disk) Read(p []byte) (int, error) {
	if k.faults && k.below(200) == 199 {
		k.met["no random bytes"]++
		k.fails(errNoRandom)
		return 0, errNoRandom
	}
	k.n++
	clear(p)
	binary.LittleEndian.PutUint64(p, k.n)
	return len(p), nil
}

// kept reports whether the records that are on the disk have all texts, in one line.
func (k *disk) kept(texts ...string) (n int) {
	for line := range bytes.Lines(bytes.Join(k.chains, nil)) {
		has := true
		for _, text := range texts {
			has = has && bytes.Contains(line, []byte(text))
		}
		if has {
			n++
		}
	}
	return n
}

func (k *disk) Forward(to relay.End) {
	k.happens()
	k.passed = append(k.passed, to)
	k.leaves(to, k.received)
}

func (k *disk) Send(to relay.End, message []byte) {
	k.happens()
	k.leaves(to, message)
}

// leaves checks what goes to the server: its records are on the disk.
func (k *disk) leaves(to relay.End, message []byte) {
	switch {
	case to != relay.Server:
	case k.holds && bytes.Contains(message, []byte(`"method":"tools/call"`)):
		if k.released++; k.kept(`"ref":"held-`, `"outcome":"accept"`) < k.released || k.broken {
			k.t.Fatalf("a held call leaves, and no record says that it was accepted: %s", message)
		}
		k.met["call released"]++
	case bytes.Contains(message, []byte(`"action":"accept"`)):
		var id int
		fmt.Sscanf(string(message), `{"jsonrpc":"2.0","id":%d,`, &id)
		if k.kept(fmt.Sprintf(`"ref":"%d","outcome":"accept"`, id)) == 0 || k.broken {
			k.t.Fatalf("an accept leaves, and no record has it: %s", message)
		}
		k.met["accept sent"]++
	}
}

func (k *disk) Perform(next relay.Effect) {
	k.happens()
	if s, is := next.(effect.Show); is {
		if k.kept(`"effect":"show"`, `"id":"`+string(s.ID)+`"`) == 0 || k.broken {
			k.t.Fatalf("a question is shown, and no record has it: %s", s.ID)
		}
		k.shown = append(k.shown, s)
	}
}

func (k *disk) Consult(c effect.Consult) {
	k.happens()
	k.consults = append(k.consults, c)
}

func playDisk(t *rapid.T, met map[string]int) (steps int) {
	k := &disk{t: t, met: met, chains: [][]byte{nil}}
	k.faults = k.below(3) > 0
	if k.faults && k.below(2) == 1 {
		k.crash = 1 + k.below(60)
	}
	k.now = time.UnixMilli(beginning)
	defer func() {
		if what := recover(); what != nil && what != any(errCrash) {
			panic(what)
		} else if what != nil {
			met["crash"]++
		}
		k.restart()
	}()
	form := elicit.Modes{Form: true}
	k.holds = k.below(2) == 1
	d, err := New(relay.Config{Server: "s", Engine: []byte(swarm.Config(k.below, false)), Modes: form,
		Session:   &relay.Session{Version: "2025-11-25", Declared: form, CallsSeen: true},
		HoldCalls: k.holds}, k, Options{Journal: k, Random: k, Now: func() time.Time { return k.now }})
	if d == nil {
		if k.faults {
			return 1 // no random bytes
		}
		t.Fatal(err)
	}
	k.tells(err)
	// do performs what is due and stops the timer, in one, because time passes by itself here.
	do := func(ev relay.Event, message []byte) {
		d.mu.Lock()
		defer d.mu.Unlock()
		defer d.setTimer(pull.Never)
		err := d.perform(d.now())
		if ev != nil {
			k.tells(err)
			err = d.locked(ev, message)
		}
		k.tells(err)
	}
	receive := func(from relay.End, format string, args ...any) {
		k.received, k.passed = fmt.Appendf(nil, format, args...), nil
		do(receipts[from], k.received)
	}
	for id := range rapid.IntRange(1, 60).Draw(t, "moves") {
		steps++
		switch k.below(9) {
		case 8: // it passes whatever has failed
			if receive(relay.Server, `{"jsonrpc":"2.0","method":"notifications/message"}`); len(k.passed) != 1 ||
				k.passed[0] != relay.Client {
				t.Fatalf("a notification of the server went to %v", k.passed)
			}
		case 0, 1:
			receive(relay.Server, `{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":{"message":"m%[1]d",`+
				`"requestedSchema":{"type":"object","properties":{}}}}`, id)
		case 2, 3:
			receive(relay.Client, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"y",`+
				`"arguments":{"n":%[1]d}}}`, id)
		case 4, 5:
			if n := len(k.shown); n > 0 {
				s := k.shown[k.below(n)]
				do(event.Answered{Session: s.Session, ID: s.ID, Content: []byte("{}"),
					Action: []elicit.Action{elicit.Accept, elicit.Accept, elicit.Decline}[k.below(3)]}, nil)
			}
		case 6:
			if n := len(k.consults); n > 0 {
				do(k.consults[k.below(n)].Answer(event.Consulted{Output: []string{`{"v":1,"decision":"pass"}`,
					`{"outcome":"allow"}`, `{`}[k.below(3)]}), nil)
			}
		default:
			k.now = k.now.Add(time.Duration(k.below(5000)) * time.Millisecond)
			do(nil, nil)
		}
	}
	d.Shutdown()
	return steps
}
