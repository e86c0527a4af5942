package decider

import (
	"slices"
	"strconv"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// rig is what a decider meets outside: it keeps what the decider has for the host, and is a client that has every
// question until it answers.
type rig struct {
	t    *testing.T
	d    *Decider
	has  map[elicit.ID]bool
	ids  map[string]elicit.ID // by ref, of questions that the client was asked
	asks map[string]int       // by ref, how often

	settled   []effect.Reply
	told      []string // codes of problems
	withdrawn []elicit.ID
	shown     []string // refs, at the host
	consults  int      // that the host is to ask
	chains    int
	records   int         // in the chain of now
	failing   []bool      // whether the next steps of an engine fail
	revoked   []elicit.ID // in steps of an engine
	code      string      // why nothing is decided any more
}

func (r *rig) Record(e effect.Append) {
	if r.records++; gjson.GetBytes(e.Record, "seq").Int() != int64(r.records) {
		r.t.Errorf("record %d of its journal is %s", r.records, e.Record)
	}
}
func (r *rig) NewJournal() {
	if head := r.d.Head(); head.Seq != int64(r.records) {
		r.t.Errorf("%d records of %d are in their journal", r.records, head.Seq)
	}
	r.chains, r.records = r.chains+1, 0
}
func (r *rig) Asked(q elicit.Request) {
	if q.Side != elicit.Answering || q.Server != "s" {
		r.t.Errorf("%q of %q asks the side %q", q.Ref, q.Server, q.Side)
	}
}
func (r *rig) Settled(reply effect.Reply, _ elicit.Request) {
	r.settled = append(r.settled, reply)
}
func (r *rig) Effect(e effect.Effect) {
	switch e := e.(type) {
	case effect.Problem:
		r.told = append(r.told, e.Problems[0].Code)
	case effect.Withdraw:
		r.withdrawn = append(r.withdrawn, e.ID)
	case effect.Show:
		r.shown = append(r.shown, e.Ref)
	case effect.Consult:
		r.consults++
	}
}
func (r *rig) Tell(p elicit.Problem) { r.told = append(r.told, p.Code) }
func (r *rig) Has(id elicit.ID) bool { return r.has[id] }
func (r *rig) fail(code string)      { r.code = code }
func (r *rig) TakeBack(id elicit.ID, _ string) bool {
	had := r.has[id]
	delete(r.has, id)
	return had
}

func (r *rig) step(e *engine.Engine, in engine.Input) []effect.Effect {
	if ev, ok := in.Event.(event.Revoked); ok {
		r.revoked = append(r.revoked, ev.Grant)
	}
	fails := len(r.failing) > 0 && r.failing[0]
	r.failing = r.failing[min(1, len(r.failing)):]
	if fails {
		panic("the engine breaks here")
	}
	return e.Step(in)
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, has: map[elicit.ID]bool{}, ids: map[string]elicit.ID{}, asks: map[string]int{}}
	clock := &link.Clock{}
	clock.Read(1000, 0)
	to := &link.Connection{Who: &link.Audience{Ask: link.AskClient, Server: "s"}, Calls: link.NewCalls(), Clock: clock,
		IDs: &link.IDs{}}
	r.d = New(Config{Engine: []byte("{}"), Step: r.step, Over: 1000, Out: r, Client: r, Fail: r.fail}, to)
	if problems := r.d.Start(); problems != nil {
		t.Fatal(problems)
	}
	return r
}

// ask asks a question that the client is shown when its turn comes.
func (r *rig) ask(session, ref string, changes ...func(*link.Question)) {
	r.d.Session(session)
	q := &link.Question{Settle: func(effect.Reply) {}, Request: elicit.Request{Session: session, Ref: ref,
		Mode: elicit.Form, Message: "?", Schema: []byte(`{"type":"object","properties":{}}`)}}
	q.Show = func(s *effect.Show) {
		r.asks[ref]++
		r.ids[ref], r.has[s.ID] = s.ID, true
	}
	for _, change := range changes {
		change(q)
	}
	r.d.Ask(q)
}

// answer is the client's answer to a question.
func (r *rig) answer(session, ref string) {
	id := r.ids[ref]
	delete(r.has, id)
	r.d.Tell(event.Answered{Session: session, ID: id, Action: elicit.Decline, Via: event.ViaClient})
}

// TestANewEngineAsksInItsOwnOrder replaces an engine. The new one resumes the session of a question that waited before
// the session of the question that the client has. The client's answer to that one comes too early. It is asked once
// more when its turn comes, and not before.
func TestANewEngineAsksInItsOwnOrder(t *testing.T) {
	r := newRig(t)
	r.d.Session("form")
	r.ask("form+url", "first")
	r.ask("form", "second")
	if r.asks["first"] != 1 || r.asks["second"] != 0 {
		t.Fatalf("the client was asked %v", r.asks)
	}
	r.failing = []bool{true}
	r.d.Tell(event.Ticked{})
	if r.asks["first"] != 1 || r.asks["second"] != 1 || r.chains != 1 || r.d.Engine().Failed != 1 {
		t.Fatalf("after the failure the client was asked %v, in %d new journals", r.asks, r.chains)
	}
	r.answer("form+url", "first")
	if r.asks["first"] != 1 || len(r.settled) != 0 {
		t.Errorf("an answer before the question is shown: asked %v, settled %v", r.asks, r.settled)
	}
	r.answer("form", "second")
	if r.asks["first"] != 2 || len(r.settled) != 1 {
		t.Errorf("the question is not asked anew: %v, settled %v", r.asks, r.settled)
	}
	r.answer("form+url", "first")
	if len(r.settled) != 2 || r.d.Open() != 0 {
		t.Errorf("settled %v, %d questions are open", r.settled, r.d.Open())
	}
}

// TestEnginesThatAlwaysFail replaces an engine until nothing is decided any more.
func TestEnginesThatAlwaysFail(t *testing.T) {
	r := newRig(t)
	r.ask("form", "open")
	const most = 8
	for range most + 1 {
		r.failing = []bool{true}
		r.d.Tell(event.Ticked{})
	}
	if !r.d.Broken() || r.code != "internal" || r.d.Open() != 0 || r.chains != most {
		t.Errorf("broken %v as %q, %d questions are open, %d journals", r.d.Broken(), r.code, r.d.Open(), r.chains)
	}
	r.ask("form", "late")
	last := r.settled[len(r.settled)-1]
	if last.Ref != "late" || last.Outcome != elicit.Failed || last.Problems[0].Code != "internal" {
		t.Errorf("a question after the end gets %+v", last)
	}
}

// TestALostSessionEndsItsQuestionOnce replaces an engine by one that fails to resume a session. The client's question
// is taken back, and not withdrawn from the host besides.
func TestALostSessionEndsItsQuestionOnce(t *testing.T) {
	r := newRig(t)
	r.ask("form", "lost")
	r.failing = []bool{true, false, true} // the tick, and behind the new configuration the saved session
	r.d.Tell(event.Ticked{})
	if len(r.settled) != 1 || r.settled[0].Outcome != elicit.Failed || len(r.has) != 0 || len(r.withdrawn) != 0 {
		t.Errorf("settled %v, the client has %v, withdrawn %v", r.settled, r.has, r.withdrawn)
	}
	if r.ask("form", "next"); r.asks["next"] != 1 {
		t.Error("the session is not opened again")
	}
}

// TestAQuestionThatTheEngineRefuses: no engine answers a question of a session that is closed, so the decider does.
func TestAQuestionThatTheEngineRefuses(t *testing.T) {
	r := newRig(t)
	r.d.Session("form")
	r.d.Tell(event.Closed{Session: "form"})
	r.ask("form", "late")
	if len(r.settled) != 1 || r.settled[0].Problems[0].Code != "unknown_session" || r.d.Open() != 0 {
		t.Errorf("settled %v, %d questions are open", r.settled, r.d.Open())
	}
}

// TestGrantsOfAConfiguration keeps the grants of the configuration before, unless the next one has a list.
func TestGrantsOfAConfiguration(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a":1}`, `{"grants":[1]}`, `{"a":1,"grants":[1]}`},
		{`{"grants":[]}`, `{"grants":[1]}`, `{"grants":[]}`},
		{`{ "a":1}`, `{}`, `{ "a":1}`},
		{`{ "a":1}`, `[`, `{ "a":1}`},
		{`[`, `{"grants":[1]}`, `[`},
	} {
		if got := string(withGrants([]byte(c[0]), []byte(c[1]))); got != c[2] {
			t.Errorf("%s after %s is %s", c[0], c[1], got)
		}
	}
	for _, l := range engine.Limits() {
		if l.Name == "arguments" && mostArguments([]byte(`{}`)) != l.Default ||
			mostArguments([]byte(`{"limits":{"arguments":7}}`)) != 7 {
			t.Error("the limit of arguments is another one")
		}
	}
}

// TestRevokedGrants revokes grants in each new engine, each of them once. A new engine in which that fails would let a
// grant hold, so nothing is decided any more.
func TestRevokedGrants(t *testing.T) {
	r := newRig(t)
	for _, id := range []elicit.ID{"a", "b", "a"} {
		r.d.Revoke(event.Revoked{Grant: id})
	}
	r.revoked, r.failing = nil, []bool{true}
	r.d.Tell(event.Ticked{})
	if !slices.Equal(r.revoked, []elicit.ID{"a", "b"}) || r.d.Broken() || r.records != 3 {
		t.Errorf("revoked %v, broken %v, %d records", r.revoked, r.d.Broken(), r.records)
	}
	r.ask("form", "open")
	r.failing = []bool{true, false, true} // the tick, and behind the new configuration the first grant
	r.d.Tell(event.Ticked{})
	if !r.d.Broken() || r.code != "internal" || r.d.Open() != 0 || len(r.has) != 0 {
		t.Errorf("broken %v as %q, %d questions are open", r.d.Broken(), r.code, r.d.Open())
	}
	const most = 4096
	r = newRig(t)
	for i := range most + 1 {
		r.d.Revoke(event.Revoked{Grant: elicit.ID(strconv.Itoa(i))})
	}
	if len(r.d.revoked) != most || len(r.revoked) != most+1 {
		t.Errorf("%d grants are remembered of %d", len(r.d.revoked), len(r.revoked))
	}
}

// TestEndsThatBreakTheEngine lets an engine fail at the beginning of a question, and at each way to end one. Nobody has
// the question after that, and it ends once.
func TestEndsThatBreakTheEngine(t *testing.T) {
	all := func(*link.Question) bool { return true }
	withdraw := func(how link.How) func(*Decider) {
		return func(d *Decider) { d.Withdraw(func(*link.Question) link.How { return how }) }
	}
	for name, c := range map[string]struct {
		end   func(*Decider)
		cause elicit.Cause
	}{
		"leave":  {(*Decider).Leave, elicit.ByShutdown},
		"over":   {(*Decider).Over, elicit.BySessionClosed},
		"drop":   {func(d *Decider) { d.Drop(all) }, elicit.ByPeerCancelled},
		"answer": {withdraw(link.Answer), elicit.ByPeerCancelled},
		"cancel": {withdraw(link.Cancel), elicit.ByPeerCancelled},
	} {
		r := newRig(t)
		r.ask("form", "open")
		r.failing = []bool{true}
		c.end(r.d)
		if len(r.settled) != 1 || r.settled[0].Cause != c.cause || r.d.Open() != 0 || len(r.has) != 0 {
			t.Errorf("%s: settled %+v, the client has %v", name, r.settled, r.has)
		}
		if !slices.Equal(r.told, []string{"engine_replaced"}) {
			t.Errorf("%s: told %v", name, r.told)
		}
	}
	r := newRig(t)
	r.d.Session("form")
	r.failing = []bool{true}
	r.ask("form", "broken")
	if len(r.settled) != 1 || r.settled[0].Problems[0].Code != "internal" || r.d.Open() != 0 {
		t.Errorf("settled %+v, %d questions are open", r.settled, r.d.Open())
	}
	if r.ask("form", "next"); r.asks["next"] != 1 {
		t.Error("the next question is not asked")
	}
}

// fails lets the next step of an engine fail.
func (r *rig) fails() { r.failing = []bool{true} }

// onHost is a question that the host shows.
func onHost(q *link.Question) { q.Show = nil }

// TestWhatSomebodyHasStays replaces an engine while the client has a question, and while the host has one. The question
// stays on the screen, and an answer to it is checked as before.
func TestWhatSomebodyHasStays(t *testing.T) {
	r := newRig(t)
	r.ask("form", "client")
	r.fails()
	r.d.Tell(event.Ticked{})
	if r.asks["client"] != 1 || len(r.has) != 1 {
		t.Fatalf("the client was asked %v, and has %v", r.asks, r.has)
	}
	r.d.Tell(event.Answered{Session: "form", ID: r.ids["client"], Action: elicit.Accept, Content: []byte(`[]`),
		Via: event.ViaClient})
	if r.asks["client"] != 2 || len(r.settled) != 0 {
		t.Errorf("an unfit answer to what the new engine has shown: asked %v, settled %v", r.asks, r.settled)
	}
	r.answer("form", "client")
	if len(r.settled) != 1 || len(r.withdrawn) != 0 {
		t.Errorf("settled %v, withdrawn from the host %v", r.settled, r.withdrawn)
	}
	r.ask("form", "host", onHost)
	r.fails()
	r.d.Tell(event.Ticked{})
	if len(r.shown) != 2 || len(r.withdrawn) != 0 {
		t.Errorf("the host is shown %v, withdrawn %v", r.shown, r.withdrawn)
	}
}

// TestWhatNoEngineKnows ends a question of a session that no engine could take over. Neither the client nor the host
// keeps it. A question that the client has answered is not withdrawn.
func TestWhatNoEngineKnows(t *testing.T) {
	for name, c := range map[string]struct {
		before, answered bool
		change           func(*link.Question)
		withdrawn        int
	}{
		"of the client":              {false, false, func(*link.Question) {}, 0},
		"of the host":                {false, false, onHost, 1},
		"answered":                   {false, true, func(*link.Question) {}, 0},
		"of the client, and dropped": {true, false, func(*link.Question) {}, 0},
		"of the host, and dropped":   {true, false, onHost, 1},
		"that waits behind another":  {false, false, func(q *link.Question) { q.Request.Ref = "last" }, 0},
	} {
		r := newRig(t)
		if name == "that waits behind another" {
			r.ask("form", "first")
		}
		r.ask("form", "open", c.change)
		if c.answered {
			delete(r.has, r.ids["open"])
		}
		r.failing = []bool{true, false, true} // the event, and behind the new configuration the saved session
		if c.before {
			r.d.Drop(func(*link.Question) bool { return true })
		} else {
			r.d.Tell(event.Ticked{})
		}
		if len(r.has) != 0 || len(r.withdrawn) != c.withdrawn || r.d.Open() != 0 {
			t.Errorf("%s: the client has %v, withdrawn from the host %v", name, r.has, r.withdrawn)
		}
	}
}

// TestAnEngineFailsWhileAQuestionEnds lets an engine fail in the middle of its effects. A question that has ended is on
// no screen. Each record is in its own journal. Only the next engine shows an open question, or the question gets an
// error.
func TestAnEngineFailsWhileAQuestionEnds(t *testing.T) {
	for _, broken := range []bool{false, true} {
		r := newRig(t)
		r.ask("form", "first", func(q *link.Question) {
			q.Settle = func(effect.Reply) {
				if broken {
					r.d.state.Failed = MaxFailed
				}
				r.d.Revoke(event.Revoked{Grant: "g"})
				r.fails()
				r.d.Tell(event.Ticked{})
			}
		})
		r.ask("form", "host", onHost)
		r.ask("form", "last")
		r.d.Tell(event.Cancelled{Session: "form", Ref: "first", Cause: elicit.ByCallEnded})
		settled, shown := 1, 1
		if broken {
			settled, shown = 3, 0
		}
		if len(r.has) != 0 || len(r.withdrawn) != 0 || len(r.settled) != settled || len(r.shown) != shown ||
			r.d.Broken() != broken {
			t.Errorf("broken %v: the client has %v, withdrawn %v, settled %v, the host is shown %v", broken, r.has,
				r.withdrawn, r.settled, r.shown)
		}
	}
	r := newRig(t)
	r.ask("form", "first", func(q *link.Question) {
		q.Settle = func(effect.Reply) { r.d.Withdraw(func(*link.Question) link.How { return link.Cancel }) }
	})
	r.ask("form", "second")
	r.failing, r.d.Wake = []bool{true, true}, 7 // and so does the one that is to replace it
	r.d.Tell(event.Ticked{})
	if !r.d.Broken() || r.d.Wake != 0 || len(r.settled) != 2 || r.settled[1].Outcome != elicit.Failed {
		t.Errorf("broken %v, wakes at %d, settled %v", r.d.Broken(), r.d.Wake, r.settled)
	}
	r = newRig(t)
	r.d.Session("form")
	r.ask("form+url", "first")
	r.d.queue = []effect.Effect{effect.Wake{At: 9}, effect.Withdraw{ID: r.ids["first"]}}
	if r.d.FailClosed("internal"); len(r.has) != 0 || len(r.withdrawn) != 0 || r.d.Wake != 0 {
		t.Errorf("the client has %v, withdrawn from the host %v, wakes at %d", r.has, r.withdrawn, r.d.Wake)
	}
}

// TestASecondEngineFails lets the engine that replaces another one fail too. Its own successor has the sessions.
func TestASecondEngineFails(t *testing.T) {
	r := newRig(t)
	r.ask("form", "first")
	r.ask("form+url", "second")
	r.failing = []bool{true, false, true, true} // the tick, then a saved session and its second opening
	r.d.Tell(event.Ticked{})
	if !slices.Equal(r.told, []string{"engine_replaced", "engine_replaced"}) || r.d.Open() != 0 || len(r.settled) != 2 {
		t.Errorf("told %v, settled %v", r.told, r.settled)
	}
	if r.ask("form+url", "next"); r.asks["next"] != 1 {
		t.Error("the next question is not asked")
	}
	if state, saved := savedState(nil, "form"); saved || state != nil {
		t.Errorf("no engine saves %s", state)
	}
	r = newRig(t)
	r.d.Session("form")
	r.ask("form+url", "first")
	r.ask("form", "second")
	r.fails()
	r.d.Tell(event.Ticked{})
	if r.d.FailClosed("internal"); len(r.has) != 0 || len(r.withdrawn) != 0 {
		t.Errorf("the client has %v, withdrawn from the host %v", r.has, r.withdrawn)
	}
}

// TestDroppedInOrder drops the latest question first.
func TestDroppedInOrder(t *testing.T) {
	r := newRig(t)
	want := []string{"e", "d", "c", "b", "a"} // the limits of a session take so many
	for _, ref := range slices.Backward(want) {
		r.ask("form", ref)
	}
	if got := r.d.Drop(func(*link.Question) bool { return true }); !slices.Equal(got, want) {
		t.Errorf("dropped %v", got)
	}
}

// TestPagesThatNobodyReports: a consented page is forgotten with its end, and with the engine that would tell of it.
func TestPagesThatNobodyReports(t *testing.T) {
	ends := 0
	page := func(q *link.Question) {
		q.Request.Mode, q.Request.Schema, q.Request.URL = elicit.URL, nil, "https://id.example/"
		q.Request.Link, q.Resolve = q.Request.Ref, func(effect.Resolution) { ends++ }
	}
	consent := func(r *rig, session, ref string) {
		r.ask(session, ref, page)
		r.d.Tell(event.Answered{Session: session, ID: r.ids[ref], Action: elicit.Accept, Via: event.ViaClient})
	}
	for name, c := range map[string]struct {
		end  func(*rig)
		left int
	}{
		"resolved": {func(r *rig) {
			for range 2 {
				r.d.perform(effect.Resolve{ID: r.ids["a"]})
			}
		}, 1},
		"left":   {func(r *rig) { r.d.Leave() }, 0},
		"failed": {func(r *rig) { r.fails(); r.d.Leave() }, 0},
		"lost": {func(r *rig) {
			r.failing = []bool{true, false, true} // the tick, and behind the new configuration the first session
			r.d.Tell(event.Ticked{})
		}, 1},
		"broken": {func(r *rig) { r.d.FailClosed("internal") }, 0},
	} {
		r := newRig(t)
		ends = 0
		consent(r, "url", "a")
		consent(r, "form+url", "b")
		if len(r.d.questions.visiting) != 2 {
			t.Fatalf("%d pages are visited", len(r.d.questions.visiting))
		}
		c.end(r)
		if len(r.d.questions.visiting) != c.left || c.left == 1 && r.d.questions.visiting[r.ids["b"]] == nil {
			t.Errorf("%s: %d pages are left", name, len(r.d.questions.visiting))
		}
		if (ends == 1) != (name == "resolved") {
			t.Errorf("%s: %d ends are told", name, ends)
		}
	}
}

// TestConsultsOfAStepAreBounded: a guest answers inside the step, up to a bound. The next step counts from zero.
func TestConsultsOfAStepAreBounded(t *testing.T) {
	r := newRig(t)
	told := 0
	r.d.config.Guests = guests{}
	r.d.config.Step = func(e *engine.Engine, in engine.Input) []effect.Effect {
		if _, is := in.Event.(event.Consulted); is {
			told++
		}
		return e.Step(in)
	}
	const most = 4096
	for range most + 1 {
		r.d.perform(effect.Consult{Digest: "d"})
	}
	if told != most || r.consults != 1 {
		t.Errorf("%d guests were asked, %d consults are for the host", told, r.consults)
	}
	r.d.Begin()
	for range most {
		r.d.perform(effect.Consult{Digest: "d"})
	}
	if told != 2*most || r.consults != 1 {
		t.Errorf("%d guests were asked, %d consults are for the host", told, r.consults)
	}
}

// guests answer every consult.
type guests struct{ engine.Guests }

func (guests) Evaluate(effect.Consult) (event.Consulted, bool) { return event.Consulted{}, true }

// TestEffectsOfNobody: the decider takes back a question that an engine shows although it is over. A problem that is
// about no answer goes to the host. A wait whose time has come ends at once.
func TestEffectsOfNobody(t *testing.T) {
	r := newRig(t)
	r.d.Session("form")
	r.d.Tell(event.Asked{Request: elicit.Request{Session: "form", Ref: "gone", Mode: elicit.Form, Message: "?",
		Schema: []byte(`{"type":"object","properties":{}}`)}})
	if r.ask("form", "next"); r.asks["next"] != 1 {
		t.Error("a question that nobody has stands before the next one")
	}
	r.d.perform(effect.Problem{About: effect.AboutHost, ID: r.ids["next"], Problems: []elicit.Problem{{Code: "x"}}})
	if r.asks["next"] != 1 || !slices.Contains(r.told, "x") {
		t.Errorf("the client was asked %v, told %v", r.asks, r.told)
	}
	for in, want := range map[elicit.Elapsed]int64{0: 7, 1: r.d.to.Clock.Now, 2: r.d.to.Clock.Now + 1} {
		if r.d.perform(effect.Wake{At: 7, In: in}); r.d.Wake != want {
			t.Errorf("a wait of %d ends at %d", in, r.d.Wake)
		}
	}
}

// TestConfigurationsThatCount: only a configuration that was taken counts for calls and for engines to come.
func TestConfigurationsThatCount(t *testing.T) {
	r := newRig(t)
	for i, c := range []struct {
		config, refused  string
		rules, arguments int // of the engine then; 0 means the default
	}{
		{`{"limits":{"arguments":7}}`, "", 0, 7},
		{`{"policy":{"user":{"version":1,"rules":[]}}}`, "", 1, 0},
		{`{"policy":{"user":{"version":1,"rules":[]}},"limits":{"arguments":8}}`, "", 1, 8},
		{`{"limits":{"arguments":9}}`, "host_config_unread", 1, 8},
		{`{"limits":{"arguments":"9"}}`, "", 2, 8},
		{`{"limits":{"arguments":7}}`, "", 2, 7},
	} {
		r.d.Tell(event.Configured{Config: []byte(c.config), Refused: c.refused})
		if c.arguments == 0 {
			c.arguments = mostArguments(nil)
		}
		r.fails()
		r.d.Tell(event.Ticked{})
		if got := r.d.Engine(); got.Rules != c.rules || got.Arguments != c.arguments || got.Failed != i+1 ||
			mostArguments(r.d.config.Engine) != c.arguments {
			t.Errorf("after %s the engine is %+v", c.config, got)
		}
	}
}

// TestACallEnds: a question that belongs to calls ends some time after the last of them.
func TestACallEnds(t *testing.T) {
	r := newRig(t)
	calls := []gate.Key{gate.KeyOf([]byte("1")), gate.KeyOf([]byte("2"))}
	belongs := func(q *link.Question) { q.Calls = slices.Clone(calls) }
	r.ask("form", "free")
	r.ask("form", "answered", belongs)
	r.ask("form", "open", belongs)
	r.answer("form", "free")
	for i, want := range []int{0, 2, 2} {
		if r.d.CallEnded(calls[min(i, 1)]); len(r.d.to.Clock.Timers()) != want {
			t.Fatalf("after %d calls there are %d timers", i+1, len(r.d.to.Clock.Timers()))
		}
	}
	if r.answer("form", "answered"); len(r.d.to.Clock.Timers()) != 1 || r.d.Open() != 1 {
		t.Errorf("%d questions are open after an answer, with %d timers", r.d.Open(), len(r.d.to.Clock.Timers()))
	}
	r.d.to.Clock.Read(2000, 0)
	if end := r.d.to.Clock.Due(); end != nil {
		end()
	}
	if last := r.settled[len(r.settled)-1]; last.Ref != "open" || last.Cause != elicit.ByCallEnded || len(r.has) != 0 {
		t.Errorf("settled %+v, the client has %v", last, r.has)
	}
}
