package asker_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// world has processes of one server, the store that they share, and the people behind its clients.
type world struct {
	t       rapid.TB
	rand    source
	config  asker.Config
	steps   int
	at      int64 // milliseconds that have passed
	nodes   []*node
	rows    map[string]row
	disk    map[string]row // what a power cut leaves of them
	spent   map[string]bool
	sealed  []asker.Seal
	history map[string]string // outcomes of questions, by id
	named   int
	open    []*question  // that a person can answer
	calm    bool         // no faults
	rare    int          // how seldom a process dies or a deadline passes: 1 is often
	taken   map[int]bool // questions with an accept in the history
	over    map[int]bool // questions with any end in the history
	counts  map[string]int
	repeats []func() // requests whose clients got no response
	deeds   []*call
}

// source draws a number below n.
type source interface{ IntN(n int) int }

// row is a session in the store.
type row struct {
	version uint64
	state   []byte
	next    int64
}

// node is one process.
type node struct {
	*world
	machine *asker.Machine
	skew    int64
	wake    int64
	todo    []asker.Effect // effects whose results are not there yet
	watched map[string]bool
	waits   map[string]func(asker.Reply)
	sends   map[string]*question
	pending map[string]func() // what the clients of requests do if no response comes
	told    map[string]told   // what the clients of calls heard of progress
}

// call is a call of a client, over all its runs.
type call struct {
	kind, target string
	client       asker.Client
	first        int  // the number of its first question
	more         bool // it asks a second question
	state        string
	responses    []byte
	session      string    // of a resume
	states       int       // that it has had
	brings       *question // to which this request has the answer; nil for a first call
	*deed                  // of a client that makes requests again; nil for others
	again        func()    // how its client makes it again; nil for a first call
}

// question is what a person sees.
type question struct {
	number int
	name   string // of the run that asks
	call   *call
	node   *node  // has the request
	ref    string // of the request
	link   string // of a page
	id     string // for a model
	key    string // in inputRequests
}

func newWorld(t rapid.TB, rand source, config asker.Config, counts map[string]int) *world {
	config.Asking.Server, config.Asking.Page, config.Asking.Fallback = "bot", "https://bot.example/", "elicitation_result"
	config.Store, config.Keep = true, 1000
	w := &world{t: t, rand: rand, config: config, at: 1000, rows: map[string]row{}, disk: map[string]row{},
		spent: map[string]bool{}, history: map[string]string{}, taken: map[int]bool{}, over: map[int]bool{},
		counts: counts, rare: 1}
	for range 3 {
		w.nodes = append(w.nodes, w.newNode())
	}
	return w
}

func (w *world) newNode() *node {
	m, problems := asker.New(w.config)
	if len(problems) > 0 {
		w.t.Fatal(problems)
	}
	n := &node{world: w, machine: m, skew: int64(w.rand.IntN(3)-1) * int64(w.rand.IntN(2)) * 240_000,
		watched: map[string]bool{}, waits: map[string]func(asker.Reply){}, sends: map[string]*question{},
		pending: map[string]func(){}, told: map[string]told{}}
	n.step(asker.Ticked{})
	return n
}

func (w *world) any() *node { return w.nodes[w.rand.IntN(len(w.nodes))] }

func (w *world) name(kind string) string {
	w.named++
	return fmt.Sprint(kind, w.named)
}

func (n *node) now() int64 { return 1_000_000_000 + n.at + n.skew }

// step steps the machine of a node, and does what takes no time.
func (n *node) step(ev asker.Event) {
	n.steps++
	in := asker.Input{At: n.now(), Elapsed: n.at, Event: ev, Random: sha256.Sum256(fmt.Append(nil, n.steps))}
	for _, next := range n.machine.Step(in) {
		switch ef := next.(type) {
		case asker.Reply:
			wait := n.waits[ef.To]
			if wait == nil {
				n.t.Fatalf("a reply that nobody waits for: %+v", ef)
			}
			if n.told[ef.To].now {
				n.t.Fatalf("a response before a notification that is on its way: %+v", ef)
			}
			delete(n.waits, ef.To)
			wait(ef)
		case asker.Send:
			q := n.sends[ef.To]
			if q == nil || n.waits[ef.To] == nil {
				n.t.Fatalf("a request for a wait that is over: %+v", ef)
			}
			asked := *q
			asked.node, asked.ref, asked.link = n, ef.Ref, linkIn(string(ef.Params))
			n.open = append(n.open, &asked)
		case asker.CancelSent:
			n.forget(func(q *question) bool { return q.node == n && q.ref == ef.Ref })
		case asker.Unwatch:
			delete(n.watched, ef.Session)
		case asker.Opened:
			n.counts["opened"]++
		case asker.Wake:
			if n.wake = 0; ef.In >= 0 {
				n.wake = n.at + ef.In
			}
		default:
			n.todo = append(n.todo, next)
			if p, is := next.(asker.Progress); is {
				n.progress(p)
			}
		}
	}
}

func (w *world) forget(over func(q *question) bool) { w.open = slices.DeleteFunc(w.open, over) }

var linkPattern = regexp.MustCompile(`https://bot\.example/([0-9a-f]+\.[0-9a-f]+)`)

func linkIn(text string) string {
	if found := linkPattern.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// wait steps a node with an event of somebody who waits for the reply.
func (n *node) wait(name string, ev asker.Event, then func(asker.Reply)) {
	n.waits[name] = then
	n.step(ev)
}

var errAway = errors.New("the store is away")

// work performs one effect that takes time. The store may fail before or after it.
func (n *node) work(i int) {
	next := n.todo[i]
	n.todo = slices.Delete(n.todo, i, i+1)
	if a, is := next.(act); is {
		a.run()
		return
	}
	fault := 0
	if !n.calm {
		fault = n.rand.IntN(12)
	}
	ev, failed := n.perform(next, fault != 1)
	if failed != nil && (fault == 1 || fault == 2) {
		n.counts[[]string{"", "lost request", "lost reply"}[fault]]++
		if ev = failed; isAppend(next) {
			n.counts["journal failed"]++
		}
	}
	if _, committed := ev.(asker.Committed); committed && fault == 3 { // the store's client sent it twice
		n.counts["sent twice"]++
		ev = asker.Conflicted{Session: next.(asker.Commit).Session}
	}
	n.step(ev)
}

// perform performs an effect unless it is lost. It returns its result, and what a failure is told by.
func (n *node) perform(next asker.Effect, real bool) (ev, failed asker.Event) {
	switch ef := next.(type) {
	case asker.Load:
		failed = asker.StoreFailed{Session: ef.Session, Why: errAway, Away: true}
		if r, there := n.rows[ef.Session]; there {
			return asker.Loaded{Session: ef.Session, Version: r.version, State: r.state}, failed
		}
		return asker.Missing(ef), failed
	case asker.Commit:
		failed = asker.StoreFailed{Session: ef.Session, Why: errAway, Away: true}
		if real {
			return n.store(ef), failed
		}
		return nil, failed
	case asker.Redeem:
		again := n.spent[ef.ID]
		n.spent[ef.ID], n.disk = again || real, maps.Clone(n.rows)
		return asker.Redeemed{Call: ef.Call, Again: again}, asker.StoreFailed{Call: ef.Call, Why: errAway}
	case asker.Due:
		var due []string
		for _, name := range slices.Sorted(maps.Keys(n.rows)) {
			if r := n.rows[name]; r.next != 0 && r.next <= ef.Now {
				due = append(due, name)
			}
		}
		due = due[min(ef.Skip, len(due)):]
		return asker.Found{Sessions: due[:min(ef.Limit, len(due))]}, asker.StoreFailed{Why: errAway}
	case asker.Watch:
		n.watched[ef.Session] = real
		return asker.Watched(ef), asker.Unwatched(ef)
	case asker.Unseal:
		if sealed := n.sealed[numberOf(ef.State)]; sealed.Claims.ExpiresAt+600_000 > n.now() {
			return asker.Unsealed{Call: ef.Call, ID: ef.State, Body: sealed.Claims.Body,
				Expires: sealed.Claims.ExpiresAt + 600_000}, nil
		}
		return asker.Unsealed{Call: ef.Call}, nil
	case asker.Seal:
		n.sealed = append(n.sealed, ef)
		return asker.Sealed{Call: ef.Call, State: fmt.Sprint("state-", len(n.sealed)-1)}, nil
	case asker.Append:
		return asker.Appended{Session: ef.Session}, asker.Appended{Session: ef.Session, Why: errAway}
	case asker.Consult:
		return n.guardian(ef), nil
	case asker.Progress:
		n.told[ef.Call] = told{n.told[ef.Call].count, n.told[ef.Call].at, false}
		return asker.Progressed{Call: ef.Call}, nil
	}
	n.t.Fatalf("unknown effect %T", next)
	return nil, nil
}

// numberOf is the number of a sealed state.
func numberOf(state string) (i int) {
	fmt.Sscanf(state, "state-%d", &i)
	return i
}

// store commits a change by the rules of package store.
func (n *node) store(ef asker.Commit) asker.Event {
	if n.rows[ef.Session].version != ef.From {
		n.counts["conflict"]++
		return asker.Conflicted{Session: ef.Session}
	}
	if err := ef.Check(); err != nil {
		n.t.Fatalf("no store takes %+v: %v", ef, err)
	}
	for _, e := range ef.Entries {
		if before := n.history[e.ID]; before != "" && before != e.Outcome {
			n.t.Errorf("question %s ends as %s and as %s", e.ID, before, e.Outcome)
		}
		n.history[e.ID] = e.Outcome
		n.counts[e.Outcome]++
		var number int
		fmt.Sscanf(e.Text, "Question %d", &number)
		n.over[number] = true
		n.taken[number] = n.taken[number] || e.Outcome == string(elicit.Accepted)
	}
	version := ef.Version()
	if n.rows[ef.Session] = (row{version, ef.State, ef.Next}); ef.State == nil {
		delete(n.rows, ef.Session)
	}
	if !ef.Lazy {
		n.disk = maps.Clone(n.rows)
	}
	for _, other := range n.nodes {
		if other.watched[ef.Session] && (n.calm || n.rand.IntN(4) > 0) {
			other.step(asker.Hinted{Session: ef.Session})
		}
	}
	return asker.Committed{Session: ef.Session, Version: version}
}

// runs runs the handler of a call on a node.
func (n *node) runs(c *call) {
	name := n.name("call")
	if c.again != nil {
		n.requests(name, c.again)
	}
	n.wait(name, asker.Called{Call: name, Client: c.client, Target: c.target, State: c.state, Responses: c.responses,
		Session: c.session, Token: fmt.Appendf(nil, "%q", name)}, func(r asker.Reply) {
		switch {
		case r.Failed == "" && r.Settle == nil && r.Result == nil:
			n.begins(c, name)
		case c.again != nil && r.Settle != nil: // its process ends
			n.repeats = append(n.repeats, c.again)
		case c.again != nil:
			n.requested(name, func() { n.gets(c, r) })
		}
	})
}

// asks poses a question of a handler, and goes on when it is answered.
func (n *node) asks(c *call, name string, i int) {
	ref, q := n.name("ask"), &question{number: c.first + i, call: c, name: name}
	n.sends[ref] = q
	posed := asker.Posed{Ref: ref, Call: name, Question: asking.Question{Mode: elicit.Form,
		Message: fmt.Sprint("Question ", q.number), Schema: fmt.Appendf(nil,
			`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)}}
	n.wait(ref, posed, func(r asker.Reply) {
		delete(n.sends, ref)
		switch {
		case r.Settle != nil && r.Settle.Outcome == elicit.Accepted:
			var content struct{ N int }
			if json.Unmarshal(r.Settle.Content, &content) != nil || content.N != q.number {
				n.t.Errorf("question %d gets the answer %s", q.number, r.Settle.Content)
			}
			if !n.taken[q.number] {
				n.t.Errorf("question %d has an answer that is not in the history", q.number)
			}
			n.counts["answered"]++
			if i == 0 && c.more {
				n.asks(c, name, 1)
				return
			}
			if c.deed != nil {
				n.does(c, name, i)
				return
			}
		case r.Settle != nil && r.Settle.ID != "" && n.history[string(r.Settle.ID)] != string(r.Settle.Outcome):
			n.t.Errorf("question %d ends as %s, and in the history as %q: %+v", q.number, r.Settle.Outcome,
				n.history[string(r.Settle.ID)], *r.Settle)
		}
		n.ends(c, name, i, r.Failed != "" || r.Settle != nil && r.Settle.Cause == elicit.ByShutdown)
	})
}

// ends lets a handler return, and gives the client what its call is answered with.
func (n *node) ends(c *call, name string, i int, failed bool) {
	if c.deed != nil {
		result := `{"done":false}`
		if failed { // the handler fails as well: it does not know what the person says
			result = ""
		}
		n.returns(c, name, i, result)
		return
	}
	n.wait(name, asker.Returned{Call: name, Cancelled: n.rand.IntN(20) == 0}, func(r asker.Reply) {
		if r.Result != nil && r.Failed == "" {
			n.puts(c, r)
		}
	})
}

// puts gives a client the question with which its call ended.
func (n *node) puts(c *call, r asker.Reply) {
	q := &question{call: c, link: linkIn(string(r.Result))}
	fmt.Sscanf(questionPattern.FindString(string(r.Result)), "Question %d", &q.number)
	if c.kind == "rounds" {
		var result struct {
			InputRequests map[string]json.RawMessage
			RequestState  string
		}
		if err := json.Unmarshal(r.Result, &result); err != nil || len(result.InputRequests) != 1 {
			n.t.Fatalf("%s: %v", r.Result, err)
		}
		for q.key = range result.InputRequests {
		}
		again := *c
		again.state, q.call = result.RequestState, &again
		if again.states++; again.deed != nil {
			again.deed.states = max(again.deed.states, again.states)
		}
	} else {
		q.id = idPattern.FindStringSubmatch(strings.ReplaceAll(string(r.Result), `\"`, `"`))[1]
	}
	n.open = append(n.open, q)
}

var questionPattern = regexp.MustCompile(`Question \d+`)

var idPattern = regexp.MustCompile(`"id":"([0-9a-f.]+)"`)
