package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// life is what an observer of one run believes, from inputs and effects alone.
type life struct {
	t                                  *testing.T
	seed                               int64
	open                               map[string]bool // sessions
	replied                            map[elicit.ID]bool
	silent                             map[elicit.ID]bool // withdrawn because the peer wants no reply or is gone
	deadlines                          map[elicit.ID]int64
	wake                               int64
	journal                            []byte
	granted, joined, muted, remembered int
	confirmed, noticed                 int                // secrets that were sent after a person was told, and at once
	warned                             map[elicit.ID]bool // whose person was told of a secret
	told
}

func newLife(t *testing.T, seed int64) *life {
	return &life{t: t, seed: seed, open: map[string]bool{}, replied: map[elicit.ID]bool{}, silent: map[elicit.ID]bool{},
		deadlines: map[elicit.ID]int64{}, warned: map[elicit.ID]bool{}, told: newTold()}
}

func (l *life) wrong(in engine.Input, format string, args ...any) {
	l.t.Helper()
	l.t.Fatalf("seed %d, at %d, %s: %s", l.seed, in.At, in.Event.AppendJSON(nil), fmt.Sprintf(format, args...))
}

// TestStepProperties holds what must be true in every order of events.
func TestStepProperties(t *testing.T) {
	replies, withdrawals := 0, 0
	var granted, joined, muted, remembered int
	var noted, extended, pauses int
	var confirmed, noticed, warned int
	for seed := int64(1); seed <= 1200; seed++ {
		g, l, e := newGenerator(seed, "a", "b", "c"), newLife(t, seed), engine.New()
		for range 60 {
			in := g.input()
			effects := e.Step(in)
			l.check(in, effects)
			g.saw(effects)
			if seed%10 == 0 {
				l.checkWake(in, e)
			}
		}
		l.checkJournal(g.secrets)
		replies += len(l.replied)
		withdrawals += len(l.silent)
		noted, extended, pauses = noted+l.noted, extended+l.extended, pauses+l.pauses
		confirmed, noticed, warned = confirmed+l.confirmed, noticed+l.noticed, warned+len(l.warned)
		granted, joined, muted, remembered = granted+l.granted, joined+l.joined, muted+l.muted, remembered+l.remembered
	}
	if granted < 30 || joined < 30 || muted < 50 || remembered < 80 {
		t.Errorf("%d granted, %d joined, %d muted, %d remembered: the generator has lost its subject", granted, joined, muted, remembered)
	}
	if confirmed < 10 || noticed < 4 || warned < 50 {
		t.Errorf("%d secrets confirmed, %d let pass, %d told of: the generator has lost its subject", confirmed, noticed, warned)
	}
	t.Logf("%d replies, %d withdrawals, %d receipts, %d extensions, %d pauses", replies, withdrawals, noted, extended, pauses)
	if noted < 200 || extended < 15 || pauses < 300 {
		t.Errorf("only %d receipts, %d extensions and %d pauses: the generator has lost its subject", noted, extended, pauses)
	}
	if replies < 8_000 || withdrawals < 500 {
		t.Errorf("only %d replies and %d withdrawals: the generator has lost its subject", replies, withdrawals)
	}
}

func (l *life) check(in engine.Input, effects []engine.Effect) {
	if opened, ok := in.Event.(engine.Opened); ok {
		l.open[opened.Session] = true
	}
	for i, effect := range effects {
		if a, ok := effect.(engine.Append); ok != (i == 0) {
			l.wrong(in, "effect %d is %T: one append must come, and come first", i, effect)
		} else if ok {
			l.journal = append(append(l.journal, a.Record...), '\n')
		}
		if session, bound := sessionOf(effect); bound && !l.open[session] {
			l.wrong(in, "%T for session %q, which is not open", effect, session)
		}
		l.checkTold(in, effect)
		l.one(in, effect)
	}
	l.tell(in, effects)
	if closed, ok := in.Event.(engine.Closed); ok {
		delete(l.open, closed.Session)
	}
}

func (l *life) one(in engine.Input, effect engine.Effect) {
	switch ef := effect.(type) {
	case engine.Reply:
		switch {
		case l.replied[ef.ID]:
			l.wrong(in, "a second reply for %s", ef.ID)
		case l.silent[ef.ID]:
			l.wrong(in, "a reply for %s, which was withdrawn", ef.ID)
		case ef.Outcome != elicit.Accepted && ef.Content != nil:
			l.wrong(in, "outcome %s with content %s", ef.Outcome, ef.Content)
		}
		if a, ok := in.Event.(engine.Answered); ok && ef.ID != a.ID && ef.Cause != elicit.ByTimeout && !alike(a, ef) {
			l.wrong(in, "the answer settled %s", ef.ID)
		}
		l.replied[ef.ID] = true
		l.count(ef.Reasons)
		l.checkSecrets(in, ef)
	case engine.Withdraw:
		if ef.Cause == elicit.ByPeerCancelled || ef.Cause == elicit.BySessionClosed {
			l.silent[ef.ID] = true
		}
	case engine.Remember:
		l.remembered++
	case engine.OpenURL:
		if !l.replied[ef.ID] {
			l.wrong(in, "a page opens before the reply")
		}
	case engine.Show:
		if d, seen := l.deadlines[ef.ID]; seen && d != ef.Deadline || l.replied[ef.ID] || l.silent[ef.ID] {
			l.wrong(in, "%s is shown with deadline %d, before %d, replied %v", ef.ID, ef.Deadline, d, l.replied[ef.ID])
		}
		l.deadlines[ef.ID] = ef.Deadline
	case engine.Wake:
		l.wake = ef.At
	case engine.Problem:
		if len(ef.Problems) > 0 && ef.Problems[0].Code == "secret_unconfirmed" {
			l.warned[ef.ID] = true
		}
	}
}

// checkSecrets holds that no secret is sent from a field that is not sensitive unless the person had been told of it or
// policy lets it pass, and that no other reply says so.
func (l *life) checkSecrets(in engine.Input, r engine.Reply) {
	sent, confirmed, noticed := false, false, false
	for _, f := range r.Findings {
		sent = sent || f.Code == "secret_in_answer" && f.Severity == elicit.High
	}
	for _, reason := range r.Reasons {
		confirmed = confirmed || reason.Code == "secret_confirmed"
		noticed = noticed || reason.Code == "secret_noted"
	}
	joined := len(r.Reasons) > 0 && r.Reasons[len(r.Reasons)-1].Code == "joined"
	if sent != (confirmed || noticed) || confirmed && !l.warned[r.ID] && !joined || sent != bytes.Contains(r.Content, []byte("ghp_")) {
		l.wrong(in, "reply %s; told before: %v", r.AppendJSON(nil), l.warned[r.ID])
	}
	if confirmed {
		l.confirmed++
	}
	if noticed {
		l.noticed++
	}
}

func (l *life) count(reasons []elicit.Reason) {
	for _, r := range reasons {
		switch r.Code {
		case "granted":
			l.granted++
		case "joined":
			l.joined++
		case "muted":
			l.muted++
		}
	}
}

// alike reports that the answer was meant for more than its own request: a yes that is remembered answers the same
// question where it waits, and a server that is muted gets cancels for what waits.
func alike(a engine.Answered, r engine.Reply) bool {
	if r.Session == a.Session && len(r.Reasons) > 0 && r.Reasons[len(r.Reasons)-1].Code == "joined" {
		return true
	}
	return r.Session == a.Session && r.Cause == elicit.ByPolicy &&
		(a.Remember.Scope != "" && r.Outcome == elicit.Accepted || a.Mute && r.Outcome == elicit.Cancelled)
}

func sessionOf(effect engine.Effect) (string, bool) {
	switch ef := effect.(type) {
	case engine.Reply:
		return ef.Session, true
	case engine.Show:
		return ef.Session, true
	case engine.Withdraw:
		return ef.Session, true
	case engine.OpenURL:
		return ef.Session, true
	case engine.Resolve:
		return ef.Session, true
	}
	return "", false
}

// checkWake compares the last wake with the deadlines that saved sessions tell.
func (l *life) checkWake(in engine.Input, e *engine.Engine) {
	var first int64
	for _, session := range e.Sessions() {
		state, _ := e.Save(session)
		var saved struct{ Open []struct{ Deadline int64 } }
		if err := json.Unmarshal(state, &saved); err != nil {
			l.wrong(in, "state %s: %v", state, err)
		}
		for _, item := range saved.Open {
			if item.Deadline != 0 && (first == 0 || item.Deadline < first) {
				first = item.Deadline
			}
		}
	}
	if first != l.wake {
		l.wrong(in, "wake is %d, the earliest deadline %d", l.wake, first)
	}
}

func (l *life) checkJournal(secrets []string) {
	r := engine.Replay(l.journal, nil)
	if r.Problem != nil {
		l.t.Fatalf("seed %d: %s\nwant %s\ngot  %s", l.seed, r.Problem.AppendJSON(nil), r.Want, r.Got)
	}
	for _, secret := range secrets {
		if bytes.Contains(l.journal, []byte(secret)) {
			l.t.Fatalf("seed %d: the journal holds %s", l.seed, secret)
		}
	}
}

// TestSaveLoadProperties moves a session to a new engine at a random moment and drives old and new alike: they must do
// the same from then on. Ids minted after the move differ, so each engine's are named in order of appearance.
func TestSaveLoadProperties(t *testing.T) {
	moved := 0
	for seed := int64(1); seed <= 1500; seed++ {
		g, old := newGenerator(seed, "a"), engine.New()
		g.configs = configs[:6] // a new policy decides again about what is moved, which is another property
		old.Step(engine.Input{At: g.at, Event: engine.Configured{Config: []byte(g.config)}})
		names := naming{}
		for range 10 + g.Intn(40) {
			effects := old.Step(g.input())
			g.saw(effects)
			names.render(effects)
		}
		state, open := old.Save("a")
		if !open {
			continue
		}
		moved++
		twin := engine.New()
		twin.Step(engine.Input{At: g.at, Event: engine.Configured{Config: []byte(g.config)}})
		if effects := old.Step(engine.Input{At: g.at, Event: engine.Ticked{}}); len(effects) > 1 {
			state, _ = old.Save("a")
		}
		for _, effect := range twin.Step(engine.Input{At: g.at, Event: engine.Resumed{State: state}}) {
			if p, bad := effect.(engine.Problem); bad {
				t.Fatalf("seed %d: %s is refused: %s", seed, state, p.AppendJSON(nil))
			}
		}
		g.configs = []string{g.config} // an allowance is refilled at the move, so a rate changed later counts from there
		compareTwins(t, seed, g, old, twin, names)
	}
	if moved < 500 {
		t.Errorf("only %d sessions moved", moved)
	}
}

func compareTwins(t *testing.T, seed int64, g *generator, old, twin *engine.Engine, names naming) {
	oldNames, twinNames := names.clone(), names.clone()
	for range 30 {
		in := g.input()
		same := in
		if a, ok := in.Event.(engine.Answered); ok {
			a.ID = twinNames.id(oldNames[a.ID], a.ID)
			same.Event = a
		}
		if r, ok := in.Event.(engine.Revoked); ok {
			r.Grant = twinNames.id(oldNames[r.Grant], r.Grant)
			same.Event = r
		}
		same.Event = sameTold(same.Event, func(id elicit.ID) elicit.ID { return twinNames.id(oldNames[id], id) })
		effects := old.Step(in)
		g.saw(effects)
		want, got := oldNames.render(effects), twinNames.render(twin.Step(same))
		if want != got {
			t.Fatalf("seed %d, at %d, %s\nwant %s\ngot  %s", seed, in.At, in.Event.AppendJSON(nil), want, got)
		}
	}
}

// naming gives ids short names in order of appearance.
type naming map[elicit.ID]string

func (n naming) clone() naming {
	c := naming{}
	for id, name := range n {
		c[id] = name
	}
	return c
}

// id is the id with a name, or otherwise when there is none.
func (n naming) id(name string, otherwise elicit.ID) elicit.ID {
	for id, given := range n {
		if given == name {
			return id
		}
	}
	return otherwise
}

// render writes effects without the record, ids replaced by names.
func (n naming) render(effects []engine.Effect) string {
	for _, effect := range effects {
		if id := idOf(effect); id != "" && n[id] == "" {
			n[id] = fmt.Sprintf("#%d", len(n)+1)
		}
	}
	text := elicit.AppendList(nil, effects[1:])
	if bytes.Contains(text, []byte(`"grant"`)) {
		for id, name := range n {
			text = bytes.ReplaceAll(text, []byte(id), []byte(name))
		}
	}
	for _, effect := range effects {
		if id := idOf(effect); id != "" {
			text = bytes.ReplaceAll(text, []byte(id), []byte(n[id]))
		}
	}
	return string(text)
}

func idOf(effect engine.Effect) elicit.ID {
	switch ef := effect.(type) {
	case engine.Reply:
		return ef.ID
	case engine.Show:
		return ef.ID
	case engine.Withdraw:
		return ef.ID
	case engine.OpenURL:
		return ef.ID
	case engine.Resolve:
		return ef.ID
	case engine.Problem:
		return ef.ID
	case engine.Extend:
		return ef.ID
	case engine.Remember:
		return ef.Grant.ID
	}
	return ""
}
