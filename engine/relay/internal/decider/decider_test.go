package decider

import (
	"slices"
	"strconv"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
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
	chains    int
	failing   []bool      // whether the next steps of an engine fail
	revoked   []elicit.ID // in steps of an engine
	code      string      // why nothing is decided any more
}

func (r *rig) Record(effect.Append) {}
func (r *rig) NewJournal()          { r.chains++ }
func (r *rig) Asked(elicit.Request) {}
func (r *rig) Settled(reply effect.Reply, _ elicit.Request) {
	r.settled = append(r.settled, reply)
}
func (r *rig) Effect(e effect.Effect) {
	switch e := e.(type) {
	case effect.Problem:
		r.told = append(r.told, e.Problems[0].Code)
	case effect.Withdraw:
		r.withdrawn = append(r.withdrawn, e.ID)
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
func (r *rig) ask(session, ref string) {
	r.d.Session(session)
	q := &link.Question{Settle: func(effect.Reply) {}, Request: elicit.Request{Session: session, Ref: ref,
		Mode: elicit.Form, Message: "?", Schema: []byte(`{"type":"object","properties":{}}`)}}
	q.Show = func(s *effect.Show) {
		r.asks[ref]++
		r.ids[ref], r.has[s.ID] = s.ID, true
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
	for range MaxFailed + 1 {
		r.failing = []bool{true}
		r.d.Tell(event.Ticked{})
	}
	if !r.d.Broken() || r.code != "internal" || r.d.Open() != 0 || r.chains != MaxFailed {
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
	if !slices.Equal(r.revoked, []elicit.ID{"a", "b"}) || r.d.Broken() {
		t.Errorf("revoked %v, broken %v", r.revoked, r.d.Broken())
	}
	r.ask("form", "open")
	r.failing = []bool{true, false, true} // the tick, and behind the new configuration the first grant
	r.d.Tell(event.Ticked{})
	if !r.d.Broken() || r.code != "internal" || r.d.Open() != 0 || len(r.has) != 0 {
		t.Errorf("broken %v as %q, %d questions are open", r.d.Broken(), r.code, r.d.Open())
	}
	r = newRig(t)
	for i := range maxRevoked + 1 {
		r.d.Revoke(event.Revoked{Grant: elicit.ID(strconv.Itoa(i))})
	}
	if len(r.d.revoked) != maxRevoked || len(r.revoked) != maxRevoked+1 {
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
