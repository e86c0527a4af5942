package engine_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestMain fixes what rapid draws, so that every run is the same one; -rapid.seed 0 draws anew.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"seed": "1", "checks": "700", "steps": "70", "nofailfile": "true"} {
		if err := flag.Set("rapid."+name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// play hands the inputs of a life to step, one after another, until there are no more.
type play func(step func(engine.Input))

// drawn plays what rapid draws, and shrinks when step fails.
func drawn(t *rapid.T, g *generator) play {
	ints := map[int]*rapid.Generator[int]{}
	decide := func(t *rapid.T) func(n int) int {
		return func(n int) int {
			if ints[n] == nil {
				ints[n] = rapid.IntRange(0, n-1)
			}
			return ints[n].Draw(t, "below")
		}
	}
	g.below = decide(t)
	input := rapid.Custom(func(inner *rapid.T) readable {
		g.below = decide(inner)
		return readable{g.input()}
	})
	return func(step func(engine.Input)) {
		t.Repeat(map[string]func(*rapid.T){"step": func(t *rapid.T) { step(input.Draw(t, ">").Input) }})
		g.below = decide(t)
	}
}

// readable prints as a line of a trace.
type readable struct{ engine.Input }

func (r readable) GoString() string { return fmt.Sprintf("%d %s", r.At, r.Event.AppendJSON(nil)) }

// longestPlay bounds a life that bytes decide.
const longestPlay = 150

// written plays what the bytes of script decide, for a fuzzer to vary: each play takes its share of what is left.
func written(script []byte, g *generator, share int) play {
	next := func() (b int) {
		if len(script) > 0 {
			b, script = int(script[0]), script[1:]
		}
		return b
	}
	g.below = func(n int) int {
		if n > 256 {
			return (next()<<8 | next()) % n
		}
		return next() % n
	}
	return func(step func(engine.Input)) {
		rest := len(script) - len(script)/share
		share = 1
		for n := 0; len(script) > rest && n < longestPlay; n++ {
			step(g.input())
		}
	}
}

// scripts are bytes to start from.
func scripts(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{200, 700, 1500, 1500} {
		script := make([]byte, size)
		for i := range script {
			script[i] = byte(r.Uint32())
		}
		f.Add(script)
	}
}

// peer is what the peers, and the person they ask, know of their requests.
type peer struct {
	owed    map[string]map[string]string // session → handle of a request that waits for its reply → its parent
	ended   map[elicit.ID]fate
	screen  map[elicit.ID]effect.Show // what is before a person
	pages   map[elicit.ID]bool        // opened and not yet resolved
	agreed  effect.Reply              // the last reply of this step
	atOnce  bool                      // this step's question has its reply
	forgets bool                      // so few endings are remembered that one may be forgotten
}

// fate is how a request ended.
type fate struct {
	session string
	outcome elicit.Outcome
	cause   elicit.Cause
}

func newPeer() peer {
	return peer{owed: map[string]map[string]string{}, ended: map[elicit.ID]fate{}, screen: map[elicit.ID]effect.Show{},
		pages: map[elicit.ID]bool{}}
}

func (p *peer) begin(given event.Event) {
	p.agreed, p.atOnce = effect.Reply{}, false
	switch ev := given.(type) {
	case event.Opened:
		if p.owed[ev.Session] == nil {
			p.owed[ev.Session] = map[string]string{}
		}
	case event.Configured:
		p.forgets = p.forgets || bytes.Contains(ev.Config, []byte(`"ended":3`))
	}
}

// reply holds that a request gets one reply, and none after it was taken back. A refusal carries no content, content
// fits its form, and an answer settles the request that it was given to.
func (l *observer) reply(in engine.Input, r effect.Reply) {
	l.met["reply"]++
	if was, over := l.ended[r.ID]; over {
		l.wrong(in, "a reply for %s, which ended: %v", r.ID, was)
	}
	if r.Outcome != elicit.Accepted && r.Content != nil {
		l.wrong(in, "outcome %s with content %s", r.Outcome, r.Content)
	}
	if s, shown := l.screen[r.ID]; shown && s.Form != nil && r.Outcome == elicit.Accepted &&
		s.Form.Check(r.Content) != nil {
		l.wrong(in, "content %s does not fit", r.Content)
	}
	if a, ok := in.Event.(event.Answered); ok && r.ID != a.ID && r.Cause != elicit.ByTimeout && !alike(a, r) &&
		!l.overdue(r) {
		l.wrong(in, "the answer settled %s", r.ID)
	}
	_, owed := l.owed[r.Session][r.Ref]
	asked, ok := in.Event.(event.Asked)
	if ok && asked.Session == r.Session && asked.Ref == r.Ref && r.Cause != elicit.ByTimeout && !l.overdue(r) {
		l.atOnce = true
		if owed {
			l.wrong(in, "a reply under a handle that another request has")
		}
	} else if !owed {
		l.wrong(in, "a reply under %q, for which nobody waits", r.Ref)
	}
	delete(l.owed[r.Session], r.Ref)
	delete(l.screen, r.ID)
	l.ended[r.ID] = fate{r.Session, r.Outcome, r.Cause}
	l.agreed = r
}

// withdraw holds that a request goes from the screen once: with its reply, or without one because nobody waits for it.
func (l *observer) withdraw(in engine.Input, w effect.Withdraw) {
	l.met["withdraw"]++
	silent := w.Cause == elicit.ByPeerCancelled || w.Cause == elicit.BySessionClosed
	was, over := l.ended[w.ID]
	if silent && over || !silent && (l.agreed.ID != w.ID && was.cause != w.Cause) {
		l.wrong(in, "%s is withdrawn, its end was %v", w.ID, was)
	}
	delete(l.screen, w.ID)
	if silent {
		l.ended[w.ID] = fate{w.Session, elicit.Cancelled, w.Cause}
	}
}

// show holds that what is over is not shown, and nothing that was not read and inspected first.
func (l *observer) show(in engine.Input, s effect.Show) {
	if was, over := l.ended[s.ID]; over {
		l.wrong(in, "%s is shown, it ended: %v", s.ID, was)
	}
	if _, twice := l.screen[s.ID]; twice {
		l.wrong(in, "%s is shown twice", s.ID)
	}
	told := slices.ContainsFunc(s.Findings, func(f elicit.Finding) bool { return f.Code == "secret_in_form" })
	if s.Mode == elicit.Form && (s.Form == nil || s.Form.Field("password") != nil && !told) || len(s.Reasons) == 0 {
		l.wrong(in, "%s is shown unread: %s", s.ID, s.AppendJSON(nil))
	}
	l.screen[s.ID] = s
}

// page holds that a page is opened once, right after the reply that agrees to it.
func (l *observer) page(in engine.Input, o effect.OpenURL) {
	l.met["open_url"]++
	if l.agreed.ID != o.ID || l.agreed.Outcome != elicit.Accepted || l.agreed.Content != nil || l.pages[o.ID] {
		l.wrong(in, "the page of %s opens after reply %v", o.ID, l.agreed)
	}
	l.pages[o.ID] = true
}

// resolve holds that the end of a page is told once, and of a page that was opened.
func (l *observer) resolve(in engine.Input, r effect.Resolve) {
	l.met["resolve"]++
	if !l.pages[r.ID] {
		l.wrong(in, "the page of %s ends, it is not open", r.ID)
	}
	delete(l.pages, r.ID)
}

// checkAnswer holds, after a step, that an answer settles the request it names when that is before the person who
// answers. The sender of a late answer is told how the request ended, and another session is told nothing. A question
// that nobody could see ends as a declining rule wants that only may match.
func (l *observer) checkAnswer(in engine.Input, effects []effect.Effect) {
	a, ok := in.Event.(event.Answered)
	if !ok {
		return
	}
	var told *effect.Problem
	for _, next := range effects {
		if c, asked := next.(effect.Consult); asked && c.ID == a.ID {
			return // it waits for guardians
		}
		if p, bad := next.(effect.Problem); bad && p.ID == a.ID {
			told = &p
		}
		if r, settled := next.(effect.Reply); settled && r.ID == a.ID && r.Cause != elicit.ByTimeout {
			if l.overdue(r) {
				return // it was over before, unless this answer ended it
			}
			if r.Session != a.Session || a.Principal != "me" || string(r.Outcome) != string(a.Action) &&
				r.Outcome != elicit.Cancelled && (a.Via != event.ViaNoUI || r.Outcome != elicit.Declined) {
				l.wrong(in, "it is taken as %s of %s", r.Outcome, r.Session)
			}
			return
		}
	}
	was, over := l.ended[a.ID]
	switch {
	case told == nil:
		l.wrong(in, "it settles nothing, and nothing is said")
	case !over:
	case was.session != a.Session:
		l.met["late elsewhere"]++
		if told.Problems[0].Code != "unknown_request" || told.Outcome != "" {
			l.wrong(in, "another session is told %v", told)
		}
	case told.Problems[0].Code == "unknown_request" && l.forgets:
	case l.open[a.Session] && a.Principal != "me":
		l.met["late of another"]++
		if told.Problems[0].Code != "wrong_principal" || told.Outcome != "" {
			l.wrong(in, "another person is told %v", told)
		}
	default:
		l.met["late"]++
		if told.Problems[0].Code != "already_settled" || told.Outcome != was.outcome || told.Cause != was.cause {
			l.wrong(in, "it is late and told %v, want %v", told, was)
		}
	}
}

// checkOwed holds, after a step, that every handle the peer waits on names one request, and that a session that ends
// leaves none behind.
func (l *observer) checkOwed(in engine.Input, effects []effect.Effect) {
	switch ev := in.Event.(type) {
	case event.Asked:
		_, taken := l.owed[ev.Session][ev.Ref]
		refused := slices.ContainsFunc(effects, func(e effect.Effect) bool {
			p, bad := e.(effect.Problem)
			return bad && p.Ref == ev.Ref && p.Problems[0].Code == "ref_in_use"
		})
		if l.open[ev.Session] && taken != refused {
			l.wrong(in, "the handle is taken %v, refused %v", taken, refused)
		}
		if l.open[ev.Session] && !taken && !l.atOnce {
			l.owed[ev.Session][ev.Ref] = ev.Parent
		}
	case event.Cancelled:
		maps.DeleteFunc(l.owed[ev.Session], func(ref, parent string) bool {
			named := ev.Ref != "" && ref == ev.Ref || ev.Parent != "" && parent == ev.Parent
			if named && ev.Cause == elicit.ByCallEnded {
				l.wrong(in, "the call of %s is over, and its peer was not told", ref)
			}
			return named
		})
	case event.Closed:
		if n := len(l.owed[ev.Session]); n > 0 && ev.Cause == elicit.ByShutdown {
			l.wrong(in, "%d requests are left without a reply", n)
		} else if n > 0 {
			l.met["closed with questions"]++
		}
		for id, s := range l.screen {
			if s.Session == ev.Session {
				l.wrong(in, "%s stays before the person", id)
			}
		}
		delete(l.owed, ev.Session)
	}
}

// alike reports that the answer was meant for more than its own request. A yes that is remembered answers the same
// question where it waits. A server that is muted gets cancels for all that waits.
func alike(a event.Answered, r effect.Reply) bool {
	if r.Session == a.Session && len(r.Reasons) > 0 && r.Reasons[len(r.Reasons)-1].Code == "joined" {
		return true
	}
	return r.Session == a.Session && r.Cause == elicit.ByPolicy &&
		(a.Remember.Scope != "" && r.Outcome == elicit.Accepted || a.Mute && r.Outcome == elicit.Cancelled)
}
