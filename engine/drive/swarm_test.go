package drive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/pull"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/swarm"
)

// TestSwarm plays connections whose journal is on a simulated disk, under any configuration. Nothing that a decision
// allows leaves before its record is on the disk, nothing is decided after the disk has failed, and what a crash leaves
// replays. Other lives play the timer, the handlers of a client, guests that are replaced, and guardians. For a long
// run: ./build.sh swarm 1m
func TestSwarm(t *testing.T) {
	last := time.Duration(0)
	swarm.Run(t, swarm.Lives{Play: func(r *rapid.T, met map[string]int) int {
		// The system began before this process, so a clock of the process's own is another one.
		now, since := prepared(nil, Options{}).opts.Elapsed(), time.Since(began)
		if now < last || runtime.GOOS == "linux" && now <= since {
			r.Fatalf("the clock says %v, after %v; the process is %v old", now, last, since)
		}
		last = now
		life := rapid.IntRange(0, 7).Draw(r, "life")
		if life > 3 {
			return playDisk(r, met)
		}
		p := &plan{numbers: rapid.SliceOfN(rapid.IntRange(0, 1<<20), 5, 150).Draw(r, "plan"), met: met}
		p.name = []string{"handlers", "timer", "guests", "guardians"}[life]
		wrong := ""
		synctest.Test(t, func(*testing.T) {
			wrong = []func(*plan) string{playHandlers, playTimer, playGuests, playGuardians}[life](p)
		})
		if wrong != "" {
			r.Fatalf("%s: %s", p.name, wrong)
		}
		return len(p.numbers)
	}, Sometimes: []string{"disk full", "sync failed", "no random bytes", "crash", "call released", "accept sent",
		"cut record", "replayed", "answered", "withdrawn", "replaced", "handler failed", "timed out", "answered in time",
		"configured", "old guest", "guest decided", "host consulted", "consult timed out", "nobody to consult",
		"permit refused"}})
}

// tells checks what the driver returned: the reason, in the call in which something failed, and nothing afterwards.
func (k *disk) tells(err error) {
	var unkept *JournalError
	switch {
	case k.failed == nil && err != nil:
		k.t.Fatalf("nothing has failed, and the driver says %v", err)
	case k.failed == nil:
	case k.told && err != nil:
		k.t.Fatalf("the driver says again %v", err)
	case !k.told && (!errors.Is(err, k.failed) || errors.As(err, &unkept) == errors.Is(k.failed, errNoRandom)):
		k.t.Fatalf("%v, and the driver says %v", k.failed, err)
	default:
		k.told = true
	}
}

// restart reads what is left of the journals, as a process that starts after a crash does. A record that was cut is at
// the end, and has no line end.
func (k *disk) restart() {
	last := len(k.chains) - 1
	chain := append(k.chains[last], k.unsynced[:rapid.IntRange(0, len(k.unsynced)).Draw(k.t, "left")]...)
	if whole := chain[:bytes.LastIndexByte(chain, '\n')+1]; len(whole) < len(chain) {
		k.met["cut record"]++
		chain = whole
	}
	k.chains[last] = chain
	for _, chain := range k.chains {
		if got := engine.Replay(chain, nil); got.Problem != nil {
			k.t.Fatalf("the journal does not replay: %s", got.Problem.AppendJSON(nil))
		}
		k.met["replayed"]++
	}
}

// plan has the numbers of a life that runs in a bubble with a clock of its own.
type plan struct {
	numbers []int
	at      int
	name    string
	met     map[string]int
}

func (p *plan) over() bool { return p.at >= len(p.numbers) }

func (p *plan) below(n int) int {
	if p.over() {
		return 0
	}
	p.at++
	return p.numbers[p.at-1] % n
}

// call is a request for a handler.
type call struct {
	key, want string
	ctx       context.Context
	goOn      chan struct{}
	ended     bool // answered or withdrawn
}

// playHandlers gives handlers requests, in any order, with ids that come again, and withdraws some of them. Each
// request that nobody withdrew gets one answer, with its own id. A request that was withdrawn gets none, and its
// context ends.
func playHandlers(p *plan) (wrong string) {
	var calls []*call
	var answers, failed, wantFailed []string
	h := &Handlers{Receive: func(from relay.End, message []byte) error {
		answers = append(answers, from.String()+" "+string(message))
		return nil
	}}
	if p.below(4) > 0 {
		h.Failed = func(method string, _ any) { failed = append(failed, method) }
	}
	on := func(method string, result string, err error) {
		h.On(method, func(ctx context.Context, params []byte) ([]byte, error) {
			var n int
			if _, scan := fmt.Sscanf(string(params), `{"n":%d}`, &n); scan != nil {
				panic("the params are " + string(params))
			}
			c := calls[n]
			c.ctx = ctx
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-c.goOn:
			}
			if method == "panics" {
				panic("on purpose")
			}
			return []byte(result), err
		})
	}
	results := map[string]string{"good": `{"v":1}`, "bad": "{", "fails": "{}", "panics": ""}
	for method, result := range results {
		on(method, result, map[string]error{"fails": errFull}[method])
	}
	open := map[string]*call{} // by the id as it means
	withdraw := func(key string) {
		if c := open[key]; c != nil {
			c.ended = true
			delete(open, key)
			p.met["withdrawn"]++
		}
	}
	ids := []string{`1`, `2`, `"1"`, `"2"`, `"\u0031"`}
	meant := map[string]string{`"\u0031"`: `"1"`}
	idOf := func() (raw, key string) {
		raw = ids[p.below(len(ids))]
		if key = meant[raw]; key == "" {
			key = raw
		}
		return raw, key
	}
	take := func(want bool, format string, args ...any) {
		message := fmt.Appendf(nil, format, args...)
		if h.Take(message) != want && wrong == "" {
			wrong = "taken as something else: " + string(message)
		}
		clear(message) // it is the caller's again
		synctest.Wait()
	}
	check := func(c *call) {
		synctest.Wait()
		switch {
		case wrong != "":
		case c.want == "" && len(answers) > 0:
			wrong = "an answer to what was withdrawn: " + answers[0]
		case c.want != "" && !slices.Equal(answers, []string{"client " + c.want}):
			wrong = fmt.Sprintf("%q, want client %s", answers, c.want)
		case c.ctx != nil && c.ctx.Err() == nil:
			wrong = "the context goes on after " + c.want
		}
		answers = nil
	}
	for !p.over() && wrong == "" {
		switch p.below(8) {
		case 0, 1, 2:
			raw, key := idOf()
			method := []string{"good", "good", "bad", "fails", "panics", "unknown"}[p.below(6)]
			head, version := "{", ""
			if p.below(2) == 1 {
				head, version = `{"jsonrpc":"2.0",`, `"jsonrpc":"2.0",`
			}
			if open[key] != nil {
				p.met["replaced"]++
			}
			withdraw(key)
			rest := handlerFailed
			switch method {
			case "good":
				rest = `"result":` + results["good"] + "}"
			case "unknown":
				rest = noHandler
			}
			c := &call{key: key, goOn: make(chan struct{}), want: head + `"id":` + raw + "," + rest}
			calls = append(calls, c)
			open[key] = c
			if method != "unknown" && method != "good" && h.Failed != nil {
				c.want += "\x00" + method
			}
			take(true, `{%s"id":%s,"method":"%s","params":{"n":%d}}`, version, raw, method, len(calls)-1)
			if method == "unknown" {
				c.ended = true
				delete(open, key)
				check(c)
			}
		case 3, 4:
			if len(calls) == 0 {
				continue
			}
			c, was := calls[p.below(len(calls))], ""
			if c.goOn == nil {
				continue
			}
			close(c.goOn)
			c.goOn = nil
			want, fails, _ := strings.Cut(c.want, "\x00")
			if was = want; c.ended {
				was = ""
			} else {
				delete(open, c.key)
				p.met["answered"]++
				if fails != "" {
					wantFailed = append(wantFailed, fails)
					p.met["handler failed"]++
				}
			}
			c.want, c.ended = was, true
			if check(c); wrong == "" && !slices.Equal(failed, wantFailed) {
				wrong = fmt.Sprintf("failed %q, want %q", failed, wantFailed)
			}
		case 5:
			raw, key := idOf()
			method := []string{"notifications/cancelled", "$/cancel_request", "serverRequest/resolved"}[p.below(3)]
			withdraw(key)
			take(false, `{"method":"%s","params":{"requestId":%s}}`, method, raw)
		case 6:
			raw, _ := idOf()
			take(false, `{"method":"notifications/progress","params":{"requestId":%s}}`, raw)
			take(false, `{"id":%s,"result":{}}`, raw)
		default:
			results["good"] = fmt.Sprintf(`{"v":%d}`, p.below(3))
			on("good", results["good"], nil) // those that wait keep the function that they began with
		}
	}
	for _, c := range calls {
		if c.ended && c.ctx != nil && c.ctx.Err() == nil && wrong == "" {
			wrong = "the context goes on after the end of " + c.key
		}
		if c.goOn != nil {
			close(c.goOn)
		}
	}
	synctest.Wait()
	if wrong == "" && len(h.running) > 0 {
		wrong = fmt.Sprintf("%d requests stay for ever", len(h.running))
	}
	return wrong
}

// playTimer lets time pass between questions. Each question ends by itself at its time and not before, whether the
// connection is a relay or an engine alone. After Shutdown nothing happens any more.
func playTimer(p *plan) (wrong string) {
	r, begun, configured := newRecorder(), time.Now(), 0
	ttl := time.Duration(1+p.below(50)) * time.Millisecond
	document := fmt.Sprintf(`{"limits":{"answer_ttl_ms":%d,"shown":100,"burst":50,"per_minute":6000}}`,
		ttl.Milliseconds())
	o := Options{Elapsed: func() time.Duration { return time.Since(begun) }}
	skew := time.Duration(0)
	switch p.below(3) {
	case 1:
		o.Elapsed, o.Now = nil, time.Now // deadlines follow the only clock
	case 2:
		o.Now = func() time.Time { return time.Now().Add(skew) } // somebody sets the other one
	}
	if d, err := New(config(`{"limits":{"shown":-1}}`), r, o); d != nil || err == nil ||
		!strings.Contains(err.Error(), "/limits/shown") {
		return fmt.Sprintf("a configuration with a problem: %v", err)
	}
	var random [32]byte
	given := strings.NewReader(strings.Repeat("x", p.below(64)))
	short := given.Len() < len(random)
	if err := prepared(r, Options{Random: given}).random(&random); (err != nil) != short || (random[0] == 0) != short {
		return fmt.Sprintf("random bytes: %v %q", err, random)
	}
	guard := &oneGuest{digest: oldModule, verdict: passes}
	d, err := New(config(document), r, o)
	if err != nil {
		return err.Error()
	}
	due := map[int]time.Time{} // of the questions that are open
	ended := map[int]bool{}
	check := func() {
		synctest.Wait()
		r.mu.Lock()
		defer r.mu.Unlock()
		for id, at := range due {
			if !time.Now().Before(at) {
				delete(due, id)
				ended[id] = true
				p.met["timed out"]++
			}
		}
		for id := range ended {
			if r.replies[fmt.Sprint(id)] != 1 && wrong == "" {
				wrong = fmt.Sprintf("question %d has %d replies", id, r.replies[fmt.Sprint(id)])
			}
		}
		if len(r.replies) != len(ended) && wrong == "" {
			wrong = fmt.Sprintf("%d replies, want %d", len(r.replies), len(ended))
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if (d.timer != nil) != (len(due) > 0) && wrong == "" {
			wrong = fmt.Sprintf("a timer runs: %v, with %d open questions", d.timer != nil, len(due))
		}
	}
	for id := 1; !p.over() && wrong == ""; id++ {
		switch p.below(6) {
		case 0, 1:
			err = d.Receive(relay.Server, question(id))
			due[id] = time.Now().Add(ttl)
		case 2:
			if open := slices.Sorted(maps.Keys(due)); len(open) > 0 {
				ref := open[p.below(len(open))]
				err = d.Do(r.answer(fmt.Sprint(ref)))
				delete(due, ref)
				ended[ref] = true
				p.met["answered in time"]++
			}
		case 3:
			then, bad := 0, p.below(3) == 0
			doc := document
			if bad {
				doc = `{"limits":{"shown":-1}}`
			}
			var problems []elicit.Problem
			problems, err = d.Configure([]byte(doc), guard, func() { then++ })
			if configured++; (len(problems) > 0) != bad || (then == 1) == bad || d.guests.old != nil {
				wrong = fmt.Sprintf("problems %v, then %d times", problems, then)
			}
			p.met["configured"]++
		default:
			skew = time.Duration(p.below(7200)-3600) * time.Second
			time.Sleep(time.Duration(p.below(int(2*ttl/time.Millisecond))) * time.Millisecond)
		}
		if err != nil && wrong == "" {
			wrong = err.Error()
		}
		check()
	}
	d.Shutdown()
	for id := range due {
		ended[id] = true
	}
	clear(due)
	check()
	story := r.story()
	late := func() { wrong = "it was configured after its end" }
	if problems, err := d.Configure([]byte(document), guard, late); problems != nil || !errors.Is(err, ErrShutdown) {
		wrong = fmt.Sprintf("Configure after Shutdown: %v %v", problems, err)
	}
	if err := d.Do(event.Ticked{}); !errors.Is(err, ErrShutdown) {
		wrong = fmt.Sprintf("Do after Shutdown: %v", err)
	}
	if time.Sleep(time.Hour); r.story() != story {
		wrong = "something happens after Shutdown"
	}
	if wrong == "" {
		wrong = p.engineAlone(document, o, ttl)
	}
	if wrong == "" {
		wrong = p.anotherChain()
	}
	return wrong
}

// engineAlone asks an engine without a connection a question, which ends by itself.
func (p *plan) engineAlone(document string, o Options, ttl time.Duration) string {
	r := newRecorder()
	both := elicit.Modes{Form: true, URL: true}
	journal := &chains{}
	o.Journal = journal
	d, err := NewEngine(engine.New(), []effect.Effect{effect.Append{Record: []byte("first")}}, r, o)
	for _, ev := range []relay.Event{event.Configured{Config: []byte(document)},
		event.Opened{Session: "a", Server: "s", Side: elicit.Answering, Declared: both, Shown: both},
		event.Asked{Request: elicit.Request{Session: "a", Ref: "1", Mode: elicit.Form, Message: "Go on?",
			Schema: []byte(`{"type":"object","properties":{}}`)}}} {
		if err == nil {
			err = d.Do(ev)
		}
	}
	switch {
	case err != nil:
		return err.Error()
	case len(journal.records) < 3 || journal.records[0] != "first":
		return fmt.Sprintf("the journal of the engine has %q", journal.records)
	case r.story() != "show 1":
		return "an engine alone: " + r.story()
	}
	time.Sleep(ttl)
	if synctest.Wait(); r.story() != "show 1, withdraw timeout" {
		return "an engine alone: " + r.story()
	}
	err = d.Do(event.Asked{Request: elicit.Request{Session: "a", Ref: "2", Mode: elicit.Form, Message: "Go on?",
		Schema: []byte(`{"type":"object","properties":{}}`)}})
	if d.Shutdown(); err != nil {
		return err.Error()
	}
	time.Sleep(ttl) // nobody settles what an engine alone has open, but the timer is over
	if synctest.Wait(); r.story() != "show 1, withdraw timeout, show 2" {
		return "an engine alone after its end: " + r.story()
	}
	return ""
}

// chains is a journal that can begin a second chain, unless begins is an error.
type chains struct {
	records []string
	begins  error
	begun   int
}

func (c *chains) Append(record []byte) error {
	c.records = append(c.records, string(record))
	return nil
}

func (c *chains) Restart() error {
	c.begun++
	return c.begins
}

// anotherChain lets the machine ask for a second journal, as it does when its engine broke.
func (p *plan) anotherChain() string {
	again := &chains{begins: []error{nil, errFull}[p.below(2)]}
	one := &fakeJournal{recorder: newRecorder()}
	for _, c := range []struct {
		journal Journal
		want    error
	}{{nil, nil}, {again, again.begins}, {one, errOneChain}} {
		d := prepared(newRecorder(), Options{Journal: c.journal})
		d.loop = pull.New(&pull.Engine{Engine: engine.New(), Guests: &d.guests}, d.now(), []relay.Effect{relay.NewJournal{}})
		if err := d.perform(d.now()); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			return fmt.Sprintf("another chain: %v, want %v", err, c.want)
		}
		// A chain that could not begin takes no record.
		_ = d.Do(event.Opened{Session: "a", Server: "s", Side: elicit.Answering})
		if kept := len(again.records) + one.records; (kept > 0) != (c.journal == again && c.want == nil) {
			return fmt.Sprintf("another chain: %v, and %d records", c.want, kept)
		}
		again.records = nil
		d.Shutdown()
	}
	if again.begun != 1 {
		return fmt.Sprintf("%d chains were begun", again.begun)
	}
	return ""
}

// shelf is guests that hold some modules and documents.
type shelf struct {
	name            string
	modules, papers map[string]bool
}

func (s *shelf) Manifest(digest string) (guardian.Manifest, bool, bool) {
	return guardian.Manifest{}, s.name == "new", s.modules[digest]
}

func (s *shelf) Holds(data string) bool { return s.papers[data] }

func (s *shelf) CheckSettings(guardian.Permit) ([]elicit.Problem, bool) {
	return []elicit.Problem{{Code: s.name}}, true
}

func (s *shelf) Evaluate(effect.Consult) (event.Consulted, bool) {
	return event.Consulted{Output: s.name}, true
}

// playGuests asks guests in the step that replaces them. The one that holds both the module and its document is asked,
// the new one first, or else the first one that holds the module.
func playGuests(p *plan) string {
	for !p.over() {
		var g guests
		var all []*shelf
		if p.below(4) > 0 {
			now := p.shelf("new")
			g.now, all = now, append(all, now)
		}
		if p.below(4) > 0 {
			old := p.shelf("old")
			g.old, all = old, append(all, old)
		}
		module, data := []string{"m", "n"}[p.below(2)], []string{"", "a", "b"}[p.below(3)]
		want, holds := "", false
		wantManifest := ""
		for _, s := range all {
			holds = holds || s.papers[data]
			if s.modules[module] && (data == "" || s.papers[data]) && want == "" {
				want = s.name
			}
		}
		for _, s := range all {
			if s.modules[module] && want == "" {
				want = s.name
			}
			if s.modules[module] && wantManifest == "" {
				wantManifest = s.name
			}
		}
		if want == "old" {
			p.met["old guest"]++
		}
		said, known := g.Evaluate(effect.Consult{Digest: module, Data: data})
		problems, asked := g.CheckSettings(guardian.Permit{Digest: module, Data: data})
		_, wasi, held := g.Manifest(module)
		code := ""
		if len(problems) > 0 {
			code = problems[0].Code
		}
		if said.Output != want || known != (want != "") || code != want || asked != known || g.Holds(data) != holds ||
			held != (wantManifest != "") || wasi != (wantManifest == "new") {
			return fmt.Sprintf("%q of %q: %q %v, %q %v, held %v %v, want %q", module, data, said.Output, known, code, asked,
				held, g.Holds(data), want)
		}
	}
	return ""
}

func (p *plan) shelf(name string) *shelf {
	s := &shelf{name: name, modules: map[string]bool{}, papers: map[string]bool{}}
	for _, m := range []string{"m", "n"} {
		s.modules[m] = p.below(2) == 1
	}
	for _, d := range []string{"a", "b"} {
		s.papers[d] = p.below(2) == 1
	}
	return s
}
