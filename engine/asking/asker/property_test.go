package asker_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/swarm"
)

// TestWorlds lets processes die, lose requests and replies of their store, and meet each other's commits, while people
// answer. Each answer reaches its own question, no question ends twice, no answer that was taken is lost, and nobody
// waits for ever.
func TestWorlds(t *testing.T) {
	total := map[string]int{}
	for seed := range uint64(worlds(t)) {
		w := newWorld(t, rand.New(rand.NewPCG(seed, 1)), asker.Config{}, total)
		for range 600 {
			w.move()
		}
		w.settle()
		if t.Failed() {
			t.Fatalf("world %d", seed)
		}
	}
	must := subjects
	if !testing.Short() {
		must = append(must, "lost response", "still running", "unknown", "asked again")
	}
	for _, what := range must {
		if total[what] == 0 {
			t.Errorf("no %s: the test has lost its subject", what)
		}
	}
	t.Log(total)
}

// subjects are what happens in every run.
var subjects = []string{"answered", "accept", "cancel", "conflict", "lost request", "lost reply", "sent twice",
	"killed", "power cut", "page taken", "model resumed", "given up", "state came back", "made again", "given again",
	"an end", "progress"}

func worlds(t *testing.T) int {
	switch {
	case testing.Short():
		return 20
	case os.Getenv("ELICIT_NIGHTLY") != "":
		return 5000
	}
	return 150
}

// move lets one thing happen.
func (w *world) move() {
	n := w.any()
	switch k := w.rand.IntN(40); {
	case k < 5:
		w.newCall(n)
	case k < 13 && len(w.open) > 0:
		w.person(w.open[w.rand.IntN(len(w.open))])
	case k == 14 && w.rand.IntN(4*w.rare) == 0:
		w.kill(w.rand.IntN(len(w.nodes)))
	case k == 14 && w.rand.IntN(8) == 0:
		w.powerCut()
	case k == 15:
		if asks := waiting(n); len(asks) > 0 {
			w.counts["given up"]++
			n.step(asker.GivenUp{Ref: asks[w.rand.IntN(len(asks))]})
		}
	case k == 16 && (w.rare == 1 || w.rand.IntN(w.rare) == 0):
		w.pass([]int64{6_000, 60_000, 400_000}[w.rand.IntN(3)])
	case k == 17 && len(w.repeats) > 0:
		w.repeat()
	case k == 18 && len(n.pending) > 0: // its client waits no more, and makes it again
		names := slices.Sorted(maps.Keys(n.pending))
		w.counts["made again early"]++
		n.pending[names[w.rand.IntN(len(names))]]()
	case k < 20:
		w.pass(int64(w.rand.IntN(30)))
	case len(n.todo) > 0:
		n.work(w.rand.IntN(len(n.todo)))
	}
}

func waiting(n *node) (asks []string) {
	for ref := range n.sends {
		if n.waits[ref] != nil {
			asks = append(asks, ref)
		}
	}
	slices.Sort(asks)
	return asks
}

// pass lets time pass.
func (w *world) pass(ms int64) {
	w.at += ms
	for _, n := range w.nodes {
		if n.wake != 0 && n.wake <= w.at {
			n.wake = 0
			n.step(asker.Ticked{})
		}
	}
}

func (w *world) newCall(n *node) {
	c := &call{first: w.named * 10, more: w.rand.IntN(2) == 0, target: w.name("tool")}
	session := fmt.Sprint("s", w.rand.IntN(3))
	switch w.rand.IntN(4) {
	case 0:
		c.kind, c.client = "forms", asker.Client{Session: session, Version: "2025-11-25", Requests: true}
		c.client.Declared.Form = true
	case 1:
		c.kind, c.client = "urls", asker.Client{Session: session + "u", Version: "2025-11-25", Requests: true}
		c.client.Declared.URL = true
	case 2:
		c.kind, c.client = "rounds", asker.Client{Version: "2026-07-28"}
		c.client.Declared.Form, c.client.Declared.URL = w.rand.IntN(2) == 0, true
	default:
		c.kind, c.client = "text", asker.Client{Version: "2025-06-18"}
	}
	if (c.kind == "rounds" || c.kind == "text") && w.rand.IntN(4) > 0 {
		c.client.Principal = "ann"
		c.deed = &deed{keyed: w.rand.IntN(3) > 0, keys: map[string]bool{}, said: map[int]string{}}
		c.deed.early = c.deed.keyed && w.rand.IntN(3) > 0
		w.deeds = append(w.deeds, c)
	}
	n.runs(c)
}

// person lets a person, or the client, do something about a question.
func (w *world) person(q *question) {
	content := fmt.Appendf(nil, `{"n":%d}`, q.number)
	yes := fmt.Appendf(nil, `{"action":"accept","content":%s}`, content)
	n := w.any()
	if q.link != "" && w.rand.IntN(2) == 0 {
		ref := w.name("page")
		n.wait(ref, asker.Submitted{Ref: ref, Link: q.link, Client: asker.Client{Principal: q.call.client.Principal},
			Action: elicit.Accept, Content: content}, func(r asker.Reply) {
			if r.Failed == "" {
				if isGuarded(w.config) {
					w.counts["page taken after a review"]++
				}
				if w.counts["page taken"]++; !w.taken[q.number] && !isGuarded(w.config) {
					w.t.Errorf("the answer to question %d was taken and is lost", q.number)
				}
			}
		})
		return
	}
	switch {
	case q.node != nil:
		if result := yes; q.link == "" || w.rand.IntN(3) == 0 {
			if q.link != "" {
				result = []byte(`{"action":"accept"}`)
			}
			w.forget(func(other *question) bool { return other == q })
			q.node.step(asker.Responded{Ref: q.ref, Result: result})
		}
	case q.key != "":
		again := *q.call
		again.brings = q
		switch again.responses = fmt.Appendf(nil, `{%q:%s}`, q.key, yes); {
		case q.link != "":
			again.responses = fmt.Appendf(nil, `{%q:{"action":"accept"}}`, q.key)
		case w.rand.IntN(6) == 0:
			w.counts["said no"]++
			no := []elicit.Action{elicit.Decline, elicit.Cancel}[w.rand.IntN(2)]
			again.responses = fmt.Appendf(nil, `{%q:{"action":%q}}`, q.key, no)
		}
		w.counts["state came back"]++
		w.forget(func(other *question) bool { return other == q })
		if again.deed != nil {
			if again.since == 0 {
				again.since = w.at
			}
			again.again = func() { w.any().runs(&again) }
			if before, was := again.said[q.number]; !was || before == string(again.responses) {
				again.said[q.number] = string(again.responses)
			} else {
				again.said[q.number] = ""
			}
		}
		n.runs(&again)
	case q.call.deed != nil:
		n.passesOn(q)
	default:
		ref := w.name("model")
		said := asker.Submitted{Ref: ref, ID: q.id, Action: elicit.Cancel, Client: q.call.client}
		n.wait(ref, said, func(r asker.Reply) {
			if r.Resume == nil {
				return
			}
			w.counts["model resumed"]++
			w.forget(func(other *question) bool { return other == q })
			again := *q.call
			again.session = r.Session
			n.runs(&again)
		})
	}
}

// kill ends a process and starts another in its place.
func (w *world) kill(i int) {
	w.counts["killed"]++
	dead := w.nodes[i]
	w.forget(func(q *question) bool { return q.node == dead })
	for _, name := range slices.Sorted(maps.Keys(dead.pending)) {
		w.repeats = append(w.repeats, dead.pending[name])
	}
	w.nodes[i] = w.newNode()
}

// powerCut ends all processes, and the store loses every lazy commit after the last one that was not.
func (w *world) powerCut() {
	w.counts["power cut"]++
	w.rows = maps.Clone(w.disk)
	for i := range w.nodes {
		w.kill(i)
	}
}

// settle lets the store work and time pass until every question has ended. Nobody waits then.
func (w *world) settle() {
	w.calm = true
	for range 100 {
		for _, n := range w.nodes {
			for range 2000 {
				if len(n.todo) == 0 {
					break
				}
				n.work(0)
			}
		}
		if len(w.repeats) > 0 {
			w.repeat()
		}
		w.pass(20_000)
	}
	if len(w.repeats) > 0 {
		w.t.Errorf("%d requests are still made again", len(w.repeats))
	}
	for _, c := range w.deeds {
		if c.taken && c.end == "" && len(w.open) == 0 {
			w.t.Errorf("the client of call %d knows no end", c.first)
		}
	}
	for i, n := range w.nodes {
		for name := range n.waits {
			w.t.Errorf("on node %d %s still waits", i, name)
		}
		for _, next := range n.todo {
			if _, sweeps := next.(asker.Due); !sweeps {
				w.t.Errorf("node %d is not at rest: %T", i, next)
			}
		}
	}
	for name, r := range w.rows {
		if r.next != 0 {
			w.t.Errorf("session %s is still due: %s", name, r.state)
		}
		if !json.Valid(r.state) {
			w.t.Errorf("session %s: %s", name, r.state)
		}
	}
}

// TestSwarm plays worlds as TestWorlds does, under any configuration: with a journal that fails, with guardians that
// answer late, wrongly or never, with clocks that jump, with strangers, and with processes that leave in good order.
// For a long run: ./build.sh swarm 1m
func TestSwarm(t *testing.T) {
	swarm.Run(t, swarm.Lives{Play: func(t *rapid.T, met map[string]int) int {
		d := draws{t}
		c := asker.Config{Journal: d.IntN(3) == 2, Results: []int64{0, 0, 0, -1}[d.IntN(4)]}
		c.Asking.Order = asking.Orders()[d.IntN(2)]
		c.Asking.Engine = [][]byte{nil, nil, []byte(swarm.Config(d.IntN, false)), []byte(guarded), []byte(paired),
			[]byte(paired)}[d.IntN(6)]
		for range 10 {
			reaches(t, d, met)
			spells(t, d)
		}
		w := newWorld(t, d, c, met)
		w.rare = []int{1, 4, 16}[d.IntN(3)]
		strays := []int{1000, 60, 15}[d.IntN(3)]
		for range d.IntN(1000) + 1 {
			if w.move(); w.rand.IntN(strays) == 0 {
				w.stray()
			}
		}
		w.settle()
		return w.steps
	}, Sometimes: append(subjects, "lost response", "journal failed", "consulted",
		"consulted wrongly", "never consulted", "clock jumped", "stranger", "stranger refused", "unfit", "left", "closed",
		"claimed", "viewed", "page taken after a review", "second person", "needs the tool", "needs no tool")})
}

// reaches asks a client of any kind a form, a URL and, if the server has a page, a secret. The client needs the tool
// with which a model passes on an answer exactly if a question ends the call with a text for a model.
func reaches(t *rapid.T, d draws, met map[string]int) {
	client := asker.Client{Version: []string{"2025-06-18", "2025-11-25", asker.Rounds}[d.IntN(3)]}
	client.Declared.Form, client.Declared.URL = d.IntN(2) == 1, d.IntN(2) == 1
	if client.Version != asker.Rounds && d.IntN(2) == 1 {
		client.Session, client.Requests = "s", d.IntN(2) == 1
	}
	client.Principal = []string{"", "ann"}[d.IntN(2)]
	form := asking.Question{Mode: elicit.Form, Message: "How many?", Schema: []byte(
		`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)}
	secret := form
	secret.Secret = true
	questions := []asking.Question{form, {Mode: elicit.URL, Message: "Visit", URL: "https://id.example/"}, secret}
	c := asker.Config{}
	c.Asking.Server, c.Asking.Fallback = "bot", "elicitation_result"
	if c.Asking.Page = []string{"", "https://bot.example/"}[d.IntN(2)]; c.Asking.Page == "" {
		questions = questions[:2]
	}
	text := false
	for _, q := range questions {
		m, problems := asker.New(c)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for i, ev := range []asker.Event{asker.Called{Call: "c", Client: client, Target: "deploy"},
			asker.Posed{Ref: "q", Call: "c", Question: q}, asker.Returned{Call: "c"}} {
			for _, next := range m.Step(asker.Input{At: 1000, Elapsed: 1000, Event: ev, Random: [32]byte{byte(i)}}) {
				reply, is := next.(asker.Reply)
				text = text || is && bytes.Contains(reply.Result, []byte(`"elicit/question"`))
			}
		}
	}
	if text != c.NeedsFallback(client) {
		t.Fatalf("%+v with the page %q: a text is a way: %v", client, c.Asking.Page, text)
	}
	met[map[bool]string{true: "needs the tool", false: "needs no tool"}[text]]++
	if c.Asking.Fallback = ""; c.NeedsFallback(client) {
		t.Fatalf("%+v needs a tool that is not there", client)
	}
}

// spells reads the JSON of an event of one session again. It says the same, whatever members are there.
func spells(t *rapid.T, d draws) {
	text := func() string { return []string{"", "a", `b "c"`}[d.IntN(3)] }
	doc := func() []byte { return [][]byte{nil, []byte(`{}`), []byte(`{"n":1}`)}[d.IntN(3)] }
	yes := func() bool { return d.IntN(2) == 1 }
	cause := []elicit.Cause{elicit.BySessionClosed, elicit.ByShutdown}[d.IntN(2)]
	events := []asking.Event{asking.Called{Call: "c", Method: text(), Target: text(), Arguments: doc(), Structured: yes(),
		Answers: doc(), Responses: doc(), Key: text()},
		asking.Lost{Call: text()}, asking.Keyed{Call: text()}, asking.Returned{Call: text()},
		asking.Completed{ID: elicit.ID(text())}, asking.Cancelled{Call: text(), ID: elicit.ID(text())},
		asking.Posed{Call: text(), Position: d.IntN(3), Question: asking.Question{Mode: elicit.Form, Message: text(),
			Schema: doc(), URL: text(), Wait: yes(), Secret: yes(), For: text(), TTL: int64(d.IntN(3))}},
		asking.Once{Call: text(), Position: d.IntN(3), Key: text(), Value: doc()},
		asking.Responded{Ref: text(), Result: doc(), Error: doc()},
		asking.Submitted{Link: text(), ID: elicit.ID(text()), Principal: text(), Action: elicit.Decline, Content: doc(),
			Cleared: [][]string{nil, {"n"}}[d.IntN(2)], Via: event.ViaModel},
		asking.Claimed{Link: text(), Principal: text(), Browser: text()}, asking.Closed{Cause: cause}}
	ev := events[d.IntN(len(events))]
	spelled := ev.AppendJSON(nil)
	if again, problems := asking.ReadEvent(spelled); len(problems) > 0 || !reflect.DeepEqual(again, ev) {
		t.Fatalf("%s is read again as %+v: %v, want %+v", spelled, again, problems, ev)
	}
}

// draws is a source from which rapid can make a shorter life. Every number is as likely as another.
type draws struct{ t *rapid.T }

func (d draws) IntN(n int) int {
	for len(numbers) < n {
		numbers = append(numbers, len(numbers))
	}
	return rapid.SampledFrom(numbers[:n]).Draw(d.t, "n")
}

var numbers []int

const guarded = `{"limits":{"per_minute":600,"burst":100},"guardians":[{"name":"looks","host":true,` +
	`"reads":["/request"],"deadline_ms":1500}]}`

// paired wants two people for each answer.
const paired = `{"limits":{"per_minute":600,"burst":100},"guardians":[{"name":"pairs","host":true,` +
	`"phases":["before_send"],"reads":["/request"],"deadline_ms":60000}]}`

// isGuarded reports whether a guardian sees each question before a person does, and each answer after that.
func isGuarded(c asker.Config) bool {
	return bytes.Contains(c.Asking.Engine, []byte(`"looks"`)) || bytes.Contains(c.Asking.Engine, []byte(`"pairs"`))
}

func isAppend(next asker.Effect) bool {
	_, is := next.(asker.Append)
	return is
}

// stray lets something happen that nobody needs.
func (w *world) stray() {
	n := w.any()
	switch w.rand.IntN(8) {
	case 0:
		w.counts["clock jumped"]++
		n.skew = int64(w.rand.IntN(3)-1) * 240_000
	case 1:
		w.leave(w.rand.IntN(len(w.nodes)))
	case 2:
		ref := w.name("close")
		n.wait(ref, asker.Closed{Ref: ref, Session: fmt.Sprint("s", w.rand.IntN(3))}, func(asker.Reply) {})
		w.counts["closed"]++
	default:
		if len(w.open) > 0 {
			n.intrudes(w.open[w.rand.IntN(len(w.open))])
		}
	}
}

// intrudes lets somebody answer a question who may not, or with an answer that does not fit.
func (n *node) intrudes(q *question) {
	ref, client := n.name("stranger"), q.call.client
	said := asker.Submitted{Ref: ref, ID: q.id, Link: q.link, Action: elicit.Accept, Content: []byte(`{"n":-1}`)}
	switch {
	case q.link != "" && n.rand.IntN(3) == 0:
		n.counts["viewed"]++
		n.wait(ref, asker.Viewed{Ref: ref, Link: q.link}, func(r asker.Reply) {
			if r.Failed == "" && r.Page.Principal != client.Principal {
				n.t.Errorf("the page of question %d is for %q", q.number, r.Page.Principal)
			}
		})
		return
	case q.link == "" && q.id == "":
		return
	case n.rand.IntN(2) == 0 || client.Principal == "":
		n.counts["unfit"]++
		said.Client, said.Content = client, []byte(`{"n":"none"}`)
	default:
		n.counts["stranger"]++
		said.Client.Principal = "eve"
	}
	if q.link != "" {
		said.ID = ""
	}
	if said.Link != "" && said.Client.Principal == "eve" && n.rand.IntN(3) == 0 {
		n.wait(ref, asker.Claimed{Ref: ref, Link: q.link, Principal: "eve", Browser: "b"}, func(r asker.Reply) {
			if r.Failed == "" {
				n.t.Errorf("a stranger has the page of question %d", q.number)
			}
			n.counts["claimed"]++
		})
		return
	}
	n.wait(ref, said, func(r asker.Reply) {
		if r.Failed == "" && len(r.Problems) == 0 && r.Resume == nil {
			n.t.Errorf("question %d takes an answer that it must not take: %+v", q.number, r)
		}
		if said.Client.Principal == "eve" {
			n.counts["stranger refused"]++
			if r.Resume != nil {
				n.t.Errorf("a stranger lets the call of question %d run", q.number)
			}
		}
	})
}

// leave ends a process in good order, and starts another in its place. Nobody waits for it then.
func (w *world) leave(i int) {
	n, gone := w.nodes[i], false
	ref := w.name("close")
	n.wait(ref, asker.Closed{Ref: ref}, func(asker.Reply) { gone = true })
	for range 10_000 {
		if gone {
			break
		}
		if len(n.todo) == 0 {
			if n.wake == 0 {
				break
			}
			w.pass(max(0, n.wake-w.at))
			continue
		}
		n.work(0)
	}
	if !gone {
		w.t.Errorf("a process that closes does not end: %d effects", len(n.todo))
	}
	w.counts["left"]++
	w.kill(i)
}

// guardian answers a consult, or does not answer.
func (n *node) guardian(ef asker.Consult) asker.Event {
	said := event.Consulted{Output: `{"v":1,"decision":"pass"}`}
	if ef.Consult.Reviewer {
		said.Output = `{"outcome":"allow"}`
	}
	switch n.rand.IntN(8) {
	case 0:
		n.counts["consulted wrongly"]++
		said.Output = []string{`{`, `{"v":1,"decision":"deny"}`, `{"outcome":"deny"}`, ""}[n.rand.IntN(4)]
	case 1:
		n.counts["never consulted"]++
		return asker.Ticked{}
	default:
		switch {
		case ef.Consult.Phase == effect.SecondPerson:
			n.counts["second person"]++
			said = event.Consulted{Output: `{"v":1,"decision":"allow"}`, Principal: "bob"}
		case ef.Consult.Guardian == "pairs":
			said.Output = `{"v":1,"decision":"pass","obligations":[{"do":"second_person"}]}`
		}
	}
	n.counts["consulted"]++
	return asker.Consulted{Session: ef.Session, Event: ef.Consult.Answer(said)}
}
